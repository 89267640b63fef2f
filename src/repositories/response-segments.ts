import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import { requireValue } from '../lib/require-value.ts';
import { DAY_ZONE, HERE, NOT_IN_SNAPSHOT, type Watermark } from './response-data.ts';
import type { ResponseSegmentTable, SurveySegmentTable } from './tables/responses.ts';

const COLUMNS = ['segment_id', 'unit', 'layout', 'checksum', 'data'] as const;

/** The segments from which a survey's columns can be read. */
interface ColumnSnapshot extends Pick<SurveySegmentTable, 'day_zone' | 'ranges'> {
  /** Under which the responses were read. */
  watermark: Watermark;
}

/** The compressed cells of one unit: a question, a metadata column, `#ids` or `#states`. Checksums are SHA-256. */
export type Segment = Pick<ResponseSegmentTable, (typeof COLUMNS)[number]>;

interface CommitWatermark {
  /** Milliseconds since 1970. */
  until_ms: number;
  /** IANA name of the time zone to whose days the survey's times are rounded; null: times are exact. */
  day_zone: string | null;
}

/** Columns of responses, stored in the form in which statistics compute with them. */
export class ResponseSegmentRepository {
  constructor(private readonly db: Database) {}

  /** Returns null when there are none. */
  async findSnapshot(surveyId: number): Promise<ColumnSnapshot | null> {
    const [found] = await this.db('survey_segments')
      .select<SurveySegmentTable[]>('day_zone', 'ranges', 'source', this.db.raw('snapshot::text AS snapshot'))
      .where({ survey_id: surveyId });
    if (found === undefined) return null;
    const { source, snapshot, day_zone: dayZone, ranges } = found;
    return { day_zone: dayZone, ranges, watermark: { source, snapshot } };
  }

  /** The stored ones of these units in these ranges, in any order. */
  async listSegments(
    surveyId: number,
    segmentIds: readonly number[],
    units: readonly string[],
  ): Promise<Segment[]> {
    return this.db('response_segments')
      .select(...COLUMNS)
      .where({ survey_id: surveyId })
      .whereRaw('segment_id = ANY(?::bigint[])', [[...segmentIds]])
      .whereRaw('unit = ANY(?::text[])', [[...units]]);
  }

  async reserveId(): Promise<number> {
    // Raw SQL: the builder does not know sequences.
    const row = await queryRow<{ id: number }>(this.db, `SELECT nextval('response_segment_ids') AS id`);
    return requireValue(row, 'segment id').id;
  }

  /** Readers do not see it before `replaceSnapshot` names it. */
  async add(surveyId: number, segment: Segment): Promise<void> {
    await this.db('response_segments').insert({ ...segment, survey_id: surveyId });
  }

  /** Makes these the segments that readers use, and deletes all others of the survey. */
  async replaceSnapshot(
    surveyId: number,
    { watermark, day_zone: dayZone, ranges }: ColumnSnapshot,
  ): Promise<void> {
    await this.db('survey_segments')
      .insert({
        ...watermark,
        survey_id: surveyId,
        day_zone: dayZone,
        ranges: JSON.stringify(ranges),
      })
      .onConflict('survey_id')
      .merge(['snapshot', 'source', 'day_zone', 'ranges']);
    await this.db('response_segments')
      .where({ survey_id: surveyId })
      .whereRaw('NOT segment_id = ANY(?::bigint[])', [ranges.map(({ segment_id: id }) => id)])
      .delete();
  }

  /** Deletes all segments of a survey: its columns are read from the responses again. */
  async deleteSnapshot(surveyId: number): Promise<void> {
    await this.db('survey_segments').where({ survey_id: surveyId }).delete();
    await this.db('response_segments').where({ survey_id: surveyId }).delete();
  }

  /** The next at most `most` responses after an id: the last one's id and their number. Returns null when there are none. */
  async findNextRange(
    surveyId: number,
    afterId: number,
    limit: number,
  ): Promise<{ last_id: number; rows: number } | null> {
    const next = this.db('responses')
      .select('response_id')
      .where({ survey_id: surveyId, is_preview: false })
      .where('response_id', '>', afterId)
      .orderBy('response_id')
      .limit(limit);
    const [row] = await this.db
      .from(next.as('next'))
      .max({ last_id: 'response_id' })
      .count<{ last_id: number | null; rows: number }[]>({ rows: '*' });
    return row === undefined || row.last_id === null ? null : { last_id: row.last_id, rows: row.rows };
  }

  /** How many responses after one id, up to another, were written since a watermark; null: the watermark has another source. */
  async countChangedBetween({
    surveyId,
    watermark: { source, snapshot },
    afterId,
    lastId,
  }: {
    surveyId: number;
    watermark: Watermark;
    afterId: number;
    lastId: number;
  }): Promise<number | null> {
    // Raw SQL: joins the source in one statement.
    const row = requireValue(
      await queryRow<{ source: string; changed: number }>(
        this.db,
        `SELECT here.source, count(response_id) AS changed FROM ${HERE} AS here
         LEFT JOIN responses ON survey_id = ? AND response_id > ? AND response_id <= ? AND ${NOT_IN_SNAPSHOT} GROUP BY here.source`,
        [surveyId, surveyId, afterId, lastId, snapshot, snapshot],
      ),
      'count of changes',
    );
    return row.source === source ? row.changed : null;
  }

  /**
   * The survey_id of surveys (`surveyId` null: of all) with at least `leastRows` responses that have no usable segments, or of which at least
   * `leastChanged` responses were written since. Surveys with a queued or running job of this kind are left out.
   */
  async listDue({
    surveyId,
    leastRows,
    leastChanged,
    jobKind,
  }: {
    surveyId: number | null;
    leastRows: number;
    /** By the number of responses. */
    leastChanged: (responses: number) => number;
    jobKind: string;
  }): Promise<number[]> {
    const large = this.db('response_counts')
      .select<{ survey_id: number; responses: string }[]>(
        'survey_id',
        this.db.raw('sum(response_count) AS responses'),
      )
      .groupBy('survey_id')
      .havingRaw('sum(response_count) >= ?', [leastRows])
      .orderBy('survey_id');
    if (surveyId !== null) void large.where('survey_id', surveyId);
    const jobs = await this.db('jobs')
      .select('payload')
      .where({ kind: jobKind })
      .whereIn('status', ['queued', 'running']);
    const queued = new Set(jobs.map(({ payload }) => (payload as { survey_id: number }).survey_id));
    const due: number[] = [];
    for (const { survey_id: id, responses } of await large)
      if (!queued.has(id) && (await this.isDue(id, leastChanged(Number(responses))))) due.push(id);
    return due;
  }

  private async isDue(surveyId: number, leastChanged: number): Promise<boolean> {
    const stored = await this.findSnapshot(surveyId);
    if (stored === null) return true;
    const range = { afterId: 0, lastId: Number.MAX_SAFE_INTEGER };
    const changed = await this.countChangedBetween({ surveyId, watermark: stored.watermark, ...range });
    return changed === null || changed >= leastChanged;
  }

  /**
   * Returns the moment before which all commits are visible: no response with an earlier `updated_at` can still appear. null: no such survey.
   *
   * A writer's `updated_at` is now(), the start of its transaction. It becomes visible when the transaction commits, maybe much later
   * and in any order. Writes from before the start of the oldest running transaction are therefore decided: their transactions are no
   * longer in pg_stat_activity, which a transaction leaves only after its commit is visible. Later transactions have a later now().
   * - Every running transaction counts, also one that has not written yet: it may still. Long readers only delay the watermark.
   * - now() is the start of this statement, not its end: a transaction may begin while it reads the activity.
   * - Between reading its clock and appearing in the activity a transaction needs microseconds, or longer when it is not scheduled:
   *   hence the margin of one second.
   * - A role sees the transactions of its own sessions (a member of pg_read_all_stats sees all): one role writes all responses.
   * - Call it outside a transaction, which would keep the first state of the activity that it read; read the responses afterwards.
   */
  findCommitWatermark(surveyId: number): Promise<CommitWatermark | null> {
    // Raw SQL: one snapshot of now(), the activity of all sessions and the survey.
    return queryRow(
      this.db,
      `SELECT floor(extract(epoch FROM least(now(), oldest) - interval '1 second') * 1000)::bigint AS until_ms, ${DAY_ZONE}
       FROM surveys, (
         SELECT min(xact_start) AS oldest FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend') AS running
       WHERE survey_id = ?`,
      [surveyId],
    );
  }
}
