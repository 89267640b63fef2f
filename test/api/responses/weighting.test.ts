import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { publishedSurvey } from '../../support/surveys.ts';

/** Schools of `apiclus1` in the R package survey by type and whether they met their targets, with the weights from R. */
const SCHOOLS = [
  { stype: 'E', sch_wide: 'No', count: 12, weight: 39.83924 },
  { stype: 'E', sch_wide: 'Yes', count: 132, weight: 29.87067 },
  { stype: 'H', sch_wide: 'No', count: 3, weight: 67.12553 },
  { stype: 'H', sch_wide: 'Yes', count: 11, weight: 50.3294 },
  { stype: 'M', sch_wide: 'No', count: 8, weight: 49.06907 },
  { stype: 'M', sch_wide: 'Yes', count: 17, weight: 36.79102 },
] as const;

const single = (code: string, values: readonly string[]) => ({
  question_type: 'single_choice',
  question_code: code,
  question_text: code,
  options: values.map((value) => ({ option_label: value, option_value: value })),
});

const DIMENSIONS = [
  {
    column_code: 'stype',
    targets: [
      { value: 'E', target: 4421 },
      { value: 'H', target: 755 },
      { value: 'M', target: 1018 },
    ],
  },
  {
    column_code: 'sch_wide',
    targets: [
      { value: 'No', target: 1072 },
      { value: 'Yes', target: 5122 },
    ],
  },
];
const SCHEME = { dimensions: DIMENSIONS, target_type: 'count', tolerance: 1e-10, max_iterations: 200 };

const app = useApp();
let researcher: Actor;
let otherOrganization: { viewer: Actor };
let surveyId: number;

beforeAll(async () => {
  const { admin } = await newOrganization(app);
  researcher = admin;
  otherOrganization = { viewer: (await newOrganization(app)).admin };
});

beforeEach(async () => {
  const survey = await publishedSurvey(researcher, [
    [single('stype', ['E', 'H', 'M']), single('sch_wide', ['No', 'Yes'])],
    [{ question_type: 'number', question_code: 'enroll', question_text: 'How many?' }],
  ]);
  surveyId = survey.surveyId;
  const rows = SCHOOLS.flatMap(({ stype, sch_wide, count }) =>
    Array.from({ length: count }, (_, index) => ({ answers: { stype, sch_wide, enroll: index } })),
  );
  await addRows(rows);
});

const at = (path: string) => `/api/responses/${surveyId}/${path}`;

async function addRows(rows: object[]) {
  await researcher.post(at('rows'), { rows }).expect(201);
}

async function createWeight(extra: object = {}) {
  const reply = await researcher.post(at('weighting/create'), { ...SCHEME, ...extra }).expect(201);
  return reply.body.data;
}

async function listWeights(column = 'WEIGHT') {
  const reply = await researcher.get(at(`grid?columns=stype,sch_wide,${column}`)).expect(200);
  return reply.body.data.rows.map((row: { values: object }) => row.values) as Record<string, unknown>[];
}

const isStale = async () => (await researcher.get(at('weighting/WEIGHT')).expect(200)).body.data.stale;

describe('weighting schools to the population', () => {
  test('computes the weights of R, scaled to the population', async () => {
    await createWeight({ scale_to: 6194 });
    const stored = await listWeights();
    for (const { stype, sch_wide, weight } of SCHOOLS) {
      const row = stored.find((row) => row.stype === stype && row.sch_wide === sch_wide)!;
      expect(row.WEIGHT).toBeCloseTo(weight, 4);
    }
  });

  test('returns the effective base, the design effect and each margin in a preview', async () => {
    const preview = await researcher.post(at('weighting/preview'), SCHEME).expect(200);
    expect(preview.body.data).toMatchObject({ converged: true, unweighted_base: 183, warnings: [] });
    expect(preview.body.data.effective_base).toBeCloseTo(174.0112, 4);
    expect(preview.body.data.design_effect).toBeCloseTo(1.051657, 6);
    expect(preview.body.data.weighting_efficiency).toBeCloseTo(0.950881, 6);
    const [types] = preview.body.data.dimensions;
    expect(types.column_code).toBe('stype');
    expect(types.categories[0]).toMatchObject({ value: 'E', label: 'E', count: 144 });
    expect(types.categories[0].weighted).toBeCloseTo((100 * 4421) / 6194, 6);
    expect(await researcher.get(at('weighting')).then((reply) => reply.body.data)).toEqual([]);
  });

  test('adds the weight as a column to grid, distribution and export', async () => {
    await createWeight();
    const distribution = await researcher.get(at('distribution/stype?weight=WEIGHT')).expect(200);
    expect(distribution.body.data.categories[0].weighted_percent).toBeCloseTo((100 * 4421) / 6194, 6);
    expect(distribution.body.data.effective_base).toBeCloseTo(174.0112, 4);
    const grid = await researcher.get(at('grid?columns=WEIGHT&limit=1')).expect(200);
    expect(grid.body.data.columns[0]).toMatchObject({
      source: 'weight',
      type: 'number',
      measure: 'scale',
      editable: false,
    });
    const file = await researcher.post(at('export'), { columns: ['stype', 'WEIGHT'] }).expect(200);
    expect(file.text.split('\r\n')[1]).toMatch(/^E,1\.17703/);
    const filtered = await researcher
      .get(
        at(
          `distribution/stype?filter=${encodeURIComponent('{"left":{"type":"column","code":"WEIGHT"},"operator":"gt","right":1.9}')}`,
        ),
      )
      .expect(200);
    expect(filtered.body.data.base).toBe(3);
  });

  test('returns the result of a dry run without storing it', async () => {
    const dryRun = await researcher.post(at('weighting/create'), { ...SCHEME, dry_run: true }).expect(200);
    expect(dryRun.body.data).toMatchObject({
      column_code: 'WEIGHT',
      dry_run: true,
      change_id: null,
      converged: true,
    });
    expect((await researcher.get(at('weighting')).expect(200)).body.data).toEqual([]);
    await researcher.get(at('distribution/WEIGHT')).expect(404);
  });
});

describe('a stored weight', () => {
  test('is empty for later responses and stale until it is refreshed', async () => {
    await createWeight();
    expect(await isStale()).toBe(false);
    await addRows([{ answers: { stype: 'H', sch_wide: 'No' } }]);
    expect((await listWeights()).filter((row) => row.WEIGHT === null)).toHaveLength(1);
    expect(await isStale()).toBe(true);
    const refreshed = await researcher.post(at('weighting/weight/refresh'), {}).expect(200);
    expect(refreshed.body.data).toMatchObject({ column_code: 'WEIGHT', unweighted_base: 184 });
    expect((await listWeights()).filter((row) => row.WEIGHT === null)).toHaveLength(0);
    expect(await isStale()).toBe(false);
    const { responses } = (await researcher.get(at('weighting/WEIGHT')).expect(200)).body.data;
    expect(responses).toBe(184);
  });

  test('is unchanged by a refresh over the same data', async () => {
    await createWeight();
    const before = (await researcher.get(at('weighting/WEIGHT')).expect(200)).body.data;
    const refreshed = await researcher.post(at('weighting/WEIGHT/refresh'), {}).expect(200);
    expect(refreshed.body.data).toMatchObject({ change_id: null, unweighted_base: 183, converged: true });
    expect((await researcher.get(at('changes')).expect(200)).body.meta.total).toBe(1);
    expect((await researcher.get(at('weighting/WEIGHT')).expect(200)).body.data).toEqual(before);
  });

  test('does not become stale through responses that it does not weight', async () => {
    await createWeight();
    await addRows([{ status: 'partial', answers: { stype: 'H' } }]);
    expect(await isStale()).toBe(false);
  });

  test('gets its old values when a refresh is undone, and its creation can be undone too', async () => {
    const { change_id: created } = await createWeight();
    const before = await listWeights();
    await addRows([{ answers: { stype: 'H', sch_wide: 'No' } }]);
    const refreshed = await researcher.post(at('weighting/WEIGHT/refresh'), {}).expect(200);
    await researcher.post(at(`changes/${created}/undo`)).expect(409);
    await researcher.post(at(`changes/${refreshed.body.data.change_id}/undo`)).expect(200);
    expect((await listWeights()).slice(0, before.length)).toEqual(before);
    await researcher.post(at(`changes/${created}/undo`)).expect(200);
    await researcher.get(at('distribution/WEIGHT')).expect(404);
    const log = await researcher.get(at('changes')).expect(200);
    expect(log.body.data.map((change: { operation: string }) => change.operation)).toEqual([
      'weighting_refresh',
      'weighting',
    ]);
    await createWeight();
  });

  test('returns 422 for a refresh that the current data do not allow', async () => {
    await createWeight({ missing: 'error' });
    await addRows([{ status: 'complete', answers: { stype: 'E' } }]);
    const refused = await researcher.post(at('weighting/WEIGHT/refresh'), {}).expect(422);
    expect(refused.body).toMatchObject({
      code: 'scheme_does_not_fit',
      details: [{ message: expect.stringContaining('without a value') }],
    });
    expect((await researcher.get(at('changes')).expect(200)).body.meta.total).toBe(1);
  });

  test('follows the data with auto_refresh', async () => {
    await createWeight({ auto_refresh: true });
    const before = (await researcher.get(at('weighting/WEIGHT')).expect(200)).body.data;
    expect(before.responses).toBe(183);
    await addRows([{ answers: { stype: 'H', sch_wide: 'No' } }]);
    expect((await listWeights()).filter((row) => row.WEIGHT === null)).toHaveLength(0);
    const distribution = await researcher.get(at('distribution/stype?weight=WEIGHT')).expect(200);
    expect(distribution.body.data.weighted_base).toBeCloseTo(184, 8);
    expect(distribution.body.data.categories[1].weighted_percent).toBeCloseTo((100 * 755) / 6194, 6);
    const after = (await researcher.get(at('weighting/WEIGHT')).expect(200)).body.data;
    expect(after).toEqual({ ...before, responses: 184 });
  });
});

describe('missing answers, caps and base weights', () => {
  test('keep the share of responses without a value, exclude them or reject', async () => {
    await addRows([{ status: 'partial', answers: { stype: 'E' } }]);
    const withPartial = { ...SCHEME, status: ['complete', 'partial'] };
    const reply = await researcher.post(at('weighting/preview'), withPartial).expect(200);
    expect(reply.body.data.unweighted_base).toBe(184);
    const missing = reply.body.data.dimensions[1].categories.at(-1);
    expect(missing).toMatchObject({ value: null, count: 1 });
    expect(missing.weighted).toBeCloseTo(100 / 184, 4);
    const excluded = await researcher
      .post(at('weighting/preview'), { ...withPartial, missing: 'exclude' })
      .expect(200);
    expect(excluded.body.data).toMatchObject({ unweighted_base: 183 });
    expect(excluded.body.data.warnings[0].code).toBe('excluded_missing');
    const refused = await researcher
      .post(at('weighting/preview'), { ...withPartial, missing: 'error' })
      .expect(400);
    expect(refused.body.details[0].field).toBe('dimensions[1].column_code');
  });

  test('respect the limits of weights, and are not converged if those keep a margin far from its target', async () => {
    const capped = await researcher
      .post(at('weighting/preview'), { ...SCHEME, max_weight: 1.2, min_weight: 0.9, tolerance: 1e-6 })
      .expect(200);
    expect(capped.body.data.max_weight).toBeLessThanOrEqual(1.2 + 1e-6);
    expect(capped.body.data.trimmed).toBeGreaterThan(0);
    expect(capped.body.data.converged).toBe(false);
    expect(capped.body.data.warnings.map((warning: { code: string }) => warning.code)).toContain(
      'not_converged',
    );
  });

  test('support a number with few values as a dimension, and a base weight', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => ({
      answers: { stype: 'E', sch_wide: 'Yes', enroll: 1_000 + (index % 2) },
    }));
    await addRows(rows);
    const scheme = {
      filter: { left: { type: 'question', code: 'enroll' }, operator: 'gte', right: 1_000 },
      dimensions: [
        {
          column_code: 'enroll',
          targets: [
            { value: 1_000, target: 30 },
            { value: '1001', target: 70 },
          ],
        },
      ],
      base_weight_column: 'enroll',
    };
    const preview = await researcher.post(at('weighting/preview'), scheme).expect(200);
    expect(preview.body.data).toMatchObject({ unweighted_base: 10, converged: true });
    expect(preview.body.data.max_weight).toBeCloseTo(1.4, 9);
  });
});

describe('an invalid weighting is rejected for', () => {
  const postPreview = (changes: object) =>
    researcher.post(at('weighting/preview'), { ...SCHEME, ...changes });

  test.each([
    ['targets that do not add up', { target_type: 'percent' }, 'dimensions[0].targets', 'must add up to 100'],
    [
      'an answered value without a target',
      {
        dimensions: [{ column_code: 'stype', targets: [{ value: 'E', target: 100 }] }],
        target_type: 'percent',
      },
      'dimensions[0].targets',
      'has no target',
    ],
    [
      'an unknown value',
      { dimensions: [{ column_code: 'stype', targets: [{ value: 'X', target: 100 }] }] },
      'dimensions[0].targets[0].value',
      'is not a value of stype',
    ],
    [
      'a negative target',
      { dimensions: [{ column_code: 'stype', targets: [{ value: 'E', target: -1 }] }] },
      'dimensions[0].targets[0].target',
      '0 or more',
    ],
    [
      'an unknown column, with similar ones',
      { dimensions: [{ column_code: 'stypo', targets: [{ value: 'E', target: 100 }] }] },
      'dimensions[0].column_code',
      'did you mean "stype"',
    ],
    ['an impossible cap', { max_weight: 0.5 }, 'max_weight', 'must be more than 1'],
    [
      'an unknown base weight, with similar ones',
      { base_weight_column: 'enrol' },
      'base_weight_column',
      'did you mean "enroll',
    ],
    [
      'a filter on an unknown column',
      { filter: { nothing: '1' } },
      'filter.nothing',
      'column or question "nothing" does not exist',
    ],
  ])('%s', async (_what, changes, field, message) => {
    const refused = await postPreview(changes).expect(400);
    expect(refused.body.details[0].field).toBe(field);
    expect(refused.body.details[0].message).toContain(message);
  });

  test('a base weight that is not numeric', async () => {
    const refused = await postPreview({ base_weight_column: 'stype' }).expect(422);
    expect(refused.body).toMatchObject({ code: 'not_a_weight', details: [{ field: 'base_weight_column' }] });
    expect(refused.body.message).toContain('must be a number column');
    const several = await postPreview({ base_weight_column: 'stype', filter: { nothing: '1' } }).expect(400);
    expect(several.body.details).toHaveLength(1);
  });

  test('an unknown weight, with similar ones', async () => {
    await createWeight();
    for (const path of ['weighting/WEIGTH', 'derived-columns/WEIGTH']) {
      const refused = await researcher.get(at(path)).expect(404);
      expect(refused.body.message).toContain('did you mean "WEIGHT');
    }
    const refused = await researcher.post(at('weighting/WEIGTH/refresh'), {}).expect(404);
    expect(refused.body.message).toContain('did you mean "WEIGHT');
  });

  test('a text column as a dimension', async () => {
    const dimensions = [{ column_code: 'language', targets: [{ value: 'en', target: 100 }] }];
    const refused = await postPreview({ dimensions }).expect(422);
    expect(refused.body.message).toContain('is of type text');
  });

  test('a code that is in use or invalid', async () => {
    await createWeight();
    for (const existing of ['WEIGHT', 'stype']) {
      await researcher.post(at('weighting/create'), { ...SCHEME, column_code: existing }).expect(409);
    }
    const invalid = await researcher
      .post(at('weighting/create'), { ...SCHEME, column_code: '1 w' })
      .expect(400);
    expect(invalid.body.details[0].field).toBe('column_code');
  });

  test('missing convergence, except in a preview or with allow_unconverged', async () => {
    const oneIteration = { max_iterations: 1, tolerance: 1e-12 };
    const preview = await postPreview(oneIteration).expect(200);
    expect(preview.body.data.converged).toBe(false);
    const refused = await researcher.post(at('weighting/create'), { ...SCHEME, ...oneIteration }).expect(409);
    expect(refused.body.code).toBe('not_converged');
    expect(await createWeight({ ...oneIteration, allow_unconverged: true })).toMatchObject({
      converged: false,
    });
  });

  test('other organizations with 404', async () => {
    await otherOrganization.viewer.post(at('weighting/preview'), SCHEME).expect(404);
    await otherOrganization.viewer.post(at('weighting/create'), SCHEME).expect(404);
  });
});

describe('crossed targets', () => {
  /** R: postStratify(design, ~stype + sch_wide, targets). */
  const CROSSED = {
    column_code: 'stype',
    crossed_with: ['sch_wide'],
    targets: SCHOOLS.map(({ stype, sch_wide, count }, index) => ({
      value: [stype, sch_wide],
      target: count * (index + 1),
    })),
  };

  test('weight each combination to its target', async () => {
    const scheme = { dimensions: [CROSSED], target_type: 'count', scale_to: 1_000 };
    const { body } = await researcher.post(at('weighting/create'), scheme).expect(201);
    expect(body.data.dimensions[0]).toMatchObject({ column_code: 'stype × sch_wide' });
    expect(body.data.dimensions[0].categories[1]).toMatchObject({
      value: 'E × Yes',
      label: 'E × Yes',
      count: 132,
    });
    const sum = SCHOOLS.reduce((total, { count }, index) => total + count * (index + 1), 0);
    const rows = await listWeights();
    for (const [index, { stype, sch_wide }] of SCHOOLS.entries()) {
      const row = rows.find((each) => each.stype === stype && each.sch_wide === sch_wide);
      expect(row?.WEIGHT).toBeCloseTo((1_000 * (index + 1)) / sum, 9);
    }
    const stored = await researcher.get(at('weighting/WEIGHT')).expect(200);
    const [dimension] = stored.body.data.request.dimensions;
    expect(dimension).toMatchObject({ column_code: 'stype', crossed_with: ['sch_wide'] });
    // What is stored can be sent again.
    await researcher.post(at('weighting/preview'), { ...scheme, dimensions: [dimension] }).expect(200);
    await addRows([{ answers: { stype: 'E', sch_wide: 'No' } }]);
    await researcher.post(at('weighting/WEIGHT/refresh'), {}).expect(200);
  });

  test.each([
    [{ crossed_with: ['nothing'] }, 400, 'dimensions[0].crossed_with[0]'],
    [{ targets: [{ value: ['E', 'Maybe'], target: 1 }] }, 400, 'E × Maybe'],
    [{ targets: [{ value: ['E', 'Yes'], target: 1 }] }, 400, 'which has no target'],
    [{ crossed_with: ['STYPE'] }, 400, 'dimensions[0].crossed_with[0]'],
  ])('refuse %j', async (change, status, text) => {
    const reply = await researcher.post(at('weighting/preview'), {
      dimensions: [{ ...CROSSED, ...change }],
      target_type: 'count',
    });
    expect(reply.status).toBe(status);
    expect(JSON.stringify(reply.body)).toContain(text);
  });
});

describe('weights of a preview', () => {
  test('are counted in bins, and compared with those without limits', async () => {
    const preview = async (extra: object) =>
      (await researcher.post(at('weighting/preview'), { ...SCHEME, ...extra }).expect(200)).body.data;
    const free = await preview({});
    expect(free.without_limits).toBeNull();
    expect(free.histogram).toHaveLength(20);
    const counts = free.histogram.map(({ count }: { count: number }) => count);
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(183);
    expect(counts[0]).toBe(132);
    expect(free.histogram[0].from).toBeCloseTo(free.min_weight, 9);
    expect(free.histogram[19].to).toBeCloseTo(free.max_weight, 9);
    const limited = await preview({ max_weight: 1.5 });
    expect(limited.without_limits.max_weight).toBeCloseTo(free.max_weight, 6);
    expect(limited.without_limits.weighting_efficiency).toBeCloseTo(free.weighting_efficiency, 6);
    expect(limited.max_weight).toBeLessThanOrEqual(1.5 + 1e-9);
    expect(limited.weighting_efficiency).toBeGreaterThan(free.weighting_efficiency);
  });
});
