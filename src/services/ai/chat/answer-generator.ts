import { formatEventId } from '../../../domain/chat/answer-stream.ts';
import { findUnsupportedNumbers } from '../../../domain/chat/number-support.ts';
import type { CreditReservation } from '../../../domain/credits/credits.ts';
import type { anySignal } from '../../../lib/concurrency.ts';
import { AppError, notFound } from '../../../lib/errors.ts';
import type { ChatEvent, ChatSessionRepository } from '../../../repositories/chat-sessions.ts';
import type { Store } from '../../../repositories/store.ts';
import type { CreditService, EngineModel, SpendResult } from '../../billing/credits.ts';
import type { AnswerChunk, AnswerEngine, ChatPrompt } from './answer-engines.ts';

/** An event as it is sent to a client. */
export interface AnswerEvent {
  event: string;
  id: string;
  data: object;
}

/** Thrown when another process continues the answer, or the answer was deleted. */
class AnswerLeaseLostError extends Error {}

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
    answer: { sessionId: string; messageId: number; reservationId: number; lastEvent: number },
  ) {
    this.sessionId = answer.sessionId;
    this.messageId = answer.messageId;
    this.reservationId = answer.reservationId;
    this.number = answer.lastEvent;
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
        for (let event = this.stored[next]; event !== undefined; event = this.stored[next]) {
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

/** The stored answer that events belong to. */
export interface OpenedAnswer {
  sessionId: string;
  messageId: number;
  /** 0: no event was sent yet. */
  lastEvent: number;
}

interface Purpose {
  organizationId: number;
  userId: number;
  surveyId: number | null;
}

/** Generates answers on reserved credits, independently of the client connection. */
export class AnswerGenerator {
  private readonly engine: AnswerEngine;

  constructor(
    private readonly store: Store,
    private readonly credits: CreditService,
    answerer: AnswerEngine,
  ) {
    this.engine = answerer;
  }

  /**
   * Reserves credits, opens the answer and starts generating it. Returns the log that receives its events. Throws errors that occur before
   * the first event.
   */
  start({
    prompt,
    purpose,
    stopping: { signal: stop, dispose },
    open,
  }: {
    prompt: ChatPrompt;
    purpose: Purpose;
    stopping: ReturnType<typeof anySignal>;
    open: (reservationId: number, worker: EngineModel) => Promise<OpenedAnswer>;
  }): Promise<AnswerLog> {
    const { engine, store } = this;
    const worker = { engine: engine.engine, model: engine.model };
    const prepared = engine.prepare(prompt);
    const { maxTokens } = prepared;
    return new Promise((resolve, reject) => {
      let log: AnswerLog | null = null;
      const make = async (reservation: CreditReservation): Promise<AnswerLog> => {
        stop.throwIfAborted();
        const opened = await open(reservation.reservationId, worker);
        const newLog = new AnswerLog(store.read.chatSessions, {
          ...opened,
          reservationId: reservation.reservationId,
        });
        log = newLog;
        if (opened.lastEvent === 0)
          newLog.appendEvent('start', {
            session_id: opened.sessionId,
            message_id: opened.messageId,
            ...worker,
          });
        resolve(newLog);
        const plan = (text: string) => store.read.chatSessions.savePlannedContent(opened.messageId, text);
        for await (const chunk of prepared.generate(reservation, stop, plan)) {
          newLog.append(chunk);
          stop.throwIfAborted();
        }
        await newLog.flush();
        return newLog;
      };
      this.credits
        .spend(
          {
            purpose: { ...purpose, operation: 'chat' },
            engineModel: worker,
            maxTokens,
            signal: stop,
          },
          make,
        )
        .then(
          (spent) => this.complete(spent),
          (error: unknown) => (log === null ? reject(toError(error)) : this.handleFailure(log, error, stop)),
        )
        // The database is unavailable, for example: the answer stays as it is and the client gets the error.
        .catch((error: unknown) => log?.close(toError(error)))
        .finally(dispose);
    });
  }

  private async complete({
    result: log,
    usage,
    creditsUsed,
    creditsRemaining,
  }: SpendResult<AnswerLog>): Promise<void> {
    const { messageId, reservationId, sessionId } = log;
    const done = await this.store.transaction(async ({ chatSessions }) => {
      const ended = await chatSessions.endAnswer(messageId, reservationId, 'complete');
      if (ended === null) return null;
      const event = log.createEvent('done', {
        session_id: sessionId,
        message_id: messageId,
        usage,
        credits_used: creditsUsed,
        credits_remaining: creditsRemaining,
        figures: ended.figures,
        unsupported_numbers: findUnsupportedNumbers(ended.content),
      });
      await chatSessions.insertEvents(messageId, reservationId, [event]);
      return event;
    });
    if (done === null) return log.close(notFound('answer'));
    log.publish(done);
    log.close();
  }

  /** An answer that its client aborted can be continued; any other failed and reports the error. */
  private async handleFailure(log: AnswerLog, error: unknown, stop: AbortSignal): Promise<void> {
    const { messageId, reservationId } = log;
    if (error instanceof AnswerLeaseLostError) return log.close(notFound('answer'));
    // Stores the chunks generated so far.
    await log.flush().catch(() => undefined);
    if (stop.aborted) {
      await this.store.read.chatSessions.endAnswer(messageId, reservationId, 'stopped');
      return log.close();
    }
    const problem =
      error instanceof AppError
        ? { message: error.message, code: error.code }
        : { message: 'An internal error occurred', code: 'internal_error' };
    const failed = await this.store.transaction(async ({ chatSessions }) => {
      if ((await chatSessions.endAnswer(messageId, reservationId, 'failed')) === null) return null;
      const event = log.createEvent('error', problem);
      await chatSessions.insertEvents(messageId, reservationId, [event]);
      return event;
    });
    // An unexpected error is logged where the log is read.
    if (failed === null || !(error instanceof AppError)) return log.close(toError(error));
    log.publish(failed);
    log.close();
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
