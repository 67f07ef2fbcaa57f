/** Some errors quote all that they could not read. */
const MAX_LENGTH = 4_000;

/** What an error says, whatever it is that was thrown; never its stack. */
export function reasonOf(error: unknown): string {
  try {
    return (error instanceof Error ? error.message : String(error)).slice(0, MAX_LENGTH);
  } catch {
    return 'an error that cannot be read';
  }
}
