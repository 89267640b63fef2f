import { call, publishSurvey } from '../../test/support/served-surveys.ts';
import type { ApiProcess } from '../support/api-process.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

const RACERS = 50;
const INVITED = 5;
/** Fewer rounds where the machine is slow. */
const ENOUGH_MS = 110_000;

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

/** The kind of round, in turn. */
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

/** Returns the data of a reply, or null if it was refused, for example by a full link. Any other failure ends the race. */
async function ask<Data>(api: ApiProcess, method: string, path: string, body: object): Promise<Data | null> {
  const reply = await fetch(api.url + path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = (await reply.json()) as { data: Data; code?: string };
  if (reply.ok) return said.data;
  if (said.code !== 'quota_full')
    throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(said)}`);
  return null;
}

async function race(
  { random }: TestBed,
  apis: readonly ApiProcess[],
  token: string,
  pageIds: readonly number[],
): Promise<void> {
  await Promise.all(
    Array.from({ length: RACERS }, async (_, index) => {
      const api = apis[index % apis.length]!;
      const Gender = String(1 + (index % 2));
      const Age = String(1 + Math.floor(random() * 2));
      const path = `/api/public/s/${token}/responses`;
      const kind = index % 5;
      if (kind < 2) return ask(api, 'POST', path, { answers: { Gender, Age } });
      const begun = await ask<Begun>(api, 'POST', path, { answers: {}, status: 'partial' });
      if (begun === null) return null;
      const own = `${path}/${begun.response_token}`;
      await ask(api, 'PATCH', own, { answers: { Gender }, page_id: pageIds[0] });
      const page = await ask<Begun>(api, 'PATCH', own, { answers: { Age }, page_id: pageIds[1] });
      // One of five abandons the survey; of the others some change an answer, and some repeat a request because they got no reply.
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
  { db }: TestBed,
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

function wrong(round: number, kind: string, found: readonly Count[], isFilled: boolean): string[] {
  return found.flatMap(({ label, target, completed, stored }) => {
    const isRight =
      completed === stored && (target === null || (isFilled ? completed === target : completed <= target));
    return isRight
      ? []
      : [`round ${round}, ${kind}: ${label} has ${stored} rows, tells ${completed}, of ${target}`];
  });
}

/** P4: two processes, fifty clients at once. No limit is exceeded, and all capacity is used once abandoned reservations expire. */
export const limits: Scenario = {
  name: 'limits',
  promise: 'P4 A quota, a link quota, an invite is never exceeded',
  async run(testBed: TestBed) {
    const most = testBed.isShort ? 1 : 100;
    const apis = await testBed.apis(2);
    const track = await Track.on(testBed, apis);
    const until = performance.now() + ENOUGH_MS;
    const breaks: string[] = [];
    let rounds = 0;
    while (rounds < most && performance.now() < until) {
      rounds += 1;
      for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[])
        breaks.push(...(await track.round(kind, rounds)));
      breaks.push(...(await track.invited(rounds)));
    }
    const { rows } = await testBed.db.raw<{ rows: { deadlocks: number }[] }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    if (rows[0]!.deadlocks > 0) breaks.push(`${rows[0]!.deadlocks} deadlocks`);
    return {
      done: `${RACERS} at once at 2 processes, ${rounds} rounds of each: ${Object.keys(KINDS).join(', ')}, an invite link of ${INVITED}`,
      checked:
        'no target exceeded, every place filled in the end, what is told is what is stored; exactly as many joined as were invited; no deadlock',
      breaks,
    };
  },
};

class Track {
  private readonly testBed: TestBed;
  private readonly apis: readonly ApiProcess[];
  private readonly surveyId: number;
  private readonly pageIds: readonly number[];

  private constructor(
    testBed: TestBed,
    apis: readonly ApiProcess[],
    surveyId: number,
    pageIds: readonly number[],
  ) {
    this.testBed = testBed;
    this.apis = apis;
    this.surveyId = surveyId;
    this.pageIds = pageIds;
  }

  static async on(testBed: TestBed, apis: readonly ApiProcess[]): Promise<Track> {
    const { surveyId } = await publishSurvey(testBed, apis[0]!, SURVEY);
    const { data } = (await call(testBed, apis[0]!, 'GET', `/api/surveys/${surveyId}`)) as {
      data: { pages: { page_id: number }[] };
    };
    return new Track(
      testBed,
      apis,
      surveyId,
      data.pages.map((page) => page.page_id),
    );
  }

  async round(kind: keyof typeof KINDS, round: number): Promise<string[]> {
    const { testBed, apis, surveyId } = this;
    const { linkQuota, quotas } = KINDS[kind];
    const { wave_id: waveId } = await this.author<{ wave_id: number }>('POST', '/api/surveys/waves', {
      survey_id: surveyId,
      wave_name: `${kind}, ${round}`,
    });
    await this.author('PATCH', `/api/surveys/waves/${waveId}/quotas`, { quotas });
    const { link_id: linkId, link_token: token } = await this.author<{ link_id: number; link_token: string }>(
      'POST',
      `/api/surveys/${surveyId}/links`,
      { wave_id: waveId, link_quota: linkQuota },
    );
    await race(testBed, apis, token, this.pageIds);
    const raced = wrong(round, kind, await counts(testBed, waveId, linkId, linkQuota), false);
    const past = `reserved_until = now() - interval '1 second'`;
    await testBed.db.raw(`UPDATE quota_reservations SET ${past}`);
    await testBed.db.raw(`UPDATE link_reservations SET ${past}`);
    const expected = ['1', '2'].flatMap((Gender) => ['1', '2'].map((Age) => ({ Gender, Age })));
    await Promise.all(
      [...expected, ...expected, ...expected, ...expected, ...expected, ...expected].map((answers, index) =>
        ask(apis[index % 2]!, 'POST', `/api/public/s/${token}/responses`, { answers }),
      ),
    );
    return [...raced, ...wrong(round, kind, await counts(testBed, waveId, linkId, linkQuota), true)];
  }

  /** All clients register through one invite link. */
  async invited(round: number): Promise<string[]> {
    const { invite_id: inviteId, invite_token: token } = await this.author<{
      invite_id: number;
      invite_token: string;
    }>('POST', '/api/invite-links', { invite_max_uses: INVITED });
    const statuses = await Promise.all(
      Array.from({ length: RACERS }, async (_, index) => {
        const reply = await fetch(`${this.apis[index % 2]!.url}/api/auth`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            action: 'register',
            invite_token: token,
            user_name: `Racer ${index}`,
            email: `racer-${round}-${index}@people.example`,
            password: 'a password of a racer',
          }),
        });
        await reply.text();
        return reply.status;
      }),
    );
    const { rows } = await this.testBed.db.raw<{ rows: { joined: number; uses: number }[] }>(
      `SELECT (SELECT count(*) FROM users WHERE user_email LIKE ?) AS joined,
         (SELECT invite_uses FROM invite_links WHERE invite_id = ?) AS uses`,
      [`racer-${round}-%`, inviteId],
    );
    const joined = statuses.filter((status) => status === 201).length;
    const refused = statuses.filter((status) => status === 410).length;
    const found = { joined, refused, stored: rows[0]!.joined, uses: rows[0]!.uses };
    const right = { joined: INVITED, refused: RACERS - INVITED, stored: INVITED, uses: INVITED };
    return JSON.stringify(found) === JSON.stringify(right)
      ? []
      : [`round ${round}, invite link: ${JSON.stringify(found)}`];
  }

  private async author<Data>(method: string, path: string, body?: object): Promise<Data> {
    return ((await call(this.testBed, this.apis[0]!, method, path, body)) as { data: Data }).data;
  }
}
