/** The arguments are not what the command takes. */
export class WrongUseError extends Error {
  override readonly name = 'WrongUseError';
}

export type Command = {
  /** What it does, in half a line. */
  readonly summary: string;
  readonly usage: string;
  /** The code that the process ends with. */
  readonly run: (args: readonly string[]) => Promise<number>;
};
