import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import { COMPLETED_COUNT, RESPONDENT_COLUMNS, type RespondentRow } from './respondents.ts';

/** What a list of respondents can be sorted by; each key is a text or a whole number, so that a cursor can carry it. */
const SORT_KEYS = {
  respondent_id: { sql: 'r.respondent_id', type: 'bigint' },
  email: { sql: "coalesce(lower(r.respondent_email), '')", type: 'text' },
  name: { sql: "coalesce(lower(r.respondent_name), '')", type: 'text' },
  external_id: { sql: "coalesce(r.external_id, '')", type: 'text' },
  created_at: { sql: '(extract(epoch FROM r.created_at) * 1000000)::bigint', type: 'bigint' },
  last_invited_at: {
    sql: 'coalesce((extract(epoch FROM r.last_invited_at) * 1000000)::bigint, 0)',
    type: 'bigint',
  },
} as const;

type RespondentSortField = keyof typeof SORT_KEYS;
export const RESPONDENT_SORT_FIELDS = Object.keys(SORT_KEYS) as RespondentSortField[];

/** Whether a sort key of this kind may stand in a cursor. */
export function isRespondentSortKey(field: RespondentSortField, key: unknown): key is string | number {
  return SORT_KEYS[field].type === 'text' ? typeof key === 'string' : Number.isSafeInteger(key);
}

/** What to look for; null: anything. */
export interface RespondentSearch {
  /** A part of the name, e-mail or external_id, ignoring case. */
  text: string | null;
  optedOut: boolean | null;
  /** As the value reads: 42 is also found where it is a text. */
  attribute: { name: string; value: string } | null;
}

export interface RespondentListing {
  search: RespondentSearch;
  sort: { field: RespondentSortField; descending: boolean };
  limit: number;
  offset: number;
  /** The last item of the page before; null: from the beginning. */
  after: { key: string | number; id: number } | null;
}

export type ListedRespondentRow = RespondentRow & { sort_key: string | number };

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

const MATCHES = `r.organization_id = ? AND r.workspace_id = ? AND r.erased_at IS NULL
  AND (?::text IS NULL
       OR position(lower(?) IN lower(concat_ws(chr(10), r.respondent_name, r.respondent_email, r.external_id))) > 0)
  AND (?::boolean IS NULL OR (r.opted_out_at IS NOT NULL) = ?)
  AND (?::text IS NULL OR r.attributes ->> ? = ?)`;

function matching({ organizationId, workspaceId }: InWorkspace, search: RespondentSearch) {
  const { text, optedOut, attribute } = search;
  const name = attribute?.name ?? null;
  const value = attribute?.value ?? null;
  return [organizationId, workspaceId, text, text, optedOut, optedOut, name, name, value];
}

/** The respondents of one workspace, page by page. */
export class RespondentListRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  page(
    scope: InWorkspace,
    { search, sort, limit, offset, after }: RespondentListing,
  ): Promise<ListedRespondentRow[]> {
    const { sql: key, type } = SORT_KEYS[sort.field];
    const direction = sort.descending ? 'DESC' : 'ASC';
    const place =
      after === null ? '' : `AND (${key}, r.respondent_id) ${sort.descending ? '<' : '>'} (?::${type}, ?)`;
    // Responses are counted of the people on the page alone.
    return rowsOf(
      this.db,
      `SELECT r.*, ${COMPLETED_COUNT} FROM (
         SELECT ${RESPONDENT_COLUMNS}, ${key} AS sort_key FROM respondents r WHERE ${MATCHES} ${place}
         ORDER BY ${key} ${direction}, r.respondent_id ${direction} LIMIT ? OFFSET ?
       ) r ORDER BY r.sort_key ${direction}, r.respondent_id ${direction}`,
      [...matching(scope, search), ...(after === null ? [] : [after.key, after.id]), limit, offset],
    );
  }

  async count(scope: InWorkspace, search: RespondentSearch): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM respondents r WHERE ${MATCHES}`,
      matching(scope, search),
    );
    return row!.count;
  }
}
