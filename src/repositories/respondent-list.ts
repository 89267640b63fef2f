import type { Database } from '../db/connect.ts';
import { countCompleted, RESPONDENT_COLUMNS, type RespondentRow } from './respondents.ts';

/** Sort keys of a list of respondents. Each is a text or an integer, so that a cursor can carry it. */
const SORT_KEYS = {
  respondent_id: { sql: 'respondent_id', type: 'bigint' },
  email: { sql: "coalesce(lower(respondent_email), '')", type: 'text' },
  name: { sql: "coalesce(lower(respondent_name), '')", type: 'text' },
  external_id: { sql: "coalesce(external_id, '')", type: 'text' },
  created_at: { sql: '(extract(epoch FROM created_at) * 1000000)::bigint', type: 'bigint' },
  last_invited_at: {
    sql: 'coalesce((extract(epoch FROM last_invited_at) * 1000000)::bigint, 0)',
    type: 'bigint',
  },
} as const;

type RespondentSortField = keyof typeof SORT_KEYS;
export const RESPONDENT_SORT_FIELDS = Object.keys(SORT_KEYS) as RespondentSortField[];

/** Whether a cursor may carry this value as its sort key. */
export function isRespondentSortKey(field: RespondentSortField, key: unknown): key is string | number {
  return SORT_KEYS[field].type === 'text' ? typeof key === 'string' : Number.isSafeInteger(key);
}

/** Conditions of a search; null: none. */
export interface RespondentSearch {
  /** Part of the name, email address or external_id, ignoring case. */
  text: string | null;
  optedOut: boolean | null;
  /** Compared as text: `42` also finds the text "42". */
  attribute: { name: string; value: string } | null;
}

export interface RespondentListing {
  search: RespondentSearch;
  sort: { field: RespondentSortField; descending: boolean };
  limit: number;
  offset: number;
  /** The last item of the previous page; null: from the beginning. */
  after: { key: string | number; id: number } | null;
}

export type ListedRespondentRow = RespondentRow & { sort_key: string | number };

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** The respondents of one workspace, page by page. */
export class RespondentListRepository {
  constructor(private readonly db: Database) {}

  async page(
    scope: InWorkspace,
    { search, sort, limit, offset, after }: RespondentListing,
  ): Promise<ListedRespondentRow[]> {
    const { sql: key, type } = SORT_KEYS[sort.field];
    const order = sort.descending ? 'desc' : 'asc';
    const page = this.matching(scope, search)
      .select(...RESPONDENT_COLUMNS, this.db.raw(`${key} AS sort_key`))
      .orderByRaw(`${key} ${order}, respondent_id ${order}`)
      .limit(limit)
      .offset(offset);
    if (after !== null) {
      const operator = sort.descending ? '<' : '>';
      void page.whereRaw(`(${key}, respondent_id) ${operator} (?::${type}, ?)`, [after.key, after.id]);
    }
    // Counts responses for the respondents of the page only.
    return this.db
      .from(page.as('respondents'))
      .select<ListedRespondentRow[]>('respondents.*', countCompleted(this.db))
      .orderBy([
        { column: 'respondents.sort_key', order },
        { column: 'respondents.respondent_id', order },
      ]);
  }

  async count(scope: InWorkspace, search: RespondentSearch): Promise<number> {
    const [row] = await this.matching(scope, search).count<{ count: number }[]>();
    return row!.count;
  }

  private matching(
    { organizationId, workspaceId }: InWorkspace,
    { text, optedOut, attribute }: RespondentSearch,
  ) {
    const query = this.db('respondents')
      .where({ organization_id: organizationId, workspace_id: workspaceId })
      .whereNull('erased_at');
    if (text !== null)
      void query.whereRaw(
        'position(lower(?) IN lower(concat_ws(chr(10), respondent_name, respondent_email, external_id))) > 0',
        [text],
      );
    if (optedOut !== null)
      void (optedOut ? query.whereNotNull('opted_out_at') : query.whereNull('opted_out_at'));
    if (attribute !== null) void query.whereRaw('attributes ->> ? = ?', [attribute.name, attribute.value]);
    return query;
  }
}
