import { fromDatabaseError } from '../db/errors.ts';
import { conflict, unavailable } from '../lib/errors.ts';
import type { NewResponse, WrittenResponse } from '../repositories/responses.ts';
import type { Store } from '../repositories/store.ts';

const MAX_BATCH = 500;
const MAX_WAITING = 20_000;
/** While one batch is being committed the next one fills; a second connection hides the wait for the disk. */
const MAX_RUNNING = 2;

interface Waiting {
  response: NewResponse;
  /** The most completes that its link may have; null: no limit. */
  linkLimit: number | null;
  resolve: (written: WrittenResponse) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: responses that arrive while others are being written go into the next statement together. Each caller is
 * answered after the commit that holds its response, so an acknowledged response is on disk.
 */
export class ResponseWriter {
  private readonly store: Store;
  private waiting: Waiting[] = [];
  private running = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(store: Store) {
    this.store = store;
  }

  write(response: NewResponse, linkLimit: number | null): Promise<WrittenResponse> {
    if (this.waiting.length >= MAX_WAITING)
      throw unavailable('Too many responses at once; try again', 2, 'overloaded');
    return new Promise((resolve, reject) => {
      this.waiting.push({ response, linkLimit, resolve, reject });
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
      await this.writeFree(batch.filter((one) => one.linkLimit === null));
      const limited = batch.filter((one) => one.linkLimit !== null);
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

  /** Counting and writing under a lock on the link: its limit is never exceeded, in however many processes. */
  private async writeLimited(batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.store.transaction(async (repositories) => {
        const linkIds = [...new Set(batch.map((one) => one.response.linkId!))];
        await repositories.openLinks.lock(linkIds);
        const places = new Map<number, number>();
        const outcomes: (WrittenResponse | null)[] = [];
        for (const { response, linkLimit } of batch) {
          const linkId = response.linkId!;
          const counted = places.get(linkId);
          const free =
            counted ?? linkLimit! - (await repositories.responses.completesOfLink(response.surveyId, linkId));
          const known = await repositories.responses.findSubmission(response.surveyId, response.submissionId);
          const [written] =
            known === null && free > 0 ? await repositories.responses.insertMany([response]) : [known];
          places.set(linkId, written?.created && written.response_status === 'complete' ? free - 1 : free);
          outcomes.push(written ?? null);
        }
        return outcomes;
      });
      batch.forEach((one, index) => {
        const written = outcomes[index];
        if (written) one.resolve(written);
        else one.reject(conflict('quota_full', 'This link has all the responses it may have'));
      });
    } catch (error) {
      batch.forEach((one) => one.reject(error));
    }
  }
}
