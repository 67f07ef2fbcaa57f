import type { LoggerService } from '@nestjs/common';
import { type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on stdout. Log decisions, as objects with ids and positions; never payloads or secrets. */
export const createLogger = (app: string, level: string): Logger =>
  pino({ level, base: { app }, timestamp: stdTimeFunctions.isoTime, serializers: { err: toLogged } });

const MAX_LENGTH = 4_000;

/** What an error says, and where it was thrown. Its other members may hold requests, with their credentials. */
export function toLogged(error: unknown): object {
  try {
    if (!(error instanceof Error)) return { message: String(error).slice(0, MAX_LENGTH) };
    const { name: type, message, stack = '', cause } = error;
    const text = { type, message: message.slice(0, MAX_LENGTH), stack: stack.slice(0, MAX_LENGTH) };
    return { ...text, ...(cause !== undefined && { cause: toLogged(cause) }) };
  } catch {
    return { message: 'an error that cannot be read' };
  }
}

/** `run` says why an app could not start; Nest would say it first, with a stack. */
const SAID_ELSEWHERE = 'ExceptionHandler';

/** What Nest itself has to say. Its reports about wiring are for debugging. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write(rest.at(-1) === SAID_ELSEWHERE ? 'debug' : 'error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  #write(level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal', message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.logger[level]({ context, err: message }, message.message);
    else if (typeof message === 'string') this.logger[level]({ context }, message);
    else this.logger[level]({ context, ...(message as object) });
  }
}
