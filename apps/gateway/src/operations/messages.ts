import { type Blobs, moveOut, type MovedOut, jsonBytes, type PartLimits, PartTooLargeError } from '@tidemark/blobs';
import { type AddMessage, decide, type SubmitTask, type TaskRef } from '@tidemark/domain';
import { EventTooLargeError, execute, type Executed, type TaskLog } from '@tidemark/event-log';
import { payloadTooLarge } from '@tidemark/protocol';
import { messageTooLarge } from './message-too-large';

/** What an event adds to the command that causes it. */
const ENVELOPE_BYTES = 2_048;

export type MessagesParts = { readonly log: TaskLog; readonly blobs: Blobs; readonly limits: PartLimits };

/** What clients say, on its way into the log. Content that an event has no room for is stored before the event is. */
export class Messages {
  constructor(private readonly parts: MessagesParts) {}

  /** @throws TaskError, ProtocolError PAYLOAD_TOO_LARGE that names the field, LogUnavailableError, BlobsUnavailableError */
  async append(ref: TaskRef, command: SubmitTask | AddMessage): Promise<Executed> {
    const { parts, contents } = this.#movedOut(command);
    const lighter = { ...command, message: { ...command.message, parts } };
    try {
      return await this.#append(ref, lighter, contents);
    } catch (error) {
      if (error instanceof EventTooLargeError) throw messageTooLarge(lighter, error.limitBytes);
      throw error;
    }
  }

  /** Nothing is stored for a message that the rules refuse, or know already. */
  async #append(ref: TaskRef, command: SubmitTask | AddMessage, contents: MovedOut['contents']): Promise<Executed> {
    const { log, blobs } = this.parts;
    if (contents.length === 0) return execute(log, ref, command);
    const current = await log.load(ref);
    if (decide(current?.task, command)) for (const content of contents) await blobs.put(ref, content);
    return execute(log, current ?? ref, command);
  }

  #movedOut({ message, ...command }: SubmitTask | AddMessage): MovedOut {
    const { limits } = this.parts;
    const others = jsonBytes({ ...command, message: { ...message, parts: [] } }) + ENVELOPE_BYTES;
    try {
      return moveOut(message.parts, limits, limits.maxEventBytes - others);
    } catch (error) {
      if (!(error instanceof PartTooLargeError)) throw error;
      throw payloadTooLarge(`message.parts[${error.index}]`, error.limitBytes);
    }
  }
}
