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

  /** Stores the arm with the response, if it exists and is in progress. */
  async saveArm({ surveyId, blockId }: BlockKey, responseToken: string, armCode: string): Promise<void> {
    // Raw SQL: changes a part of a JSON value.
    await queryCount(
      this.db,
      `UPDATE responses SET presentation = jsonb_set(coalesce(presentation, '{}'), '{arms}',
         coalesce(presentation -> 'arms', '{}') || jsonb_build_object(?::text, ?::text))
       WHERE survey_id = ? AND response_token = ? AND response_status = 'partial'`,
      [String(blockId), armCode, surveyId, responseToken],
    );
  }

  /** Deletes the reservations of a submission that was not stored. Reservations of stored responses end with them. */
  async release(surveyId: number, responseToken: string): Promise<void> {
    await this.db('arm_reservations').where({ survey_id: surveyId, response_token: responseToken }).delete();
  }
}
