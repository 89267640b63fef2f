import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await newSurvey();
});

interface Row {
  response_id: number;
  updated_at: string;
  deleted: boolean;
  values: { Q1: string | null };
}
interface Window {
  rows: Row[];
  until: string;
  cursor: string | null;
}

async function read(survey: PublishedSurvey, query: Record<string, string> = {}): Promise<Window> {
  const reply = await author
    .get(`/api/responses/${survey.surveyId}/grid?${new URLSearchParams(query).toString()}`)
    .expect(200);
  const { meta, data } = reply.body as {
    meta: { updated_until: string; next_cursor: string | null };
    data: { rows: Row[] };
  };
  return { rows: data.rows, until: meta.updated_until, cursor: meta.next_cursor };
}

const since = (survey: PublishedSurvey, until: string, more: Record<string, string> = {}) =>
  read(survey, { updated_since: until, include_deleted: 'true', ...more });

const ids = ({ rows }: Window) => rows.map((row) => row.response_id);

const newSurvey = (name = 'Synchronised') =>
  publishedSurvey(author, { survey_name: name, pages: [[choice('Q1')]] });

/** The database, or a transaction in it. */
type Database = Pick<typeof app.database.db, 'raw'>;

async function insert(db: Database, survey: PublishedSurvey, value = '1'): Promise<number> {
  const result: { rows: { response_id: number }[] } = await db.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, completed_at, answers)
     VALUES (?, md5(random()::text), 'complete', 1, now(), jsonb_build_object('Q1', ?::text)) RETURNING response_id`,
    [survey.surveyId, value],
  );
  return result.rows[0]!.response_id;
}

async function edit(db: Database, responseId: number, value: string): Promise<void> {
  await db.raw(
    `UPDATE responses SET answers = jsonb_build_object('Q1', ?::text), updated_at = now() WHERE response_id = ?`,
    [value, responseId],
  );
}

async function remove(db: Database, responseId: number): Promise<void> {
  await db.raw('UPDATE responses SET deleted_at = now(), updated_at = now() WHERE response_id = ?', [
    responseId,
  ]);
}

/** Until windows end after this moment: what was written before is in them. */
async function settled(survey: PublishedSurvey): Promise<void> {
  const mark = new Date().toISOString();
  while ((await read(survey, { limit: '1' })).until <= mark) await sleep(100);
}

describe.concurrent('a copy that is kept up to date', () => {
  test('gets added, changed and deleted responses once each', async () => {
    const survey = await newSurvey();
    const [kept, changed, doomed] = [
      await insert(app.database.db, survey),
      await insert(app.database.db, survey),
      await insert(app.database.db, survey),
    ];
    await settled(survey);
    const first = await read(survey);
    expect(ids(first)).toEqual([kept, changed, doomed]);
    expect(Date.parse(first.until)).toBeLessThan(Date.now());
    expect(Date.parse(first.until)).toBeGreaterThan(Date.now() - 3_000);

    await edit(app.database.db, changed, '2');
    await remove(app.database.db, doomed);
    const added = await insert(app.database.db, survey, '3');
    await settled(survey);
    const second = await since(survey, first.until);
    expect(second.rows).toMatchObject([
      { response_id: changed, deleted: false, values: { Q1: '2' } },
      { response_id: doomed, deleted: true, values: { Q1: null } },
      { response_id: added, deleted: false, values: { Q1: '3' } },
    ]);
    expect((await since(survey, second.until)).rows).toEqual([]);
    const withoutDeleted = await read(survey, { updated_since: first.until });
    expect(ids(withoutDeleted)).toEqual([changed, added]);
    expect(ids(await read(survey, { include_deleted: 'true' }))).toEqual([kept, changed, doomed, added]);
  });

  test('reads a window in pages with the same end', async () => {
    const survey = await newSurvey();
    const start = (await read(survey)).until;
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => insert(app.database.db, survey)));
    const all = [a!, b!, c!, d!].sort((x, y) => x - y);
    await settled(survey);
    const first = await since(survey, start, { limit: '2' });
    expect(ids(first)).toEqual(all.slice(0, 2));
    // The last of the first page leaves the window before the second is read.
    await edit(app.database.db, all[1]!, '2');
    const second = await since(survey, start, { limit: '2', cursor: first.cursor! });
    expect(ids(second)).toEqual(all.slice(2));
    expect(second).toMatchObject({ until: first.until, cursor: null });
    await settled(survey);
    expect(ids(await since(survey, second.until))).toEqual([all[1]]);
  });

  test('gets changes through the API: rows, respondents, seeding and removal', async () => {
    const survey = await newSurvey();
    const start = (await read(survey)).until;
    await author
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: [{ answers: { Q1: '1' }, completed_at: '2020-01-01T00:00:00Z' }],
      })
      .expect(201);
    await author.post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '2' } }).expect(201);
    await author.post(`/api/responses/${survey.surveyId}/seed`, { count: 3 }).expect(201);
    await settled(survey);
    const first = await since(survey, start);
    expect(first.rows).toHaveLength(5);
    await author.delete(`/api/responses/${survey.surveyId}/seed`).expect(204);
    await settled(survey);
    const second = await since(survey, first.until);
    expect(second.rows.map((row) => row.deleted)).toEqual([true, true, true]);
  });

  test('exports consecutive windows like the grid and marks deleted responses', async () => {
    const mine = await newSurvey('Files');
    const [kept, doomed] = [await insert(app.database.db, mine), await insert(app.database.db, mine, '2')];
    const file = async (body: object) => {
      const reply = await author
        .post(`/api/responses/${mine.surveyId}/export`, { columns: ['response_id', 'Q1'], ...body })
        .expect(200);
      return { lines: reply.text.trimEnd().split('\r\n'), until: reply.headers['canvass-updated-until']! };
    };
    await settled(mine);
    const first = await file({});
    expect(first.lines).toEqual(['response_id,Q1', `${kept},1`, `${doomed},2`]);
    await remove(app.database.db, doomed);
    const added = await insert(app.database.db, mine, '3');
    await settled(mine);
    const second = await file({ updated_since: first.until, include_deleted: true });
    expect(second.lines).toEqual(['response_id,Q1,deleted', `${doomed},,1`, `${added},3,0`]);
    expect((await file({ updated_since: second.until })).lines).toEqual(['response_id,Q1']);
    await expectInvalidField(
      author.post(`/api/responses/${mine.surveyId}/export`, { updated_since: 'now' }),
      'updated_since',
    );
  });
});

describe.concurrent('whatever is being written meanwhile, it', () => {
  test('waits for an older transaction and misses nothing', async () => {
    const survey = await newSurvey();
    const start = (await read(survey)).until;
    const slow = await app.database.db.transaction();
    // Has written nothing yet, but its now() is fixed from here on.
    await slow.raw('SELECT 1');
    const began = Date.now();
    const quick = await insert(app.database.db, survey);
    // Longer than the margin of a second that every window keeps.
    await sleep(1_100);
    const during = await since(survey, start);
    expect(Date.parse(during.until)).toBeLessThanOrEqual(began);
    expect(during.rows).toEqual([]);
    const late = await insert(slow, survey, '2');
    await slow.commit();
    await settled(survey);
    const after = await since(survey, during.until);
    expect(ids(after)).toEqual([quick, late]);
    expect((await since(survey, after.until)).rows).toEqual([]);
  });

  test('stays complete with overlapping writers and rollbacks', async () => {
    const survey = await newSurvey('Busy');
    const copy = new Map<number, string | null>();
    const told = new Set<string>();
    let until = (await read(survey)).until;
    const pull = async () => {
      const window = await since(survey, until);
      for (const row of window.rows) {
        expect(row.updated_at >= until && row.updated_at < window.until).toBe(true);
        const key = `${row.response_id} ${row.updated_at}`;
        expect(told.has(key)).toBe(false);
        told.add(key);
        if (row.deleted) copy.delete(row.response_id);
        else copy.set(row.response_id, row.values.Q1);
      }
      expect(window.until >= until).toBe(true);
      until = window.until;
    };
    const seeds = await Promise.all(Array.from({ length: 6 }, () => insert(app.database.db, survey)));
    const writer = async (own: number) => {
      for (let round = 0; round < 5; round += 1) {
        const transaction = await app.database.db.transaction();
        await insert(transaction, survey, String(1 + (round % 3)));
        await sleep(30 * ((own + round) % 5));
        await edit(transaction, seeds[own]!, String(1 + ((own + round) % 3)));
        if (round === 3) await remove(transaction, seeds[own]!);
        await sleep(20 * (own % 3));
        await ((own + round) % 4 === 0 ? transaction.rollback() : transaction.commit());
      }
    };
    let writing = true;
    const writers = Promise.all([0, 1, 2].map(writer)).then(() => (writing = false));
    while (writing) {
      await pull();
      await sleep(40);
    }
    await writers;
    await settled(survey);
    await pull();
    const { rows } = await read(survey);
    expect(rows.length).toBeGreaterThan(10);
    expect(copy).toEqual(new Map(rows.map((row) => [row.response_id, row.values.Q1])));
  });
});

test('uses whole days for windows of an anonymous survey', async () => {
  const survey = await newSurvey('Anonymous');
  const id = await insert(app.database.db, survey);
  await app.database.db.raw(
    `UPDATE responses SET updated_at = '2026-01-02T15:00:00Z' WHERE response_id = ?`,
    [id],
  );
  await insert(app.database.db, survey);
  await author.put(`/api/surveys/${survey.surveyId}`, { survey_settings: { anonymous: true } }).expect(200);
  const window = await since(survey, '2026-01-02T23:00:00Z');
  expect(ids(window)).toEqual([id]);
  expect(window.until).toMatch(/T00:00:00.000Z$/);
  expect((await since(survey, '2026-01-03')).rows).toEqual([]);
});

test.each([
  ['updated_since', '2026-01-02T15:00:00'],
  ['updated_since', 'yesterday'],
  ['updated_since', '1700000000'],
  ['updated_since', '2026-02-30'],
  ['include_deleted', '1'],
  ['cursor', 'MTI'],
])('%s=%s is refused', async (name, value) => {
  await expectInvalidField(author.get(`/api/responses/${survey.surveyId}/grid?${name}=${value}`), name);
});
