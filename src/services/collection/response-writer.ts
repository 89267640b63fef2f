import { fromDatabaseError } from '../../db/errors.ts';
import type { OperandSoFar } from '../../domain/quota/condition-truth.ts';
import { AppError, conflict, unavailable } from '../../lib/errors.ts';
import type { Likeness } from '../../repositories/response-quality.ts';
import type { NewResponse, WrittenResponse } from '../../repositories/responses.ts';
import type { Repositories, Store } from '../../repositories/store.ts';
import { alreadyAnswered } from './entrances.ts';
import { type Invited, noteStep } from './invitation-steps.ts';
import { type LinkPlaces, type OpenedPlaces, quotaFull } from './link-places.ts';
import type { OpenedCells, QuotaPlaces } from './quota-places.ts';
import { overQuota } from './verdict.ts';

const MAX_BATCH = 500;
const MAX_WAITING = 20_000;
/** While one batch is being committed the next one fills; a second connection hides the wait for the disk. */
const MAX_RUNNING = 2;

/** A response is refused when the survey has one already that is like it. */
export interface Uniqueness {
  likeness: Likeness;
  value: string;
  /** Only responses that came to their end stand in the way. */
  ended: boolean;
}

/** That of its link. */
interface LinkQuota {
  linkId: number;
  /** Whether a response that is begun holds a place. */
  holds: boolean;
}

/** What may keep a response from being written as it is. */
interface Limits {
  /** null: no limit. */
  quota: LinkQuota | null;
  unique: readonly Uniqueness[];
  /** Whose address it came through: only one response may come to its end. */
  invited: Invited | null;
  /** The wave with quotas in which it would be complete, and what their conditions ask for. */
  wave: { waveId: number; operandOf: OperandSoFar } | null;
}

const UNLIMITED: Limits = { quota: null, unique: [], invited: null, wave: null };

interface Waiting extends Limits {
  response: NewResponse;
  resolve: (written: WrittenResponse) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: responses that arrive while others are being written go into the next statement together. Each caller is
 * answered after the commit that holds its response, so an acknowledged response is on disk.
 */
export class ResponseWriter {
  private readonly store: Store;
  private readonly places: LinkPlaces;
  private readonly quotas: QuotaPlaces;
  private waiting: Waiting[] = [];
  private running = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(store: Store, places: LinkPlaces, quotas: QuotaPlaces) {
    this.store = store;
    this.places = places;
    this.quotas = quotas;
  }

  write(response: NewResponse, limits: Limits = UNLIMITED): Promise<WrittenResponse> {
    if (this.waiting.length >= MAX_WAITING)
      throw unavailable('Too many responses at once; try again', 2, 'overloaded');
    return new Promise((resolve, reject) => {
      this.waiting.push({ response, ...limits, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves when everything that was handed in is answered. */
  async drained(): Promise<void> {
    if (this.running === 0 && this.waiting.length === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    if (this.scheduled || this.running >= MAX_RUNNING || this.waiting.length === 0) return;
    this.scheduled = true;
    // After the input that has arrived is read, so that one round of the event loop makes one batch.
    setImmediate(() => {
      this.scheduled = false;
      void this.round(this.waiting.splice(0, MAX_BATCH));
    });
  }

  private async round(batch: Waiting[]): Promise<void> {
    this.running += 1;
    try {
      await this.writeFree(batch.filter((one) => !isLimited(one)));
      const limited = batch.filter(isLimited);
      if (limited.length > 0) await this.writeLimited(limited);
    } finally {
      this.running -= 1;
      this.schedule();
      if (this.running === 0 && this.waiting.length === 0)
        this.idle.splice(0).forEach((resolve) => resolve());
    }
  }

  private async writeFree(batch: Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const written = await this.store.read.responses.insertMany(batch.map((one) => one.response));
      batch.forEach((one, index) => one.resolve(written[index]!));
    } catch (error) {
      if (batch.length === 1 || fromDatabaseError(error)?.kind === 'unavailable') {
        batch.forEach((one) => one.reject(error));
        return;
      }
      // One of them is bad in a way nobody foresaw: halve until it stands alone, so that its neighbours are written.
      const middle = batch.length >> 1;
      await this.writeFree(batch.slice(0, middle));
      await this.writeFree(batch.slice(middle));
    }
  }

  /** Counting and writing under locks: no limit is exceeded and nothing unique comes twice, in however many processes. */
  private async writeLimited(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.store.transaction(async (repositories) => {
        const answered = await lockInvitations(repositories, batch);
        const places = await this.open(repositories, batch);
        const cells = await this.quotas.opened(
          repositories,
          batch.flatMap(({ response, wave }) =>
            wave == null ? [] : { surveyId: response.surveyId, waveId: wave.waveId },
          ),
        );
        const opened = { answered, places, cells };
        const together = await writeTogether(repositories, onlyInWaves(batch), cells);
        const outcomes: (WrittenResponse | AppError)[] = [];
        for (const one of batch) {
          outcomes.push(together.get(one) ?? (await writeOne(repositories, one, opened)));
        }
        return outcomes;
      });
      batch.forEach((one, index) => {
        const outcome = outcomes[index]!;
        if (outcome instanceof AppError) one.reject(outcome);
        else one.resolve(outcome);
      });
    } catch (error) {
      batch.forEach((one) => one.reject(error));
    }
  }

  /** In the order of locks that repositories/quota-places.ts tells, each kind sorted. */
  private async open(repositories: Repositories, batch: readonly Waiting[]): Promise<OpenedPlaces> {
    const linkIds = batch.flatMap((one) => (one.quota === null ? [] : [one.quota.linkId]));
    const places = await this.places.opened(repositories, linkIds);
    const keys = batch.flatMap((one) =>
      one.unique.map(({ likeness, value }) => ({ surveyId: one.response.surveyId, likeness, value })),
    );
    if (keys.length > 0) await repositories.responseQuality.lockLikeness(keys);
    return places;
  }
}

const isLimited = (one: Waiting): boolean =>
  one.quota !== null || one.unique.length > 0 || one.invited !== null || one.wave !== null;

/** Those whose response has ended. */
async function lockInvitations(
  { invitationSteps }: Repositories,
  batch: readonly Waiting[],
): Promise<Set<number>> {
  const ids = batch.flatMap(({ invited }) => (invited === null ? [] : [invited.invitationId]));
  return ids.length === 0 ? new Set() : invitationSteps.lockEnded(ids);
}

/** Those that nothing else limits; of several with one submission_id the first. */
function onlyInWaves(batch: readonly Waiting[]): Waiting[] {
  const seen = new Set<string>();
  return batch.filter(({ response: { surveyId, submissionId }, quota, unique, invited }) => {
    if (quota !== null || unique.length > 0 || invited !== null) return false;
    const key = `${surveyId} ${submissionId}`;
    if (submissionId !== null && seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

async function writeTogether(
  { responses }: Repositories,
  batch: readonly Waiting[],
  cells: OpenedCells,
): Promise<Map<Waiting, WrittenResponse>> {
  if (batch.length === 0) return new Map();
  const known = await responses.findSubmissions(batch.map(({ response }) => response));
  const fresh = batch.filter((_, index) => known[index] === null);
  const written = await responses.insertMany(fresh.map((one) => judgedByQuotas(one, cells)));
  return new Map([
    ...batch.flatMap((one, index) => (known[index] ? [[one, known[index]] as const] : [])),
    ...fresh.map((one, index) => [one, written[index]!] as const),
  ]);
}

/** A response that is about to be written, with its places in the quotas of its wave, or over one of them. */
function judgedByQuotas({ response, wave }: Waiting, cells: OpenedCells): NewResponse {
  if (wave === null) return response;
  const { isOver, cellIds } = cells.placesOf(wave.waveId, wave.operandOf);
  if (isOver) return { ...response, ...overQuota(cellIds, response.quality) };
  cells.noteWritten(cellIds);
  return { ...response, quotaCells: cellIds };
}

async function writeOne(
  repositories: Repositories,
  one: Waiting,
  { answered, places, cells }: { answered: Set<number>; places: OpenedPlaces; cells: OpenedCells },
): Promise<WrittenResponse | AppError> {
  const { response, quota, unique, invited } = one;
  const { surveyId } = response;
  const known = await repositories.responses.findSubmission(surveyId, response.submissionId);
  if (known !== null) return known;
  if (invited !== null && answered.has(invited.invitationId)) return alreadyAnswered();
  for (const { likeness, value, ended } of unique) {
    const which = { ended, exceptResponseId: null };
    if ((await repositories.responseQuality.countWith(surveyId, likeness, value, which)) > 0)
      return duplicateResponse();
  }
  if (quota !== null && (await places.isFull(surveyId, quota.linkId))) return quotaFull();
  const [written] = await repositories.responses.insertMany([judgedByQuotas(one, cells)]);
  if (quota !== null && written!.created) await places.noteWritten({ surveyId, ...quota }, written!);
  if (invited !== null && written!.created) {
    const status = written!.response_status;
    await noteStep(repositories, invited, status);
    if (status !== 'partial') answered.add(invited.invitationId);
  }
  return written!;
}

export const duplicateResponse = (): AppError =>
  conflict('duplicate_response', 'This survey has a response of yours already');
