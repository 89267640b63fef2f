import { findUnsupportedNumbers } from '../../../domain/chat/number-support.ts';
import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { anySignal } from '../../../lib/any-signal.ts';
import { AppError, notFound } from '../../../lib/errors.ts';
import type { Store } from '../../../repositories/store.ts';
import type { CreditService, Spent, Worker } from '../../billing/credits.ts';
import { AnswerLog, AnswerLeaseLostError } from './answer-log.ts';
import type { AnswerEngine, ChatPrompt } from './answer-engine.ts';

/** Where an answer is kept. */
export interface OpenedAnswer {
  sessionId: string;
  messageId: number;
  /** 0: nothing was said of it. */
  lastEvent: number;
}

interface Purpose {
  organizationId: number;
  userId: number;
  surveyId: number | null;
}

/** Makes answers with credits that are set aside for them, whoever listens. */
export class AnswerGenerator {
  private readonly store: Store;
  private readonly credits: CreditService;
  private readonly engine: AnswerEngine;

  constructor(store: Store, credits: CreditService, answerer: AnswerEngine) {
    this.store = store;
    this.credits = credits;
    this.engine = answerer;
  }

  /**
   * Sets credits aside, opens the answer and begins to make it; what is said of it goes into the log that it gives. Fails with what
   * prevents that before anything is said.
   */
  start(
    asked: ChatPrompt,
    purpose: Purpose,
    { signal: stop, untie }: ReturnType<typeof anySignal>,
    open: (reservationId: number, worker: Worker) => Promise<OpenedAnswer>,
  ): Promise<AnswerLog> {
    const { engine: answerer, store } = this;
    const worker = { engine: answerer.engine, model: answerer.model };
    const prepared = answerer.prepare(asked);
    const { maxTokens: mostTokens } = prepared;
    return new Promise((resolve, reject) => {
      let log: AnswerLog | null = null;
      const make = async (held: HeldCredits): Promise<AnswerLog> => {
        stop.throwIfAborted();
        const opened = await open(held.reservationId, worker);
        const made = new AnswerLog(store.read.chatMessages, { ...opened, reservationId: held.reservationId });
        log = made;
        if (opened.lastEvent === 0)
          made.appendEvent('start', {
            session_id: opened.sessionId,
            message_id: opened.messageId,
            ...worker,
          });
        resolve(made);
        const plan = (text: string) => store.read.chatMessages.setPlan(opened.messageId, text);
        for await (const piece of prepared.generate(held, stop, plan)) {
          made.append(piece);
          stop.throwIfAborted();
        }
        await made.flush();
        return made;
      };
      this.credits
        .spend({ purpose: { ...purpose, operation: 'chat' }, worker, mostTokens, signal: stop }, make)
        .then(
          (spent) => this.complete(spent),
          (error: unknown) => (log === null ? reject(toError(error)) : this.handleFailure(log, error, stop)),
        )
        // The database is away, say: the answer stays as it is, and whoever listens is told.
        .catch((error: unknown) => log?.close(toError(error)))
        .finally(untie);
    });
  }

  private async complete({
    result: log,
    usage,
    creditsUsed,
    creditsRemaining,
  }: Spent<AnswerLog>): Promise<void> {
    const { messageId, reservationId, sessionId } = log;
    const done = await this.store.transaction(async ({ chatMessages }) => {
      const ended = await chatMessages.end(messageId, reservationId, 'complete');
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
      await chatMessages.insertEvents(messageId, reservationId, [event]);
      return event;
    });
    if (done === null) return log.close(notFound('answer'));
    log.publish(done);
    log.close();
  }

  /** Stopped by its listener it can be gone on with; else it has failed, and says why. */
  private async handleFailure(log: AnswerLog, error: unknown, stop: AbortSignal): Promise<void> {
    const { messageId, reservationId } = log;
    if (error instanceof AnswerLeaseLostError) return log.close(notFound('answer'));
    // What was said until then.
    await log.flush().catch(() => undefined);
    if (stop.aborted) {
      await this.store.read.chatMessages.end(messageId, reservationId, 'stopped');
      return log.close();
    }
    const problem =
      error instanceof AppError
        ? { message: error.message, code: error.code }
        : { message: 'Something went wrong on our side', code: 'internal_error' };
    const failed = await this.store.transaction(async ({ chatMessages }) => {
      if ((await chatMessages.end(messageId, reservationId, 'failed')) === null) return null;
      const event = log.createEvent('error', problem);
      await chatMessages.insertEvents(messageId, reservationId, [event]);
      return event;
    });
    // Our own bug is told by whoever logs it.
    if (failed === null || !(error instanceof AppError)) return log.close(toError(error));
    log.publish(failed);
    log.close();
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
