import type { Database } from '../db/connect.ts';
import type { LinkStatus } from '../domain/survey/link-status.ts';
import { LINK_COLUMNS, LINK_COUNTS, LINK_WAVE, type LinkRow, type LinkType } from './links.ts';
import { qualifyColumns, qualifyValues } from './tables/columns.ts';
import type { SurveyTable } from './tables/surveys.ts';

/** Filters of the list; null: no filter. */
export interface LinkSearch {
  surveyId: number | null;
  type: LinkType | null;
  /** The status at `now`. */
  status: LinkStatus | null;
  /** A part of the name, ignoring case, or a token. */
  text: string | null;
  now: Date;
}

/** A page of the list, ordered by link_id. */
export interface LinkListPage {
  order: 'oldest_first' | 'newest_first';
  /** The last link_id of the page before. */
  after: number | null;
  skip: number;
  limit: number;
}

export type ListedLinkRow = LinkRow & Pick<SurveyTable, 'survey_status'>;

interface InWorkspace {
  organizationId: number;
  workspaceId: number;
}

/** The status as domain/survey/link-status.ts decides it, from `links`, `surveys`, `wave` and `counts`. Binds the current time. */
const STATUS = `CASE WHEN links.expires_at <= ? THEN 'expired' WHEN surveys.survey_status <> 2 OR NOT wave.in_open_wave THEN 'closed'
  WHEN counts.complete_count >= CASE WHEN links.link_type = 'unique' THEN 1 ELSE links.link_quota END THEN 'full'
  ELSE links.link_state END`;

/** Lists the links of a workspace. Reads counts of all links only where the list is filtered by status, else of one page. */
export class LinkListRepository {
  constructor(private readonly db: Database) {}

  /** Returns one row more than `limit` where there are more. */
  async list(
    scope: InWorkspace,
    search: LinkSearch,
    { order, after, skip, limit }: LinkListPage,
  ): Promise<{ found: ListedLinkRow[]; total: number }> {
    const direction = order === 'oldest_first' ? 'asc' : 'desc';
    const page = this.matching(scope, search)
      .select(...qualifyColumns('links', LINK_COLUMNS), 'surveys.survey_status')
      .orderBy('links.link_id', direction)
      .offset(skip)
      .limit(limit + 1);
    if (after !== null) void page.where('links.link_id', order === 'oldest_first' ? '>' : '<', after);
    const found = await this.db
      .withMaterialized('page', page)
      .from({ links: 'page' })
      .joinRaw(LINK_COUNTS)
      .joinRaw(LINK_WAVE, [search.now, search.now])
      .select<ListedLinkRow[]>(
        'links.*',
        'wave.in_open_wave',
        'counts.response_count',
        'counts.complete_count',
      )
      .orderBy('links.link_id', direction);
    const [countRow] = await this.matching(scope, search).count<{ total: number }[]>({ total: '*' });
    return { found, total: countRow!.total };
  }

  private matching(
    { organizationId, workspaceId }: InWorkspace,
    { surveyId, type, status, text, now }: LinkSearch,
  ) {
    const query = this.db('surveys')
      .join('links', 'links.survey_id', 'surveys.survey_id')
      .where(qualifyValues('surveys', { organization_id: organizationId, workspace_id: workspaceId }))
      .whereNot(qualifyValues('surveys', { survey_status: 0 }))
      .where(qualifyValues('links', { organization_id: organizationId, deleted_at: null }));
    if (surveyId !== null) void query.where(qualifyValues('links', { survey_id: surveyId }));
    if (type !== null) void query.where(qualifyValues('links', { link_type: type }));
    if (text !== null)
      void query.whereRaw('(links.link_token = ? OR position(lower(?) IN lower(links.link_name)) > 0)', [
        text,
        text,
      ]);
    if (status !== null)
      void query.joinRaw(LINK_COUNTS).joinRaw(LINK_WAVE, [now, now]).whereRaw(`${STATUS} = ?`, [now, status]);
    return query;
  }
}
