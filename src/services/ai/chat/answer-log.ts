import { formatEventId } from '../../../domain/chat/answer-stream.ts';
import type { ChatEvent, ChatSessionRepository } from '../../../repositories/chat-sessions.ts';
import type { AnswerChunk } from './answer-engine.ts';

/** An event as it is sent to a client. */
export interface AnswerEvent {
  event: string;
  id: string;
  data: object;
}

/** Thrown when another process continues the answer, or the answer was deleted. */
export class AnswerLeaseLostError extends Error {}

/** Chunks are merged up to this length while a write is pending. */
const MAX_DELTA_CHARACTERS = 200;

/**
 * The ordered events of an answer. Each event is stored before it is sent; a slow client does not slow down the generator. Events that
 * arrive during a write are stored with the next write.
 */
export class AnswerLog {
  readonly sessionId: string;
  readonly messageId: number;
  readonly reservationId: number;
  private readonly stored: ChatEvent[] = [];
  private pending: ChatEvent[] = [];
  private number: number;
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  private ended: { error: Error | undefined } | null = null;
  private wake: () => void = () => undefined;

  constructor(
    private readonly messages: ChatSessionRepository,
    of: { sessionId: string; messageId: number; reservationId: number; lastEvent: number },
  ) {
    this.sessionId = of.sessionId;
    this.messageId = of.messageId;
    this.reservationId = of.reservationId;
    this.number = of.lastEvent;
  }

  append(chunk: AnswerChunk): void {
    if (chunk.kind === 'figures') {
      this.appendEvent('figures', { figures: chunk.figures });
      return;
    }
    const last = this.pending.at(-1);
    const before = last?.event_name === 'delta' ? (last.data as { text: string }).text : null;
    if (last !== undefined && before !== null && before.length + chunk.text.length <= MAX_DELTA_CHARACTERS)
      last.data = { text: before + chunk.text };
    else this.appendEvent('delta', { text: chunk.text });
    this.write();
  }

  appendEvent(name: string, data: object): void {
    this.number += 1;
    this.pending.push({ event_number: this.number, event_name: name, data });
    this.write();
  }

  /** Creates the next event without storing it, for callers that store it in their own transaction. */
  createEvent(name: string, data: object): ChatEvent {
    this.number += 1;
    return { event_number: this.number, event_name: name, data };
  }

  /** Waits until all events are stored. Throws the error of a failed write. */
  flush(): Promise<void> {
    return this.writing;
  }

  /** Adds an event that is already stored. */
  publish(event: ChatEvent): void {
    this.stored.push(event);
    this.wake();
  }

  /** Ends the log. With `error` its reader throws it. */
  close(error?: Error): void {
    this.ended ??= { error };
    this.wake();
  }

  /** Events after `after`, until the log ends or the signal aborts. For a single reader. */
  async *events(after: number, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const stop = () => this.wake();
    signal.addEventListener('abort', stop);
    try {
      for (let next = 0; ;) {
        while (next < this.stored.length) {
          const event = this.stored[next]!;
          next += 1;
          if (event.event_number > after) yield toAnswerEvent(this.messageId, event);
        }
        if (signal.aborted) return;
        if (this.ended !== null) {
          if (this.ended.error !== undefined) throw this.ended.error;
          return;
        }
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private write(): void {
    if (this.isWriting) return;
    this.isWriting = true;
    const before = this.writing;
    this.writing = before.then(() => this.writePending());
    // Prevents an unhandled rejection; callers of `flush` get the error.
    this.writing.catch(() => undefined);
  }

  private async writePending(): Promise<void> {
    while (this.pending.length > 0) {
      const batch = this.pending;
      this.pending = [];
      if (!(await this.messages.insertEvents(this.messageId, this.reservationId, batch)))
        throw new AnswerLeaseLostError('Another process continues this answer, or it was deleted');
      this.stored.push(...batch);
      this.wake();
    }
    this.isWriting = false;
  }
}

export const toAnswerEvent = (messageId: number, event: ChatEvent): AnswerEvent => ({
  event: event.event_name,
  id: formatEventId({ messageId, number: event.event_number }),
  data: event.data,
});
