import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;

const choiceWithMissing = (question_code: string) =>
  choice(question_code, {
    question_settings: { measure: 'ordinal' },
    options: [
      ...['1', '2', '3'].map((option_value) => ({ option_label: `Option ${option_value}`, option_value })),
      { option_label: 'Don’t know', option_value: '99', option_missing: true },
    ],
  });

/** Ten responses: Q1 1, 2, 3, 99, then skipped; Q2 0 … 90; Q4 only where Q1 is 1 or 2. */
beforeAll(async () => {
  const shown = { logic: { display: { left: { code: 'Q1' }, operator: 'in', right: ['1', '2'] } } };
  const pages = [
    [choiceWithMissing('Q1'), number('Q2'), text('Q3')],
    [number('Q4', { question_settings: shown }), multiple('Q5'), choice('Q6')],
  ];
  ({ surveyId } = await publishedSurvey(author, pages));
  const values = ['1', '2', '3', '99', null];
  const rows = Array.from({ length: 10 }, (_, index) => {
    const Q1 = values[index % 5];
    return {
      answers: {
        ...(Q1 === null ? {} : { Q1 }),
        Q2: index * 10,
        Q3: `  <b>Text</b> ${index % 2 === 0 ? 'EVEN!' : 'odd?'}`,
        ...(Q1 === '1' || Q1 === '2' ? { Q4: index } : {}),
        Q5: index % 2 === 0 ? ['1', '2'] : ['3'],
        Q6: String(1 + (index % 3)),
      },
    };
  });
  const added = await author.post(`/api/responses/${surveyId}/rows`, { rows });
  expect(added.body).toMatchObject({ data: { created: 10 } });
});

const transform = (kind: string, body: object) =>
  author.post(`/api/responses/${surveyId}/transform/${kind}`, body);
const listCells = async (...codes: string[]): Promise<unknown[][]> => {
  const reply = await author.get(`/api/responses/${surveyId}/grid?columns=${codes.join(',')}`).expect(200);
  return reply.body.data.rows.map((row: { values: Record<string, unknown> }) =>
    codes.map((code) => row.values[code]),
  );
};
const getDistribution = async (code: string, query = '') => {
  const reply = await author.get(`/api/responses/${surveyId}/distribution/${code}${query}`).expect(200);
  return reply.body.data as {
    base: number;
    missing: object;
    categories: { value: string; label: string; count: number }[];
    stats: { mean: number; sd: number; min: number; max: number } | null;
  };
};
const getCounts = async (code: string, query = '') =>
  (await getDistribution(code, query)).categories.map(({ value, count }) => [value, count]);
const undo = (changeId: number) =>
  author.post(`/api/responses/${surveyId}/changes/${changeId}/undo`).expect(200);

describe('a recode', () => {
  test('creates a categorical column from rules, available everywhere', async () => {
    const reply = await transform('recode', {
      column_code: 'q1',
      target_column_code: 'LIKES',
      label: 'Likes it',
      rules: [
        { from: ['1'], to: 1, label: 'Yes' },
        { from: { min: 2, max: 3 }, to: 2, label: 'No' },
        { from: 'missing', to: 9 },
      ],
    }).expect(201);
    const { columns, change_id, dry_run, rows_changed } = reply.body.data;
    expect({ dry_run, rows_changed, change_id }).toMatchObject({ dry_run: false, rows_changed: 0 });
    expect(columns).toHaveLength(1);
    expect(columns[0]).toMatchObject({
      column_code: 'LIKES',
      label: 'Likes it',
      type: 'categorical',
      source: 'derived',
      editable: false,
      kind: 'recode',
      sources: ['Q1'],
      parameters: null,
      values: [
        { code: 1, value: '1', label: 'Yes' },
        { code: 2, value: '2', label: 'No' },
        { code: 9, value: '9', label: '9' },
      ],
      definition: { column_code: 'Q1', filter: null },
    });
    const preview = columns[0].preview.categories.map((category: { count: number }) => category.count);
    expect(preview).toEqual([2, 4, 2]);
    expect(await getCounts('LIKES')).toEqual([
      ['1', 2],
      ['2', 4],
      ['9', 2],
    ]);
    expect((await listCells('LIKES')).slice(0, 5)).toEqual([['1'], ['2'], ['2'], [null], ['9']]);
    expect(await getCounts('Q6', `?filter=${encodeURIComponent('LIKES = 2')}`)).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 1],
    ]);
    const file = await author
      .post(`/api/responses/${surveyId}/export`, { format: 'csv', columns: ['Q1', 'LIKES'] })
      .expect(200);
    expect(String(file.text).split('\r\n').slice(0, 3)).toEqual(['Q1,LIKES', '1,1', '2,2']);
  });

  test('accepts a mapping and several columns, and assigns codes to text values', async () => {
    const reply = await transform('recode', {
      column_codes: ['Q1', 'Q6'],
      mapping: { '1': 'low', '2': 'low', '3': 'high' },
    }).expect(201);
    const created = reply.body.data.columns as { column_code: string; label: string; values: object[] }[];
    expect(created.map(({ column_code, label }) => [column_code, label])).toEqual([
      ['Q1_rec', 'Which for Q1? (recoded)'],
      ['Q6_rec', 'Which for Q6? (recoded)'],
    ]);
    expect(created[0]!.values).toMatchObject([
      { code: 1, value: 'low' },
      { code: 2, value: 'high' },
    ]);
    expect(await getCounts('Q6_rec')).toEqual([
      ['low', 7],
      ['high', 3],
    ]);
    await undo(reply.body.data.change_id);
    await expectRefused(author.get(`/api/responses/${surveyId}/distribution/Q6_rec`), 404);
  });

  test('keeps not-shown answers and responses outside the filter as not shown', async () => {
    const reply = await transform('recode', {
      column_code: 'Q4',
      rules: [{ from: 'else', to: 1 }],
      filter: 'Q2 >= 50',
    }).expect(201);
    expect(await getDistribution('Q4_rec')).toMatchObject({
      base: 2,
      missing: { skipped: 0, not_shown: 8 },
    });
    await undo(reply.body.data.change_id);
  });

  test('with overwrite keeps values without a rule, and can be undone', async () => {
    const before = await listCells('Q6', 'Q5_1', 'edited');
    const body = { rules: [{ from: ['1'], to: '2' }], overwrite: true };
    const preview = await transform('recode', { column_code: 'Q6', ...body, dry_run: true }).expect(200);
    expect(preview.body.data).toMatchObject({ rows_changed: 4, change_id: null, overwritten: true });
    expect(await listCells('Q6', 'Q5_1', 'edited')).toEqual(before);

    const replaced = await transform('recode', { column_code: 'Q6', ...body }).expect(200);
    expect(replaced.body.data).toMatchObject({ rows_changed: 4, cells_changed: 4, dry_run: false });
    expect(replaced.body.data.columns[0]).toMatchObject({ column_code: 'Q6', source: 'question' });
    expect(await getCounts('Q6')).toEqual([
      ['1', 0],
      ['2', 7],
      ['3', 3],
    ]);
    await undo(replaced.body.data.change_id);
    expect(await listCells('Q6', 'Q5_1', 'edited')).toEqual(before);
  });

  test('with overwrite writes several 0/1 columns of one question together', async () => {
    const before = await listCells('Q5_1', 'Q5_2', 'Q5_3');
    const replaced = await transform('recode', {
      column_codes: ['Q5_1', 'Q5_2'],
      rules: [{ from: [0], to: 1 }],
      overwrite: true,
    }).expect(200);
    expect(replaced.body.data).toMatchObject({ rows_changed: 5, cells_changed: 10 });
    expect(await listCells('Q5_1', 'Q5_2', 'Q5_3')).toEqual(before.map(([, , third]) => [1, 1, third]));
    await undo(replaced.body.data.change_id);
    expect(await listCells('Q5_1', 'Q5_2', 'Q5_3')).toEqual(before);
  });

  test('with overwrite rejects values that the question does not have', async () => {
    await expectInvalidField(
      transform('recode', { column_code: 'Q6', rules: [{ from: 'else', to: 7 }], overwrite: true }),
      'rules[0].to',
    );
    await expectInvalidField(
      transform('recode', { column_code: 'Q6', mapping: { '1': 'x' }, overwrite: true }),
      'mapping.1',
    );
    await expectRefused(
      transform('recode', { column_code: 'LIKES', mapping: { '1': '2' }, overwrite: true }),
      422,
      'not_editable',
    );
    await expectRefused(
      transform('recode', { column_code: 'language', mapping: { en: 'de' }, overwrite: true }),
      422,
      'not_editable',
    );
  });

  test.each<[string, object, string]>([
    ['an unknown column', { column_code: 'Q77', mapping: { '1': 'x' } }, 'column_code'],
    [
      'an unknown column of several',
      { column_codes: ['Q1', 'Q77'], mapping: { '1': 'x' } },
      'column_codes[1]',
    ],
    ['no column', { mapping: { '1': 'x' } }, 'column_code'],
    ['no rules', { column_code: 'Q1' }, 'rules'],
    [
      'rules and a mapping',
      { column_code: 'Q1', mapping: { '1': 'x' }, rules: [{ from: 'else', to: 1 }] },
      'mapping',
    ],
    [
      'a value the column does not have',
      { column_code: 'Q1', rules: [{ from: ['8'], to: 1 }] },
      'rules[0].from',
    ],
    [
      'a reversed range',
      { column_code: 'Q2', rules: [{ from: { min: 5, max: 1 }, to: 1 }] },
      'rules[0].from',
    ],
    [
      'a rule after else',
      {
        column_code: 'Q2',
        rules: [
          { from: 'else', to: 1 },
          { from: [3], to: 2 },
        ],
      },
      'rules[1].from',
    ],
    ['only missing values', { column_code: 'Q2', rules: [{ from: 'else', to: null }] }, 'rules'],
    [
      'an invalid code',
      { column_code: 'Q1', mapping: { '1': 'x' }, target_column_code: 'a b' },
      'target_column_code',
    ],
    [
      'a reserved code',
      { column_code: 'Q1', mapping: { '1': 'x' }, target_column_code: 'constructor' },
      'target_column_code',
    ],
    [
      'a code of 65 characters',
      { column_code: 'Q1', mapping: { '1': 'x' }, target_column_code: 'A'.repeat(65) },
      'target_column_code',
    ],
    ['a filter that does not parse', { column_code: 'Q1', mapping: { '1': 'x' }, filter: 'Q1 >' }, 'filter'],
  ])('with %s is rejected, naming the field', async (_, body, field) => {
    await expectInvalidField(transform('recode', body), field);
  });

  test('rejects a code in use, ignoring case', async () => {
    const mapping = { '1': 'x' };
    for (const target_column_code of ['q2', 'Q5', 'Q5_1', 'likes'])
      await expectRefused(
        transform('recode', { column_code: 'Q1', mapping, target_column_code }),
        409,
        'column_code_taken',
      );
    await expectRefused(transform('recode', { column_code: 'Q5', mapping }), 422, 'wrong_column_type');
  });
});

describe('normalize and z-scores', () => {
  test('follow the data, or keep frozen parameters', async () => {
    const live = await transform('normalize', { column_code: 'Q2', label: 'Share' }).expect(201);
    expect(live.body.data.columns[0]).toMatchObject({
      column_code: 'Q2_norm',
      type: 'number',
      parameters: { min: 0, max: 90, frozen: false },
    });
    await transform('normalize', {
      column_code: 'Q2',
      target_column_code: 'Q2_fixed',
      parameters: 'frozen',
    }).expect(201);
    await transform('normalize', {
      column_code: 'Q2',
      target_column_code: 'Q2_strict',
      parameters: 'frozen',
      outside: 'missing',
    }).expect(201);
    const z = await transform('z-scores', { column_codes: ['Q2', 'Q1'] }).expect(201);
    expect(z.body.data.columns).toMatchObject([
      { column_code: 'Q2_z', parameters: { mean: 45, frozen: false } },
      // Option 99, flagged as missing, is excluded.
      { column_code: 'Q1_z', parameters: { mean: 2 } },
    ]);
    expect((await getDistribution('Q1_z')).base).toBe(6);

    await author
      .post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: '1', Q2: 180, Q6: '1' } }] })
      .expect(201);
    // Outside the frozen range: clipped, or missing with `outside: 'missing'`.
    expect((await listCells('Q2_norm', 'Q2_fixed', 'Q2_strict')).at(-1)).toEqual([1, 1, null]);
    const getColumn = async (code: string) =>
      (await author.get(`/api/responses/${surveyId}/derived-columns/${code}`).expect(200)).body.data;
    expect((await getColumn('Q2_norm')).parameters).toEqual({
      min: 0,
      max: 180,
      frozen: false,
      outside: 'clip',
      outside_count: 0,
    });
    expect((await getColumn('Q2_fixed')).parameters).toEqual({
      min: 0,
      max: 90,
      frozen: true,
      outside: 'clip',
      outside_count: 1,
    });
    expect(await getColumn('Q2_strict')).toMatchObject({
      definition: { parameters: 'frozen', outside: 'missing' },
      parameters: { outside: 'missing', outside_count: 1 },
    });
    expect(await getDistribution('Q2_strict')).toMatchObject({
      base: 10,
      missing: { skipped: 0, not_shown: 0, not_applicable: 1 },
    });
    const patched = await author
      .patch(`/api/responses/${surveyId}/derived-columns/Q2_strict`, { outside: 'clip' })
      .expect(200);
    expect(patched.body.data.column.parameters).toMatchObject({ max: 90, frozen: true, outside: 'clip' });
    expect((await listCells('Q2_strict')).at(-1)).toEqual([1]);
    const { stats } = await getDistribution('Q2_z');
    expect(stats!.mean).toBeCloseTo(0, 10);
    expect(stats!.sd).toBeCloseTo(1, 10);
    const weighted = await getDistribution('Q6', '?weight=Q2_norm');
    expect(weighted.base).toBe(10);
  });

  test('normalize to 0 to 1 for responses of every status', async () => {
    const added = await author.post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q2: 400 } }] });
    const [id] = added.body.data.response_ids as number[];
    await author
      .post(`/api/responses/${surveyId}/bulk`, {
        action: 'set_status',
        status: 'partial',
        response_ids: [id],
      })
      .expect(200);
    const created = await transform('normalize', { column_code: 'Q2', target_column_code: 'Q2_all' }).expect(
      201,
    );
    expect(created.body.data.columns[0]).toMatchObject({
      definition: { outside: 'clip' },
      parameters: { min: 0, max: 400, outside: 'clip', outside_count: 0 },
    });
    const values = (await listCells('Q2_all')).flat() as number[];
    expect([Math.min(...values), Math.max(...values), values.at(-1)]).toEqual([0, 1, 1]);
    const complete = await transform('normalize', {
      column_code: 'Q2',
      target_column_code: 'Q2_complete',
      filter: { response_status: 'complete' },
    }).expect(201);
    expect(complete.body.data.columns[0].parameters).toMatchObject({ max: 180 });
    expect((await listCells('Q2_complete')).at(-1)).toEqual([null]);
    await author
      .post(`/api/responses/${surveyId}/bulk`, { action: 'delete', response_ids: [id] })
      .expect(200);
  });

  test('with overwrite clip or clear the value of a test response outside the range', async () => {
    await author.post(`/api/responses/${surveyId}/seed`, { count: 1, seed: 1 }).expect(201);
    const readLast = async (field: 'response_id' | 'Q2') => {
      const reply = await author.get(`/api/responses/${surveyId}/grid?columns=Q2`).expect(200);
      const row = reply.body.data.rows.at(-1) as { response_id: number; values: { Q2: number | null } };
      return field === 'Q2' ? row.values.Q2 : row.response_id;
    };
    const id = await readLast('response_id');
    await author.patch(`/api/responses/${surveyId}/rows/${id}`, { values: { Q2: 5_000 } }).expect(200);
    const body = { column_code: 'Q2', overwrite: true, filter: 'Q2 = 0 or Q2 >= 180' };
    for (const [outside, written] of [
      ['clip', 1],
      ['missing', null],
    ] as const) {
      const replaced = await transform('normalize', { ...body, outside }).expect(200);
      expect(replaced.body.data.columns[0].parameters).toMatchObject({ min: 0, max: 180, outside_count: 1 });
      expect(await readLast('Q2')).toBe(written);
      await undo(replaced.body.data.change_id);
      expect(await readLast('Q2')).toBe(5_000);
    }
    await author
      .post(`/api/responses/${surveyId}/bulk`, { action: 'delete', response_ids: [id] })
      .expect(200);
  });

  test('support a weight for z-scores, but not for normalize', async () => {
    // x <- c(seq(10, 90, 10), 180): svymean and sqrt(svyvar) of svydesign(~1, weights = ~x) in R. A weight of 0 does not count.
    const created = await transform('z-scores', {
      column_code: 'Q2',
      target_column_code: 'Q2_wz',
      weight_column: 'Q2',
      parameters: 'frozen',
    }).expect(201);
    const { parameters, definition, sources } = created.body.data.columns[0];
    expect(parameters).toMatchObject({ frozen: true, weight_column: 'Q2' });
    expect(parameters.mean).toBeCloseTo(96.6666666666667, 9);
    expect(parameters.sd).toBeCloseTo(58.9442686591338, 9);
    expect(definition).toMatchObject({ weight_column: 'Q2' });
    expect(sources).toEqual(['Q2']);
    const patch = (body: object) => author.patch(`/api/responses/${surveyId}/derived-columns/Q2_wz`, body);
    const plain = await patch({ weight_column: null }).expect(200);
    expect(plain.body.data.column.parameters).toMatchObject({ frozen: true, weight_column: null });
    expect(plain.body.data.column.parameters.mean).toBeCloseTo(630 / 11, 9);
    await expectInvalidField(patch({ outside: 'clip' }), 'outside');
    await expectInvalidField(
      transform('normalize', { column_code: 'Q2', weight_column: 'Q2' }),
      'weight_column',
    );
    await expectInvalidField(transform('z-scores', { column_code: 'Q2', weight: 'NONE' }), 'weight');
    await expectRefused(transform('z-scores', { column_code: 'Q2', weight: 'Q1' }), 422, 'wrong_column_type');
    await expectInvalidField(transform('z-scores', { column_code: 'Q2', outside: 'clip' }), 'outside');
  });

  test('reject columns that are not numeric', async () => {
    for (const column_code of ['Q3', 'Q5', 'started_at', 'language'])
      await expectRefused(transform('z-scores', { column_code }), 422, 'wrong_column_type');
    await expectRefused(transform('normalize', { column_code: 'Q1', overwrite: true }), 422, 'not_editable');
  });

  test('reject a nominal choice with the setting that would allow it', async () => {
    const Q6 = (await author.get(`/api/responses/${surveyId}/grid?columns=Q6&limit=1`).expect(200)).body.data
      .columns[0] as { question_id: number };
    for (const [kind, more] of [
      ['z-scores', {}],
      ['normalize', {}],
      ['bin', { bins: 2 }],
    ] as const) {
      const reply = await expectRefused(
        transform(kind, { column_code: 'Q6', ...more }),
        422,
        'wrong_column_type',
      );
      expect(reply.details).toEqual([
        {
          field: 'column_code',
          message:
            'Q6 is nominal: its codes have no order, so they have no mean and no quantiles; ' +
            `set question_settings.measure of question ${Q6.question_id} to ordinal or scale`,
        },
      ]);
    }
  });

  test('with overwrite change nothing if the question does not accept the values', async () => {
    const before = await listCells('Q2', 'Q4');
    await expectInvalidField(transform('z-scores', { column_codes: ['Q2'], overwrite: true }), 'Q2');
    expect(await listCells('Q2', 'Q4')).toEqual(before);
  });
});

describe('bins', () => {
  test('count values outside custom breaks as not applicable, separately from skipped or not shown', async () => {
    // Q2 is 0, 10 … 90 and 180; another response skips it.
    const added = await author.post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q6: '1' } }] });
    const [id] = added.body.data.response_ids as number[];
    await transform('bin', {
      column_code: 'Q2',
      breaks: [20, 50, 80],
      target_column_code: 'Q2_parts',
    }).expect(201);
    expect(await getDistribution('Q2_parts')).toMatchObject({
      base: 7,
      missing: {
        skipped: 1,
        not_shown: 0,
        not_applicable: 4,
        option_missing: 0,
        no_answer: { dont_know: 0, refused: 0, not_applicable: 0 },
        without_weight: 0,
      },
    });
    expect((await getDistribution('Q2_parts', '?base=shown')).base).toBe(12);
    expect((await getDistribution('Q2_parts', '?base=all')).base).toBe(12);
    expect(await getDistribution('Q2_parts', '?weight=Q2')).toMatchObject({
      missing: { skipped: 0, not_applicable: 3, without_weight: 2 },
    });
    const getTable = async (body: object) => {
      const reply = await author
        .post(`/api/responses/${surveyId}/crosstab`, {
          rows: ['Q2_parts'],
          columns: ['Q6'],
          min_base: 0,
          ...body,
        })
        .expect(200);
      return reply.body.data.tables[0] as { base: { unweighted: number }; outside_base: number };
    };
    expect(await getTable({})).toMatchObject({ base: { unweighted: 7 }, outside_base: 5 });
    expect(await getTable({ base: 'shown' })).toMatchObject({ base: { unweighted: 12 }, outside_base: 0 });
    const rows = async (filter: object) => {
      const query = encodeURIComponent(JSON.stringify(filter));
      const reply = await author
        .get(`/api/responses/${surveyId}/grid?columns=Q2_parts&filter=${query}`)
        .expect(200);
      return reply.body.data.rows.length as number;
    };
    expect(await rows({ left: { code: 'Q2_parts' }, operator: 'not_answered' })).toBe(5);
    expect(await rows({ left: { code: 'Q2_parts' }, operator: 'answered' })).toBe(7);
    await author
      .post(`/api/responses/${surveyId}/bulk`, { action: 'delete', response_ids: [id] })
      .expect(200);
  });

  test('with overwrite write their codes into a number, and can be undone', async () => {
    const before = await listCells('Q2', 'Q4');
    const replaced = await transform('bin', {
      column_code: 'Q2',
      breaks: [0, 30, 80],
      overwrite: true,
    }).expect(200);
    // Values from 90 on have no bin and stay unchanged.
    expect((await listCells('Q2')).flat().slice(0, 10)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 90]);
    expect(replaced.body.data).toMatchObject({ rows_changed: 9, cells_changed: 9 });
    await undo(replaced.body.data.change_id);
    const reply = await transform('bin', { column_code: 'Q4', bins: 2, overwrite: true }).expect(200);
    expect((await listCells('Q4')).flat().slice(0, 8)).toEqual([1, 1, null, null, null, 2, 2, null]);
    await undo(reply.body.data.change_id);
    expect(await listCells('Q2', 'Q4')).toEqual(before);
  });

  test('keep their breaks when later numbers are added', async () => {
    const reply = await transform('bin', { column_code: 'Q2', bins: 3, filter: 'Q2 <= 90' }).expect(201);
    expect(reply.body.data.columns[0]).toMatchObject({
      column_code: 'Q2_bin',
      measure: 'ordinal',
      parameters: { breaks: [0, 30, 60, 90] },
      definition: { open_ended: true },
    });
    expect(await getCounts('Q2_bin')).toEqual([
      ['1', 3],
      ['2', 3],
      ['3', 4],
    ]);
    await author.patch(`/api/responses/${surveyId}/derived-columns/Q2_bin`, { filter: null }).expect(200);
    expect((await getCounts('Q2_bin')).at(-1)).toEqual(['3', 5]);
  });

  test('can have custom breaks and labels', async () => {
    const labels = ['few', 'many'];
    const reply = await transform('bin', {
      column_code: 'Q2',
      target_column_code: 'AMOUNT',
      breaks: [10, 50, 90],
      labels,
    }).expect(201);
    const [{ values, preview }] = reply.body.data.columns;
    expect(values.map(({ label }: { label: string }) => label)).toEqual(labels);
    expect(preview.categories.map(({ count }: { count: number }) => count)).toEqual([4, 5]);
    expect(preview.missing).toMatchObject({ skipped: 0, not_applicable: 2 });
  });

  test.each<[object, string]>([
    [{ breaks: [3, 2] }, 'breaks'],
    [{ method: 'custom' }, 'breaks'],
    [{ method: 'equal_width' }, 'bins'],
    [{ method: 'equal_width', bins: 1 }, 'bins'],
    [{ bins: 3, labels: ['a'] }, 'labels'],
  ])('are rejected with %j', async (body, field) => {
    await expectInvalidField(
      transform('bin', { column_code: 'Q2', target_column_code: 'X1', ...body }),
      field,
    );
  });

  test('require two different numbers', async () => {
    await expectRefused(
      transform('bin', { column_code: 'Q2', bins: 3, target_column_code: 'X2', filter: 'Q2 = 10' }),
      422,
      'no_spread',
    );
  });
});

describe('text operations', () => {
  test('are applied in the given order', async () => {
    const operations = ['strip_html', 'remove_punctuation', 'lowercase', 'trim', 'collapse_whitespace'];
    await transform('text', { column_code: 'Q3', operations }).expect(201);
    expect((await listCells('Q3_txt')).slice(0, 2)).toEqual([['text even'], ['text odd']]);
    await expectRefused(transform('text', { column_code: 'Q2', operations }), 422, 'wrong_column_type');
    await expectInvalidField(transform('text', { column_code: 'Q3', operations: ['eval'] }), 'operations[0]');
  });

  test('with overwrite change only filtered responses', async () => {
    const before = await listCells('Q3');
    const replaced = await transform('text', {
      column_code: 'Q3',
      operations: ['uppercase'],
      filter: { Q6: ['1'] },
      overwrite: true,
      reason: 'Uppercase',
    }).expect(200);
    expect(replaced.body.data.rows_changed).toBe(4);
    const log = await author.get(`/api/responses/${surveyId}/changes?limit=1`).expect(200);
    expect(log.body.data[0]).toMatchObject({ operation: 'text', reason: 'Uppercase', rows_changed: 4 });
    await undo(replaced.body.data.change_id);
    expect(await listCells('Q3')).toEqual(before);
  });
});

test('a dry run returns the column without storing it', async () => {
  const preview = await transform('recode', {
    column_code: 'Q1',
    target_column_code: 'NOWHERE',
    mapping: { '1': 'x' },
    dry_run: true,
  }).expect(200);
  expect(preview.body.data).toMatchObject({ dry_run: true, change_id: null });
  expect(preview.body.data.columns[0].preview.base).toBe(3);
  await expectRefused(author.get(`/api/responses/${surveyId}/distribution/NOWHERE`), 404);
});
