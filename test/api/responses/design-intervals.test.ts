import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';
import { APICLUS1_DESIGN, schoolSurvey } from '../../support/sampled-survey.ts';

const test = useApp();
const organization = useOrganization(test);
let surveyId: number;

const at = (code: string, query = '') =>
  `/api/responses/${surveyId}/distribution/${code}?intervals=true${query}`;
const read = async (code: string, query = '') =>
  (await organization.admin.get(at(code, query)).expect(200)).body.data;
const expectClose = (actual: Record<string, number>, expected: Record<string, number>) => {
  for (const [name, value] of Object.entries(expected))
    expect(Math.abs(actual[name]! - value) / Math.max(1, Math.abs(value)), name).toBeLessThan(1e-6);
};

beforeAll(async () => {
  surveyId = await schoolSurvey(organization.admin, 'apiclus1');
  await organization.admin.put(`/api/surveys/${surveyId}/design`, { design: APICLUS1_DESIGN }).expect(200);
});

/** R: des <- svydesign(~dnum, weights = ~pw, fpc = ~fpc, data = apiclus1), with E <- as.numeric(stype == "E"). */
describe('figures under the design of a survey', () => {
  it('estimates a mean and a sum', async () => {
    const { estimates, convention } = await read('api00');
    // svymean(~api00, des); confint(…, df = degf(des))
    expectClose(estimates.mean, {
      estimate: 644.169398907,
      se: 23.5422406938,
      ci_low: 593.676314463,
      ci_high: 694.662483351,
      df: 14,
    });
    expect(convention).toMatchObject({
      variance: 'linearized',
      weight_column: 'pw',
      clusters: 'dnum',
      share_method: 'logit',
      quantile_rule: 'hmisc',
      level: 95,
      without_weight: 0,
    });
    // svytotal(~enroll, des)
    const { estimates: enrolled } = await read('enroll');
    expectClose(enrolled.sum, { estimate: 3404940.134529, se: 932235.027041 });
  });

  it('estimates quantiles', async () => {
    // svyquantile(~api00, des, c(.25, .5, .75), interval.type = "mean", qrule = "math", df = degf(des))
    const { estimates } = await read('api00', '&quantile_rule=math');
    expectClose(estimates.p25, { estimate: 552, ci_low: 492, ci_high: 627, se: 31.4716612054 });
    expectClose(estimates.median, { estimate: 652, ci_low: 561, ci_high: 714, se: 35.6678826995 });
    expectClose(estimates.p75, { estimate: 719, ci_low: 696, ci_high: 777, se: 18.8829967232 });
  });

  it('estimates percentages', async () => {
    // svyciprop(~E, des)
    const { categories } = await read('stype');
    expectClose(categories[0], {
      weighted_percent: 78.68852459015,
      se: 4.63365536499,
      ci_low: 67.12011344222,
      ci_high: 86.97647876365,
      df: 14,
    });
    // svyciprop(~E, des, method = "beta", level = 0.9)
    const beta = await read('stype', '&share_method=beta&level=90');
    expectClose(beta.categories[0], { ci_low: 68.9720206656, ci_high: 86.4611343869 });
  });

  it('treats a filter as a domain', async () => {
    const filter = `&filter=${encodeURIComponent('{"sch_wide":["No"]}')}`;
    // s <- subset(des, sch.wide == "No"); svymean(~api00, s); confint(…, df = degf(s))
    const { estimates } = await read('api00', filter);
    expectClose(estimates.mean, {
      estimate: 608.0434782609,
      se: 28.9876885414,
      df: 9,
      ci_low: 542.468770994,
      ci_high: 673.618185528,
    });
    // svyciprop(~E, s)
    const { categories } = await read('stype', filter);
    expectClose(categories[0], {
      se: 15.0231728621,
      ci_low: 21.8410328556,
      ci_high: 80.9840959578,
    });
  });

  it('uses the weights alone without the design', async () => {
    // svymean(~api00, svydesign(~1, weights = ~pw, data = apiclus1))
    const { estimates, convention } = await read('api00', '&design=false&weight=pw');
    expectClose(estimates.mean, { estimate: 644.169398907, se: 7.81718115963 });
    expect(convention.variance).toBe('weights');
  });

  it('treats responses without weights and design as a simple random sample', async () => {
    // t.test(apiclus1$api00)$conf.int
    const { estimates } = await read('api00', '&design=false');
    expectClose(estimates.mean, { ci_low: 628.745443231, ci_high: 659.593354583, df: 182 });
    // prop.test(144, 183, correct = FALSE)$conf.int
    const { categories, convention } = await read('stype', '&design=false');
    expectClose(categories[0], { ci_low: 72.1973020042, ci_high: 84.0000755279 });
    expect(convention).toMatchObject({ variance: 'simple_random', share_method: 'wilson' });
  });

  it('adds nothing without intervals', async () => {
    const { body } = await organization.admin
      .get(`/api/responses/${surveyId}/distribution/stype`)
      .expect(200);
    expect(body.data).not.toHaveProperty('convention');
    expect(body.data.categories[0]).not.toHaveProperty('se');
  });

  it('refuses another weight than that of the design, Wilson with weights, and levels out of range', async () => {
    const refuse = (query: string, status: number) =>
      expectRefused(organization.admin.get(at('stype', query)), status);
    expect((await refuse('&weight=enroll', 422)).details[0]!.field).toBe('weight');
    expect((await refuse('&share_method=wilson', 400)).details[0]!.field).toBe('share_method');
    expect((await refuse('&level=50', 400)).details[0]!.field).toBe('level');
  });

  it('names a column of the design that was deleted', async () => {
    const other = await schoolSurvey(organization.admin, 'apiclus1');
    await organization.admin
      .post(`/api/responses/${other}/computed-columns`, {
        column_code: 'double',
        label: 'Double',
        expression: 'pw * 2',
        type: 'number',
      })
      .expect(201);
    const design = { ...APICLUS1_DESIGN, weight: 'double' };
    await organization.admin.put(`/api/surveys/${other}/design`, { design }).expect(200);
    await organization.admin.delete(`/api/responses/${other}/derived-columns/double`).expect(204);
    const figure = `/api/responses/${other}/distribution/stype`;
    const refused = await expectRefused(
      organization.admin.get(`${figure}?intervals=true`),
      422,
      'design_invalid',
    );
    expect(refused.details[0]).toMatchObject({
      field: 'design.weight',
      message: expect.stringContaining('double'),
    });
    await organization.admin.get(figure).expect(200);
  });
});
