import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';
import { APICLUS1_DESIGN, nhanesSurvey, schoolSurvey } from '../../support/sampled-survey.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let clustered: number;
let stratified: number;

beforeAll(async () => {
  clustered = await schoolSurvey(author, 'apiclus1');
  await author.put(`/api/surveys/${clustered}/design`, { design: APICLUS1_DESIGN }).expect(200);
  stratified = await schoolSurvey(author, 'apistrat');
});

const post = (surveyId: number, body: object) => author.post(`/api/responses/${surveyId}/crosstab`, body);
const compute = async (surveyId: number, body: object) => (await post(surveyId, body).expect(200)).body.data;

function expectClose(actual: Record<string, number>, expected: Record<string, number>): void {
  for (const [name, value] of Object.entries(expected))
    expect(Math.abs(actual[name]! - value) / Math.max(1, Math.abs(value)), name).toBeLessThan(1e-6);
}

/** Improvement of schools by their type. */
const BODY = { rows: ['comp_imp', 'api00'], columns: ['stype'] };
const noteCodes = ({ notes }: { notes: { code: string }[] }) => notes.map(({ code }) => code);

// R: des <- svydesign(~dnum, weights = ~pw, fpc = ~fpc, data = apiclus1)
describe('a table under the design of the survey', () => {
  it('has intervals of percentages with the column as the domain', async () => {
    const { tables, convention, weight_column } = await compute(clustered, { ...BODY, intervals: true });
    const [{ rows, columns }] = tables;
    // s <- subset(des, stype == …); svyciprop(~I(comp.imp == "Yes"), s); degf(s)
    const wanted = [
      [77.7777777778, 2.95442746656, 70.8093878091, 83.4709814289, 14],
      [50, 11.5738431707, 25.0732090268, 74.9267909732, 7],
      [55.9999999543, 13.2600292294, 28.0234383257, 80.6218474793, 11],
    ] as const;
    for (const [index, [percent, se, low, high, df]] of wanted.entries())
      expectClose(rows[1].cells[index], { column_percent: percent, se, ci_low: low, ci_high: high, df });
    // svyciprop(~I(comp.imp == "Yes"), des)
    expectClose(rows[1].total, {
      column_percent: 72.6775956284,
      se: 3.03276469632,
      ci_low: 65.7180963009,
      ci_high: 78.6825521643,
      df: 14,
    });
    expect(columns.map(({ base }: { base: { unweighted: number } }) => base.unweighted)).toEqual([
      144, 14, 25,
    ]);
    expect(weight_column).toBe('pw');
    expect(convention).toMatchObject({
      variance: 'linearized',
      weight_column: 'pw',
      clusters: 'dnum',
      lonely_clusters: 'fail',
      share_method: 'logit',
      level: 95,
    });
  });

  it('has intervals of means', async () => {
    const [, { mean }] = (await compute(clustered, { ...BODY, intervals: true })).tables;
    // svymean(~api00, s); confint(…, df = degf(s))
    const wanted = [
      [648.868055556, 22.3624088938, 600.90545865, 696.830652461, 14],
      [618.571428571, 38.0202493594, 528.667824885, 708.475032258, 7],
      [631.44, 31.6094652272, 561.868036116, 701.011963884, 11],
    ] as const;
    for (const [index, [value, se, low, high, df]] of wanted.entries())
      expectClose(mean.cells[index], { mean: value, se, ci_low: low, ci_high: high, df });
    // svymean(~api00, des)
    expectClose(mean.total, { mean: 644.169398907, se: 23.5422406938, df: 14 });
  });

  it('has intervals by Korn and Graubard at another level', async () => {
    const body = { ...BODY, intervals: true, level: 90, share_method: 'beta' };
    const [{ rows }] = (await compute(clustered, body)).tables;
    // svyciprop(~I(comp.imp == "Yes"), s, method = "beta", level = 0.9)
    expectClose(rows[1].cells[0], { ci_low: 71.9857867874, ci_high: 82.8492777342 });
    expectClose(rows[1].cells[1], { ci_low: 28.0674357735, ci_high: 71.9325642265 });
  });

  it('is tested under the design, with intervals or without', async () => {
    const { tables, convention } = await compute(clustered, { ...BODY, statistics: 'all', min_base: 10 });
    const [shares, means] = tables;
    // svychisq(~comp.imp + stype, des)
    expectClose(shares.chi_square, {
      statistic: 3.545073723,
      df: 1.429358573,
      df2: 20.011020017,
      p_value: 0.0613543866,
    });
    // svychisq(~comp.imp + stype, subset(des, stype %in% c("E", "H"))): F = 11.2217742176, ddf = 14
    const [first] = shares.rows[1].tests;
    expect(first.t ** 2).toBeCloseTo(11.2217742176, 6);
    expectClose(first, { df: 14, p_value: 0.00476499235149 });
    expect(shares.rows[1].cells[0].letters).toEqual(['B']);
    // svyttest(api00 ~ stype, subset(des, stype %in% c("E", "H")))
    expectClose(means.mean.tests[0], { t: 1.00895911551, df: 13, p_value: 0.33140581106 });
    expectClose(means.mean.cells[0], { se: 22.3624088938 });
    expect(shares.rows[1].cells[0]).not.toHaveProperty('se');
    expect(convention.variance).toBe('linearized');
    expect(noteCodes(shares)).toContain('rao_scott');
  });

  it('treats a filter as a domain', async () => {
    const filter = { sch_wide: ['Yes'] };
    const [table] = (await compute(clustered, { ...BODY, filter, intervals: true })).tables;
    // svychisq(~comp.imp + stype, subset(des, sch.wide == "Yes"))
    expectClose(table.chi_square, {
      statistic: 1.588854942,
      df: 1.58122695,
      df2: 22.1371773,
      p_value: 0.226989522,
    });
    // svyciprop(~I(comp.imp == "Yes"), subset(des, sch.wide == "Yes" & stype == "E"))
    expectClose(table.rows[1].cells[0], {
      column_percent: 84.8484848485,
      se: 2.30338463672,
      ci_low: 79.2240569307,
      ci_high: 89.1586411819,
      df: 14,
    });
  });

  it('says that the design is not used if it is turned off', async () => {
    const { tables, weight_column, convention } = await compute(clustered, { ...BODY, design: false });
    expect(weight_column).toBeNull();
    expect(convention).toBeUndefined();
    // chisq.test(table(apiclus1$comp.imp, apiclus1$stype), correct = FALSE)
    expect(tables[0].chi_square).toMatchObject({ test: 'pearson', df: 2 });
    expect(noteCodes(tables[0])).toContain('design_not_used');
  });

  it('refuses another weight than that of the design', async () => {
    const refused = await expectRefused(
      post(clustered, { ...BODY, weight: 'enroll' }),
      422,
      'design_invalid',
    );
    expect(refused.details[0]!.field).toBe('weight');
    await post(clustered, { ...BODY, weight: 'enroll', design: false }).expect(200);
    expect((await compute(clustered, { ...BODY, weight: 'pw' })).convention.variance).toBe('linearized');
    const { details } = await expectRefused(
      post(clustered, { ...BODY, intervals: true, share_method: 'wilson' }),
      400,
    );
    expect(details[0]!.field).toBe('share_method');
    await expectRefused(post(clustered, { ...BODY, intervals: true, level: 50 }), 400);
  });
});

describe('a table without a design', () => {
  it('has intervals of the weights alone', async () => {
    const { tables, convention } = await compute(stratified, { ...BODY, weight: 'pw', intervals: true });
    // w <- svydesign(~1, weights = ~pw, data = apistrat); s <- subset(w, stype == …); svyciprop(~I(comp.imp == "Yes"), s)
    expectClose(tables[0].rows[1].cells[0], {
      se: 4.3409931013,
      ci_low: 65.4578726895,
      ci_high: 82.6065814749,
      df: 99,
    });
    expectClose(tables[0].rows[1].cells[1], {
      se: 6.71606489235,
      ci_low: 22.0159050222,
      ci_high: 48.4542755225,
      df: 49,
    });
    // svymean(~api00, s); confint(…, df = degf(s))
    expectClose(tables[1].mean.cells[2], {
      se: 16.5023890459,
      ci_low: 603.43720762,
      ci_high: 669.76279238,
      df: 49,
    });
    expect(convention).toMatchObject({ variance: 'weights', share_method: 'logit' });
  });

  it('has intervals by Wilson without weights', async () => {
    const { tables, convention } = await compute(stratified, { ...BODY, intervals: true });
    // prop.test(x, n, correct = FALSE)$conf.int
    expectClose(tables[0].rows[1].cells[0], { ci_low: 65.6955364519, ci_high: 82.4547886377 });
    expectClose(tables[0].rows[1].cells[2], { ci_low: 34.7971352866, ci_high: 61.48825511 });
    expect(tables[0].rows[1].cells[0].df).toBeNull();
    // t.test(api00)$conf.int of each type
    expectClose(tables[1].mean.cells[1], { ci_low: 594.756504454, ci_high: 656.883495546, df: 49 });
    expect(convention).toMatchObject({ variance: 'simple_random', share_method: 'wilson' });
  });

  it('has the figures of before without intervals', async () => {
    const { tables, convention } = await compute(stratified, BODY);
    expect(convention).toBeUndefined();
    expect(tables[0].rows[0].cells[0]).not.toHaveProperty('se');
    expect(tables[1].mean.cells[0]).not.toHaveProperty('ci_low');
  });
});

// svychisq(~HI_CHOL + race, svydesign(~SDMVPSU, strata = ~SDMVSTRA, weights = ~WTMEC2YR, nest = TRUE, data = nhanes))
it('tests a national sample under its design, and with its weights alone', async () => {
  const surveyId = await nhanesSurvey(author);
  const body = { rows: ['chol'], columns: ['race'], weight: 'WTMEC2YR' };
  // svychisq(~HI_CHOL + race, svydesign(~1, weights = ~WTMEC2YR, data = nhanes))$p.value
  const [alone] = (await compute(surveyId, body)).tables;
  expectClose(alone.chi_square, { p_value: 0.0035688 });
  const design = { method: 'linearized', weight: 'WTMEC2YR', strata: 'SDMVSTRA', clusters: ['SDMVPSU'] };
  await author.put(`/api/surveys/${surveyId}/design`, { design }).expect(200);
  const { tables, convention } = await compute(surveyId, { ...body, intervals: true });
  expectClose(tables[0].chi_square, {
    statistic: 3.15133862171,
    df: 1.9229766794,
    df2: 30.76762687,
    p_value: 0.0586747436855,
  });
  expect(convention).toMatchObject({ strata: 'SDMVSTRA', clusters: 'SDMVPSU' });
  // svyby(~HI_CHOL, ~race, design, svymean, na.rm = TRUE)
  for (const [index, [percent, se]] of [
    [10.149166545, 0.624584330875],
    [12.1649205356, 0.660413362353],
    [7.86400603991, 1.0384645],
    [9.96786094771, 2.46662268719],
  ].entries())
    expectClose(tables[0].rows[1].cells[index], { column_percent: percent!, se: se! });
});
