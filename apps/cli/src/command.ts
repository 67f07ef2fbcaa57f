export type Command = {
  /** What it does, in half a line. */
  readonly summary: string;
  readonly usage: string;
  /** The code that the process ends with. */
  readonly run: (args: readonly string[]) => Promise<number>;
};
