import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { choice, number } from '../../support/questions.ts';
import { expectInvalidField, expectRefused } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;

/** Q2 is 0, 10, … 100. */
beforeAll(async () => {
  ({ surveyId } = await publishedSurvey(author, [[choice('Q1'), number('Q2')]]));
  const rows = Array.from({ length: 11 }, (_, index) => ({
    answers: { Q1: String(1 + (index % 3)), Q2: index * 10 },
  }));
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
});

const winsorize = (body: object) => author.post(`/api/responses/${surveyId}/transform/winsorize`, body);
const columnPath = (code: string) => `/api/responses/${surveyId}/derived-columns/${code}`;
const patchColumn = (code: string, body: object) => author.patch(columnPath(code), body);
const listCells = async (code: string): Promise<unknown[]> => {
  const reply = await author.get(`/api/responses/${surveyId}/grid?columns=${code}`).expect(200);
  return reply.body.data.rows.map((row: { values: Record<string, unknown> }) => row.values[code]);
};
const undo = (changeId: number) =>
  author.post(`/api/responses/${surveyId}/changes/${changeId}/undo`).expect(200);

describe('a winsorized column', () => {
  test('has bounds at the 5th and 95th percentile by default', async () => {
    const reply = await winsorize({ column_code: 'Q2', dry_run: true }).expect(200);
    // quantile(0:10 * 10, c(.05, .95), type = 7)
    expect(reply.body.data).toMatchObject({
      dry_run: true,
      change_id: null,
      columns: [
        {
          column_code: 'Q2_win',
          label: expect.stringMatching(/ \(winsorized\)$/),
          type: 'number',
          kind: 'winsorize',
          sources: ['Q2'],
          definition: { parameters: 'live', lower_percentile: 5, upper_percentile: 95, lower_bound: null },
          parameters: { lower_bound: 5, upper_bound: 95, frozen: false, outside_count: 2 },
          preview: { base: 11, stats: { min: 5, max: 95 } },
        },
      ],
    });
    await expectRefused(author.get(columnPath('Q2_win')), 404);
  });

  test('follows the data, or keeps frozen bounds', async () => {
    const percentiles = { lower_percentile: 10, upper_percentile: 90 };
    await winsorize({ column_code: 'Q2', target_column_code: 'LIVE', ...percentiles }).expect(201);
    await winsorize({
      column_code: 'Q2',
      target_column_code: 'FROZEN',
      parameters: 'frozen',
      ...percentiles,
    }).expect(201);
    const added = await author.post(`/api/responses/${surveyId}/rows`, {
      rows: [{ answers: { Q2: 1_000 } }],
    });
    const [id] = added.body.data.response_ids as number[];
    // quantile(c(0:10 * 10, 1000), c(.1, .9), type = 7)
    expect((await listCells('LIVE')).slice(-2)).toEqual([99, 99]);
    expect((await listCells('FROZEN')).slice(-2)).toEqual([90, 90]);
    const { body } = await author.get(columnPath('FROZEN')).expect(200);
    expect(body.data).toMatchObject({
      definition: { parameters: 'frozen', lower_percentile: 10, upper_percentile: 90, upper_bound: null },
      parameters: { lower_bound: 10, upper_bound: 90, frozen: true, outside_count: 3 },
    });
    await author
      .post(`/api/responses/${surveyId}/bulk`, { action: 'delete', response_ids: [id] })
      .expect(200);
  });

  test('changes its percentiles, its bounds and their mode', async () => {
    const created = await winsorize({
      column_code: 'Q2',
      target_column_code: 'CHANGED',
      upper_bound: 75,
    }).expect(201);
    expect(created.body.data.columns[0]).toMatchObject({
      definition: { parameters: 'frozen', lower_percentile: null, lower_bound: null, upper_bound: 75 },
      parameters: { lower_bound: null, upper_bound: 75, frozen: true, outside_count: 3 },
    });
    const change = async (body: object) => {
      const reply = await patchColumn('CHANGED', body).expect(200);
      return reply.body.data.column as unknown;
    };
    expect(await change({ lower_bound: 15 })).toMatchObject({
      definition: { lower_bound: 15, upper_bound: 75 },
      parameters: { outside_count: 5 },
    });
    await expectInvalidField(patchColumn('CHANGED', { lower_bound: 80 }), 'lower_bound');
    await expectInvalidField(patchColumn('CHANGED', { lower_bound: null, upper_bound: null }), 'lower_bound');
    await expectInvalidField(patchColumn('CHANGED', { parameters: 'live' }), 'parameters');
    expect(await change({ lower_percentile: 10 })).toMatchObject({
      definition: { parameters: 'live', lower_percentile: 10, upper_percentile: 95, lower_bound: null },
      parameters: { lower_bound: 10, upper_bound: 95, frozen: false },
    });
    expect(await change({ parameters: 'frozen' })).toMatchObject({ parameters: { frozen: true } });
    expect(await change({ upper_percentile: 90 })).toMatchObject({
      definition: { parameters: 'frozen', lower_percentile: 10, upper_percentile: 90 },
      parameters: { lower_bound: 10, upper_bound: 90, frozen: true },
    });
    expect(await change({ upper_bound: 50 })).toMatchObject({
      definition: { lower_percentile: null, lower_bound: null, upper_bound: 50 },
    });
  });

  test('counts only responses that match the filter', async () => {
    const reply = await winsorize({ column_code: 'Q2', filter: 'Q2 <= 50', dry_run: true }).expect(200);
    // quantile(0:5 * 10, c(.05, .95), type = 7)
    expect(reply.body.data.columns[0].parameters).toMatchObject({ lower_bound: 2.5, upper_bound: 47.5 });
  });

  test.each<[string, object, string]>([
    ['a bound and a percentile', { lower_bound: 1, upper_percentile: 90 }, 'upper_percentile'],
    ['reversed percentiles', { lower_percentile: 90, upper_percentile: 10 }, 'lower_percentile'],
    ['a percentile above 100', { upper_percentile: 101 }, 'upper_percentile'],
    ['reversed bounds', { lower_bound: 9, upper_bound: 1 }, 'lower_bound'],
    ['no column', { column_code: undefined }, 'column_code'],
  ])('is rejected with %s', async (_, body, field) => {
    await expectInvalidField(winsorize({ column_code: 'Q2', ...body }), field);
  });

  test('needs an ordinal or numeric source', async () => {
    await expectRefused(winsorize({ column_code: 'Q1' }), 422, 'wrong_column_type');
    await expectRefused(
      winsorize({ column_code: 'Q2', filter: 'Q2 > 500', parameters: 'frozen' }),
      422,
      'no_spread',
    );
  });
});

describe('winsorizing with overwrite', () => {
  test('replaces the values outside the bounds, and can be undone', async () => {
    const before = await listCells('Q2');
    const body = { column_code: 'Q2', lower_percentile: 10, upper_percentile: 90, overwrite: true };
    const preview = await winsorize({ ...body, dry_run: true }).expect(200);
    expect(preview.body.data).toMatchObject({ rows_changed: 2, change_id: null, overwritten: true });
    expect(await listCells('Q2')).toEqual(before);
    const replaced = await winsorize({ ...body, reason: 'Outliers' }).expect(200);
    expect(replaced.body.data).toMatchObject({ rows_changed: 2, cells_changed: 2, dry_run: false });
    expect(await listCells('Q2')).toEqual([10, 10, 20, 30, 40, 50, 60, 70, 80, 90, 90]);
    const log = await author.get(`/api/responses/${surveyId}/changes?limit=1`).expect(200);
    expect(log.body.data[0]).toMatchObject({ operation: 'winsorize', reason: 'Outliers', rows_changed: 2 });
    await undo(replaced.body.data.change_id);
    expect(await listCells('Q2')).toEqual(before);
  });

  test('is rejected if the question does not accept a bound', async () => {
    // quantile(0:10 * 10, .045, type = 7) is 4.5; the question accepts integers.
    const body = { column_code: 'Q2', lower_percentile: 4.5, overwrite: true };
    const refused = await expectRefused(winsorize(body), 400, 'validation_failed');
    expect(refused.details[0]).toMatchObject({ message: expect.stringContaining('(response ') });
  });
});
