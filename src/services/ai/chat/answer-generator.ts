import { findUnsupportedNumbers } from '../../../domain/chat/number-support.ts';
import type { CreditReservation } from '../../../domain/credits/credit-reservation.ts';
import type { anySignal } from '../../../lib/concurrency.ts';
import { AppError, notFound } from '../../../lib/errors.ts';
import type { Store } from '../../../repositories/store.ts';
import type { CreditService, SpendResult, EngineModel } from '../../billing/credits.ts';
import { AnswerLog, AnswerLeaseLostError } from './answer-log.ts';
import type { AnswerEngine, ChatPrompt } from './answer-engine.ts';

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
  start(
    prompt: ChatPrompt,
    purpose: Purpose,
    { signal: stop, dispose }: ReturnType<typeof anySignal>,
    open: (reservationId: number, worker: EngineModel) => Promise<OpenedAnswer>,
  ): Promise<AnswerLog> {
    const { engine: answerer, store } = this;
    const worker = { engine: answerer.engine, model: answerer.model };
    const prepared = answerer.prepare(prompt);
    const { maxTokens: mostTokens } = prepared;
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
        const plan = (text: string) => store.read.chatSessions.setPlan(opened.messageId, text);
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
            maxTokens: mostTokens,
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
