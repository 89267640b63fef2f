import { describe, expect, test } from 'vitest';
import { randomIds } from '../../../src/lib/ids.ts';
import { Store } from '../../../src/repositories/store.ts';
import { ColumnSnapshotService } from '../../../src/services/datasets/column-snapshots.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice, number } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);

/** The application with these random numbers, in this order, and then others. */
function appWithNumbers(numbers: readonly number[]) {
  const remaining = [...numbers];
  return appOn(
    app.database,
    {},
    { ids: { ...randomIds, number: (end) => remaining.shift() ?? randomIds.number(end) } },
  );
}

const surveyOf = (isAnonymous: boolean, more: object = {}): Promise<PublishedSurvey> =>
  publishedSurvey(organization.admin, {
    settings: { anonymous: isAnonymous, ...more },
    pages: [[choice('Q1'), number('n')]],
  });

const submit = async (on: ReturnType<typeof appOn>, { linkToken }: PublishedSurvey, n: number) =>
  (
    await anonymous(on)
      .post(`/api/public/s/${linkToken}/responses`, { answers: { Q1: String((n % 3) + 1), n } })
      .expect(201)
  ).body.data.response_id as number;

/** The answers to `n`, in the order of the list. */
async function listNumbers({ surveyId }: PublishedSurvey, query = ''): Promise<number[]> {
  const { body } = await organization.admin.get(`/api/responses/${surveyId}/grid${query}`).expect(200);
  return body.data.rows.map(({ values }: { values: { n: number } }) => values.n);
}

const NUMBERS = [50, 30, 70, 10, 90, 40];
const SORTED = [3, 1, 5, 0, 2, 4];

describe('responses to an anonymous survey', () => {
  test('have ids in no order of arrival', async () => {
    const survey = await surveyOf(true);
    const on = appWithNumbers(NUMBERS);
    const ids: number[] = [];
    for (const index of NUMBERS.keys()) ids.push(await submit(on, survey, index));
    expect(ids.map((id) => id % 100)).toEqual(NUMBERS);
    expect(new Set(ids.map((id) => Math.floor(id / 100_000_000_000))).size).toBe(1);
    expect(await listNumbers(survey)).toEqual(SORTED);
  });

  test('are found, listed and paged like others while they arrive', async () => {
    const survey = await surveyOf(true);
    const on = appWithNumbers(NUMBERS);
    const ids: number[] = [];
    for (const index of NUMBERS.keys()) {
      ids.push(await submit(on, survey, index));
      // Reads the new response into data that are loaded already.
      expect(await listNumbers(survey)).toEqual(SORTED.filter((one) => one <= index));
    }
    const { admin } = organization;
    for (const [index, id] of ids.entries())
      await admin
        .patch(`/api/responses/${survey.surveyId}/rows/${id}`, { values: { n: index + 100 } })
        .expect(200);
    const pages: number[] = [];
    let query = '?limit=4';
    for (let page = 0; page < 2; page += 1) {
      const { body } = await admin.get(`/api/responses/${survey.surveyId}/grid${query}`).expect(200);
      pages.push(...body.data.rows.map(({ values }: { values: { n: number } }) => values.n));
      query = `?limit=4&cursor=${body.meta.next_cursor}`;
    }
    expect(pages).toEqual(SORTED.map((one) => one + 100));
    expect(await listNumbers(survey, '?sort=-n')).toEqual([105, 104, 103, 102, 101, 100]);
  });

  test.each([
    ['in one statement', {}],
    ['in a transaction', { response_limit: 100 }],
  ])('are stored with another number where the number is taken (%s)', async (_, settings) => {
    const survey = await surveyOf(true, settings);
    const ids = [await submit(appWithNumbers([5]), survey, 0)];
    const together = appWithNumbers([5, 5, 6, 7]);
    ids.push(...(await Promise.all([submit(together, survey, 1), submit(together, survey, 2)])));
    expect(ids.map((id) => id % 100).sort((a, b) => a - b)).toEqual([5, 6, 7]);
    expect((await listNumbers(survey)).sort()).toEqual([0, 1, 2]);
  });

  test('keep a weight current when they are loaded again', async () => {
    const survey = await surveyOf(true);
    const on = appWithNumbers(NUMBERS);
    for (const index of [0, 1, 2]) await submit(on, survey, index);
    await listNumbers(survey);
    for (const index of [3, 4, 5]) await submit(on, survey, index);
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/weighting/create`, {
        dimensions: [{ column_code: 'Q1', targets: ['1', '2', '3'].map((value) => ({ value, target: 2 })) }],
        target_type: 'count',
      })
      .expect(201);
    const isStale = async (on: typeof app) =>
      (
        await anonymous(on)
          .get(`/api/responses/${survey.surveyId}/weighting/WEIGHT`)
          .set('X-API-Key', organization.admin.apiKey!)
          .expect(200)
      ).body.data.stale as boolean;
    expect(await isStale(app)).toBe(false);
    expect(await isStale(appOn(app.database))).toBe(false);
  });

  test('are read completely from a column snapshot that is older', async () => {
    const survey = await surveyOf(true);
    const on = appOn(app.database);
    for (let n = 0; n < 40; n += 1) await submit(on, survey, n);
    const store = new Store(app.database.db);
    const build = () =>
      new ColumnSnapshotService(store).build({
        surveyId: survey.surveyId,
        signal: new AbortController().signal,
        rangeRows: 8,
        leastRows: 4,
      });
    const readAll = async () => {
      const { dataset } = await new DatasetService(store, 1e9).open(survey.surveyId, () => ['n']);
      const column = dataset.column('n');
      return Array.from({ length: dataset.rowCount }, (_, row) => column.cell(row) as number).sort(
        (a, b) => a - b,
      );
    };
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
    expect((await build()).map(({ rows }) => rows)).toEqual([8, 8, 8, 8, 8]);
    for (let n = 40; n < 100; n += 1) await submit(on, survey, n);
    expect(await readAll()).toEqual(numbers(100));
    const ranges = await build();
    expect(Math.max(...ranges.map(({ rows }) => rows))).toBeLessThanOrEqual(16);
    expect(ranges.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(95);
    expect(await readAll()).toEqual(numbers(100));
  });
});

test('responses to another survey have ids in the order of arrival', async () => {
  const survey = await surveyOf(false);
  const ids = [await submit(app, survey, 0), await submit(app, survey, 1), await submit(app, survey, 2)];
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(Math.max(...ids)).toBeLessThan(1_000_000);
});
