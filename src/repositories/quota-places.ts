import type { Database } from '../db/connect.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import type { Taken } from '../domain/quota/give-places.ts';

interface ResponseKey {
  surveyId: number;
  responseId: number;
}

/** Waves that the caller holds, and the surveys that they are of. */
interface HeldWaves {
  surveyIds: readonly number[];
  waveIds: readonly number[];
}

/**
 * Places in the cells of quotas. Whoever gives one away, or writes a response that counts in a cell, holds the cell's wave; that is
 * one row, whatever number of cells there are. Holding a place on needs no more than the response.
 *
 * Everybody takes locks in this order: the survey (authors only), invitation, link, place in the link, response, likeness, wave,
 * then what follows from writing: holds, counts of links, cells and waves. So who holds a wave waits for no response: an edit of
 * several takes all of them first, and a redefinition writes only to responses that have ended, for which nobody waits with a wave in
 * hand. Sweeping passes over holds that somebody is about to renew.
 */
export class QuotaPlaceRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Holds the waves until the transaction ends. Gives how often the quotas of each were set, as it is from now on. */
  async lockWaves(waveIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await rowsOf<{ wave_id: number; quota_revision: number }>(
      this.db,
      `SELECT wave_id, quota_revision FROM waves WHERE wave_id = ANY(?::bigint[]) ORDER BY wave_id FOR NO KEY UPDATE`,
      [waveIds],
    );
    return new Map(rows.map((row) => [row.wave_id, row.quota_revision]));
  }

  /**
   * How the cells of waves that the caller holds are taken. What was held until `now` at the longest is given back first, so that
   * places that remain are somebody's.
   */
  async taken(
    { surveyIds, waveIds }: HeldWaves,
    cellIds: readonly number[],
    now: Date,
  ): Promise<Map<number, Taken>> {
    const read = () =>
      rowsOf<Taken & { cell_id: number; late: number }>(
        this.db,
        `SELECT c.cell_id, c.completed, coalesce(h.pending, 0) AS pending, coalesce(h.late, 0) AS late
         FROM quota_cells c LEFT JOIN (
           SELECT survey_id, cell_id, count(*) AS pending, count(*) FILTER (WHERE held_until <= ?) AS late
           FROM quota_holds WHERE survey_id = ANY(?::bigint[]) AND cell_id = ANY(?::bigint[]) GROUP BY survey_id, cell_id) h
           USING (survey_id, cell_id)
         WHERE c.survey_id = ANY(?::bigint[]) AND c.cell_id = ANY(?::bigint[])`,
        [now, surveyIds, cellIds, surveyIds, cellIds],
      );
    let rows = await read();
    if (rows.some(({ late }) => late > 0)) {
      await this.sweep({ surveyIds, waveIds }, now);
      rows = await read();
    }
    return new Map(rows.map(({ cell_id: id, completed, pending }) => [id, { completed, pending }]));
  }

  private async sweep({ surveyIds, waveIds }: HeldWaves, now: Date): Promise<void> {
    await countOf(
      this.db,
      `DELETE FROM quota_holds h USING (
         SELECT survey_id, response_id, cell_id FROM quota_holds
         WHERE survey_id = ANY(?::bigint[]) AND wave_id = ANY(?::bigint[]) AND held_until <= ? FOR UPDATE SKIP LOCKED) late
       WHERE h.survey_id = ANY(?::bigint[]) AND h.survey_id = late.survey_id AND h.response_id = late.response_id AND h.cell_id = late.cell_id`,
      [surveyIds, waveIds, now, surveyIds],
    );
  }

  /** The cells in which it has places, which are its own until `until` at least. */
  async renew({ surveyId, responseId }: ResponseKey, until: Date): Promise<Set<number>> {
    const rows = await rowsOf<{ cell_id: number }>(
      this.db,
      `UPDATE quota_holds SET held_until = ? WHERE survey_id = ? AND response_id = ? RETURNING cell_id`,
      [until, surveyId, responseId],
    );
    return new Set(rows.map((row) => row.cell_id));
  }

  /** The caller holds the wave, and knows that there are places. */
  async hold(
    { surveyId, responseId }: ResponseKey,
    waveId: number,
    cellIds: readonly number[],
    until: Date,
  ): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO quota_holds (survey_id, response_id, cell_id, wave_id, held_until)
       SELECT ?, ?, cell_id, ?, ? FROM unnest(?::bigint[]) AS cell_id`,
      [surveyId, responseId, waveId, until, cellIds],
    );
  }

  /** Gives back its places, but for some. Gives the cells that they were in. */
  async release({ surveyId, responseId }: ResponseKey, except: readonly number[] = []): Promise<Set<number>> {
    const rows = await rowsOf<{ cell_id: number }>(
      this.db,
      `DELETE FROM quota_holds WHERE survey_id = ? AND response_id = ? AND NOT cell_id = ANY(?::bigint[]) RETURNING cell_id`,
      [surveyId, responseId, except],
    );
    return new Set(rows.map((row) => row.cell_id));
  }
}
