import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

/** A run of responses that was sealed together. */
export interface SealedRange {
  segment_id: number;
  /** Of its last response; it begins behind that of the range before. */
  last_id: number;
  rows: number;
}

/** Which segments a survey's columns can be read from. */
export interface SealedState {
  /** What PostgreSQL showed when they were right. */
  snapshot: string;
  /** The zone whose days times were rounded to; null: they are exact. */
  day_zone: string | null;
  /** In the order of ids: every response up to the last one's end. */
  ranges: SealedRange[];
}

/** The cells of one unit: a question, a metadata column, `#ids` or `#states`. */
export interface Segment {
  segment_id: number;
  unit: string;
  /** SHA-256 of the layout, and of the data. */
  layout: Buffer;
  checksum: Buffer;
  /** Compressed. */
  data: Buffer;
}

/** Columns of responses in the form in which they are computed with, beside the responses themselves. */
export class ResponseSegmentRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** null: there are none, or they came from another server, whose snapshots mean nothing here. */
  state(surveyId: number): Promise<SealedState | null> {
    return rowOf(
      this.db,
      `SELECT snapshot::text, day_zone, ranges FROM survey_segments
       WHERE survey_id = ? AND xmin::text::bigint = (sealed_xid::text::numeric % 4294967296)::bigint`,
      [surveyId],
    );
  }

  /** Of some ranges, those of the units that are there. */
  segments(surveyId: number, segmentIds: readonly number[], units: readonly string[]): Promise<Segment[]> {
    return rowsOf(
      this.db,
      `SELECT segment_id, unit, layout, checksum, data FROM response_segments
       WHERE survey_id = ? AND segment_id = ANY (?::bigint[]) AND unit = ANY (?::text[])`,
      [surveyId, segmentIds, units],
    );
  }

  async nextId(): Promise<number> {
    return (await rowOf<{ id: number }>(this.db, `SELECT nextval('response_segment_ids') AS id`))!.id;
  }

  /** Nobody reads it before `seal` names it. */
  async add(surveyId: number, { segment_id: id, unit, layout, checksum, data }: Segment): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO response_segments (segment_id, unit, survey_id, layout, checksum, data) VALUES (?, ?, ?, ?, ?, ?)`,
      [id, unit, surveyId, layout, checksum, data],
    );
  }

  /** From here on these are what is read; all others of the survey go. */
  async seal(surveyId: number, { snapshot, day_zone: dayZone, ranges }: SealedState): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO survey_segments (survey_id, snapshot, day_zone, ranges) VALUES (?, ?::pg_snapshot, ?, ?::jsonb)
       ON CONFLICT (survey_id) DO UPDATE SET snapshot = excluded.snapshot, day_zone = excluded.day_zone,
         ranges = excluded.ranges, sealed_xid = pg_current_xact_id()`,
      [surveyId, snapshot, dayZone, JSON.stringify(ranges)],
    );
    await countOf(
      this.db,
      `DELETE FROM response_segments WHERE survey_id = ? AND NOT segment_id = ANY (?::bigint[])`,
      [surveyId, ranges.map(({ segment_id: id }) => id)],
    );
  }

  /** Drops everything of a survey: it is read from the responses again. */
  async forget(surveyId: number): Promise<void> {
    await countOf(this.db, 'DELETE FROM survey_segments WHERE survey_id = ?', [surveyId]);
    await countOf(this.db, 'DELETE FROM response_segments WHERE survey_id = ?', [surveyId]);
  }

  /** Of the responses behind an id, the next so many: the last one's id, and how many there are. null: there are no more. */
  async nextRange(
    surveyId: number,
    afterId: number,
    most: number,
  ): Promise<{ last_id: number; rows: number } | null> {
    const row = await rowOf<{ last_id: number | null; rows: number }>(
      this.db,
      `SELECT max(response_id) AS last_id, count(*) AS rows FROM (
         SELECT response_id FROM responses WHERE survey_id = ? AND response_id > ? AND NOT is_preview
         ORDER BY response_id LIMIT ?) AS next`,
      [surveyId, afterId, most],
    );
    return row === null || row.last_id === null ? null : { last_id: row.last_id, rows: row.rows };
  }

  /** How many responses behind one id, up to another, were written since a snapshot. */
  async changedBetween(surveyId: number, snapshot: string, afterId: number, lastId: number): Promise<number> {
    const row = await rowOf<{ changed: number }>(
      this.db,
      `SELECT count(*) AS changed FROM responses
       WHERE survey_id = ? AND response_id > ? AND response_id <= ? AND changed_xid >= pg_snapshot_xmin(?::pg_snapshot)
         AND NOT pg_visible_in_snapshot(changed_xid, ?::pg_snapshot)`,
      [surveyId, afterId, lastId, snapshot, snapshot],
    );
    return row!.changed;
  }

  /** Surveys with at least so many responses of which so many are not sealed yet, or not any more, and that wait for no job of the kind. */
  async due(leastRows: number, leastChanged: number, jobKind: string): Promise<number[]> {
    const rows = await rowsOf<{ survey_id: number }>(
      this.db,
      `SELECT s.survey_id FROM surveys s
       LEFT JOIN survey_segments g ON g.survey_id = s.survey_id
         AND g.xmin::text::bigint = (g.sealed_xid::text::numeric % 4294967296)::bigint
       WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE kind = ? AND status IN ('queued', 'running') AND payload ->> 'survey_id' = s.survey_id::text)
         AND CASE WHEN g.survey_id IS NULL
           THEN EXISTS (SELECT 1 FROM responses r WHERE r.survey_id = s.survey_id AND NOT is_preview OFFSET ?)
           ELSE EXISTS (
             SELECT 1 FROM responses r WHERE r.survey_id = s.survey_id AND r.changed_xid >= pg_snapshot_xmin(g.snapshot)
               AND NOT pg_visible_in_snapshot(r.changed_xid, g.snapshot) OFFSET ?) END`,
      [jobKind, leastRows - 1, leastChanged - 1],
    );
    return rows.map(({ survey_id: id }) => id);
  }
}
