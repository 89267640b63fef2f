import { fromDatabaseError } from '../../db/errors.ts';
import type { PartialOperandOf } from '../../domain/quota/allocate-cells.ts';
import { tooManyConcurrent } from '../../lib/error-messages.ts';
import { AppError, conflict, unavailable } from '../../lib/errors.ts';
import { requireItem, requireRow } from '../../lib/require-value.ts';
import type { DuplicateKey } from '../../repositories/response-quality.ts';
import type { NewResponse, WrittenResponse } from '../../repositories/responses.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { alreadyAnswered, type InvitationRef, recordInvitationStatus } from './link-resolver.ts';
import {
  type LinkReservations,
  type LockedLinks,
  quotaFull,
  type ResponseLimit,
} from './link-reservations.ts';
import { entryRefused } from './panel-entries.ts';
import { type LockedWaves, overQuotaOutcome, type QuotaReservations } from './quota-reservations.ts';

const MAX_BATCH = 500;
const MAX_PENDING = 20_000;
/** While one batch is being committed the next one fills; a second connection hides the wait for the disk. */
const MAX_RUNNING = 2;
/** A batch that takes longer is stuck: on a lock, or on a database that does not respond. */
const STUCK_AFTER_MS = 1_000;
/** Maximum number of stuck batches beside which others start; each holds a connection. */
const MAX_STUCK = 4;
/** Maximum of running batches if responses are distributed over servers, each with responses of one survey. */
const MAX_RUNNING_DISTRIBUTED = 6;
/** Maximum for a survey that was in a stuck batch, so that other surveys have room. */
const MAX_PENDING_ISOLATED = 1_000;

/** A response is rejected if the survey already has one with the same value. */
export interface DuplicateRule {
  duplicateKey: DuplicateKey;
  value: string;
  /** Only responses that have ended count. */
  endedOnly: boolean;
}

/** Limits that may prevent a response from being written unchanged. */
export interface Limits {
  /** The quota of the response's link, and the limit of the survey. */
  limits: readonly ResponseLimit[];
  /** Who starts the response: a share of each limit. */
  network: string;
  duplicateRules: readonly DuplicateRule[];
  /** The invitation that it came through: only one response of it may end. */
  invitation: InvitationRef | null;
  /** The signature of a panel, which may start one response. */
  entry: { linkId: number; signature: string; isRequired: boolean } | null;
  /** The wave whose quotas apply to a complete response, and the operands of their conditions. */
  wave: { waveId: number; operandOf: PartialOperandOf } | null;
}

const UNLIMITED: Limits = {
  limits: [],
  network: '',
  duplicateRules: [],
  invitation: null,
  entry: null,
  wave: null,
};

interface PendingWrite extends Limits {
  response: NewResponse;
  resolve: (written: WrittenResponse) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: responses that arrive while others are being written are written by the next statement together. Each
 * caller is answered after the commit that contains its response, so an acknowledged response is on disk.
 *
 * The surveys of a stuck batch are isolated: their next responses are written in batches of one survey, one at a time
 * per survey, until a batch finishes in time. So a survey with locked rows delays only its own respondents. If responses are distributed
 * over servers, all batches are of one survey: each goes to one server, and a server that fails delays only its own surveys.
 */
export class ResponseWriter {
  private pending: PendingWrite[] = [];
  private running = 0;
  private stuck = 0;
  /** Whether responses were distributed over servers when the last batch began. */
  private isDistributed = false;
  /** By survey, the number of running batches that have responses of it. */
  private readonly runningBySurvey = new Map<number, number>();
  /** By survey, whether a batch of it alone is running. */
  private readonly isolated = new Map<number, boolean>();
  private scheduled = false;
  private idleListeners: (() => void)[] = [];

  constructor(
    private readonly store: Store,
    private readonly linkReservations: LinkReservations,
    private readonly quotaReservations: QuotaReservations,
  ) {}

  write(response: NewResponse, limits: Limits = UNLIMITED): Promise<WrittenResponse> {
    if (this.pending.length >= MAX_PENDING || this.isSurveyBacklogFull(response.surveyId))
      throw unavailable(tooManyConcurrent('responses'), 2, 'overloaded');
    return new Promise((resolve, reject) => {
      this.pending.push({ response, ...limits, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when all pending responses are answered. */
  async drain(): Promise<void> {
    if (this.running === 0 && this.pending.length === 0) return;
    await new Promise<void>((resolve) => this.idleListeners.push(resolve));
  }

  private schedule(): void {
    const progressing = this.running - Math.min(this.stuck, MAX_STUCK);
    const limit = this.isDistributed ? MAX_RUNNING_DISTRIBUTED : MAX_RUNNING;
    if (this.scheduled || progressing >= limit || this.pending.length === 0) return;
    this.scheduled = true;
    // After pending input is read, so that one turn of the event loop makes one batch.
    setImmediate(() => {
      this.scheduled = false;
      const batch = this.takeBatch();
      if (batch.length === 0) return;
      void this.writeBatch(batch);
      this.schedule();
    });
  }

  /** Takes the next responses to write together; empty if all pending ones belong to surveys with enough running batches. */
  private takeBatch(): PendingWrite[] {
    if (!this.isDistributed && this.isolated.size === 0) return this.pending.splice(0, MAX_BATCH);
    const first = this.pending.find(({ response }) => this.mayStart(response.surveyId));
    if (first === undefined) return [];
    const { surveyId } = first.response;
    const isCandidate =
      this.isDistributed || this.isolated.has(surveyId)
        ? ({ response }: PendingWrite) => response.surveyId === surveyId
        : ({ response }: PendingWrite) => !this.isolated.has(response.surveyId);
    const batch: PendingWrite[] = [];
    const remaining: PendingWrite[] = [];
    for (const one of this.pending)
      (batch.length < MAX_BATCH && isCandidate(one) ? batch : remaining).push(one);
    this.pending = remaining;
    return batch;
  }

  private mayStart(surveyId: number): boolean {
    if (this.isolated.get(surveyId) === true) return false;
    return !this.isDistributed || (this.runningBySurvey.get(surveyId) ?? 0) < MAX_RUNNING;
  }

  private countRunning(surveyIds: ReadonlySet<number>, change: 1 | -1): void {
    this.running += change;
    for (const surveyId of surveyIds) {
      const running = (this.runningBySurvey.get(surveyId) ?? 0) + change;
      if (running === 0) this.runningBySurvey.delete(surveyId);
      else this.runningBySurvey.set(surveyId, running);
    }
  }

  private async writeBatch(batch: PendingWrite[]): Promise<void> {
    const surveyIds = new Set(batch.map(({ response }) => response.surveyId));
    const [isolatedId] = [...surveyIds].filter((surveyId) => this.isolated.has(surveyId));
    if (isolatedId !== undefined) this.isolated.set(isolatedId, true);
    let isStuck = false;
    const timer = setTimeout(() => {
      isStuck = true;
      this.stuck += 1;
      for (const surveyId of surveyIds) if (!this.isolated.has(surveyId)) this.isolated.set(surveyId, false);
      this.schedule();
    }, STUCK_AFTER_MS);
    this.countRunning(surveyIds, 1);
    try {
      // If the database does not answer, the write fails in the same way and rejects the batch.
      this.isDistributed = await this.store.isDistributed().catch(() => this.isDistributed);
      await this.writeUnlimited(batch.filter((one) => !isLimited(one)));
      for (const [surveyId, limited] of groupBySurvey(batch.filter(isLimited)))
        await this.writeLimited(surveyId, limited);
    } finally {
      clearTimeout(timer);
      this.countRunning(surveyIds, -1);
      if (isStuck) this.stuck -= 1;
      if (isolatedId !== undefined) {
        if (isStuck) this.isolated.set(isolatedId, false);
        else this.isolated.delete(isolatedId);
      }
      this.schedule();
      if (this.running === 0 && this.pending.length === 0)
        this.idleListeners.splice(0).forEach((resolve) => resolve());
    }
  }

  private isSurveyBacklogFull(surveyId: number): boolean {
    if (!this.isolated.has(surveyId)) return false;
    const own = this.pending.filter(({ response }) => response.surveyId === surveyId);
    return own.length >= MAX_PENDING_ISOLATED;
  }

  private async writeUnlimited(batch: PendingWrite[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const responses = batch.map((one) => one.response);
      const form = this.isDistributed ? 'values' : 'arrays';
      const written = await this.store.read.responses.insertMany(responses, form);
      answerCallers(batch, written);
    } catch (error) {
      if (batch.length === 1 || fromDatabaseError(error)?.kind === 'unavailable') {
        batch.forEach((one) => one.reject(error));
        return;
      }
      // One response fails unexpectedly: the batch is halved until the response is isolated, so that the others are
      // written.
      const middle = batch.length >> 1;
      await this.writeUnlimited(batch.slice(0, middle));
      await this.writeUnlimited(batch.slice(middle));
    }
  }

  /**
   * Counts and writes responses of one survey under locks, so that no limit is exceeded and no unique value is repeated,
   * across all processes.
   */
  private async writeLimited(surveyId: number, batch: PendingWrite[]): Promise<void> {
    try {
      const outcomes = await this.store.transaction(async (repositories) => {
        const answered = await lockInvitations(repositories, batch);
        const links = await this.lockLimits(repositories, surveyId, batch);
        const cells = await this.quotaReservations.lockWaves(
          repositories,
          surveyId,
          batch.flatMap(({ wave }) => (wave === null ? [] : wave.waveId)),
        );
        const locks = { answered, links, cells };
        const batchResults = await writeQuotaBatch(repositories, withQuotasOnly(batch), cells);
        const outcomes: (WrittenResponse | AppError)[] = [];
        for (const one of batch) {
          outcomes.push(batchResults.get(one) ?? (await writeOne(repositories, one, locks)));
        }
        return outcomes;
      });
      answerCallers(batch, outcomes);
    } catch (error) {
      batch.forEach((one) => one.reject(error));
    }
  }

  /** Takes locks in the order documented in repositories/reservations.ts, each kind sorted. */
  private async lockLimits(
    repositories: Repositories,
    surveyId: number,
    batch: readonly PendingWrite[],
  ): Promise<LockedLinks> {
    const linkIds = batch.flatMap((one) => one.limits.map(({ linkId }) => linkId));
    const links = await this.linkReservations.lock(repositories, surveyId, linkIds);
    const keys = batch.flatMap(({ duplicateRules }) =>
      duplicateRules.map(({ duplicateKey, value }) => ({ surveyId, duplicateKey, value })),
    );
    if (keys.length > 0) await repositories.responseQuality.lockDuplicateKeys(keys);
    return links;
  }
}

/** Answers each caller with the outcome at the index of its response. */
function answerCallers(
  batch: readonly PendingWrite[],
  outcomes: readonly (WrittenResponse | AppError)[],
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index] ?? new Error('missing outcome of a response');
    if (outcome instanceof Error) reject(outcome);
    else resolve(outcome);
  }
}

function groupBySurvey(batch: readonly PendingWrite[]): Map<number, PendingWrite[]> {
  const groups = new Map<number, PendingWrite[]>();
  for (const one of batch) {
    const group = groups.get(one.response.surveyId) ?? [];
    groups.set(one.response.surveyId, group);
    group.push(one);
  }
  return groups;
}

const isLimited = (one: PendingWrite): boolean =>
  one.limits.length > 0 ||
  one.duplicateRules.length > 0 ||
  one.invitation !== null ||
  one.entry !== null ||
  one.wave !== null;

/** Locks the invitations of the batch. Returns those of which a response has ended. */
async function lockInvitations(
  { invitations }: Repositories,
  batch: readonly PendingWrite[],
): Promise<Set<number>> {
  const ids = batch.flatMap(({ invitation }) => (invitation === null ? [] : [invitation.invitationId]));
  return ids.length === 0 ? new Set() : invitations.lockEnded(ids);
}

/** Returns the responses that have no other limit; of several with the same submission_id, the first. */
function withQuotasOnly(batch: readonly PendingWrite[]): PendingWrite[] {
  const seen = new Set<string>();
  return batch.filter(
    ({ response: { surveyId, submissionId }, limits, duplicateRules, invitation: invited, entry }) => {
      if (limits.length > 0 || duplicateRules.length > 0 || invited !== null || entry !== null) return false;
      const key = `${surveyId} ${submissionId}`;
      if (submissionId !== null && seen.has(key)) return false;
      seen.add(key);
      return true;
    },
  );
}

async function writeQuotaBatch(
  { responses }: Repositories,
  batch: readonly PendingWrite[],
  cells: LockedWaves,
): Promise<Map<PendingWrite, WrittenResponse>> {
  if (batch.length === 0) return new Map();
  const known = await responses.findSubmissions(batch.map(({ response }) => response));
  const unsaved = batch.filter((_, index) => known[index] === null);
  const written = await responses.insertMany(unsaved.map((one) => applyQuotas(one, cells)));
  return new Map([
    ...batch.flatMap((one, index) => (known[index] ? [[one, known[index]] as const] : [])),
    ...unsaved.map((one, index) => [one, requireItem(written, index, 'written response')] as const),
  ]);
}

/** Returns the response with its quota cells, or over quota. */
function applyQuotas({ response, wave }: PendingWrite, cells: LockedWaves): NewResponse {
  if (wave === null) return response;
  const { isOver, cellIds } = cells.assignCells(wave.waveId, wave.operandOf);
  if (isOver) return { ...response, ...overQuotaOutcome(cellIds, response.quality) };
  cells.recordWrite(cellIds);
  return { ...response, quotaCells: cellIds };
}

async function writeOne(
  repositories: Repositories,
  one: PendingWrite,
  { answered, links, cells }: { answered: Set<number>; links: LockedLinks; cells: LockedWaves },
): Promise<WrittenResponse | AppError> {
  const { response, limits, network, duplicateRules, invitation: invited, entry } = one;
  const { surveyId } = response;
  const known = await repositories.responses.findSubmission(surveyId, response.submissionId);
  if (known !== null) return known;
  if (invited !== null && answered.has(invited.invitationId)) return alreadyAnswered();
  for (const { duplicateKey, value, endedOnly } of duplicateRules) {
    const criteria = { ended: endedOnly, exceptResponseId: null };
    if ((await repositories.responseQuality.countWithKey({ surveyId, duplicateKey, value }, criteria)) > 0)
      return duplicateResponse();
  }
  for (const { linkId } of limits) if (await links.isFull(surveyId, linkId)) return quotaFull();
  if (entry !== null && !(await repositories.linkSignatures.use({ surveyId, ...entry }, entry.signature))) {
    // Another process may have written this submission while it was waited for.
    const repeated = await repositories.responses.findSubmission(surveyId, response.submissionId);
    if (repeated !== null) return repeated;
    if (entry.isRequired) return entryRefused('used');
  }
  const written = requireRow(await repositories.responses.insertMany([applyQuotas(one, cells)]), 'responses');
  if (entry !== null && written.created)
    await repositories.linkSignatures.assignResponse(
      { surveyId, ...entry },
      entry.signature,
      written.response_id,
    );
  if (written.created)
    for (const limit of limits) await links.recordWrite({ surveyId, network, ...limit }, written);
  if (invited !== null && written.created) {
    const status = written.response_status;
    await recordInvitationStatus(repositories, invited, status);
    if (status !== 'partial') answered.add(invited.invitationId);
  }
  return written;
}

export const duplicateResponse = (): AppError =>
  conflict('duplicate_response', 'This survey has a response of yours already');
