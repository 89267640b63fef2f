import { ApiError, type FieldProblem } from '../../shared/client/api.ts';
import type { EntryParameters, RespondentApi, ResponseOutcome } from './api.ts';
import { type Draft, type Outcome, randomId } from './draft.ts';

const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

export type SendState = 'idle' | 'sending' | 'waiting';

/** Data and callbacks of the session that the outbox serves. */
export interface OutboxOwner {
  draft: Draft;
  link: EntryParameters;
  /** null if the survey does not detect duplicate responses. */
  deviceId: string | null;
  /** Returns the current answers to these questions. */
  answersForServer(codes: readonly string[]): Record<string, unknown>;
  notifyChanged(): void;
  /** Takes over the response that another tab of this device has begun. Can replace the draft. */
  joinOtherTab(): void;
  /** Stores the draft as it is, with its identity. */
  storeDraft(): void;
  applyOutcome(outcome: Outcome): void;
  /** Called with the arms that the server has assigned. */
  setArms(arms: Readonly<Record<string, string>>): void;
  /** Called with each reply that says whether the survey has closed. */
  setClosed(isClosed: boolean): void;
  /** Called when the server finds invalid answers. */
  showServerProblems(problems: readonly FieldProblem[]): void;
  /** Called with an error code when the server accepts no more answers. */
  handleRejection(code: string): void;
}

/**
 * Sends the unsent part of the draft in consecutive requests until the server has acknowledged all of it. Transient failures are retried
 * with a growing delay, and when the browser is online again. submission_id and client_secret make retries idempotent.
 */
export class Outbox {
  state: SendState = 'idle';
  private retryDelayMs = MIN_RETRY_DELAY_MS;
  private retryTimer: ReturnType<typeof setTimeout> | null = null;
  private isRunning = false;
  private readonly waiters: ((token: string) => void)[] = [];

  constructor(
    private readonly api: RespondentApi,
    private readonly owner: OutboxOwner,
  ) {
    addEventListener('online', () => this.sendNow());
    addEventListener('offline', () => owner.notifyChanged());
    // A phone that wakes up may be online again.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && this.state === 'waiting') this.sendNow();
    });
  }

  /** Returns the token of the response, and starts the response if necessary. */
  ensureStarted(): Promise<string> {
    const { responseToken } = this.owner.draft;
    if (responseToken !== null) return Promise.resolve(responseToken);
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      this.sendNow();
    });
  }

  get hasUnsent(): boolean {
    const { draft } = this.owner;
    return draft.outcome === null && (draft.unsaved !== null || draft.submitted);
  }

  /** Sends immediately, without waiting for the next retry. */
  sendNow(): void {
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    this.retryTimer = null;
    if (this.isRunning) return;
    this.isRunning = true;
    void this.sendAll().finally(() => {
      this.isRunning = false;
    });
  }

  private async sendAll(): Promise<void> {
    try {
      while (this.hasUnsent || (this.owner.draft.responseToken === null && this.waiters.length > 0)) {
        this.setState('sending');
        await this.sendOne();
        this.retryDelayMs = MIN_RETRY_DELAY_MS;
      }
      this.setState('idle');
    } catch (error) {
      this.handleFailure(error);
    }
  }

  private async sendOne(): Promise<void> {
    this.owner.joinOtherTab();
    const { draft } = this.owner;
    if (draft.outcome !== null) return;
    if (draft.responseToken === null) {
      const started = await this.api.start(draft, this.owner.link, this.owner.deviceId).catch(nullIfTaken);
      if (started === null || started.response_token === null) {
        // Someone else has the submission_id, or an earlier version of this page, whose reply was lost. This starts a new response.
        draft.submissionId = randomId();
        this.owner.storeDraft();
        this.owner.notifyChanged();
        return;
      }
      draft.responseToken = started.response_token;
      this.owner.setArms(started.arms ?? {});
      this.owner.notifyChanged();
      this.resolveWaiters(started.response_token);
      this.finishIfEnded(started);
      return;
    }
    const { responseToken, unsaved } = draft;
    if (this.waiters.length > 0) {
      this.resolveWaiters(responseToken);
      return;
    }
    if (unsaved !== null) {
      const answers = this.owner.answersForServer(unsaved.codes);
      const saved = await this.api.save(responseToken, answers, unsaved);
      // Answers that changed during the request are sent with the next one.
      const currentAnswers = this.owner.answersForServer(unsaved.codes);
      const changed = unsaved.codes.filter(
        (code) => JSON.stringify(currentAnswers[code]) !== JSON.stringify(answers[code]),
      );
      if (draft.unsaved === unsaved) {
        draft.unsaved = changed.length > 0 ? { codes: changed, pageId: null } : null;
      }
      this.owner.setClosed(saved.survey_closed);
      this.owner.setArms(saved.arms ?? {});
      this.owner.notifyChanged();
      this.finishIfEnded(saved);
      return;
    }
    this.finishIfEnded(await this.api.complete(responseToken));
  }

  private resolveWaiters(token: string): void {
    for (const resolve of this.waiters.splice(0)) resolve(token);
  }

  private finishIfEnded({ response_status: status, status_reason, redirect_url }: ResponseOutcome): void {
    if (status === 'partial') return;
    this.owner.applyOutcome({ status, reason: status_reason ?? null, redirectUrl: redirect_url ?? null });
  }

  private handleFailure(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === 'transient') {
      const delayMs = Math.max(this.retryDelayMs, error.retryAfterSeconds * 1000);
      this.retryDelayMs = Math.min(this.retryDelayMs * 2, MAX_RETRY_DELAY_MS);
      this.retryTimer = setTimeout(() => this.sendNow(), delayMs);
      this.setState('waiting');
      return;
    }
    this.setState('idle');
    if (error.status === 400 && error.problems.some(({ field }) => field.startsWith('answers'))) {
      const { draft } = this.owner;
      draft.unsaved = null;
      draft.submitted = false;
      this.owner.showServerProblems(error.problems);
    } else this.owner.handleRejection(error.code);
  }

  private setState(state: SendState): void {
    this.state = state;
    this.owner.notifyChanged();
  }
}

function nullIfTaken(error: unknown): null {
  if (error instanceof ApiError && error.code === 'submission_id_taken') return null;
  throw error;
}
