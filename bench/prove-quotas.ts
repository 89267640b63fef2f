/**
 * Two processes of the product on one database, fifty respondents at once, a hundred rounds: no target is exceeded, every place is
 * filled once those who left are forgotten, and what is told is what is stored. `npm run prove:quotas`, or with a number of rounds.
 */
import { openStage, type Stage } from './support/stage.ts';
import type { Child } from './support/child.ts';
import { call, publishSurvey } from './support/surveys.ts';

const RACERS = 50;
const rounds = Number(process.argv[2] ?? 100);

const choice = (question_code: string) => ({
  question_type: 'single_choice',
  question_code,
  question_text: `${question_code}?`,
  options: ['1', '2'].map((value) => ({ option_label: value, option_value: value })),
});
const SURVEY = {
  format: 'canvass.survey',
  version: 1,
  survey: {
    survey_name: 'Quotas',
    pages: [{ questions: [choice('Gender')] }, { questions: [choice('Age')] }],
  },
};
const who = (code: string, right: string) => ({ left: { code }, operator: 'equals', right });
const gender = (right: string, target: number) => ({
  cell_label: `Gender ${right}`,
  condition: who('Gender', right),
  target,
});
const interlocked = (own: string, age: string, target: number) => ({
  cell_label: `${own} ${age}`,
  condition: { conditions: [who('Gender', own), who('Age', age)] },
  target,
});

/** What a round is about, by turns. */
const KINDS = {
  'the quota of a link': { linkQuota: 10, quotas: [] },
  'quotas of a wave': {
    linkQuota: null,
    quotas: [
      { quota_name: 'Gender', mode: 'hard', cells: [gender('1', 6), gender('2', 4)] },
      {
        quota_name: 'Total',
        mode: 'hard',
        cells: [{ cell_label: 'All', condition: { conditions: [] }, target: 10 }],
      },
    ],
  },
  'interlocked cells': {
    linkQuota: null,
    quotas: [
      {
        quota_name: 'Interlocked',
        mode: 'hard',
        cells: [
          interlocked('1', '1', 3),
          interlocked('1', '2', 4),
          interlocked('2', '1', 2),
          interlocked('2', '2', 5),
        ],
      },
      { quota_name: 'Seen', mode: 'counter', cells: [{ cell_label: 'Seen', condition: { conditions: [] } }] },
    ],
  },
} as const;

interface Begun {
  response_token: string;
  response_status: string;
}

let refused = 0;

/** The data of a reply; null: refused, as by a full link. Anything else but success ends the proof. */
async function ask<Data>(api: Child, method: string, path: string, body: object): Promise<Data | null> {
  const reply = await fetch(api.url + path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = (await reply.json()) as { data: Data; code?: string };
  if (reply.ok) return said.data;
  if (said.code !== 'quota_full')
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(said)}`);
  refused += 1;
  return null;
}

async function race(apis: readonly Child[], token: string, pageIds: readonly number[]): Promise<void> {
  await Promise.all(
    Array.from({ length: RACERS }, async (_, index) => {
      const api = apis[index % apis.length]!;
      const Gender = String(1 + (index % 2));
      const Age = String(1 + (Math.floor(Math.random() * 2) % 2));
      const path = `/api/public/s/${token}/responses`;
      const kind = index % 5;
      if (kind < 2) return ask(api, 'POST', path, { answers: { Gender, Age } });
      const begun = await ask<Begun>(api, 'POST', path, { answers: {}, status: 'partial' });
      if (begun === null) return null;
      const own = `${path}/${begun.response_token}`;
      await ask(api, 'PATCH', own, { answers: { Gender }, page_id: pageIds[0] });
      const page = await ask<Begun>(api, 'PATCH', own, { answers: { Age }, page_id: pageIds[1] });
      // One of five leaves in the middle; of the others some change their mind, and some call twice for they saw no reply.
      if (kind === 4 || page?.response_status !== 'partial') return null;
      if (kind === 3) await ask(api, 'PATCH', own, { answers: { Gender: '2' }, page_id: pageIds[0] });
      return Promise.all([ask(api, 'POST', `${own}/complete`, {}), ask(api, 'POST', `${own}/complete`, {})]);
    }),
  );
}

interface Count {
  label: string;
  target: number | null;
  completed: number;
  stored: number;
}

async function counts(
  { db }: Stage,
  waveId: number,
  linkId: number,
  linkQuota: number | null,
): Promise<Count[]> {
  const complete = `response_status = 'complete' AND deleted_at IS NULL`;
  const { rows } = await db.raw<{ rows: Count[] }>(
    `SELECT cell_label AS label, target, completed, (SELECT count(*) FROM responses
       WHERE wave_id = c.wave_id AND ${complete} AND quota_cells @> ARRAY[c.cell_id]) AS stored
     FROM quota_cells c WHERE wave_id = ?
     UNION ALL
     SELECT 'link', ?::integer, coalesce((SELECT sum(complete_count) FROM response_counts WHERE link_id = ?), 0)::bigint,
       (SELECT count(*) FROM responses WHERE link_id = ? AND ${complete})`,
    [waveId, linkQuota, linkId, linkId],
  );
  return rows;
}

function check(round: number, kind: string, found: readonly Count[], isFilled: boolean): void {
  for (const { label, target, completed, stored } of found) {
    const isRight =
      completed === stored && (target === null || (isFilled ? completed === target : completed <= target));
    if (!isRight) {
      throw new Error(
        `round ${round}, ${kind}: ${label} has ${stored} rows, tells ${completed}, of ${target}`,
      );
    }
  }
}

const stage = await openStage();
try {
  const apis = [await stage.api(), await stage.api()];
  const { surveyId } = await publishSurvey(stage, apis[0]!, SURVEY);
  const author = async <Data>(method: string, path: string, body?: object) =>
    ((await call(stage, apis[0]!, method, path, body)) as { data: Data }).data;
  const { pages } = await author<{ pages: { page_id: number }[] }>('GET', `/api/surveys/${surveyId}`);
  const pageIds = pages.map(({ page_id }) => page_id);
  const began = Date.now();
  for (let round = 1; round <= rounds; round += 1) {
    for (const [kind, { linkQuota, quotas }] of Object.entries(KINDS)) {
      const { wave_id: waveId } = await author<{ wave_id: number }>('POST', '/api/surveys/waves', {
        survey_id: surveyId,
        wave_name: `${kind}, ${round}`,
      });
      await author('PATCH', `/api/surveys/waves/${waveId}/quotas`, { quotas });
      const { link_id: linkId, link_token: token } = await author<{ link_id: number; link_token: string }>(
        'POST',
        `/api/surveys/${surveyId}/links`,
        { wave_id: waveId, link_quota: linkQuota },
      );
      await race(apis, token, pageIds);
      check(round, kind, await counts(stage, waveId, linkId, linkQuota), false);
      const past = `held_until = now() - interval '1 second'`;
      await stage.db.raw(`UPDATE quota_holds SET ${past}`);
      await stage.db.raw(`UPDATE link_places SET ${past}`);
      const wanted = ['1', '2'].flatMap((Gender) => ['1', '2'].map((Age) => ({ Gender, Age })));
      await Promise.all(
        [...wanted, ...wanted, ...wanted, ...wanted, ...wanted, ...wanted].map((answers, index) =>
          ask(apis[index % 2]!, 'POST', `/api/public/s/${token}/responses`, { answers }),
        ),
      );
      check(round, kind, await counts(stage, waveId, linkId, linkQuota), true);
    }
    if (round % 10 === 0) console.log(`${round} rounds of ${Object.keys(KINDS).length} kinds hold`);
  }
  const { rows } = await stage.db.raw<{ rows: { deadlocks: number }[] }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  if (rows[0]!.deadlocks > 0) throw new Error(`${rows[0]!.deadlocks} deadlocks`);
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(
    `Proved: ${rounds} rounds, ${RACERS} at once, two processes, no deadlock, in ${seconds} s; ${refused} came to a full link`,
  );
} finally {
  await stage.end();
}
