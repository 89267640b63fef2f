import { CallFailed, type Problem } from '../../shared/client/call-failed.ts';
import type { Api, Ending } from './api.ts';
import { type Draft, type Outcome, randomId } from './draft.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export type SendState = 'idle' | 'sending' | 'waiting';

/** What the outbox needs of its owner. */
export interface OutboxOwner {
  draft: Draft;
  link: { externalId: string | null; hidden: Record<string, string> };
  /** null: the survey does not look for it. */
  deviceMark: string | null;
  /** The answers of these questions as they stand now. */
  answersOf(codes: readonly string[]): Record<string, unknown>;
  changed(): void;
  ended(outcome: Outcome): void;
  /** The server found something wrong in answers. */
  refusedAnswers(problems: Problem[]): void;
  /** The server takes nothing more, for this reason (an error code). */
  shut(code: string): void;
}

/**
 * Sends what the draft says is unsent, one call after another, until the server has acknowledged it. A call that was not decided is
 * made again, later and whenever the browser is online again; submission_id and client_secret make that harmless.
 */
export class Outbox {
  state: SendState = 'idle';
  private readonly api: Api;
  private readonly owner: OutboxOwner;
  private waitMs = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private running = false;
  private readonly waiters: ((token: string) => void)[] = [];

  constructor(api: Api, owner: OutboxOwner) {
    this.api = api;
    this.owner = owner;
    addEventListener('online', () => this.kick());
    addEventListener('offline', () => owner.changed());
    // A phone that wakes up may have found its network meanwhile.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible' && this.state === 'waiting') this.kick();
    });
  }

  /** The response's token, started for it where there is none yet. */
  started(): Promise<string> {
    const { responseToken } = this.owner.draft;
    if (responseToken !== null) return Promise.resolve(responseToken);
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      this.kick();
    });
  }

  get hasUnsent(): boolean {
    const { draft } = this.owner;
    return draft.outcome === null && (draft.unsaved !== null || draft.submitted);
  }

  /** Sends now what there is. */
  kick(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.running) return;
    this.running = true;
    void this.run().finally(() => {
      this.running = false;
    });
  }

  private async run(): Promise<void> {
    try {
      while (this.hasUnsent || (this.owner.draft.responseToken === null && this.waiters.length > 0)) {
        this.show('sending');
        await this.sendOne();
        this.waitMs = FIRST_WAIT_MS;
      }
      this.show('idle');
    } catch (error) {
      this.failed(error);
    }
  }

  private async sendOne(): Promise<void> {
    const { draft } = this.owner;
    if (draft.responseToken === null) {
      const started = await this.api.start(draft, this.owner.link, this.owner.deviceMark);
      if (started.response_token === null) {
        // Begun by an earlier version of this page, whose reply was lost: the server cannot know that it was this browser.
        draft.submissionId = randomId();
        this.owner.changed();
        return;
      }
      draft.responseToken = started.response_token;
      this.owner.changed();
      for (const resolve of this.waiters.splice(0)) resolve(started.response_token);
      this.endIfEnded(started);
      return;
    }
    const { responseToken, unsaved } = draft;
    if (unsaved !== null) {
      const answers = this.owner.answersOf(unsaved.codes);
      const saved = await this.api.save(responseToken, answers, unsaved.pageId, unsaved.pageSeconds ?? null);
      // Entered meanwhile: it is sent with the next call.
      const now = this.owner.answersOf(unsaved.codes);
      const changed = unsaved.codes.filter(
        (code) => JSON.stringify(now[code]) !== JSON.stringify(answers[code]),
      );
      if (draft.unsaved === unsaved) {
        draft.unsaved = changed.length > 0 ? { codes: changed, pageId: null } : null;
      }
      this.owner.changed();
      this.endIfEnded(saved);
      return;
    }
    this.endIfEnded(await this.api.complete(responseToken));
  }

  private endIfEnded({ response_status: status, status_reason, redirect_url }: Ending): void {
    if (status === 'partial') return;
    this.owner.ended({ status, reason: status_reason ?? null, redirectUrl: redirect_url ?? null });
  }

  private failed(error: unknown): void {
    if (!(error instanceof CallFailed)) throw error;
    if (error.kind === 'later') {
      const waitMs = Math.max(this.waitMs, error.retryAfterSeconds * 1000);
      this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
      this.timer = setTimeout(() => this.kick(), waitMs);
      this.show('waiting');
      return;
    }
    this.show('idle');
    if (error.status === 400 && error.problems.some(({ field }) => field.startsWith('answers'))) {
      const { draft } = this.owner;
      draft.unsaved = null;
      draft.submitted = false;
      this.owner.refusedAnswers(error.problems);
    } else this.owner.shut(error.code);
  }

  private show(state: SendState): void {
    this.state = state;
    this.owner.changed();
  }
}
