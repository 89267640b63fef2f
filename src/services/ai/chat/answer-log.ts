import { formatEventId } from '../../../domain/chat/event-id.ts';
import type { ChatEvent, ChatMessageRepository } from '../../../repositories/chat-messages.ts';
import type { AnswerChunk } from './answer-engine.ts';

/** What a client is sent. */
export interface AnswerEvent {
  event: string;
  id: string;
  data: object;
}

/** An answer that somebody else goes on with, or that is gone. */
export class AnswerLeaseLostError extends Error {}

/** A piece of text is not made longer than that by what came meanwhile. */
const MAX_DELTA_CHARACTERS = 200;

/**
 * What is said of an answer, in order: each event is kept before it is sent, and whoever sends does not hold up whoever makes. What
 * comes while events are being written is written with the next.
 */
export class AnswerLog {
  readonly sessionId: string;
  readonly messageId: number;
  readonly reservationId: number;
  private readonly messages: ChatMessageRepository;
  private readonly stored: ChatEvent[] = [];
  private pending: ChatEvent[] = [];
  private number: number;
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  private ended: { error: Error | undefined } | null = null;
  private wake: () => void = () => undefined;

  constructor(
    messages: ChatMessageRepository,
    of: { sessionId: string; messageId: number; reservationId: number; lastEvent: number },
  ) {
    this.messages = messages;
    this.sessionId = of.sessionId;
    this.messageId = of.messageId;
    this.reservationId = of.reservationId;
    this.number = of.lastEvent;
  }

  append(piece: AnswerChunk): void {
    if (piece.kind === 'figures') {
      this.appendEvent('figures', { figures: piece.figures });
      return;
    }
    const last = this.pending.at(-1);
    const before = last?.event_name === 'delta' ? (last.data as { text: string }).text : null;
    if (last !== undefined && before !== null && before.length + piece.text.length <= MAX_DELTA_CHARACTERS)
      last.data = { text: before + piece.text };
    else this.appendEvent('delta', { text: piece.text });
    this.write();
  }

  appendEvent(name: string, data: object): void {
    this.number += 1;
    this.pending.push({ event_number: this.number, event_name: name, data });
    this.write();
  }

  /** The next event, for who keeps it elsewhere. */
  createEvent(name: string, data: object): ChatEvent {
    this.number += 1;
    return { event_number: this.number, event_name: name, data };
  }

  /** Fails with what kept it from being kept. */
  flush(): Promise<void> {
    return this.writing;
  }

  /** One that is kept already. */
  publish(event: ChatEvent): void {
    this.stored.push(event);
    this.wake();
  }

  /** Nothing more comes. `error`: what its reader is to fail with. */
  close(error?: Error): void {
    this.ended ??= { error };
    this.wake();
  }

  /** One reader: all that comes after an event, until the end or until the signal fires. */
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
    // Whoever waits for it is told; nobody may be left to wait.
    this.writing.catch(() => undefined);
  }

  private async writePending(): Promise<void> {
    while (this.pending.length > 0) {
      const batch = this.pending;
      this.pending = [];
      if (!(await this.messages.insertEvents(this.messageId, this.reservationId, batch)))
        throw new AnswerLeaseLostError('Somebody else goes on with this answer, or it is gone');
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
