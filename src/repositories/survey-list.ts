import type { Database } from '../db/connect.ts';
import type { SurveyStatus } from '../domain/survey/publishing/survey-status.ts';
import type { SurveyRow } from './surveys.ts';

/** The keys by which a list of surveys can be sorted. Each is a text or a whole number, so that a cursor can carry it. */
const SORT_KEYS = {
  survey_id: { sql: 'survey_id', type: 'bigint' },
  survey_name: { sql: 'lower(survey_name)', type: 'text' },
  survey_status: { sql: 'survey_status::bigint', type: 'bigint' },
  survey_inserted: { sql: '(extract(epoch FROM survey_inserted) * 1000000)::bigint', type: 'bigint' },
  survey_updated: { sql: '(extract(epoch FROM survey_updated) * 1000000)::bigint', type: 'bigint' },
  response_count: { sql: 'counts.response_count', type: 'bigint' },
} as const;

const COLUMNS = [
  'survey_id',
  'organization_id',
  'workspace_id',
  'survey_status',
  'survey_type',
  'revision',
  'published_version',
  'closed_at',
  'survey_name',
  'survey_description',
  'published_revision',
  'survey_inserted',
  'survey_updated',
] as const;

/** Sums the few rows of a survey's response counts by their key. */
const RESPONSE_COUNT = `CROSS JOIN LATERAL (
  SELECT coalesce(sum(r.response_count), 0)::bigint AS response_count FROM response_counts r WHERE r.survey_id = surveys.survey_id
) counts`;

type SurveySortField = keyof typeof SORT_KEYS;
export const SURVEY_SORT_FIELDS = Object.keys(SORT_KEYS) as SurveySortField[];

/** Whether a cursor of a list sorted by this field may carry the key. */
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
export type ListedSurveyRow = Pick<SurveyRow, (typeof COLUMNS)[number] | 'response_count'> & {
  sort_key: string | number;
};

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** Lists the surveys of one workspace, page by page. */
export class SurveyListRepository {
  constructor(private readonly db: Database) {}

  async list(
    scope: InWorkspace,
    listing: SurveyListing,
  ): Promise<{ rows: ListedSurveyRow[]; total: number }> {
    const { sql: key, type } = SORT_KEYS[listing.sort.field];
    const direction = listing.sort.descending ? 'desc' : 'asc';
    const page = this.matching(scope, listing)
      .joinRaw(RESPONSE_COUNT)
      .select(...COLUMNS)
      .select<ListedSurveyRow[]>('counts.response_count', this.db.raw(`${key} AS sort_key`))
      .orderByRaw(`${key} ${direction}, survey_id ${direction}`)
      .limit(listing.limit)
      .offset(listing.offset);
    if (listing.after !== undefined)
      page.whereRaw(`(${key}, survey_id) ${listing.sort.descending ? '<' : '>'} (?::${type}, ?)`, [
        listing.after.key,
        listing.after.surveyId,
      ]);
    const rows = await page;
    const [countRow] = await this.matching(scope, listing).count<{ total: number }[]>({ total: '*' });
    return { rows, total: countRow!.total };
  }

  private matching(scope: InWorkspace, { status, search }: SurveyListing) {
    const query = this.db('surveys')
      .where({ organization_id: scope.organizationId, workspace_id: scope.workspaceId })
      .whereNot({ survey_status: 0 });
    if (status !== undefined) void query.where({ survey_status: status });
    if (search !== undefined)
      void query.whereRaw(
        `position(lower(?) IN lower(survey_name || ' ' || coalesce(survey_description, ''))) > 0`,
        [search],
      );
    return query;
  }
}
