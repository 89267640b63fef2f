import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, publish, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);

const ARMS = [
  { arm_code: 'A', arm_label: 'Oat milk' },
  { arm_code: 'B', arm_label: 'Cold brew', share: 2 },
];

/** Six pages with a question each. */
const sixPages = (): Promise<TestSurvey> =>
  draftSurvey(
    organization.admin,
    ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6'].map((code) => [choice(code)]),
  );
const blocksOf = (surveyId: number) => `/api/surveys/${surveyId}/blocks`;
const pageOrder = async (surveyId: number): Promise<number[]> => {
  const { body } = await organization.admin.get(`/api/surveys/${surveyId}/pages`).expect(200);
  return body.data.map((page: { page_id: number }) => page.page_id);
};

describe('a block', () => {
  it('gathers its pages at the place of the first, and releases them', async () => {
    const { admin } = organization;
    const { surveyId, pageIds } = await sixPages();
    const [p1, p2, p3, p4, p5, p6] = pageIds;
    const created = await admin
      .post(blocksOf(surveyId), { block_title: 'Brands', arms: ARMS, page_ids: [p5, p2] })
      .expect(201);
    expect(created.body.data).toMatchObject({
      block_code: 'BLOCK1',
      page_ids: [p5, p2],
      arms: [
        { arm_code: 'A', arm_label: 'Oat milk', share: 1 },
        { arm_code: 'B', arm_label: 'Cold brew', share: 2 },
      ],
      arm_assignment: 'random',
    });
    expect(await pageOrder(surveyId)).toEqual([p1, p5, p2, p3, p4, p6]);
    const blockId = created.body.data.block_id;
    await admin.put(`${blocksOf(surveyId)}/${blockId}`, { page_ids: [p2, p3] }).expect(200);
    const { body } = await admin.get(blocksOf(surveyId)).expect(200);
    expect(body.data[0].page_ids).toEqual([p2, p3]);
    await admin.delete(`${blocksOf(surveyId)}/${blockId}`).expect(204);
    expect((await admin.get(blocksOf(surveyId)).expect(200)).body.data).toEqual([]);
    expect(await pageOrder(surveyId)).toHaveLength(6);
  });

  it('keeps its pages together when pages move', async () => {
    const { admin } = organization;
    const { surveyId, pageIds } = await sixPages();
    const [p1, p2, p3, p4, p5, p6] = pageIds as [number, number, number, number, number, number];
    const outer = (await admin.post(blocksOf(surveyId), { page_ids: [p2, p3, p4, p5] }).expect(201)).body
      .data;
    const inner = (
      await admin
        .post(blocksOf(surveyId), { parent_block_id: outer.block_id, page_ids: [p3, p4] })
        .expect(201)
    ).body.data;
    const blockOf = async (pageId: number) =>
      (await admin.get(`/api/surveys/${surveyId}/pages/${pageId}`).expect(200)).body.data.block_id;
    await expectInvalidField(
      admin.put(`/api/surveys/${surveyId}/pages/reorder`, { page_ids: [p3, p1, p2, p4, p5, p6] }),
      'page_ids',
    );
    await admin.put(`/api/surveys/${surveyId}/pages/${p1}`, { position: 3 }).expect(200);
    expect(await pageOrder(surveyId)).toEqual([p2, p3, p1, p4, p5, p6]);
    expect(await blockOf(p1)).toBe(inner.block_id);
    await admin.put(`/api/surveys/${surveyId}/pages/${p1}`, { position: 6 }).expect(200);
    expect(await blockOf(p1)).toBe(null);
    await admin.put(`/api/surveys/${surveyId}/pages/${p1}`, { block_id: inner.block_id }).expect(200);
    expect(await pageOrder(surveyId)).toEqual([p2, p3, p4, p1, p5, p6]);
    await admin.put(`/api/surveys/${surveyId}/pages/${p1}`, { block_id: null }).expect(200);
    expect(await pageOrder(surveyId)).toEqual([p2, p3, p4, p5, p1, p6]);
  });

  it('refuses what cannot be, and names the field', async () => {
    const { admin } = organization;
    const { surveyId, pageIds } = await sixPages();
    const path = blocksOf(surveyId);
    const block = (await admin.post(path, { block_code: 'CONCEPT', page_ids: [pageIds[1]] }).expect(201)).body
      .data;
    const inner = (await admin.post(path, { parent_block_id: block.block_id, page_ids: [] }).expect(201)).body
      .data;
    await expectInvalidField(admin.post(path, { block_code: 'concept' }), 'block_code');
    await expectInvalidField(
      admin.post(path, { arms: [{ arm_code: 'A', share: 0 }, { arm_code: 'B' }] }),
      'arms[0].share',
    );
    await expectInvalidField(admin.post(path, { arms: [{ arm_code: 'A' }] }), 'arms');
    await expectInvalidField(
      admin.post(path, { arms: [{ arm_code: 'A' }, { arm_code: 'a' }] }),
      'arms[1].arm_code',
    );
    await expectInvalidField(admin.post(path, { block_arrangement: { show: 0 } }), 'block_arrangement.show');
    await expectInvalidField(
      admin.post(path, { block_arrangement: { pinned: [0] } }),
      'block_arrangement.pinned[0]',
    );
    await expectInvalidField(admin.post(path, { page_ids: [999_999] }), 'page_ids[0]');
    await expectInvalidField(admin.post(path, { block_logic: { skip: [] } }), 'block_logic.skip');
    await expectInvalidField(
      admin.put(`${path}/${block.block_id}`, { parent_block_id: inner.block_id }),
      'parent_block_id',
    );
    await expectInvalidField(
      admin.put(`${path}/${block.block_id}`, { parent_block_id: block.block_id }),
      'parent_block_id',
    );
    await expectInvalidField(
      admin.put(`/api/surveys/${surveyId}/pages/${pageIds[1]}`, { shown_to_arm: 'A' }),
      'shown_to_arm',
    );
    await expectInvalidField(
      admin.put(`/api/surveys/${surveyId}/pages/${pageIds[1]}`, { block_id: 999_999 }),
      'block_id',
    );
  });

  it('is part of exports, copies and versions', async () => {
    const { admin } = organization;
    const { surveyId, pageIds } = await sixPages();
    const outer = (
      await admin
        .post(blocksOf(surveyId), {
          block_code: 'CONCEPT',
          arms: ARMS,
          arm_assignment: 'least_filled',
          block_arrangement: { order: 'random', pinned: [1] },
          page_ids: pageIds.slice(1, 4),
        })
        .expect(201)
    ).body.data;
    await admin
      .post(blocksOf(surveyId), {
        block_code: 'INNER',
        parent_block_id: outer.block_id,
        page_ids: [pageIds[2]],
      })
      .expect(201);
    await admin.put(`/api/surveys/${surveyId}/pages/${pageIds[1]}`, { shown_to_arm: 'A' }).expect(200);
    await admin
      .put(`/api/surveys/${surveyId}`, { survey_arrangement: { order: 'random', pinned: [1, 4] } })
      .expect(200);
    const file = (await admin.get(`/api/surveys/${surveyId}/export`).expect(200)).body.data;
    const copy = (await admin.post(`/api/surveys/import`, file).expect(201)).body.data;
    const again = (await admin.get(`/api/surveys/${copy.survey_id}/export`).expect(200)).body.data;
    expect(again).toEqual(file);
    expect(file.survey.blocks).toHaveLength(2);
    await publish(admin, surveyId);
    await admin
      .put(`${blocksOf(surveyId)}/${outer.block_id}`, { arms: [], block_arrangement: null })
      .expect(400);
    await admin.put(`/api/surveys/${surveyId}/pages/${pageIds[1]}`, { shown_to_arm: null }).expect(200);
    await admin
      .put(`${blocksOf(surveyId)}/${outer.block_id}`, { arms: [], block_arrangement: null })
      .expect(200);
    await admin.put(`/api/surveys/${surveyId}`, { survey_arrangement: null }).expect(200);
    await admin.put(`${blocksOf(surveyId)}/${outer.block_id}`, { block_code: 'OTHER' }).expect(409);
    const { body } = await admin.get(`/api/surveys/${surveyId}/versions/1/diff/draft`).expect(200);
    const fields = (body.data.changes as { field: string }[]).map(({ field }) => field);
    expect(fields).toEqual(
      expect.arrayContaining(['arms', 'block_arrangement', 'survey_arrangement', 'shown_to_arm']),
    );
    await admin.post(`/api/surveys/${surveyId}/versions/1/restore`).expect(200);
    const restored = (await admin.get(`/api/surveys/${surveyId}/export`).expect(200)).body.data;
    expect(restored).toEqual(file);
  });
});

describe('the publish check', () => {
  const problemsOf = async (surveyId: number) =>
    (await organization.admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200)).body.data;

  it('finds logic that points into a shuffled part, and arrangements that do not fit', async () => {
    const { admin } = organization;
    const { surveyId, pageIds, questionIds } = await sixPages();
    const block = (
      await admin
        .post(blocksOf(surveyId), {
          block_code: 'SHUFFLED',
          block_arrangement: { order: 'random' },
          page_ids: pageIds.slice(1, 4),
        })
        .expect(201)
    ).body.data;
    const question = (code: string, logic: object) =>
      admin
        .put(`/api/surveys/${surveyId}/questions/${questionIds[code]}`, { question_settings: { logic } })
        .expect(200);
    await question('Q3', { display: { Q2: ['1'] } });
    await question('Q5', { display: { Q2: ['1'] } });
    await admin
      .put(`/api/surveys/${surveyId}/pages/${pageIds[0]}`, {
        page_logic: { skip: [{ when: { Q1: ['1'] }, action: 'jump_to_page', target_page: 3 }] },
      })
      .expect(200);
    const { problems } = await problemsOf(surveyId);
    expect(problems.map(({ code, field }: { code: string; field: string }) => [code, field])).toEqual([
      ['shuffled_reference', 'pages[0].page_logic.skip[0].target_id'],
      ['shuffled_reference', 'pages[2].questions[0].question_settings.logic.display.conditions[0].left'],
    ]);
    await admin
      .put(`${blocksOf(surveyId)}/${block.block_id}`, {
        block_arrangement: { order: 'random', pinned: [1, 7], show: 9 },
      })
      .expect(200);
    const fields = (await problemsOf(surveyId)).problems.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(
      expect.arrayContaining(['blocks[0].block_arrangement.pinned[1]', 'blocks[0].block_arrangement.show']),
    );
    // Q2 is pinned to the first place, so that Q3 always comes after it.
    expect(fields).not.toContain('pages[2].questions[0].question_settings.logic.display.conditions[0].left');
  });

  it('warns of what some respondents are not shown', async () => {
    const { admin } = organization;
    const { surveyId, pageIds, questionIds } = await sixPages();
    await admin
      .post(blocksOf(surveyId), { block_arrangement: { show: 1 }, page_ids: pageIds.slice(1, 4) })
      .expect(201);
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q6}`, {
        question_settings: { logic: { display: { Q2: ['1'] } } },
      })
      .expect(200);
    const { problems, warnings } = await problemsOf(surveyId);
    expect(problems).toEqual([]);
    expect(
      warnings.map(({ code, question_code }: { code: string; question_code: string }) => [
        code,
        question_code,
      ]),
    ).toContainEqual(['left_out_reference', 'Q6']);
  });
});

describe('respondents of an experiment', () => {
  let survey: TestSurvey & { linkToken: string };
  let blockId: number;
  beforeAll(async () => {
    const { admin } = organization;
    const draft = await sixPages();
    const { surveyId, pageIds } = draft;
    blockId = (
      await admin
        .post(blocksOf(surveyId), {
          block_code: 'CONCEPT',
          arms: ARMS.map((arm) => ({ ...arm, share: 1 })),
          arm_assignment: 'least_filled',
          page_ids: pageIds.slice(1, 4),
        })
        .expect(201)
    ).body.data.block_id;
    await admin.put(`/api/surveys/${surveyId}/pages/${pageIds[1]}`, { shown_to_arm: 'A' }).expect(200);
    await admin.put(`/api/surveys/${surveyId}/pages/${pageIds[2]}`, { shown_to_arm: 'B' }).expect(200);
    survey = { ...draft, ...(await publish(admin, surveyId)) };
  });

  it('get the least filled arm, and their data have it', async () => {
    const respondent = anonymous(test);
    const path = `/api/public/s/${survey.linkToken}/responses`;
    const arms: string[] = [];
    for (let person = 0; person < 6; person++) {
      const started = (
        await respondent
          .post(path, {
            submission_id: `person-${person}`,
            client_secret: `secret-of-person-${person}-0`,
            status: 'partial',
            answers: {},
          })
          .expect(201)
      ).body.data;
      expect(started).not.toHaveProperty('arms');
      const page = (
        await respondent
          .patch(`${path}/${started.response_token}`, { page_id: survey.pageIds[0], answers: { Q1: '1' } })
          .expect(200)
      ).body.data;
      const arm: string = page.arms[blockId];
      expect(page.next_page_id).toBe(survey.pageIds[arm === 'A' ? 1 : 2]);
      arms.push(arm);
      const resumed = (await respondent.get(`${path}/${started.response_token}`).expect(200)).body.data;
      expect(resumed.arms[blockId]).toBe(arm);
      await respondent
        .post(`${path}/${started.response_token}/complete`, { answers: { Q2: '1', Q3: '2', Q4: '1' } })
        .expect(200);
    }
    for (const pair of [0, 2, 4]) expect(arms.slice(pair, pair + 2).sort()).toEqual(['A', 'B']);
    const whole = (await respondent.post(path, { answers: { Q1: '1' } }).expect(201)).body.data;
    expect(whole.response_status).toBe('complete');
    const { admin } = organization;
    const csv = (await exportResponses(admin, survey.surveyId, { format: 'csv' })).file.toString();
    const [head, ...rows] = csv
      .trim()
      .split('\n')
      .map((line) => line.replace('\r', '').split(','));
    const at = (name: string) => head!.indexOf(name);
    expect(at('CONCEPT_arm')).toBeGreaterThan(0);
    for (const row of rows.slice(0, 6)) {
      const isA = row[at('CONCEPT_arm')] === 'A';
      expect([row[at('Q2')] === '1', row[at('Q3')] === '2']).toEqual([isA, !isA]);
      expect(row[at('Q4_position')]).toBe('3');
      expect(row[at(isA ? 'Q3_position' : 'Q2_position')]).toBe('');
    }
    const armIsA = { left: { type: 'arm', code: 'CONCEPT' }, operator: 'equals', right: 'A' };
    const count = async (filter: unknown) => {
      const { body } = await admin
        .post(`/api/responses/${survey.surveyId}/crosstab`, { rows: ['CONCEPT_arm'], filter })
        .expect(200);
      return body.data.responses as number;
    };
    expect(await count(armIsA)).toBe(await count("CONCEPT_arm = 'A'"));
    expect((await count(armIsA)) + (await count("CONCEPT_arm = 'B'"))).toBe(7);
    const { body: wave } = await admin
      .post('/api/surveys/waves', { survey_id: survey.surveyId, wave_name: 'A wave' })
      .expect(201);
    await expectInvalidField(
      admin.patch(`/api/surveys/waves/${wave.data.wave_id}/quotas`, {
        quotas: [
          { quota_name: 'Arms', mode: 'hard', cells: [{ cell_label: 'A', condition: armIsA, target: 1 }] },
        ],
      }),
      'quotas[0].cells[0].condition',
    );
  });
});
