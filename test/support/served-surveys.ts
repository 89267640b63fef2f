import { z } from 'zod';
import type { Knex } from 'knex';

/** A running server whose API a benchmark or a fault test calls with the administrator's key. */
interface Administration {
  apiKey: string;
}
interface Server {
  url: string;
}

/** Calls the API with the administrator's key. */
export async function call(
  testBed: Administration,
  api: Server,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const reply = await fetch(api.url + path, {
    method,
    headers: { 'X-API-Key': testBed.apiKey, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

const imported = z.object({ data: z.object({ survey_id: z.number() }) });
const published = z.object({ data: z.object({ links: z.array(z.object({ link_token: z.string() })) }) });

export interface PublishedSurvey {
  surveyId: number;
  linkToken: string;
}

/** Imports a survey in the exchange format and publishes it. */
export async function publishSurvey(
  testBed: Administration,
  api: Server,
  survey: object,
): Promise<PublishedSurvey> {
  const { data } = imported.parse(await call(testBed, api, 'POST', '/api/surveys/import', survey));
  const publication = await call(testBed, api, 'POST', `/api/surveys/${data.survey_id}/publish`);
  const [link] = published.parse(publication).data.links;
  return { surveyId: data.survey_id, linkToken: link!.link_token };
}

/**
 * Inserts complete responses directly into the database. `answers` is an SQL expression over the number `n` of the response that returns
 * the JSON of its answers (`pseudoRandomSql`).
 */
export async function fillSurvey(
  testBed: { db: Knex },
  surveyId: number,
  count: number,
  answers: string,
): Promise<void> {
  const PART = 5_000;
  for (let start = 0; start < count; start += PART) {
    await testBed.db.raw(
      `INSERT INTO responses (survey_id, submission_id, response_token, response_status, survey_version, language,
         started_at, completed_at, updated_at, duration_seconds, answers)
       SELECT ?, 'bench-' || n, md5(n::text), 'complete', 1, 'en',
         now() - interval '5 minutes', now(), now(), 300, ${answers}
       FROM generate_series(?::integer, ?::integer) AS n`,
      [surveyId, start + 1, Math.min(start + PART, count)],
    );
  }
  await testBed.db.raw('VACUUM ANALYZE responses');
}

/** SQL for a number from 1 to `count` that depends on the response `n` and the column; the same for the same seed. */
export const pseudoRandomSql = (seed: number, column: number, count: number): string =>
  `(1 + (hashint8extended(n, ${seed * 1_000 + column}) & 1073741823) % ${count})`;

/** The 25 statements of the Big Five survey. */
export const STATEMENTS: readonly string[] = [...'ACENO'].flatMap((letter) =>
  [1, 2, 3, 4, 5].map((number) => `${letter}${number}`),
);

/** SQL for the answers to the whole Big Five survey. */
export function bigFiveAnswers(seed: number): string {
  const statements = STATEMENTS.map((code, index) => `'${code}', ${pseudoRandomSql(seed, index, 6)}`);
  const others = [
    `'gender', ${pseudoRandomSql(seed, 100, 2)}::text`,
    `'education', ${pseudoRandomSql(seed, 101, 5)}::text`,
    `'age', 15 + ${pseudoRandomSql(seed, 102, 70)}`,
  ];
  return `jsonb_build_object(${[...statements, ...others].join(', ')})`;
}
