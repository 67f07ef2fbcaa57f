import type { LoggerService } from '@nestjs/common';
import { type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on stdout. Log decisions, as objects with ids and positions; never payloads or secrets. */
export const createLogger = (app: string, level: string): Logger =>
  pino({ level, base: { app }, timestamp: stdTimeFunctions.isoTime });

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
