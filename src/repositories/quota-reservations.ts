import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import type { CellOccupancy } from '../domain/quota/allocate-cells.ts';

interface ResponseKey {
  surveyId: number;
  responseId: number;
}

/** Waves that the caller has locked, and their surveys. */
interface LockedWaves {
  surveyIds: readonly number[];
  waveIds: readonly number[];
}

/**
 * Reservations in the cells of quotas. A caller that makes one, or writes a response that counts in a cell, first locks the cell's wave:
 * one row, however many cells there are. Renewing a reservation needs only the lock of the response.
 *
 * Locks are always taken in this order: the survey (authors only), invitation, link, reservation in the link, response, duplicate key,
 * wave, then what follows from writing: reservations, counters of links, cells and waves. So the holder of a wave waits for no response:
 * an edit of several responses locks all of them first, and a redefinition of quotas writes only to ended responses, which no holder of a
 * wave waits for. Deleting expired reservations skips those that another transaction is renewing.
 */
export class QuotaReservationRepository {
  constructor(private readonly db: Database) {}

  /** Locks the waves until the transaction ends. Returns the quota revision of each, which cannot change meanwhile. */
  async lockWaves(waveIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.db('waves')
      .select('wave_id', 'quota_revision')
      .where({ wave_id: anyOf(this.db, waveIds) })
      .orderBy('wave_id')
      .forNoKeyUpdate();
    return new Map(rows.map((row) => [row.wave_id, row.quota_revision]));
  }

  /**
   * Returns how far the cells of locked waves are filled. Reservations that expired by `now` are deleted first, so that every remaining
   * one belongs to a response.
   */
  async readUsage(
    { surveyIds, waveIds }: LockedWaves,
    cellIds: readonly number[],
    now: Date,
  ): Promise<Map<number, CellOccupancy>> {
    const read = () =>
      // Raw SQL: joins an aggregate with a filter.
      queryRows<CellOccupancy & { cell_id: number; expired: number }>(
        this.db,
        `SELECT c.cell_id, c.completed, coalesce(h.pending, 0) AS pending, coalesce(h.expired, 0) AS expired
         FROM quota_cells c LEFT JOIN (
           SELECT survey_id, cell_id, count(*) AS pending, count(*) FILTER (WHERE reserved_until <= ?) AS expired
           FROM quota_reservations WHERE survey_id = ANY(?::bigint[]) AND cell_id = ANY(?::bigint[]) GROUP BY survey_id, cell_id) h
           USING (survey_id, cell_id)
         WHERE c.survey_id = ANY(?::bigint[]) AND c.cell_id = ANY(?::bigint[])`,
        [now, surveyIds, cellIds, surveyIds, cellIds],
      );
    let rows = await read();
    if (rows.some(({ expired }) => expired > 0)) {
      await this.deleteExpired({ surveyIds, waveIds }, now);
      rows = await read();
    }
    return new Map(rows.map(({ cell_id: id, completed, pending }) => [id, { completed, pending }]));
  }

  private async deleteExpired({ surveyIds, waveIds }: LockedWaves, now: Date): Promise<void> {
    // Raw SQL: deletes what a subquery could lock.
    await queryCount(
      this.db,
      `DELETE FROM quota_reservations h USING (
         SELECT survey_id, response_id, cell_id FROM quota_reservations
         WHERE survey_id = ANY(?::bigint[]) AND wave_id = ANY(?::bigint[]) AND reserved_until <= ? FOR UPDATE SKIP LOCKED) expired
       WHERE h.survey_id = ANY(?::bigint[]) AND h.survey_id = expired.survey_id AND h.response_id = expired.response_id AND h.cell_id = expired.cell_id`,
      [surveyIds, waveIds, now, surveyIds],
    );
  }

  /** Extends the response's reservations to `until`. Returns their cells. */
  async renew({ surveyId, responseId }: ResponseKey, until: Date): Promise<Set<number>> {
    const rows = await this.db('quota_reservations')
      .where({ survey_id: surveyId, response_id: responseId })
      .update({ reserved_until: until })
      .returning('cell_id');
    return new Set(rows.map((row) => row.cell_id));
  }

  /** The caller has locked the wave and knows that the cells have room. */
  async reserve(
    { surveyId, responseId }: ResponseKey,
    waveId: number,
    cellIds: readonly number[],
    until: Date,
  ): Promise<void> {
    // Raw SQL: inserts from an unnested list.
    await queryCount(
      this.db,
      `INSERT INTO quota_reservations (survey_id, response_id, cell_id, wave_id, reserved_until)
       SELECT ?, ?, cell_id, ?, ? FROM unnest(?::bigint[]) AS cell_id`,
      [surveyId, responseId, waveId, until, cellIds],
    );
  }

  /** Deletes the response's reservations, except in some cells. Returns the cells of those deleted. */
  async release({ surveyId, responseId }: ResponseKey, except: readonly number[] = []): Promise<Set<number>> {
    const rows = await this.db('quota_reservations')
      .where({ survey_id: surveyId, response_id: responseId })
      .whereNot({ cell_id: anyOf(this.db, except) })
      .delete()
      .returning('cell_id');
    return new Set(rows.map((row) => row.cell_id));
  }
}
