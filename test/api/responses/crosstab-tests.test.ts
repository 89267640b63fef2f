import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, multiple, number } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
let surveyId: number;

/**
 * 120 respondents in three waves of 40. In R: i <- 0:119; d <- data.frame(b1 = i %% 2 == 0, b2 = i %% 3 == 0, b3 = i %% 5 < 2, y = (i * 7) %% 11,
 * w = 1 + (i %% 3) / 2, wave = i %/% 40, cl = i %/% 4, like = (i * 7) %% 11 + 2 * (i %/% 40) + 3 * (i %% 2 == 0) > 8)
 */
const answersOf = (i: number) => {
  const y = (i * 7) % 11;
  const isLiked = y + 2 * Math.trunc(i / 40) + (i % 2 === 0 ? 3 : 0) > 8;
  return {
    brands: [i % 2 === 0, i % 3 === 0, i % 5 < 2].flatMap((isChosen, index) =>
      isChosen ? [String(index + 1)] : [],
    ),
    liked: isLiked ? '2' : '1',
    y,
    w: 1 + (i % 3) / 2,
    cl: Math.trunc(i / 4),
  };
};

beforeAll(async () => {
  const survey = await publishedSurvey(author, [
    [
      multiple('brands'),
      choice('liked'),
      number('y'),
      number('w', { question_settings: { decimals: 2 } }),
      number('cl'),
    ],
  ]);
  surveyId = survey.surveyId;
  const starts = ['2024-03-01', '2024-09-01', '2025-03-12'];
  const tokens = [];
  for (const [index, wave_start_date] of starts.entries()) {
    const { wave_id } = await createWave(author, surveyId, {
      wave_name: `Wave ${index + 1}`,
      wave_start_date,
    });
    const { body } = await author.post(`/api/surveys/${surveyId}/links`, { wave_id }).expect(201);
    tokens.push(body.data.link_token as string);
  }
  await createWave(author, surveyId, { wave_name: 'Empty', wave_start_date: '2024-12-01' });
  for (let i = 0; i < 120; i++) {
    await respondent
      .post(`/api/public/s/${tokens[Math.trunc(i / 40)]!}/responses`, { answers: answersOf(i) })
      .expect(201);
  }
});

const post = (body: object) => author.post(`/api/responses/${surveyId}/crosstab`, body);
const compute = async (body: object) => (await post(body).expect(200)).body.data;

function expectClose(actual: Record<string, number>, expected: Record<string, number>): void {
  for (const [name, value] of Object.entries(expected))
    expect(Math.abs(actual[name]! - value) / Math.max(1, Math.abs(value)), name).toBeLessThan(1e-6);
}

const BRANDS = { rows: ['liked', 'y'], columns: ['brands'], statistics: 'all' };
const noteCodes = ({ notes }: { notes: { code: string }[] }) => notes.map(({ code }) => code);

// R: over <- function(des, a, b, y), the difference of two ratios with its covariance:
// d <- update(des, ya = y * a, a = as.numeric(a), yb = y * b, b = as.numeric(b)); r <- svyratio(~ya + yb, ~a + b, d, covmat = TRUE)
// V <- vcov(r); r$ratio[1, 1] - r$ratio[2, 2]; sqrt(V[1, 1] + V[4, 4] - 2 * V[1, 4]); df <- sum(a | b) - 2
describe('columns that share respondents', () => {
  it('are tested with the covariance of their estimates', async () => {
    const { tables, test_convention } = await compute(BRANDS);
    const [shares, means] = tables;
    // over(svydesign(~1, data = d), "b1", "b2", "like"); "b1", "b3"; "b2", "b3"
    const wanted = [
      [1.05066460105, 78, 0.296656996967],
      [1.84308626867, 82, 0.068929720589],
      [0.585610349352, 70, 0.560020714233],
    ] as const;
    for (const [index, [t, df, p_value]] of wanted.entries())
      expectClose(shares.rows[1].tests[index], { t, df, p_value });
    expect(shares.rows[1].cells[0].letters).toEqual(['c']);
    // over(…, "b1", "b2", "y")
    expectClose(means.mean.tests[0], { t: -0.6964680883, df: 78, p_value: 0.488206077918 });
    expect(noteCodes(shares)).toContain('overlap_tested');
    expect(test_convention).toMatchObject({ overlapping_columns: true, shares: 'pooled_proportions' });
  });

  it('are tested with weights', async () => {
    const [shares, means] = (await compute({ ...BRANDS, weight: 'w' })).tables;
    // over(svydesign(~1, weights = ~w, data = d), "b1", "b3", "like"); "b1", "b2", "y"
    expectClose(shares.rows[1].tests[1], { t: 1.6637932839, df: 82, p_value: 0.0999710974709 });
    expectClose(means.mean.tests[0], { t: -0.672190084032, df: 78, p_value: 0.503449004761 });
  });

  it('are not tested on request', async () => {
    const { tables, test_convention } = await compute({ ...BRANDS, overlapping_columns: false });
    expect(tables[0].rows[1].tests).toEqual([]);
    expect(noteCodes(tables[0])).toContain('columns_overlap');
    expect(test_convention.overlapping_columns).toBe(false);
  });
});

describe('columns with the total and the rest', () => {
  const body = { ...BRANDS, compare_with: ['total', 'rest'] };

  it('are tested without weights', async () => {
    const { tables, test_convention } = await compute(body);
    const [shares, means] = tables;
    // over(svydesign(~1, data = d), "b1", "all", "like")
    expectClose(shares.rows[1].cells[0].comparisons.total, {
      difference: 12.5,
      t: 2.72755688231,
      df: 118,
      p_value: 0.00735520566621,
    });
    // svychisq(~like + b1, svydesign(~1, data = d)): F = 7.439566546; ~like + b3: F = 0.02204316014
    const { rest } = shares.rows[1].cells[0].comparisons;
    expect(rest.t ** 2).toBeCloseTo(7.439566546, 7);
    expectClose(rest, { difference: 25, df: 119, p_value: 0.00734675627 });
    expect(rest).toMatchObject({ direction: 'higher', level: 95 });
    const third = shares.rows[1].cells[2].comparisons.rest;
    expect(third.t ** 2).toBeCloseTo(0.02204316014, 8);
    expect(third).toMatchObject({ direction: null, level: null });
    // over(…, "b1", "all", "y"); svyttest(y ~ b1, svydesign(~1, data = d))
    expectClose(means.mean.cells[0].comparisons.total, {
      difference: -0.108333333333,
      t: -0.372318448595,
      df: 118,
    });
    expectClose(means.mean.cells[0].comparisons.rest, {
      difference: -0.216666666667,
      t: -0.3725354919,
      df: 118,
      p_value: 0.710162461,
    });
    expect(shares.rows[1].cells[0]).not.toHaveProperty('letters');
    expect(test_convention.compare_with).toEqual(['total', 'rest']);
  });

  it('are tested with weights', async () => {
    const [shares, means] = (await compute({ ...body, weight: 'w' })).tables;
    // over(svydesign(~1, weights = ~w, data = d), "b1", "all", "like"); svychisq(~like + b1, …)
    const { total, rest } = shares.rows[1].cells[0].comparisons;
    expectClose(total, { difference: 12.5, t: 2.6243630054, df: 118, p_value: 0.00982909130803 });
    expect(rest.t ** 2).toBeCloseTo(6.911314567, 7);
    expectClose(rest, { p_value: 0.00969536568 });
    // over(…, "b1", "all", "y"); svyttest(y ~ b1, …)
    expectClose(means.mean.cells[0].comparisons.total, { t: -0.356584159748 });
    expectClose(means.mean.cells[0].comparisons.rest, { t: -0.3567041687, p_value: 0.721950342 });
  });

  it('are adjusted and not tested below the minimum base', async () => {
    const adjusted = await compute({ ...body, correction: 'bonferroni' });
    // p.adjust(p, "bonferroni") over the three columns
    expectClose(adjusted.tables[0].rows[1].cells[0].comparisons.total, { p_value: 3 * 0.00735520566621 });
    const small = await compute({ ...body, min_base: 50 });
    expect(small.tables[0].rows[1].cells[1].comparisons).toEqual({ total: null, rest: null });
  });
});

describe('waves', () => {
  const body = { rows: ['liked', 'y'], columns: ['wave_id'], statistics: 'all' };

  it('are compared with the previous wave and that of a year before, if they have respondents', async () => {
    const { tables } = await compute({ ...body, compare_with: ['columns', 'previous_wave', 'year_before'] });
    const [shares, means] = tables;
    // Waves 1, 2, the empty one, and 3
    const cells = shares.rows[1].cells;
    expect(cells[0].comparisons).toEqual({ previous_wave: null, year_before: null });
    // prop.test(c(like in wave 2, like in wave 1), c(40, 40), correct = FALSE): chi-square 1.5897803862^2
    expectClose(cells[1].comparisons.previous_wave, { t: 1.5897803862, df: 78, p_value: 0.115929639183 });
    expectClose(cells[3].comparisons.previous_wave, { t: 1.82574185835, p_value: 0.071716425908 });
    expect(cells[3].comparisons.previous_wave).toMatchObject({ column: 'B', direction: 'higher', level: 90 });
    expectClose(cells[3].comparisons.year_before, { t: 3.35515061469, p_value: 0.00122725200503 });
    expect(cells[3].comparisons.year_before).toMatchObject({ column: 'A', direction: 'higher', level: 95 });
    expect(cells[1].comparisons.year_before).toBeNull();
    expect(cells[3].letters).toEqual(['A', 'b']);
    // t.test(y in wave 3, y in wave 2)
    expectClose(means.mean.cells[3].comparisons.previous_wave, {
      difference: 0.325,
      t: 0.4558723985,
      df: 77.96277589,
      p_value: 0.649749015,
    });
  });

  it('are compared with weights', async () => {
    const { tables } = await compute({ ...body, weight: 'w', compare_with: ['previous_wave'] });
    // s <- subset(svydesign(~1, weights = ~w, data = d), wave %in% 1:2); svychisq(~like + wave, s); svyttest(y ~ wave, s)
    const share = tables[0].rows[1].cells[3].comparisons.previous_wave;
    expect(share.t ** 2).toBeCloseTo(4.321925453, 6);
    expectClose(share, { df: 79, p_value: 0.0408695161 });
    expectClose(tables[1].mean.cells[3].comparisons.previous_wave, {
      difference: 0.531336088154,
      t: 0.7100274332,
      df: 78,
      p_value: 0.479804517,
    });
  });

  it('are compared within other categories', async () => {
    const { tables } = await compute({
      ...body,
      columns: [['brands', 'wave_id']],
      compare_with: ['previous_wave'],
      min_base: 5,
    });
    const found = tables[0].rows[1].cells.map(
      ({ comparisons }: { comparisons: { previous_wave: { column: string } | null } }) =>
        comparisons.previous_wave?.column ?? null,
    );
    expect(found).toEqual([null, 'A', null, 'B', null, 'E', null, 'F', null, 'I', null, 'J']);
  });

  it('have strata of their own under a design with other clusters in each wave', async () => {
    const design = { method: 'linearized', weight: 'w', clusters: ['cl'] };
    await author.put(`/api/surveys/${surveyId}/design`, { design }).expect(200);
    const { tables, test_convention } = await compute({
      ...body,
      compare_with: ['previous_wave'],
      intervals: true,
    });
    // ds <- svydesign(~cl, strata = ~wave, weights = ~w, data = d); s <- subset(ds, wave %in% 1:2)
    // svychisq(~like + wave, s); svyttest(y ~ wave, s)
    const share = tables[0].rows[1].cells[3].comparisons.previous_wave;
    expect(share.t ** 2).toBeCloseTo(13.2229738, 6);
    expectClose(share, { df: 18, p_value: 0.0018881769 });
    expectClose(tables[1].mean.cells[3].comparisons.previous_wave, {
      t: 1.005680989,
      df: 17,
      p_value: 0.328669992,
    });
    // svyby(~like, ~wave, ds, svymean)
    expectClose(tables[0].rows[1].cells[3], { column_percent: 71.0743801653, se: 5.30985552614 });
    expect(test_convention).toMatchObject({ independent_waves: true, means: 'linearized_t' });
    await author.delete(`/api/surveys/${surveyId}/design`).expect(204);
  });

  it('need the wave as a column', async () => {
    await expectInvalidField(
      post({ ...body, columns: ['brands'], compare_with: ['year_before'] }),
      'compare_with',
    );
  });

  it('say that no column has an earlier wave', async () => {
    const filter = 'y >= 0 and wave_id = "Wave 1"';
    const { tables } = await compute({ ...body, filter, compare_with: ['previous_wave'] });
    expect(noteCodes(tables[0])).toContain('no_earlier_wave');
  });
});

describe('levels of significance', () => {
  it('are one or two', async () => {
    const body = { rows: ['liked'], columns: ['wave_id'], statistics: ['letters'] };
    // Letters of wave 3: p = 0.0012 and 0.0717.
    const lettersAt = async (test_levels: number[]) =>
      (await compute({ ...body, test_levels })).tables[0].rows[1].cells[3].letters;
    expect(await lettersAt([95])).toEqual(['A']);
    expect(await lettersAt([90])).toEqual(['A', 'B']);
    expect(await lettersAt([99.9, 99])).toEqual(['a']);
    await expectInvalidField(post({ ...body, test_levels: [90, 95] }), 'test_levels');
    expect((await compute({ ...body, test_levels: [99, 90] })).test_convention.levels).toEqual([99, 90]);
  });
});
