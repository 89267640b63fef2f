import { requireRow } from '../lib/require-value.ts';
import type { Knex } from 'knex';
import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import type { CellOccupancy } from '../domain/quota/allocate-cells.ts';

/** Instead of the id of a link: the limit of the survey, which all its responses count in. */
export const WHOLE_SURVEY = 0;

interface LinkKey {
  surveyId: number;
  /** Or WHOLE_SURVEY. */
  linkId: number;
}

interface LinkKeys {
  surveyId: number;
  linkIds: readonly number[];
}

/** How much of a link's quota is used. */
interface Usage {
  completes: number;
  /** Reservations of responses that have started and not ended. */
  reserved: number;
}

/**
 * Reservations in the quotas of links and in the response limits of surveys, by response. Locks are taken in this order: the limit of the link (lockLimits), the
 * reservation, the response. Only making a reservation needs the lock of the limit.
 */
export class LinkReservationRepository {
  constructor(private readonly db: Database) {}

  /** Exact while the caller holds the link's lock: expired reservations, and those of ended responses, are deleted first. */
  async readUsageExactly(link: LinkKey, now: Date): Promise<Usage> {
    const partial = this.db('responses')
      .where({ survey_id: link.surveyId, response_status: 'partial', deleted_at: null })
      .whereRaw('responses.response_id = link_reservations.response_id');
    // Those that are being renewed are skipped: waiting for several could cause a deadlock.
    const ended = this.queryReservations(link)
      .select('response_id')
      .where((query) => void query.where('reserved_until', '<=', now).orWhereNotExists(partial))
      .forUpdate()
      .skipLocked();
    await this.queryReservations(link).whereIn('response_id', ended).delete();
    return this.readCounts(link, this.queryReservations(link).count());
  }

  /** Needs no lock, for callers that only show it. Leaves out reservations that the exact count would delete. */
  async readUsage(link: LinkKey, now: Date): Promise<Usage> {
    const reserved = this.db('link_reservations')
      .joinRaw('JOIN responses r USING (survey_id, response_id)')
      .where({ survey_id: link.surveyId })
      .whereRaw(
        `link_reservations.link_id = ? AND reserved_until > ? AND r.response_status = 'partial' AND r.deleted_at IS NULL`,
        [link.linkId, now],
      )
      .count();
    return this.readCounts(link, reserved);
  }

  /** The caller has locked the link and knows that its quota has room. */
  async reserve({ surveyId, linkId }: LinkKey, responseId: number, until: Date): Promise<void> {
    await this.db('link_reservations')
      .insert({ survey_id: surveyId, link_id: linkId, response_id: responseId, reserved_until: until })
      .onConflict(['survey_id', 'link_id', 'response_id'])
      .merge(['reserved_until']);
  }

  /** Makes a reservation for each response that was started through the link and saved after `since`. */
  async reserveForStarted({ surveyId, linkId }: LinkKey, since: Date, ttlSeconds: number): Promise<void> {
    // Raw SQL: inserts from a query.
    await queryCount(
      this.db,
      `INSERT INTO link_reservations (survey_id, link_id, response_id, reserved_until)
       SELECT survey_id, ?::bigint, response_id, updated_at + make_interval(secs => ?) FROM responses
       WHERE survey_id = ? AND (link_id = ? OR ? = ${WHOLE_SURVEY}) AND response_status = 'partial' AND deleted_at IS NULL AND NOT is_test
         AND updated_at > ?
       ON CONFLICT (survey_id, link_id, response_id) DO UPDATE SET reserved_until = excluded.reserved_until`,
      [linkId, ttlSeconds, surveyId, linkId, linkId, since],
    );
  }

  /** Returns those of the links in which the response still has a reservation. */
  async renew(
    { surveyId, linkIds }: LinkKeys,
    responseToken: string,
    until: Date,
  ): Promise<ReadonlySet<number>> {
    const renewed = await this.queryReservationsOf({ surveyId, linkIds }, responseToken)
      .update({ reserved_until: until })
      .returning('link_id');
    return new Set(renewed.map((row) => row.link_id));
  }

  /** Returns those of the links in which the response had a reservation. */
  async release({ surveyId, linkIds }: LinkKeys, responseToken: string): Promise<ReadonlySet<number>> {
    const released = await this.queryReservationsOf({ surveyId, linkIds }, responseToken)
      .delete()
      .returning('link_id');
    return new Set(released.map((row) => row.link_id));
  }

  private queryReservationsOf({ surveyId, linkIds }: LinkKeys, responseToken: string) {
    return this.db('link_reservations')
      .where({ survey_id: surveyId, link_id: anyOf(this.db, linkIds) })
      .whereIn('response_id', this.queryResponseId(surveyId, responseToken));
  }

  /** Waits for transactions that count responses of the survey. null: no limit. */
  async setSurveyLimit(surveyId: number, limit: number | null): Promise<void> {
    const key = { survey_id: surveyId, link_id: WHOLE_SURVEY };
    if (limit === null) await this.db('link_limits').where(key).delete();
    else
      await this.db('link_limits')
        .insert({ ...key, max_completes: limit })
        .onConflict(['survey_id', 'link_id'])
        .merge(['max_completes']);
  }

  private queryReservations({ surveyId, linkId }: LinkKey) {
    return this.db('link_reservations').where({ survey_id: surveyId, link_id: linkId });
  }

  private queryResponseId(surveyId: number, responseToken: string) {
    return this.db('responses')
      .select('response_id')
      .where({ survey_id: surveyId, response_token: responseToken });
  }

  /**
   * Locks the limits of these links until the transaction ends, for a caller that counts their responses. Returns the number of complete
   * responses that each accepts; links without a limit are absent.
   */
  async lockLimits(surveyId: number, linkIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.db('link_limits')
      .select('link_id', 'max_completes')
      .where({ survey_id: surveyId, link_id: anyOf(this.db, linkIds) })
      .orderBy('link_id')
      .forUpdate();
    return new Map(rows.map((row) => [row.link_id, row.max_completes]));
  }

  /** One statement, so that completes and reservations are read at the same moment. */
  private async readCounts({ surveyId, linkId }: LinkKey, reserved: Knex.QueryBuilder): Promise<Usage> {
    const completes = this.db('response_counts')
      .select(this.db.raw('coalesce(sum(complete_count), 0)::bigint'))
      .where({ survey_id: surveyId });
    if (linkId !== WHOLE_SURVEY) void completes.where({ link_id: linkId });
    return requireRow(
      await this.db.select<Usage[]>(completes.as('completes'), reserved.as('reserved')),
      'link_reservations',
    );
  }
}

interface ResponseKey {
  surveyId: number;
  responseId: number;
}

/** Waves of a survey that the caller has locked. */
interface LockedWaves {
  surveyId: number;
  waveIds: readonly number[];
}

/**
 * Reservations in the cells of quotas. A caller that makes one, or writes a response that counts in a cell, first locks the cell's wave:
 * one row, however many cells there are. Renewing a reservation needs only the lock of the response.
 *
 * Locks are always taken in this order: the survey (authors only), invitation, link, reservation in the link, response, duplicate key,
 * wave, then what follows from writing: reservations, counters of links, cells and waves. So the holder of a wave waits for no response:
 * an edit of several responses locks all of them first, and a redefinition of quotas writes only to ended responses, which no holder of a
 * wave waits for. Deleting expired reservations skips those that another transaction is renewing. The exception are new quotas, which delete
 * reservations of other responses while they hold the wave: in a deadlock with a renewal both are repeated.
 */
export class QuotaReservationRepository {
  constructor(private readonly db: Database) {}

  /**
   * Locks the quotas of waves until the transaction ends. Returns the quota revision of each, which cannot change meanwhile; waves that
   * never had quotas are absent.
   */
  async lockWaves({ surveyId, waveIds }: LockedWaves): Promise<Map<number, number>> {
    const rows = await this.db('wave_quotas')
      .select('wave_id', 'quota_revision')
      .where({ survey_id: surveyId, wave_id: anyOf(this.db, waveIds) })
      .orderBy('wave_id')
      .forNoKeyUpdate();
    return new Map(rows.map((row) => [row.wave_id, row.quota_revision]));
  }

  /** The same for a wave that may get its first quotas. */
  async lockWaveForQuotas(surveyId: number, waveId: number): Promise<void> {
    await this.db('wave_quotas')
      .insert({ survey_id: surveyId, wave_id: waveId, quota_revision: 0 })
      .onConflict(['survey_id', 'wave_id'])
      .ignore();
    await this.lockWaves({ surveyId, waveIds: [waveId] });
  }

  /**
   * Returns how far the cells of locked waves are filled. Reservations that expired by `now` are deleted first, so that every remaining
   * one belongs to a response.
   */
  async readUsage(
    { surveyId, waveIds }: LockedWaves,
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
           FROM quota_reservations WHERE survey_id = ? AND cell_id = ANY(?::bigint[]) GROUP BY survey_id, cell_id) h
           USING (survey_id, cell_id)
         WHERE c.survey_id = ? AND c.cell_id = ANY(?::bigint[])`,
        [now, surveyId, cellIds, surveyId, cellIds],
      );
    let rows = await read();
    if (rows.some(({ expired }) => expired > 0)) {
      await this.deleteExpired({ surveyId, waveIds }, now);
      rows = await read();
    }
    return new Map(rows.map(({ cell_id: id, completed, pending }) => [id, { completed, pending }]));
  }

  private async deleteExpired({ surveyId, waveIds }: LockedWaves, now: Date): Promise<void> {
    // Raw SQL: deletes what a subquery could lock.
    await queryCount(
      this.db,
      `DELETE FROM quota_reservations h USING (
         SELECT survey_id, response_id, cell_id FROM quota_reservations
         WHERE survey_id = ? AND wave_id = ANY(?::bigint[]) AND reserved_until <= ? FOR UPDATE SKIP LOCKED) expired
       WHERE h.survey_id = ? AND h.survey_id = expired.survey_id AND h.response_id = expired.response_id AND h.cell_id = expired.cell_id`,
      [surveyId, waveIds, now, surveyId],
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
  async reserve({
    responseKey: { surveyId, responseId },
    waveId,
    cellIds,
    until,
  }: {
    responseKey: ResponseKey;
    waveId: number;
    cellIds: readonly number[];
    until: Date;
  }): Promise<void> {
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
