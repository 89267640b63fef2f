import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { APICLUS1_DESIGN, APICLUS1_REPLICATES, replicateSchoolSurvey } from '../../support/sampled-survey.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;

const declare = (design: object) => author.put(`/api/surveys/${surveyId}/design`, { design }).expect(200);
const read = async (code: string, query = '') =>
  (await author.get(`/api/responses/${surveyId}/distribution/${code}?intervals=true${query}`).expect(200))
    .body.data;
const crosstab = async (body: object) =>
  (await author.post(`/api/responses/${surveyId}/crosstab`, body).expect(200)).body.data;

function expectClose(actual: Record<string, number>, expected: Record<string, number>): void {
  for (const [name, value] of Object.entries(expected))
    expect(Math.abs(actual[name]! - value) / Math.max(1, Math.abs(value)), name).toBeLessThan(1e-6);
}

/** The interval of a percentage: estimate, standard error and bounds as shares of R. */
const asPercent = ([percent, se, low, high]: readonly [number, number, number, number]) => ({
  weighted_percent: 100 * percent,
  se: 100 * se,
  ci_low: 100 * low,
  ci_high: 100 * high,
});

beforeAll(async () => {
  surveyId = await replicateSchoolSurvey(author);
});

// R: rd <- svrepdesign(weights = ~pw, repweights = R, type = "JK1", combined.weights = TRUE, data = d), where R leaves one district out in each
// column; d <- transform(apiclus1, E = stype == "E", aw = awards == "Yes", ci = comp.imp == "Yes", nps = meals %% 11)
describe('figures with replicate weights', () => {
  beforeAll(() => declare(APICLUS1_REPLICATES));

  it('estimate means, quantiles and percentages', async () => {
    const { estimates, convention } = await read('api00', '&quantile_rule=math');
    // svymean(~api00, rd); confint(…, df = degf(rd))
    expectClose(estimates.mean, {
      estimate: 644.1693989,
      se: 26.59416,
      ci_low: 587.130595651,
      ci_high: 701.208202163,
      df: 14,
    });
    // svyquantile(~api00, rd, 0.5, interval.type = "mean", qrule = "math", df = degf(rd))
    expectClose(estimates.median, { estimate: 652, ci_low: 551, ci_high: 722, se: 39.8641041935 });
    expect(convention).toMatchObject({ variance: 'jk1', weight_column: 'pw', strata: null, clusters: null });
    // svyciprop(~E, rd)
    const { categories } = await read('stype');
    expectClose(categories[0], asPercent([0.786885245902, 0.0519586712418, 0.663051447629, 0.873865863838]));
  });

  it('estimate quantiles by rule', async () => {
    // svyquantile(…, qrule = "hf7")
    const { estimates } = await read('api00', '&quantile_rule=hf7');
    expectClose(estimates.p25, {
      estimate: 552.5,
      ci_low: 483.513041543,
      ci_high: 629.194659451,
      se: 33.9617964642,
    });
    // The weights are equal, so the rule of Hmisc is that of R's type 7: quantile(apiclus1$api00, 0.75)
    const { estimates: byHmisc, stats, convention } = await read('api00');
    expect(byHmisc.p75.estimate).toBe(718);
    expect(byHmisc.p75.estimate).toBe(stats.p75);
    expect(byHmisc.p75.ci_low).toBeLessThan(718);
    expect(convention.quantile_rule).toBe('hmisc');
  });

  it('treat a filter as a domain, with the degrees of freedom of the design', async () => {
    const filter = `&filter=${encodeURIComponent('{"sch_wide":["No"]}')}`;
    // s <- subset(rd, sch.wide == "No"); svymean(~api00, s); confint(…, df = degf(rd)); svyciprop(~E, s, df = degf(rd))
    const { estimates } = await read('api00', filter);
    expectClose(estimates.mean, {
      estimate: 608.043478261,
      se: 32.8098022576,
      ci_low: 537.673451145,
      ci_high: 678.413505376,
      df: 14,
    });
    const { categories } = await read('stype', filter);
    expectClose(categories[0], asPercent([0.521739130434, 0.169833459877, 0.200140722986, 0.826272670214]));
  });

  it('estimate options of a multiple choice and a Net Promoter Score', async () => {
    // svyciprop(~aw, rd)
    const wanted = asPercent([0.710382513661, 0.0343806447316, 0.631198909074, 0.778530189022]);
    expectClose((await read('features')).categories[0], wanted);
    // svymean(~ifelse(nps >= 9, 100, ifelse(nps <= 6, -100, 0)), rd)
    expectClose((await read('recommend')).estimates.nps, { estimate: -44.262295082, se: 5.33264838915 });
  });

  it('are tested in tables', async () => {
    const { tables } = await crosstab({
      rows: ['comp_imp', 'api00'],
      columns: ['stype'],
      statistics: 'all',
      intervals: true,
      min_base: 10,
    });
    // svychisq(~comp.imp + stype, rd)
    expectClose(tables[0].chi_square, {
      statistic: 3.093351288,
      df: 1.38940737,
      df2: 19.45170318,
      p_value: 0.0831039138,
    });
    // svyciprop(~ci, subset(rd, stype == "E"), df = degf(rd))
    expectClose(tables[0].rows[1].cells[0], {
      column_percent: 77.7777777778,
      se: 3.13469187789,
      ci_low: 70.2657149369,
      ci_high: 83.8287724994,
    });
    // svyttest(api00 ~ stype, subset(rd, stype %in% c("E", "H"))), of E minus H
    expectClose(tables[1].mean.tests[0], { t: 0.7975788843, df: 13, p_value: 0.439440899 });
  });
});

// R: d2 <- svydesign(~dnum, weights = ~pw, fpc = ~fpc, data = d)
describe('figures with clusters', () => {
  beforeAll(() => declare(APICLUS1_DESIGN));

  // svyciprop(~aw, d2); ~ci
  const AWARDS = asPercent([0.710382513661, 0.0330182995537, 0.63483919161, 0.775816511446]);
  const IMPROVED = asPercent([0.726775956284, 0.0303276469632, 0.657180963009, 0.786825521643]);

  it('estimate options together, and one as 0 and 1', async () => {
    const { categories } = await read('features');
    expectClose(categories[0], AWARDS);
    expectClose(categories[1], IMPROVED);
    const one = await read('features_1');
    expectClose(one.categories[1], AWARDS);
    // svymean(~aw, d2)
    expectClose(one.estimates.mean, { estimate: 0.710382513661, se: 0.0330182995537 });
  });

  it('estimate the rows of a matrix', async () => {
    const { rows } = await read('views');
    expectClose(rows[0].categories[1], AWARDS);
    expectClose(rows[1].categories[1], IMPROVED);
    expect(rows[0].convention.variance).toBe('linearized');
  });

  it('estimate numbers in classes', async () => {
    const { breaks, categories } = await read('api00', '&max_groups=3');
    expect(breaks).toEqual([400, 600, 800, 1000]);
    // svyciprop(~I(api00 >= 600 & api00 < 800), d2); ~I(api00 >= 800)
    expectClose(categories[1], asPercent([0.56284152943, 0.0945650538558, 0.360866310606, 0.745927886803]));
    expectClose(
      categories[2],
      asPercent([0.0765027322405, 0.0335295923859, 0.0290648829106, 0.186494066346]),
    );
  });

  it('estimate a Net Promoter Score and quantiles by hf7', async () => {
    // svymean(~score, d2); confint(…, df = 14)
    expectClose((await read('recommend')).estimates.nps, {
      estimate: -44.262295082,
      se: 5.0251976111,
      ci_low: -55.0402720224,
      ci_high: -33.4843181415,
    });
    // svyquantile(~api00, d2, 0.5, interval.type = "mean", qrule = "hf7", df = 14)
    expectClose((await read('api00', '&quantile_rule=hf7')).estimates.median, {
      estimate: 652,
      ci_low: 560.547629173,
      ci_high: 714.220720933,
      se: 35.82479615,
    });
  });
});
