import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';

interface BlockKey {
  surveyId: number;
  blockId: number;
}

/**
 * The arms of blocks that fill evenly: complete responses by arm, which triggers count, and reservations of interviews in progress. Assigning
 * takes the lock of the block, and then of rows; renewing and ending an interview need only the lock of its row.
 */
export class ArmAssignmentRepository {
  constructor(private readonly db: Database) {}

  /** Serializes the assignments of a block until the transaction ends. */
  async lockBlock({ blockId }: BlockKey): Promise<void> {
    // Raw SQL: an advisory lock.
    await queryRows(this.db, `SELECT pg_advisory_xact_lock(hashtextextended('arms of block ' || ?, 0))`, [
      blockId,
    ]);
  }

  async findReserved({ surveyId, blockId }: BlockKey, responseToken: string): Promise<string | null> {
    const row = await this.db('arm_reservations')
      .first('arm_code')
      .where({ survey_id: surveyId, block_id: blockId, response_token: responseToken });
    return row?.arm_code ?? null;
  }

  /** Counts complete responses and interviews in progress by arm, for the holder of the lock; deletes expired reservations. */
  async countArms({ surveyId, blockId }: BlockKey, now: Date): Promise<Map<string, number>> {
    await this.db('arm_reservations')
      .where({ survey_id: surveyId, block_id: blockId })
      .where('reserved_until', '<=', now)
      .delete();
    // Raw SQL: a union of two counts.
    const rows = await queryRows<{ arm_code: string; count: number }>(
      this.db,
      `SELECT arm_code, sum(count)::bigint AS count FROM (
         SELECT arm_code, completes AS count FROM arm_counts WHERE survey_id = ? AND block_id = ?
         UNION ALL SELECT arm_code, 1 FROM arm_reservations WHERE survey_id = ? AND block_id = ?) AS counted GROUP BY arm_code`,
      [surveyId, blockId, surveyId, blockId],
    );
    return new Map(rows.map((row) => [row.arm_code, row.count]));
  }

  /** Reserves arms for an interview, or extends its reservations. `arms`: arm codes by block_id. */
  async reserve(
    surveyId: number,
    responseToken: string,
    { arms, until }: { arms: Readonly<Record<string, string>>; until: Date },
  ): Promise<void> {
    const rows = Object.entries(arms).map(([blockId, armCode]) => ({
      survey_id: surveyId,
      block_id: Number(blockId),
      response_token: responseToken,
      arm_code: armCode,
      reserved_until: until,
    }));
    if (rows.length === 0) return;
    await this.db('arm_reservations')
      .insert(rows)
      .onConflict(['survey_id', 'block_id', 'response_token'])
      .merge(['reserved_until']);
  }

  /** Returns the reserved ones of the items of a loop, with their places, by block_id. */
  async findReservedItems(
    { surveyId, blockIds }: { surveyId: number; blockIds: readonly number[] },
    responseToken: string,
  ): Promise<Record<string, string>> {
    const rows = await this.db('arm_reservations')
      .select('block_id', 'arm_code')
      .where({ survey_id: surveyId, block_id: anyOf(this.db, blockIds), response_token: responseToken });
    return Object.fromEntries(rows.map((row) => [row.block_id, row.arm_code]));
  }

  /** Counts complete responses and interviews in progress by item of a loop, for the holder of its lock; deletes expired reservations. */
  async countItems(
    { surveyId, blockIds }: { surveyId: number; blockIds: readonly number[] },
    now: Date,
  ): Promise<Map<number, number>> {
    const key = { survey_id: surveyId, block_id: anyOf(this.db, blockIds) };
    await this.db('arm_reservations').where(key).where('reserved_until', '<=', now).delete();
    // Raw SQL: a union of two counts.
    const rows = await queryRows<{ block_id: number; count: number }>(
      this.db,
      `SELECT block_id, sum(count)::bigint AS count FROM (
         SELECT block_id, completes AS count FROM arm_counts WHERE survey_id = ? AND block_id = ANY(?::bigint[])
         UNION ALL SELECT block_id, 1 FROM arm_reservations WHERE survey_id = ? AND block_id = ANY(?::bigint[])) AS counted GROUP BY block_id`,
      [surveyId, blockIds, surveyId, blockIds],
    );
    return new Map(rows.map((row) => [row.block_id, row.count]));
  }

  /** Stores arms, by block_id, with the response, if it exists and is in progress. */
  async saveArms(
    surveyId: number,
    responseToken: string,
    arms: Readonly<Record<string, string>>,
  ): Promise<void> {
    // Raw SQL: changes a part of a JSON value.
    await queryCount(
      this.db,
      `UPDATE responses SET presentation = jsonb_set(coalesce(presentation, '{}'), '{arms}',
         coalesce(presentation -> 'arms', '{}') || ?::jsonb)
       WHERE survey_id = ? AND response_token = ? AND response_status = 'partial'`,
      [JSON.stringify(arms), surveyId, responseToken],
    );
  }

  /** Deletes the reservations of a submission that was not stored. Reservations of stored responses end with them. */
  async release(surveyId: number, responseToken: string): Promise<void> {
    await this.db('arm_reservations').where({ survey_id: surveyId, response_token: responseToken }).delete();
  }
}
