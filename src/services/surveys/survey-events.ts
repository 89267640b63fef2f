import type { SurveyScope } from '../../domain/access/scopes.ts';
import { tooManyConcurrent } from '../../lib/error-messages.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { SignaledChange, SurveySignals } from '../../repositories/survey-signals.ts';

/** Each open editor has one; more are probably a client that does not close them. */
const MAX_STREAMS_OF_USER = 20;
/** A client that reads more slowly reloads the survey instead. */
const MAX_PENDING = 200;
const RETRY_AFTER_SECONDS = 10;
/** After this time a stream begins without notifications; the client is told of missed changes when they are received. */
const LISTEN_TIMEOUT_MS = 5_000;

/** A change, or a moment at which the client has to compare its revision with this one. */
export type SurveyEvent =
  | { kind: 'connected' | 'changes_missed'; revision: number; change: null }
  | { kind: string; revision: number; change: SignaledChange };

/** Streams the changes of surveys to their authors. */
export class SurveyEventService {
  private readonly streamsOfUser = new Map<number, number>();

  constructor(
    private readonly store: Store,
    private readonly signals: SurveySignals,
  ) {}

  /** Opens a stream that ends when the signal fires or the process stops. Throws 429 for too many streams of one user. */
  open(scope: SurveyScope, signal: AbortSignal): AsyncIterable<SurveyEvent> {
    const open = this.streamsOfUser.get(scope.userId) ?? 0;
    if (open >= MAX_STREAMS_OF_USER)
      throw new AppError('too_many_requests', 'too_many_streams', tooManyConcurrent('event streams'), [], {
        'Retry-After': String(RETRY_AFTER_SECONDS),
      });
    this.countStreams(scope.userId, 1);
    signal.addEventListener('abort', () => this.countStreams(scope.userId, -1), { once: true });
    if (signal.aborted) this.countStreams(scope.userId, -1);
    return this.watch(scope, AbortSignal.any([signal, this.signals.closed]));
  }

  private countStreams(userId: number, change: 1 | -1): void {
    const count = (this.streamsOfUser.get(userId) ?? 0) + change;
    if (count <= 0) this.streamsOfUser.delete(userId);
    else this.streamsOfUser.set(userId, count);
  }

  private async *watch({ surveyId }: SurveyScope, signal: AbortSignal): AsyncGenerator<SurveyEvent> {
    const pending = new PendingChanges();
    const close = this.signals.onChange(surveyId, (change) => pending.add(change));
    const wake = () => pending.wake();
    signal.addEventListener('abort', wake, { once: true });
    try {
      if (!this.signals.isListening) {
        // What changes from `connected` on is received one by one.
        const timer = setTimeout(wake, LISTEN_TIMEOUT_MS);
        await pending.next();
        clearTimeout(timer);
      }
      let known = await this.readState(surveyId);
      yield { kind: 'connected', revision: known.revision, change: null };
      while (!signal.aborted) {
        const change = await pending.next();
        if (change === 'none') continue;
        if (change !== 'missed') {
          yield { kind: change.kind, revision: change.revision, change };
          continue;
        }
        const state = await this.readState(surveyId);
        if (state.survey_updated.getTime() !== known.survey_updated.getTime())
          yield { kind: 'changes_missed', revision: state.revision, change: null };
        known = state;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      close();
    }
  }

  private async readState(surveyId: number) {
    const state = await this.store.detached(() => this.store.read.surveys.findState(surveyId));
    if (state === null) throw notFound('survey');
    return state;
  }
}

/** Changes that the client has not received yet. */
class PendingChanges {
  private readonly changes: SignaledChange[] = [];
  private isIncomplete = false;
  private onWake = (): void => undefined;

  add(change: SignaledChange | null): void {
    if (change === null || this.changes.length >= MAX_PENDING) {
      this.changes.length = 0;
      this.isIncomplete = true;
    } else this.changes.push(change);
    this.wake();
  }

  wake(): void {
    this.onWake();
  }

  async next(): Promise<SignaledChange | 'missed' | 'none'> {
    if (this.changes.length === 0 && !this.isIncomplete)
      await new Promise<void>((resolve) => {
        this.onWake = resolve;
      });
    if (this.isIncomplete) {
      this.isIncomplete = false;
      return 'missed';
    }
    return this.changes.shift() ?? 'none';
  }
}
