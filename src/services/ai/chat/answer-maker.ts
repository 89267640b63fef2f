import { unsupportedNumbers } from '../../../domain/chat/number-support.ts';
import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { anySignal } from '../../../lib/any-signal.ts';
import { AppError, notFound } from '../../../lib/errors.ts';
import type { Store } from '../../../repositories/store.ts';
import type { CreditService, Spent, Worker } from '../../billing/credits.ts';
import { AnswerLog, NoLongerOurs } from './answer-log.ts';
import type { Answerer, Asked } from './answerer.ts';

/** Where an answer is kept. */
export interface Opened {
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
export class AnswerMaker {
  private readonly store: Store;
  private readonly credits: CreditService;
  private readonly answerer: Answerer;

  constructor(store: Store, credits: CreditService, answerer: Answerer) {
    this.store = store;
    this.credits = credits;
    this.answerer = answerer;
  }

  /**
   * Sets credits aside, opens the answer and begins to make it; what is said of it goes into the log that it gives. Fails with what
   * prevents that before anything is said.
   */
  begin(
    asked: Asked,
    purpose: Purpose,
    { signal: stop, untie }: ReturnType<typeof anySignal>,
    open: (reservationId: number, worker: Worker) => Promise<Opened>,
  ): Promise<AnswerLog> {
    const { answerer, store } = this;
    const worker = { engine: answerer.engine, model: answerer.model };
    const prepared = answerer.prepare(asked);
    const { mostTokens } = prepared;
    return new Promise((resolve, reject) => {
      let log: AnswerLog | null = null;
      const make = async (held: HeldCredits): Promise<AnswerLog> => {
        stop.throwIfAborted();
        const opened = await open(held.reservationId, worker);
        const made = new AnswerLog(store.read.chatMessages, { ...opened, reservationId: held.reservationId });
        log = made;
        if (opened.lastEvent === 0)
          made.event('start', { session_id: opened.sessionId, message_id: opened.messageId, ...worker });
        resolve(made);
        const plan = (text: string) => store.read.chatMessages.setPlan(opened.messageId, text);
        for await (const piece of prepared.pieces(held, stop, plan)) {
          made.add(piece);
          stop.throwIfAborted();
        }
        await made.flushed();
        return made;
      };
      this.credits
        .spend({ purpose: { ...purpose, operation: 'chat' }, worker, mostTokens, signal: stop }, make)
        .then(
          (spent) => this.complete(spent),
          (error: unknown) => (log === null ? reject(asError(error)) : this.breakOff(log, error, stop)),
        )
        // The database is away, say: the answer stays as it is, and whoever listens is told.
        .catch((error: unknown) => log?.close(asError(error)))
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
      const event = log.numbered('done', {
        session_id: sessionId,
        message_id: messageId,
        usage,
        credits_used: creditsUsed,
        credits_remaining: creditsRemaining,
        figures: ended.figures,
        unsupported_numbers: unsupportedNumbers(ended.content),
      });
      await chatMessages.insertEvents(messageId, reservationId, [event]);
      return event;
    });
    if (done === null) return log.close(notFound('answer'));
    log.push(done);
    log.close();
  }

  /** Stopped by its listener it can be gone on with; else it has failed, and says why. */
  private async breakOff(log: AnswerLog, error: unknown, stop: AbortSignal): Promise<void> {
    const { messageId, reservationId } = log;
    if (error instanceof NoLongerOurs) return log.close(notFound('answer'));
    // What was said until then.
    await log.flushed().catch(() => undefined);
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
      const event = log.numbered('error', problem);
      await chatMessages.insertEvents(messageId, reservationId, [event]);
      return event;
    });
    // Our own bug is told by whoever logs it.
    if (failed === null || !(error instanceof AppError)) return log.close(asError(error));
    log.push(failed);
    log.close();
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
