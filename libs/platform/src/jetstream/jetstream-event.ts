import { applyDecorators, Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { BaseRpcContext, EventPattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import type { WorkMessage } from './work-message';

/** The transport of handlers of the log. */
export const JETSTREAM = Symbol('JETSTREAM');

/** What a handler gets with `@Ctx()`. The transport settles the message; the handler only returns or throws. */
export class JetStreamContext extends BaseRpcContext<[WorkMessage]> {
  get message(): Pick<WorkMessage, 'subject' | 'seq' | 'deliveryCount'> {
    return this.args[0];
  }
}

/** Nest puts `Internal server error` in the place of every error; the transport has to see the error itself. */
@Catch()
export class PassThroughRpcFilter implements ExceptionFilter {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}

/**
 * Handles the events of the log whose subject matches one of these, `*` and `>` as in NATS: `@Payload()` is the `TaskEvent`,
 * `@Ctx()` the `JetStreamContext`. Returning acknowledges; `RetryLater` and `Poison` say how it failed, and any
 * other error is tried again after a while.
 */
export const JetStreamEvent = (...subjects: readonly string[]): MethodDecorator =>
  // <...> picks the untyped overload: the typed one refuses a context of one's own.
  applyDecorators(EventPattern<readonly string[]>(subjects, JETSTREAM), UseFilters(PassThroughRpcFilter));
