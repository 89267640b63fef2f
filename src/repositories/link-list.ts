import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { LinkStatus } from '../domain/survey/link-status.ts';
import type { SurveyStatus } from '../domain/survey/publishing/lifecycle.ts';
import { LINK_COLUMNS, LINK_COUNTS, LINK_WAVE, type LinkRow, type LinkType } from './links.ts';

/** What to look for in a workspace; null: anything. */
export interface LinkSearch {
  surveyId: number | null;
  type: LinkType | null;
  /** As it is at `now`. */
  status: LinkStatus | null;
  /** A part of the name, ignoring case, or a token. */
  text: string | null;
  now: Date;
}

/** A part of the list, by link_id. */
export interface LinkListPart {
  order: 'oldest_first' | 'newest_first';
  /** Where the part before ended. */
  past: number | null;
  skip: number;
  limit: number;
}

export type ListedLinkRow = LinkRow & { survey_status: SurveyStatus };

const IN_WORKSPACE = 's.organization_id = ? AND s.workspace_id = ? AND s.survey_status <> 0';

/** As domain/survey/link-status.ts has it, of links l with their surveys s, waves w and counts c. */
const STATUS = `CASE WHEN l.expires_at <= ? THEN 'expired' WHEN s.survey_status <> 2 OR NOT w.in_open_wave THEN 'closed'
  WHEN c.complete_count >= CASE WHEN l.link_type = 'unique' THEN 1 ELSE l.link_quota END THEN 'full'
  ELSE l.link_state END`;

/** Links by the thousand. Counts are read of the links of a page; of all only where the status is asked for. */
export class LinkListRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** One more than `limit` where there is more. */
  async list(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    search: LinkSearch,
    part: LinkListPart,
  ): Promise<{ found: ListedLinkRow[]; total: number }> {
    const { surveyId, type, text, status, now } = search;
    const matching = `FROM surveys s JOIN links l ON l.organization_id = s.organization_id AND l.survey_id = s.survey_id
      ${status === null ? '' : `${LINK_COUNTS} ${LINK_WAVE}`}
      WHERE ${IN_WORKSPACE} AND l.deleted_at IS NULL
        AND (?::bigint IS NULL OR l.survey_id = ?)
        AND (?::text IS NULL OR l.link_type = ?)
        AND (?::text IS NULL OR l.link_token = ? OR position(lower(?) IN lower(l.link_name)) > 0)
        ${status === null ? '' : `AND ${STATUS} = ?`}`;
    const bindings = [
      ...(status === null ? [] : [now, now]),
      ...[organizationId, workspaceId],
      ...[surveyId, surveyId],
      ...[type, type],
      ...[text, text, text],
      ...(status === null ? [] : [now, status]),
    ];
    const [comes, direction] = part.order === 'oldest_first' ? ['>', 'ASC'] : ['<', 'DESC'];
    const found = await rowsOf<ListedLinkRow>(
      this.db,
      `WITH page AS MATERIALIZED (
         SELECT ${LINK_COLUMNS}, s.survey_status ${matching} AND (?::bigint IS NULL OR l.link_id ${comes} ?)
         ORDER BY l.link_id ${direction} OFFSET ? LIMIT ?)
       SELECT l.*, w.in_open_wave, c.response_count, c.complete_count FROM page l ${LINK_COUNTS} ${LINK_WAVE}
       ORDER BY l.link_id ${direction}`,
      [...bindings, part.past, part.past, part.skip, part.limit + 1, now, now],
    );
    const count = await rowOf<{ count: number }>(this.db, `SELECT count(*) ${matching}`, bindings);
    return { found, total: count!.count };
  }
}
