import { fromDatabaseError } from '../../db/errors.ts';
import { AppError, conflict, unavailable } from '../../lib/errors.ts';
import type { Likeness } from '../../repositories/response-quality.ts';
import type { NewResponse, WrittenResponse } from '../../repositories/responses.ts';
import type { Repositories, Store } from '../../repositories/store.ts';
import { alreadyAnswered } from './entrances.ts';
import { type Invited, noteStep } from './invitation-steps.ts';
import { type LinkPlaces, type OpenedPlaces, quotaFull } from './link-places.ts';

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

interface Waiting {
  response: NewResponse;
  /** null: no limit. */
  quota: LinkQuota | null;
  unique: readonly Uniqueness[];
  /** Whose address it came through: only one response may come to its end. */
  invited: Invited | null;
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
  private waiting: Waiting[] = [];
  private running = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(store: Store, places: LinkPlaces) {
    this.store = store;
    this.places = places;
  }

  write(
    response: NewResponse,
    quota: LinkQuota | null,
    unique: readonly Uniqueness[] = [],
    invited: Invited | null = null,
  ): Promise<WrittenResponse> {
    if (this.waiting.length >= MAX_WAITING)
      throw unavailable('Too many responses at once; try again', 2, 'overloaded');
    return new Promise((resolve, reject) => {
      this.waiting.push({ response, quota, unique, invited, resolve, reject });
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
        const outcomes: (WrittenResponse | AppError)[] = [];
        for (const one of batch) outcomes.push(await writeOne(repositories, one, places, answered));
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

  /** Everybody takes locks in this order: invitations, links, then likenesses, each sorted. */
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
  one.quota !== null || one.unique.length > 0 || one.invited !== null;

/** Those whose response has ended. */
async function lockInvitations(
  { invitationSteps }: Repositories,
  batch: readonly Waiting[],
): Promise<Set<number>> {
  const ids = batch.flatMap(({ invited }) => (invited === null ? [] : [invited.invitationId]));
  return ids.length === 0 ? new Set() : invitationSteps.lockEnded(ids);
}

async function writeOne(
  repositories: Repositories,
  { response, quota, unique, invited }: Waiting,
  places: OpenedPlaces,
  answered: Set<number>,
): Promise<WrittenResponse | AppError> {
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
  const [written] = await repositories.responses.insertMany([response]);
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
