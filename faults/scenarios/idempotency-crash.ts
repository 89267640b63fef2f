import { setTimeout as sleep } from 'node:timers/promises';
import { publishSurvey } from '../../test/support/served-surveys.ts';
import type { ApiProcess } from '../support/api-process.ts';
import { SURVEY } from '../support/load-generator.ts';
import { randomInteger, formatEvidence, type Scenario } from '../support/scenario.ts';
import { waitUntilServing } from '../support/wait-until-serving.ts';
import type { TestBed } from '../support/test-bed.ts';

/** A retry must have its reply within this time after the service and its database have restarted. */
const REPLY_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 60_000;
const RETRY_EVERY_MS = 50;
const ROWS = 300;

/** A repeatable request with an Idempotency-Key. `name` is unique and can be found in the database. */
interface Operation {
  path: string;
  body: (name: string) => object;
  /** SQL that counts the objects which `name` created. */
  count: string;
  /** Their number if the request was executed once. */
  expected: number;
}

interface Sent {
  operation: Operation;
  name: string;
  /** null: no reply came. */
  first: { status: number; text: string } | null;
}

/** Kills the server process and PostgreSQL alternately while requests with an Idempotency-Key run, and repeats each. */
export const idempotencyCrash: Scenario = {
  name: 'idempotency-crash',
  promise: 'P2 An Idempotency-Key is exactly once across a crash',
  async run(testBed: TestBed) {
    const rounds = testBed.isShort ? 2 : 60;
    const api = await testBed.api();
    const { surveyId } = await publishSurvey(testBed, api, SURVEY);
    const operations = operationsOn(surveyId);
    const breaks: string[] = [];
    const times: number[] = [];
    let lostCount = 0;
    for (let round = 0; round < rounds; round += 1) {
      const sending = operations.map((operation, index) =>
        send(testBed, api, operation, `crash-${round}-${index}-${randomInteger(testBed.random, 1, 1e9)}`),
      );
      await sleep(testBed.random() * (testBed.isShort ? 200 : 400));
      if (testBed.postgres !== null && round % 2 === 1) await testBed.postgres.kill();
      else {
        await api.kill();
        await api.restart();
      }
      const sent = await Promise.all(sending);
      await waitUntilServing(api, BACK_WITHIN_MS);
      for (const one of sent) {
        if (one.first === null || one.first.status >= 500) lostCount += 1;
        breaks.push(...(await retried(testBed, api, one, times)));
      }
    }
    const slowest = Math.round(Math.max(...times));
    return {
      done: `${rounds} times the API process${testBed.postgres === null ? '' : ', by turns PostgreSQL,'} was killed while ${operations.length} requests with a key ran; ${lostCount} got no reply`,
      checked: `sent again with the same key: one object for each, the first reply where there was one, each within ${REPLY_WITHIN_MS / 1_000} s`,
      figures: `slowest reply to a retry ${slowest} ms`,
      breaks: [...formatEvidence('broken', breaks), ...(lostCount === 0 ? ['no request was cut off'] : [])],
    };
  },
};

function operationsOn(surveyId: number): Operation[] {
  const questions = Array.from({ length: 30 }, (_, index) => ({
    question_type: 'text',
    question_code: `T${index}`,
    question_text: 'Why?',
  }));
  const surveys = 'SELECT count(*)::integer AS count FROM surveys WHERE survey_name = :name';
  const create: Operation = {
    path: '/api/surveys',
    body: (name) => ({ survey_name: name }),
    count: surveys,
    expected: 1,
  };
  return [
    create,
    create,
    {
      path: '/api/surveys/import',
      body: (name) => ({
        format: 'canvass.survey',
        version: 1,
        survey: { survey_name: name, pages: [{ questions }] },
      }),
      count: surveys,
      expected: 1,
    },
    {
      path: `/api/responses/${surveyId}/rows`,
      body: (name) => ({ rows: Array.from({ length: ROWS }, () => ({ answers: { Q1: name } })) }),
      count: `SELECT count(*)::integer AS count FROM responses WHERE answers ->> 'Q1' = :name`,
      expected: ROWS,
    },
    {
      path: `/api/surveys/${surveyId}/links`,
      body: (name) => ({ link_name: name }),
      count: 'SELECT count(*)::integer AS count FROM links WHERE link_name = :name',
      expected: 1,
    },
    {
      path: `/api/responses/${surveyId}/export`,
      body: (name) => ({ format: 'csv', filters: { Q1: [name] } }),
      count: `SELECT count(*)::integer AS count FROM jobs WHERE payload::text LIKE '%' || :name || '%'`,
      expected: 1,
    },
  ];
}

async function send(testBed: TestBed, api: ApiProcess, operation: Operation, name: string): Promise<Sent> {
  const first = await fetch(api.url + operation.path, {
    method: 'POST',
    headers: {
      'X-API-Key': testBed.apiKey,
      'Content-Type': 'application/json',
      'Idempotency-Key': name,
      Prefer: 'respond-async',
      Connection: 'close',
    },
    body: JSON.stringify(operation.body(name)),
    signal: AbortSignal.timeout(BACK_WITHIN_MS),
  }).then(
    async (reply) => ({ status: reply.status, text: await reply.text() }),
    () => null,
  );
  return { operation, name, first };
}

/** Repeats the request until it has a final reply, and counts the objects it created. */
async function retried(
  testBed: TestBed,
  api: ApiProcess,
  { operation, name, first }: Sent,
  times: number[],
): Promise<string[]> {
  const began = performance.now();
  let repeated = (await send(testBed, api, operation, name)).first;
  while (
    (repeated === null || repeated.status === 409 || repeated.status >= 500) &&
    taken(began) < REPLY_WITHIN_MS
  ) {
    await sleep(RETRY_EVERY_MS);
    repeated = (await send(testBed, api, operation, name)).first;
  }
  times.push(taken(began));
  const where = `${operation.path} (${name})`;
  const breaks: string[] = [];
  if (repeated === null || repeated.status >= 400)
    breaks.push(`${where}: after ${Math.round(taken(began))} ms ${JSON.stringify(repeated)}`);
  // The reply must be identical: a second execution would create other ids.
  if (first !== null && first.status < 400 && withoutHost(first.text) !== withoutHost(repeated?.text ?? ''))
    breaks.push(`${where}: first ${first.text.slice(0, 200)}, then ${repeated?.text.slice(0, 200)}`);
  const { rows } = await testBed.db.raw<{ rows: { count: number }[] }>(operation.count, { name });
  if (rows[0]!.count !== operation.expected)
    breaks.push(`${where}: ${rows[0]!.count} objects, not ${operation.expected}`);
  return breaks;
}

const taken = (began: number): number => performance.now() - began;

/** A restarted process has another port. */
const withoutHost = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, 'host');
