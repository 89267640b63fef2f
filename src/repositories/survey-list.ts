import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { SurveyStatus } from '../domain/survey/publishing/lifecycle.ts';
import type { SurveyRow } from './surveys.ts';

/** What a list of surveys can be sorted by; each key is a text or a whole number, so that a cursor can carry it. */
const SORT_KEYS = {
  survey_id: { sql: 's.survey_id', type: 'bigint' },
  survey_name: { sql: 'lower(s.survey_name)', type: 'text' },
  survey_status: { sql: 's.survey_status::bigint', type: 'bigint' },
  survey_inserted: { sql: '(extract(epoch FROM s.survey_inserted) * 1000000)::bigint', type: 'bigint' },
  survey_updated: { sql: '(extract(epoch FROM s.survey_updated) * 1000000)::bigint', type: 'bigint' },
  response_count: { sql: 'c.response_count', type: 'bigint' },
} as const;

type SurveySortField = keyof typeof SORT_KEYS;
export const SURVEY_SORT_FIELDS = Object.keys(SORT_KEYS) as SurveySortField[];

/** Whether a sort key of this kind may stand in a cursor. */
export function isSortKey(field: SurveySortField, key: unknown): key is string | number {
  return SORT_KEYS[field].type === 'text' ? typeof key === 'string' : Number.isSafeInteger(key);
}

export interface SurveyListing {
  sort: { field: SurveySortField; descending: boolean };
  status: SurveyStatus | undefined;
  /** A part of the name or description, ignoring case. */
  search: string | undefined;
  limit: number;
  offset: number;
  /** The last item of the page before. */
  after: { key: string | number; surveyId: number } | undefined;
}

/** A survey as a list shows it: without its settings. */
export type ListedSurveyRow = Omit<SurveyRow, 'survey_settings' | 'quality_settings'> & {
  sort_key: string | number;
};

/** The surveys of one workspace, page by page. */
export class SurveyListRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async list(
    scope: { organizationId: number; workspaceId: number },
    listing: SurveyListing,
  ): Promise<{ rows: ListedSurveyRow[]; total: number }> {
    const { sql: key, type } = SORT_KEYS[listing.sort.field];
    const direction = listing.sort.descending ? 'DESC' : 'ASC';
    const where = `s.organization_id = ? AND s.workspace_id = ? AND s.survey_status <> 0
      AND (?::int IS NULL OR s.survey_status = ?)
      AND (?::text IS NULL OR position(lower(?) IN lower(s.survey_name || ' ' || coalesce(s.survey_description, ''))) > 0)`;
    const status = listing.status ?? null;
    const search = listing.search ?? null;
    const matching = [scope.organizationId, scope.workspaceId, status, status, search, search];
    const after = listing.after;
    const rows = await rowsOf<ListedSurveyRow>(
      this.db,
      `SELECT s.survey_id, s.organization_id, s.workspace_id, s.survey_status, s.survey_type, s.revision, s.published_version,
              s.closed_at, s.survey_name, s.survey_description, s.published_revision, s.survey_inserted, s.survey_updated,
              c.response_count, ${key} AS sort_key
       FROM surveys s CROSS JOIN LATERAL (
         SELECT coalesce(sum(r.response_count), 0)::bigint AS response_count FROM response_counts r WHERE r.survey_id = s.survey_id
       ) c
       WHERE ${where} ${after === undefined ? '' : `AND (${key}, s.survey_id) ${listing.sort.descending ? '<' : '>'} (?::${type}, ?)`}
       ORDER BY ${key} ${direction}, s.survey_id ${direction} LIMIT ? OFFSET ?`,
      [
        ...matching,
        ...(after === undefined ? [] : [after.key, after.surveyId]),
        listing.limit,
        listing.offset,
      ],
    );
    const count = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM surveys s WHERE ${where}`,
      matching,
    );
    return { rows, total: count!.count };
  }
}
