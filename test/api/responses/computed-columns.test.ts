import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;

beforeAll(async () => {
  const shown = { logic: { display: { left: { code: 'Q1' }, operator: 'equals', right: '1' } } };
  ({ surveyId } = await publishedSurvey(author, [
    [choice('Q1'), number('Q2'), text('Q3'), multiple('Q4')],
    [
      number('Q5', { question_settings: shown }),
      { question_type: 'date', question_code: 'Q6', question_text: 'When?' },
    ],
  ]));
  const rows = [
    { Q1: '1', Q2: 10, Q3: 'Ann', Q4: ['1', '2'], Q5: 1, Q6: '2026-01-31' },
    { Q1: '2', Q2: 20, Q3: 'bob', Q4: ['3'], Q6: '2026-02-15' },
    { Q1: '3', Q3: '' },
  ].map((answers) => ({ answers }));
  const added = await author.post(`/api/responses/${surveyId}/rows`, { rows });
  expect(added.body).toMatchObject({ data: { created: 3 } });
});

const createColumn = (column_code: string, expression: string, extra: object = {}) =>
  author.post(`/api/responses/${surveyId}/computed-columns`, { column_code, expression, ...extra });
const listCells = async (...codes: string[]): Promise<unknown[][]> => {
  const reply = await author.get(`/api/responses/${surveyId}/grid?columns=${codes.join(',')}`).expect(200);
  return reply.body.data.rows.map((row: { values: Record<string, unknown> }) =>
    codes.map((code) => row.values[code]),
  );
};

describe('a computed column', () => {
  test.each<[string, string, object, unknown[]]>([
    ['N1', 'q1 * 10 + Q2', { type: 'number', precision: null }, [20, 40, null]],
    ['N2', "if(Q1 = 1 and Q4_1, 'both', label(Q1))", { type: 'text' }, ['both', 'Option 2', 'Option 3']],
    ['N3', 'Q2 > 15 or Q4_3 = 1', { type: 'binary' }, [0, 1, null]],
    [
      'N4',
      "coalesce(Q6, '2020-01-01')",
      { type: 'date', precision: 'date' },
      ['2026-01-31', '2026-02-15', '2020-01-01'],
    ],
    ['N5', 'sum(Q2, Q5)', { type: 'number' }, [11, 20, null]],
    ['N6', 'concat(upper(Q3), Q1)', { type: 'text' }, ['ANN1', 'BOB2', null]],
    ['N7', 'datediff(Q6, started_at) >= 0', { type: 'binary' }, [1, 1, null]],
  ])('%s of %s has the type of its expression', async (code, expression, spec, cells) => {
    const reply = await createColumn(code, expression).expect(201);
    expect(reply.body.data.columns[0]).toMatchObject({
      column_code: code,
      label: code,
      kind: 'computed',
      ...spec,
    });
    expect((await listCells(code)).map(([cell]) => cell)).toEqual(cells);
  });

  test('can use other derived columns, and includes later responses', async () => {
    await createColumn('BASE', 'Q2 * 2').expect(201);
    const reply = await createColumn('TOP', 'BASE + 1', { label: 'Total', type: 'number' }).expect(201);
    expect(reply.body.data.columns[0]).toMatchObject({
      label: 'Total',
      sources: ['BASE'],
      definition: { expression: 'BASE + 1', type: 'number' },
      preview: { base: 2, missing: { skipped: 1, not_shown: 0 } },
    });
    await author
      .post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: '1', Q2: 100 } }] })
      .expect(201);
    expect((await listCells('TOP')).at(-1)).toEqual([201]);
    const figure = await author.get(`/api/responses/${surveyId}/distribution/TOP`).expect(200);
    expect(figure.body.data).toMatchObject({ base: 3, stats: { max: 201 } });
  });

  test('is not_shown where none of its sources was shown', async () => {
    const reply = await createColumn('ONLY5', 'Q5 + 1', { dry_run: true }).expect(200);
    expect(reply.body.data).toMatchObject({ dry_run: true, change_id: null });
    expect(reply.body.data.columns[0].preview.missing).toMatchObject({ not_shown: 2 });
    await expectRefused(author.get(`/api/responses/${surveyId}/derived-columns/ONLY5`), 404);
  });

  test('can be undone through the change log', async () => {
    const reply = await createColumn('GONE', '1 + Q2').expect(201);
    await author.post(`/api/responses/${surveyId}/changes/${reply.body.data.change_id}/undo`).expect(200);
    await expectRefused(author.get(`/api/responses/${surveyId}/distribution/GONE`), 404);
    await createColumn('GONE', 'Q2', { dry_run: true }).expect(200);
  });

  test('requires an unused, valid code', async () => {
    await expectRefused(createColumn('q2', '1'), 409, 'column_code_taken');
    await expectRefused(createColumn('Q4', '1'), 409, 'column_code_taken');
    await expectInvalidField(createColumn('1x', '1'), 'column_code');
    await expectInvalidField(createColumn('language', '1'), 'column_code');
  });
});

describe('an invalid expression', () => {
  test.each<[string, object, string, number, number]>([
    ['Q2 +', {}, 'a value is missing at the end', 4, 0],
    ['Q2 + Q99', {}, 'column "Q99" does not exist', 5, 3],
    ['Q4 = 1', {}, 'Q4 contains several answers; use its 0/1 columns Q4_1, Q4_2, Q4_3', 0, 2],
    ['Q2 + Q3', {}, 'this is a text where a number belongs', 5, 2],
    ['Q2', { type: 'text' }, 'this is a number where a text belongs', 0, 2],
    ["constructor.constructor('return process')()", {}, 'a column has no members', 11, 1],
    ['__proto__', {}, 'column "__proto__" does not exist', 0, 9],
    ['toString()', {}, 'function "tostring" does not exist', 0, 8],
    ['('.repeat(1_900), {}, 'nests more than 100 levels', 100, 1],
    ['('.repeat(10_000), {}, 'at most 2000 characters', 2_000, 8_000],
    ['9^9^9 + Q2', {}, 'this has no finite value', 0, 5],
    [`${'Q2+'.repeat(700)}1`, {}, 'at most 2000 characters', 2_000, 101],
  ])(
    'is rejected with the position of the error: %.40s',
    async (expression, extra, message, position, length) => {
      const body = await expectRefused(createColumn('WRONG', expression, extra), 422, 'expression_invalid');
      expect(body.details[0]).toMatchObject({ field: 'expression', position, length });
      expect(body.message).toContain(message);
    },
  );

  test('yields no value on overflow', async () => {
    const reply = await createColumn('HUGE', 'exp(Q2 * 1000)', { dry_run: true }).expect(200);
    expect(reply.body.data.columns[0].preview.base).toBe(0);
  });
});

describe('a filter expression', () => {
  const distribution = (filter: string) =>
    author.get(`/api/responses/${surveyId}/distribution/Q1?filter=${encodeURIComponent(filter)}`);

  test('filters figures, the grid and exports', async () => {
    expect((await distribution('Q2 >= 10 and Q2 < 50').expect(200)).body.data.base).toBe(2);
    const rows = await author.get(`/api/responses/${surveyId}/grid?filter=${encodeURIComponent('Q4_3')}`);
    expect(rows.body.data.rows).toHaveLength(1);
    const file = await author.post(`/api/responses/${surveyId}/export`, {
      format: 'csv',
      columns: ['Q3'],
      filter: "lower(Q3) = 'ann'",
    });
    expect(file.text).toBe('Q3\r\nAnn\r\n');
  });

  test('selects responses for a bulk change, but never all', async () => {
    const bulk = (filter: unknown) =>
      author.post(`/api/responses/${surveyId}/bulk`, { action: 'delete', filter, dry_run: true });
    expect((await bulk('Q2 >= 20').expect(200)).body.data).toMatchObject({ processed: 2 });
    await expectRefused(bulk('true'), 400, 'validation_failed');
    const body = await expectRefused(bulk(7), 400, 'validation_failed');
    expect(body.message).toContain('must be a condition');
  });

  test('is rejected with the position of the error', async () => {
    const body = await expectRefused(distribution('Q2 >= '), 400, 'validation_failed');
    expect(body.details[0]).toMatchObject({ field: 'filter', position: 6, length: 0 });
    await expectRefused(distribution('Q2 + 1'), 400, 'validation_failed');
    await expectRefused(distribution('{"Q1"'), 400, 'validation_failed');
  });
});
