import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';

/*
 * Counts of responses, without deleted and test ones. Sums of counters that triggers keep, so no response is read. Separate queries, because
 * the counters can be on other servers than surveys, links and waves. The functions return only what has responses.
 */

/** By survey_id. */
export async function countBySurvey(
  db: Database,
  surveyIds: readonly number[],
): Promise<Map<number, number>> {
  if (surveyIds.length === 0) return new Map();
  const rows = await db('response_counts')
    .select('survey_id')
    .sum<{ survey_id: number; responses: string }[]>({ responses: 'response_count' })
    .where({ survey_id: anyOf(db, surveyIds) })
    .groupBy('survey_id');
  return new Map(rows.map((row) => [row.survey_id, Number(row.responses)]));
}

interface OfSurvey {
  survey_id: number;
}

/** The distinct survey_ids. */
export const surveyIdsOf = (rows: readonly OfSurvey[]): number[] => [
  ...new Set(rows.map(({ survey_id: surveyId }) => surveyId)),
];

export interface LinkCounts {
  response_count: number;
  complete_count: number;
}

/** Adds the counts of each link. */
export async function withLinkCounts<Link extends OfSurvey & { link_id: number }>(
  db: Database,
  links: readonly Link[],
): Promise<(Link & LinkCounts)[]> {
  if (links.length === 0) return [];
  const linkIds = links.map((link) => link.link_id);
  // Raw SQL: sums as numbers.
  const rows = await queryRows<LinkCounts & { link_id: number }>(
    db,
    `SELECT link_id, sum(response_count)::bigint AS response_count, sum(complete_count)::bigint AS complete_count
     FROM response_counts WHERE survey_id = ANY(?::bigint[]) AND link_id = ANY(?::bigint[]) GROUP BY survey_id, link_id`,
    [surveyIdsOf(links), linkIds],
  );
  const counts = new Map(rows.map(({ link_id: linkId, ...row }) => [linkId, row]));
  return links.map((link) => ({ ...link, ...(counts.get(link.link_id) ?? NO_LINK_COUNTS) }));
}

const NO_LINK_COUNTS: LinkCounts = { response_count: 0, complete_count: 0 };

/** The links of these surveys that have all complete responses that they accept. */
export async function listFullLinks(db: Database, surveyIds: readonly number[]): Promise<number[]> {
  // Raw SQL: compares an aggregate with a column of another table.
  const rows = await queryRows<{ link_id: number }>(
    db,
    `SELECT l.link_id FROM link_limits l JOIN response_counts c ON c.survey_id = l.survey_id AND c.link_id = l.link_id
     WHERE l.survey_id = ANY(?::bigint[]) AND c.survey_id = ANY(?::bigint[])
     GROUP BY l.survey_id, l.link_id, l.max_completes HAVING sum(c.complete_count) >= l.max_completes`,
    [surveyIds, surveyIds],
  );
  return rows.map((row) => row.link_id);
}

export interface WaveCounts {
  completed: number;
  partial: number;
  screened_out: number;
}

const NO_WAVE_COUNTS: WaveCounts = { completed: 0, partial: 0, screened_out: 0 };

/** Adds the counts of each wave. */
export async function withWaveCounts<Wave extends OfSurvey & { wave_id: number }>(
  db: Database,
  waves: readonly Wave[],
): Promise<(Wave & WaveCounts)[]> {
  if (waves.length === 0) return [];
  // Raw SQL: sums as numbers.
  const rows = await queryRows<WaveCounts & { wave_id: number }>(
    db,
    `SELECT wave_id, sum(complete)::bigint AS completed, sum(partial)::bigint AS partial, sum(screened_out)::bigint AS screened_out
     FROM wave_counts WHERE survey_id = ANY(?::bigint[]) AND wave_id = ANY(?::bigint[]) GROUP BY survey_id, wave_id`,
    [surveyIdsOf(waves), waves.map((wave) => wave.wave_id)],
  );
  const counts = new Map(rows.map(({ wave_id: waveId, ...row }) => [waveId, row]));
  return waves.map((wave) => ({ ...wave, ...(counts.get(wave.wave_id) ?? NO_WAVE_COUNTS) }));
}
