import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { APICLUS1_DESIGN, schoolSurvey } from '../../support/sampled-survey.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
let surveyId: number;

const at = (id = surveyId) => `/api/surveys/${id}/design`;
const save = (design: object) => organization.admin.put(at(), { design });

beforeAll(async () => {
  surveyId = await schoolSurvey(organization.admin, 'apiclus1');
});

describe('the sampling design of a survey', () => {
  it('is null before it is saved and after it is deleted', async () => {
    const none = { design: null, check: null };
    expect((await organization.admin.get(at()).expect(200)).body.data).toEqual(none);
    await save(APICLUS1_DESIGN).expect(200);
    await organization.admin.delete(at()).expect(204);
    await organization.admin.delete(at()).expect(204);
    expect((await organization.admin.get(at()).expect(200)).body.data).toEqual(none);
  });

  it('returns what it makes of the responses', async () => {
    const saved = (await save(APICLUS1_DESIGN).expect(200)).body.data;
    expect(saved).toEqual({
      design: { ...APICLUS1_DESIGN, lonely_clusters: 'fail' },
      // degf(svydesign(~dnum, weights = ~pw, fpc = ~fpc, data = apiclus1)): 14
      check: {
        responses: 183,
        without_weight: 0,
        without_stratum: 0,
        without_cluster: 0,
        strata: 1,
        clusters: 15,
        degrees_of_freedom: 14,
        problems: [],
      },
    });
    expect((await organization.admin.get(at()).expect(200)).body.data).toEqual(saved);
  });

  it('replaces the design that is there', async () => {
    await save(APICLUS1_DESIGN).expect(200);
    await save({ method: 'linearized', strata: 'stype' }).expect(200);
    const { design, check } = (await organization.admin.get(at()).expect(200)).body.data;
    expect(design).toEqual({ method: 'linearized', strata: 'stype', clusters: [], lonely_clusters: 'fail' });
    expect(check).toMatchObject({ strata: 3, clusters: 183, degrees_of_freedom: 180 });
  });

  it('refuses columns that do not exist, cannot have the role or have two roles', async () => {
    for (const [design, field, message] of [
      [{ method: 'linearized', strata: 'region' }, 'strata', /region/],
      [{ method: 'linearized', clusters: ['comment'] }, 'clusters[0]', /text that respondents write/],
      [{ method: 'linearized', weight: 'stype' }, 'weight', /must be a number column/],
      [
        { method: 'linearized', strata: 'dnum', clusters: ['dnum'] },
        'clusters[0]',
        /already the design.strata/,
      ],
      [{ method: 'jk1', weight: 'pw', replicates: ['api99', 'api98'] }, 'replicates[1]', /api98/],
      [{ method: 'jkn', weight: 'pw', replicates: ['api99', 'api00'] }, 'rscales', /required for jkn/],
      [
        { method: 'jk1', weight: 'pw', replicates: ['api99', 'api00'], rscales: [1, 1, 1] },
        'rscales',
        /2 numbers/,
      ],
      [
        { method: 'linearized', population: { kind: 'sizes', value: 757, column_code: 'fpc' } },
        'population',
        /one of/,
      ],
    ] as const) {
      const { details } = await expectRefused(save(design), 400);
      expect(details[0]!.field).toBe(`design.${field}`);
      expect(details[0]!.message).toMatch(message);
    }
  });

  it('reports strata with one cluster, and a population that the sample exceeds', async () => {
    // Each value of api99 but a few is one school.
    const lonely = (await save({ method: 'linearized', strata: 'api99' }).expect(200)).body.data.check;
    expect(lonely.problems).toEqual([
      { field: 'design.lonely_clusters', message: expect.stringContaining('one cluster') },
    ]);
    const adjusted = await save({ method: 'linearized', strata: 'api99', lonely_clusters: 'adjust' });
    expect(adjusted.body.data.check.problems).toEqual([]);
    const small = { method: 'linearized', clusters: ['dnum'], population: { kind: 'sizes', value: 10 } };
    const exceeded = (await save(small).expect(200)).body.data.check;
    expect(exceeded.problems[0].message).toContain('15 clusters');
    const varying = { ...small, population: { kind: 'sizes', column_code: 'enroll' } };
    const { problems } = (await save(varying).expect(200)).body.data.check;
    expect(problems[0]).toMatchObject({
      field: 'design.population.column_code',
      message: expect.stringContaining('must be the same'),
    });
  });

  it('counts responses without a weight or a cluster', async () => {
    const other = await schoolSurvey(organization.admin, 'apiclus1');
    const rows = [
      { pw: 1, fpc: 757 },
      { dnum: 1, fpc: 757 },
      { dnum: 1, pw: -1 },
      { dnum: 1, pw: 0 },
    ];
    await organization.admin
      .post(`/api/responses/${other}/rows`, { rows: rows.map((answers) => ({ answers })) })
      .expect(201);
    const reply = await organization.admin.put(at(other), { design: APICLUS1_DESIGN }).expect(200);
    expect(reply.body.data.check).toMatchObject({
      responses: 183,
      without_weight: 3,
      without_cluster: 1,
      problems: [],
    });
  });

  it('is in copies and survey files', async () => {
    await save(APICLUS1_DESIGN).expect(200);
    const copy = await organization.admin.post(`/api/surveys/${surveyId}/duplicate`, {}).expect(201);
    const copied = await organization.admin.get(at(copy.body.data.survey_id)).expect(200);
    expect(copied.body.data.design).toMatchObject(APICLUS1_DESIGN);
    const file = await organization.admin.get(`/api/surveys/${surveyId}/export`).expect(200);
    const imported = await organization.admin.post('/api/surveys/import', file.body.data).expect(201);
    const read = await organization.admin.get(at(imported.body.data.survey_id)).expect(200);
    expect(read.body.data.design).toMatchObject(APICLUS1_DESIGN);
  });

  it('is erased with its survey', async () => {
    const other = await schoolSurvey(organization.admin, 'apiclus1');
    await organization.admin.put(at(other), { design: APICLUS1_DESIGN }).expect(200);
    await organization.admin.delete(`/api/surveys/${other}`).expect(204);
    await test.database
      .db('surveys')
      .where({ survey_id: other })
      .update({ deleted_at: new Date(0) });
    await test.container.services.deletedDataPurge.run();
    expect(await test.database.db('survey_designs').where({ survey_id: other })).toEqual([]);
  });

  it('is recorded in the audit log', async () => {
    await save(APICLUS1_DESIGN).expect(200);
    const entries = await test.database.db('audit_log').where({ action: 'survey.design_saved' });
    expect(entries.length).toBeGreaterThan(0);
  });
});
