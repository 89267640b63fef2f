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
  survey = await createSurvey();
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

async function readWindow(survey: PublishedSurvey, query: Record<string, string> = {}): Promise<Window> {
  const reply = await author
    .get(`/api/responses/${survey.surveyId}/grid?${new URLSearchParams(query).toString()}`)
    .expect(200);
  const { meta, data } = reply.body as {
    meta: { updated_until: string; next_cursor: string | null };
    data: { rows: Row[] };
  };
  return { rows: data.rows, until: meta.updated_until, cursor: meta.next_cursor };
}

const readWindowSince = (survey: PublishedSurvey, until: string, more: Record<string, string> = {}) =>
  readWindow(survey, { updated_since: until, include_deleted: 'true', ...more });

const idsOf = ({ rows }: Window) => rows.map((row) => row.response_id);

const createSurvey = (name = 'Synchronised') =>
  publishedSurvey(author, { survey_name: name, pages: [[choice('Q1')]] });

/** The database, or a transaction in it. */
type Database = Pick<typeof app.database.db, 'raw'>;

async function insertResponse(db: Database, survey: PublishedSurvey, value = '1'): Promise<number> {
  const result: { rows: { response_id: number }[] } = await db.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, completed_at, answers)
     VALUES (?, md5(random()::text), 'complete', 1, now(), jsonb_build_object('Q1', ?::text)) RETURNING response_id`,
    [survey.surveyId, value],
  );
  return result.rows[0]!.response_id;
}

async function updateResponse(db: Database, responseId: number, value: string): Promise<void> {
  await db.raw(
    `UPDATE responses SET answers = jsonb_build_object('Q1', ?::text), updated_at = now() WHERE response_id = ?`,
    [value, responseId],
  );
}

async function deleteResponse(db: Database, responseId: number): Promise<void> {
  await db.raw('UPDATE responses SET deleted_at = now(), updated_at = now() WHERE response_id = ?', [
    responseId,
  ]);
}

/** Waits until windows end after the time of the call, so that they include everything written before. */
async function waitForWindow(survey: PublishedSurvey): Promise<void> {
  const calledAt = new Date().toISOString();
  while ((await readWindow(survey, { limit: '1' })).until <= calledAt) await sleep(100);
}

describe.concurrent('an incremental copy', () => {
  test('gets added, changed and deleted responses once each', async () => {
    const survey = await createSurvey();
    const [kept, changed, deleted] = [
      await insertResponse(app.database.db, survey),
      await insertResponse(app.database.db, survey),
      await insertResponse(app.database.db, survey),
    ];
    await waitForWindow(survey);
    const first = await readWindow(survey);
    expect(idsOf(first)).toEqual([kept, changed, deleted]);
    expect(Date.parse(first.until)).toBeLessThan(Date.now());
    expect(Date.parse(first.until)).toBeGreaterThan(Date.now() - 3_000);

    await updateResponse(app.database.db, changed, '2');
    await deleteResponse(app.database.db, deleted);
    const added = await insertResponse(app.database.db, survey, '3');
    await waitForWindow(survey);
    const second = await readWindowSince(survey, first.until);
    expect(second.rows).toMatchObject([
      { response_id: changed, deleted: false, values: { Q1: '2' } },
      { response_id: deleted, deleted: true, values: { Q1: null } },
      { response_id: added, deleted: false, values: { Q1: '3' } },
    ]);
    expect((await readWindowSince(survey, second.until)).rows).toEqual([]);
    const withoutDeleted = await readWindow(survey, { updated_since: first.until });
    expect(idsOf(withoutDeleted)).toEqual([changed, added]);
    expect(idsOf(await readWindow(survey, { include_deleted: 'true' }))).toEqual([
      kept,
      changed,
      deleted,
      added,
    ]);
  });

  test('reads a window in pages with the same end', async () => {
    const survey = await createSurvey();
    const start = (await readWindow(survey)).until;
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => insertResponse(app.database.db, survey)));
    const all = [a!, b!, c!, d!].sort((x, y) => x - y);
    await waitForWindow(survey);
    const first = await readWindowSince(survey, start, { limit: '2' });
    expect(idsOf(first)).toEqual(all.slice(0, 2));
    // The last row of the first page leaves the window before the second page is read.
    await updateResponse(app.database.db, all[1]!, '2');
    const second = await readWindowSince(survey, start, { limit: '2', cursor: first.cursor! });
    expect(idsOf(second)).toEqual(all.slice(2));
    expect(second).toMatchObject({ until: first.until, cursor: null });
    await waitForWindow(survey);
    expect(idsOf(await readWindowSince(survey, second.until))).toEqual([all[1]]);
  });

  test('gets changes made through the API: added rows, submissions, seeding and its removal', async () => {
    const survey = await createSurvey();
    const start = (await readWindow(survey)).until;
    await author
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: [{ answers: { Q1: '1' }, completed_at: '2020-01-01T00:00:00Z' }],
      })
      .expect(201);
    await author.post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '2' } }).expect(201);
    await author.post(`/api/responses/${survey.surveyId}/seed`, { count: 3 }).expect(201);
    await waitForWindow(survey);
    const first = await readWindowSince(survey, start);
    expect(first.rows).toHaveLength(5);
    await author.delete(`/api/responses/${survey.surveyId}/seed`).expect(204);
    await waitForWindow(survey);
    const second = await readWindowSince(survey, first.until);
    expect(second.rows.map((row) => row.deleted)).toEqual([true, true, true]);
  });

  test('exports consecutive windows like the grid and marks deleted responses', async () => {
    const survey = await createSurvey('Files');
    const [kept, deleted] = [
      await insertResponse(app.database.db, survey),
      await insertResponse(app.database.db, survey, '2'),
    ];
    const exportFile = async (body: object) => {
      const reply = await author
        .post(`/api/responses/${survey.surveyId}/export`, { columns: ['response_id', 'Q1'], ...body })
        .expect(200);
      return { lines: reply.text.trimEnd().split('\r\n'), until: reply.headers['canvass-updated-until']! };
    };
    await waitForWindow(survey);
    const first = await exportFile({});
    expect(first.lines).toEqual(['response_id,Q1', `${kept},1`, `${deleted},2`]);
    await deleteResponse(app.database.db, deleted);
    const added = await insertResponse(app.database.db, survey, '3');
    await waitForWindow(survey);
    const second = await exportFile({ updated_since: first.until, include_deleted: true });
    expect(second.lines).toEqual(['response_id,Q1,deleted', `${deleted},,1`, `${added},3,0`]);
    expect((await exportFile({ updated_since: second.until })).lines).toEqual(['response_id,Q1']);
    await expectInvalidField(
      author.post(`/api/responses/${survey.surveyId}/export`, { updated_since: 'now' }),
      'updated_since',
    );
  });
});

describe.concurrent('an incremental copy during concurrent writes', () => {
  test('waits for an older transaction and misses nothing', async () => {
    const survey = await createSurvey();
    const start = (await readWindow(survey)).until;
    const olderTransaction = await app.database.db.transaction();
    // The transaction has written nothing yet, but its now() is fixed from here on.
    await olderTransaction.raw('SELECT 1');
    const startedAt = Date.now();
    const quick = await insertResponse(app.database.db, survey);
    // Longer than the safety margin of one second at the end of every window.
    await sleep(1_100);
    const during = await readWindowSince(survey, start);
    expect(Date.parse(during.until)).toBeLessThanOrEqual(startedAt);
    expect(during.rows).toEqual([]);
    const late = await insertResponse(olderTransaction, survey, '2');
    await olderTransaction.commit();
    await waitForWindow(survey);
    const after = await readWindowSince(survey, during.until);
    expect(idsOf(after)).toEqual([quick, late]);
    expect((await readWindowSince(survey, after.until)).rows).toEqual([]);
  });

  test('stays complete with overlapping writers and rollbacks', async () => {
    const survey = await createSurvey('Busy');
    const copy = new Map<number, string | null>();
    const received = new Set<string>();
    let until = (await readWindow(survey)).until;
    const pull = async () => {
      const window = await readWindowSince(survey, until);
      for (const row of window.rows) {
        expect(row.updated_at >= until && row.updated_at < window.until).toBe(true);
        const key = `${row.response_id} ${row.updated_at}`;
        expect(received.has(key)).toBe(false);
        received.add(key);
        if (row.deleted) copy.delete(row.response_id);
        else copy.set(row.response_id, row.values.Q1);
      }
      expect(window.until >= until).toBe(true);
      until = window.until;
    };
    const seeds = await Promise.all(Array.from({ length: 6 }, () => insertResponse(app.database.db, survey)));
    const runWriter = async (writerIndex: number) => {
      for (let round = 0; round < 5; round += 1) {
        const transaction = await app.database.db.transaction();
        await insertResponse(transaction, survey, String(1 + (round % 3)));
        await sleep(30 * ((writerIndex + round) % 5));
        await updateResponse(transaction, seeds[writerIndex]!, String(1 + ((writerIndex + round) % 3)));
        if (round === 3) await deleteResponse(transaction, seeds[writerIndex]!);
        await sleep(20 * (writerIndex % 3));
        await ((writerIndex + round) % 4 === 0 ? transaction.rollback() : transaction.commit());
      }
    };
    let isWriting = true;
    const writers = Promise.all([0, 1, 2].map(runWriter)).then(() => (isWriting = false));
    while (isWriting) {
      await pull();
      await sleep(40);
    }
    await writers;
    await waitForWindow(survey);
    await pull();
    const { rows } = await readWindow(survey);
    expect(rows.length).toBeGreaterThan(10);
    expect(copy).toEqual(new Map(rows.map((row) => [row.response_id, row.values.Q1])));
  });
});

test('uses whole days for windows of an anonymous survey', async () => {
  const survey = await createSurvey('Anonymous');
  const id = await insertResponse(app.database.db, survey);
  await app.database.db.raw(
    `UPDATE responses SET updated_at = '2026-01-02T15:00:00Z' WHERE response_id = ?`,
    [id],
  );
  await insertResponse(app.database.db, survey);
  await author.put(`/api/surveys/${survey.surveyId}`, { survey_settings: { anonymous: true } }).expect(200);
  const window = await readWindowSince(survey, '2026-01-02T23:00:00Z');
  expect(idsOf(window)).toEqual([id]);
  expect(window.until).toMatch(/T00:00:00.000Z$/);
  expect((await readWindowSince(survey, '2026-01-03')).rows).toEqual([]);
});

test.each([
  ['updated_since', '2026-01-02T15:00:00'],
  ['updated_since', 'yesterday'],
  ['updated_since', '1700000000'],
  ['updated_since', '2026-02-30'],
  ['include_deleted', '1'],
  ['cursor', 'MTI'],
])('%s=%s is rejected', async (name, value) => {
  await expectInvalidField(author.get(`/api/responses/${survey.surveyId}/grid?${name}=${value}`), name);
});
