import { ApiError, type FieldProblem } from '../../shared/client/call-failed.ts';
import type { RespondentApi, ResponseOutcome } from './api.ts';
import { type Draft, type Outcome, randomId } from './draft.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export type SendState = 'idle' | 'sending' | 'waiting';

/** What the outbox needs of its owner. */
export interface OutboxOwner {
  draft: Draft;
  link: { externalId: string | null; hidden: Record<string, string> };
  /** null: the survey does not look for it. */
  deviceId: string | null;
  /** The answers of these questions as they stand now. */
  answersForServer(codes: readonly string[]): Record<string, unknown>;
  notifyChanged(): void;
  finish(outcome: Outcome): void;
  /** The server found something wrong in answers. */
  showServerProblems(problems: FieldProblem[]): void;
  /** The server takes nothing more, for this reason (an error code). */
  refused(code: string): void;
}

/**
 * Sends what the draft says is unsent, one call after another, until the server has acknowledged it. A call that was not decided is
 * made again, later and whenever the browser is online again; submission_id and client_secret make that harmless.
 */
export class Outbox {
  state: SendState = 'idle';
  private readonly api: RespondentApi;
  private readonly owner: OutboxOwner;
  private waitMs = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private running = false;
  private readonly waiters: ((token: string) => void)[] = [];

  constructor(api: RespondentApi, owner: OutboxOwner) {
    this.api = api;
    this.owner = owner;
    addEventListener('online', () => this.sendNow());
    addEventListener('offline', () => owner.notifyChanged());
    // A phone that wakes up may have found its network meanwhile.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && this.state === 'waiting') this.sendNow();
    });
  }

  /** The response's token, started for it where there is none yet. */
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

  /** Sends now what there is. */
  sendNow(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.running) return;
    this.running = true;
    void this.sendAll().finally(() => {
      this.running = false;
    });
  }

  private async sendAll(): Promise<void> {
    try {
      while (this.hasUnsent || (this.owner.draft.responseToken === null && this.waiters.length > 0)) {
        this.setState('sending');
        await this.sendOne();
        this.waitMs = FIRST_WAIT_MS;
      }
      this.setState('idle');
    } catch (error) {
      this.handleFailure(error);
    }
  }

  private async sendOne(): Promise<void> {
    const { draft } = this.owner;
    if (draft.responseToken === null) {
      const started = await this.api.start(draft, this.owner.link, this.owner.deviceId);
      if (started.response_token === null) {
        // Begun by an earlier version of this page, whose reply was lost: the server cannot know that it was this browser.
        draft.submissionId = randomId();
        this.owner.notifyChanged();
        return;
      }
      draft.responseToken = started.response_token;
      this.owner.notifyChanged();
      for (const resolve of this.waiters.splice(0)) resolve(started.response_token);
      this.finishIfEnded(started);
      return;
    }
    const { responseToken, unsaved } = draft;
    if (unsaved !== null) {
      const answers = this.owner.answersForServer(unsaved.codes);
      const saved = await this.api.save(responseToken, answers, unsaved.pageId, unsaved.pageSeconds ?? null);
      // Entered meanwhile: it is sent with the next call.
      const now = this.owner.answersForServer(unsaved.codes);
      const changed = unsaved.codes.filter(
        (code) => JSON.stringify(now[code]) !== JSON.stringify(answers[code]),
      );
      if (draft.unsaved === unsaved) {
        draft.unsaved = changed.length > 0 ? { codes: changed, pageId: null } : null;
      }
      this.owner.notifyChanged();
      this.finishIfEnded(saved);
      return;
    }
    this.finishIfEnded(await this.api.complete(responseToken));
  }

  private finishIfEnded({ response_status: status, status_reason, redirect_url }: ResponseOutcome): void {
    if (status === 'partial') return;
    this.owner.finish({ status, reason: status_reason ?? null, redirectUrl: redirect_url ?? null });
  }

  private handleFailure(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    if (error.kind === 'later') {
      const waitMs = Math.max(this.waitMs, error.retryAfterSeconds * 1000);
      this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
      this.timer = setTimeout(() => this.sendNow(), waitMs);
      this.setState('waiting');
      return;
    }
    this.setState('idle');
    if (error.status === 400 && error.problems.some(({ field }) => field.startsWith('answers'))) {
      const { draft } = this.owner;
      draft.unsaved = null;
      draft.submitted = false;
      this.owner.showServerProblems(error.problems);
    } else this.owner.refused(error.code);
  }

  private setState(state: SendState): void {
    this.state = state;
    this.owner.notifyChanged();
  }
}
