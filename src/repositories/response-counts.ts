import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { WHOLE_SURVEY } from './reservations.ts';

/*
 * Counts of responses, without deleted and test ones. Sums of counters that triggers keep, so no response is read. Separate queries, because
 * the counters can be on other servers than surveys, links and waves. The functions return only what has responses.
 */

export interface ResponseCounts {
  response_count: number;
  complete_count: number;
}

export const NO_RESPONSES: ResponseCounts = { response_count: 0, complete_count: 0 };

/** By survey_id. */
export async function countBySurvey(
  db: Database,
  surveyIds: readonly number[],
): Promise<Map<number, ResponseCounts>> {
  if (surveyIds.length === 0) return new Map();
  const rows = await db('response_counts')
    .select('survey_id')
    .sum<{ survey_id: number; responses: string; completes: string }[]>({
      responses: 'response_count',
      completes: 'complete_count',
    })
    .where({ survey_id: anyOf(db, surveyIds) })
    .groupBy('survey_id');
  return new Map(
    rows.map((row) => [
      row.survey_id,
      { response_count: Number(row.responses), complete_count: Number(row.completes) },
    ]),
  );
}

interface OfSurvey {
  survey_id: number;
}

/** The distinct survey_ids. */
export const surveyIdsOf = (rows: readonly OfSurvey[]): number[] => [
  ...new Set(rows.map(({ survey_id: surveyId }) => surveyId)),
];

/** The counts are null where they would reveal who answered an anonymous survey. */
export interface LinkFigures {
  response_count: number | null;
  complete_count: number | null;
  /** The survey has all complete responses that it accepts. */
  is_survey_full: boolean;
}

/** Adds the counts of each link. */
export async function withLinkCounts<Link extends OfSurvey & { link_id: number }>(
  db: Database,
  links: readonly Link[],
): Promise<(Link & LinkFigures)[]> {
  if (links.length === 0) return [];
  const full = new Set(await listFullSurveys(db, surveyIdsOf(links)));
  const linkIds = links.map((link) => link.link_id);
  // Raw SQL: sums as numbers.
  const rows = await queryRows<ResponseCounts & { link_id: number }>(
    db,
    `SELECT link_id, sum(response_count)::bigint AS response_count, sum(complete_count)::bigint AS complete_count
     FROM response_counts WHERE survey_id = ANY(?::bigint[]) AND link_id = ANY(?::bigint[]) GROUP BY survey_id, link_id`,
    [surveyIdsOf(links), linkIds],
  );
  const counts = new Map(rows.map(({ link_id: linkId, ...row }) => [linkId, row]));
  const personal = await listPersonalLinks(db, linkIds);
  return links.map((link) => ({
    ...link,
    ...(personal.has(link.link_id) ? HIDDEN_COUNTS : (counts.get(link.link_id) ?? NO_RESPONSES)),
    is_survey_full: full.has(link.survey_id),
  }));
}

const HIDDEN_COUNTS = { response_count: null, complete_count: null };

/** Those of the links of anonymous surveys whose responses are of known people: invited through the link, or the one who got a unique link. */
async function listPersonalLinks(db: Database, linkIds: readonly number[]): Promise<Set<number>> {
  const rows = await db('links')
    .join('surveys', 'surveys.survey_id', 'links.survey_id')
    .where('surveys.is_anonymous', true)
    .where('links.link_id', anyOf(db, linkIds))
    .where((personal) => {
      void personal
        .where('links.link_type', 'unique')
        .orWhereExists(
          db('invitations')
            .where('invitations.survey_id', db.ref('links.survey_id'))
            .where('invitations.link_id', db.ref('links.link_id')),
        );
    })
    .select<{ link_id: number }[]>('links.link_id');
  return new Set(rows.map((row) => row.link_id));
}

/** The links of these surveys that are known to have all complete responses that they accept. */
export async function listFullLinks(db: Database, surveyIds: readonly number[]): Promise<number[]> {
  // Raw SQL: compares an aggregate with a column of another table.
  const rows = await queryRows<{ link_id: number }>(
    db,
    `SELECT l.link_id FROM link_limits l JOIN response_counts c ON c.survey_id = l.survey_id AND c.link_id = l.link_id
     WHERE l.survey_id = ANY(?::bigint[]) AND c.survey_id = ANY(?::bigint[])
     GROUP BY l.survey_id, l.link_id, l.max_completes HAVING sum(c.complete_count) >= l.max_completes`,
    [surveyIds, surveyIds],
  );
  const full = rows.map((row) => row.link_id);
  if (full.length === 0) return full;
  const personal = await listPersonalLinks(db, full);
  return full.filter((linkId) => !personal.has(linkId));
}

/** Those of the surveys that have all complete responses that they accept. */
export async function listFullSurveys(db: Database, surveyIds: readonly number[]): Promise<number[]> {
  // Raw SQL: compares an aggregate with a column of another table.
  const rows = await queryRows<OfSurvey>(
    db,
    `SELECT l.survey_id FROM link_limits l JOIN response_counts c ON c.survey_id = l.survey_id
     WHERE l.survey_id = ANY(?::bigint[]) AND c.survey_id = ANY(?::bigint[]) AND l.link_id = ${WHOLE_SURVEY}
     GROUP BY l.survey_id, l.max_completes HAVING sum(c.complete_count) >= l.max_completes`,
    [surveyIds, surveyIds],
  );
  return rows.map((row) => row.survey_id);
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
