import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { startResponse } from '../../support/start-response.ts';
import { draftSurvey, publish, type TestSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
let visitor: Actor;
beforeAll(() => {
  visitor = anonymous(app);
});

const BRANDS = {
  question_code: 'Q1',
  question_type: 'multiple_choice',
  question_text: 'Which brands do you know?',
  options: [
    { option_value: 'OAT', option_label: 'Oatly' },
    { option_value: 'ALP', option_label: 'Alpro' },
    { option_value: 'NOB', option_label: 'No brand' },
    { option_value: 'NONE', option_label: 'None of these', option_exclusive: true },
  ],
};
const LIKING = {
  question_code: 'Q2',
  question_type: 'scale',
  question_text: 'How much do you like {{item.label}}, for {{item.price}}?',
};
const REASON = {
  question_code: 'Q3',
  question_type: 'text',
  question_text: 'Why not?',
  question_settings: { logic: { display: { left: { code: 'Q2' }, operator: 'lte', right: 3 } } },
};

const LOOP = {
  over: 'chosen',
  question_code: 'Q1',
  items: [
    { item_code: 'OAT', attributes: { price: '€2' } },
    { item_code: 'ALP', attributes: { price: '€3' } },
  ],
};

/** A question for brands, a loop with a question for each brand and its reason, and a last question. */
async function loopSurvey(loop: Record<string, unknown> = LOOP): Promise<TestSurvey & { blockId: number }> {
  const draft = await draftSurvey(organization.admin, [[BRANDS], [LIKING], [REASON], [choice('Q9')]]);
  const { body } = await organization.admin
    .post(`/api/surveys/${draft.surveyId}/blocks`, {
      block_code: 'BRAND',
      block_loop: loop,
      page_ids: draft.pageIds.slice(1, 3),
    })
    .expect(201);
  return { ...draft, blockId: body.data.block_id };
}

const answerAll = (linkToken: string, answers: object) =>
  visitor.post(`/api/public/s/${linkToken}/responses`, { answers }).expect(201);

const problemsOf = async (surveyId: number): Promise<[string, string, string][]> => {
  const { body } = await organization.admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
  return body.data.problems.map(({ code, field, message }: Record<string, string>) => [code, field, message]);
};

/** Codes and texts of the questions that the link shows. */
const questionsOf = async (linkToken: string): Promise<[string, string][]> => {
  const { body } = await visitor.get(`/api/public/s/${linkToken}`).expect(200);
  return body.data.pages.flatMap(({ questions }: { questions: Record<string, string>[] }) =>
    questions.map(({ question_code: code, question_text: text }) => [code, text]),
  );
};

const columnsOf = async (surveyId: number): Promise<{ column_code: string; label: string }[]> =>
  (await organization.admin.get(`/api/responses/${surveyId}/grid`).expect(200)).body.data.columns;

describe('a loop', () => {
  it('is shown for each chosen option, with its texts, references and columns', async () => {
    const { admin } = organization;
    const draft = await loopSurvey();
    const survey = await publish(admin, draft.surveyId);
    expect(await questionsOf(survey.linkToken)).toEqual([
      ['Q1', 'Which brands do you know?'],
      ['Q2[OAT]', 'How much do you like Oatly, for €2?'],
      ['Q3[OAT]', 'Why not?'],
      ['Q2[ALP]', 'How much do you like Alpro, for €3?'],
      ['Q3[ALP]', 'Why not?'],
      ['Q2[NOB]', 'How much do you like No brand, for?'],
      ['Q3[NOB]', 'Why not?'],
      ['Q9', 'Which for Q9?'],
    ]);
    // Alpro was not chosen; the liking of Oatly asks for no reason.
    await answerAll(survey.linkToken, {
      Q1: ['OAT', 'NOB'],
      'Q2[OAT]': 5,
      'Q3[OAT]': 'Not asked',
      'Q2[NOB]': 2,
      'Q3[NOB]': 'Dull',
      'Q2[ALP]': 4,
      Q9: '1',
    });
    const { file } = await exportResponses(admin, draft.surveyId, {
      format: 'csv',
      columns: ['Q2[OAT]', 'Q3[OAT]', 'Q2[ALP]', 'Q2[NOB]', 'Q3[NOB]', 'Q9'],
      bom: false,
    });
    expect(file.toString().trim().split(/\r?\n/)).toEqual([
      'Q2[OAT],Q3[OAT],Q2[ALP],Q2[NOB],Q3[NOB],Q9',
      '5,,,2,Dull,1',
    ]);
    const labels = (await columnsOf(draft.surveyId)).filter(({ column_code: code }) => code.startsWith('Q3'));
    expect(labels.map(({ label }) => label)).toEqual([
      'Why not? – Oatly',
      'Why not? – Alpro',
      'Why not? – No brand',
    ]);
  });

  it('is answered page by page, and asks for at most so many items', async () => {
    const { admin } = organization;
    const draft = await loopSurvey({ ...LOOP, order: 'random', max_items: 2 });
    const survey = await publish(admin, draft.surveyId);
    const seen = new Map<string, number>();
    for (let person = 0; person < 30; person++) {
      const response = await startResponse(visitor, survey.linkToken, { submission_id: `person-${person}` });
      let { body } = await response.save({ Q1: ['OAT', 'ALP', 'NOB'] }, draft.pageIds[0]).expect(200);
      const items: string[] = [];
      for (;;) {
        const pages = (await visitor.get(`/api/public/s/${survey.linkToken}`)).body.data.pages;
        const next = pages.find(({ page_id: id }: { page_id: number }) => id === body.data.next_page_id);
        const [question] = next.questions;
        if (question.question_code === 'Q9') break;
        items.push(question.question_code);
        ({ body } = await response.save({ [question.question_code]: 5 }, next.page_id).expect(200));
      }
      await response.complete({ Q9: '1' }).expect(200);
      expect(items).toHaveLength(2);
      seen.set(items.join(' '), (seen.get(items.join(' ')) ?? 0) + 1);
    }
    // Every ordered pair of three brands.
    expect(seen.size).toBe(6);
    const { body } = await admin.get(`/api/responses/${draft.surveyId}/grid?limit=1`).expect(200);
    const [{ values: row }] = body.data.rows;
    const places = ['OAT', 'ALP', 'NOB'].map((item) => row[`Q2[${item}]_position`]);
    expect(places.filter((place) => place !== null).sort()).toEqual([2, 3]);
  });

  it('calculates values of the same item', async () => {
    const { admin } = organization;
    const calculated = (question_code: string, expression: string, extra: object = {}) => ({
      question_code,
      question_type: 'calculated',
      question_text: 'Value',
      question_settings: { expression, ...extra },
    });
    const draft = await draftSurvey(admin, [
      [BRANDS],
      [LIKING, { ...BRANDS, question_code: 'WHERE', question_text: 'Where?' }],
      [calculated('DOUBLE', 'q2 * 2 + `WHERE_1`')],
      [calculated('TOTAL', 'sum(`DOUBLE[OAT]`, DOUBLE[ALP])')],
    ]);
    await admin
      .post(`/api/surveys/${draft.surveyId}/blocks`, {
        block_loop: LOOP,
        page_ids: draft.pageIds.slice(1, 3),
      })
      .expect(201);
    const survey = await publish(admin, draft.surveyId);
    await answerAll(survey.linkToken, {
      Q1: ['OAT', 'ALP'],
      'Q2[OAT]': 5,
      'WHERE[OAT]': ['OAT'],
      'Q2[ALP]': 2,
      'WHERE[ALP]': ['ALP'],
    });
    const { body } = await admin.get(`/api/responses/${draft.surveyId}/grid`).expect(200);
    expect(body.data.rows[0].values).toMatchObject({ 'DOUBLE[OAT]': 11, 'DOUBLE[ALP]': 4, TOTAL: 15 });
  });

  it('goes over what was not chosen, without what was not offered', async () => {
    const { admin } = organization;
    const draft = await loopSurvey({ ...LOOP, over: 'not_chosen' });
    const options = (await admin.get(`/api/surveys/${draft.surveyId}/questions/${draft.questionIds.Q1}`)).body
      .data.options;
    const hide = {
      [options[2].option_code]: { left: { type: 'hidden', code: 'never' }, operator: 'answered' },
    };
    await admin
      .put(`/api/surveys/${draft.surveyId}/questions/${draft.questionIds.Q1}`, {
        question_settings: { logic: { options: hide } },
      })
      .expect(200);
    const survey = await publish(admin, draft.surveyId);
    await answerAll(survey.linkToken, { Q1: ['OAT'], 'Q2[OAT]': 1, 'Q2[ALP]': 4, 'Q2[NOB]': 3, Q9: '1' });
    const { body } = await admin.get(`/api/responses/${draft.surveyId}/grid`).expect(200);
    const [{ values: row }] = body.data.rows;
    expect([row['Q2[OAT]'], row['Q2[ALP]'], row['Q2[NOB]']]).toEqual([null, 4, null]);
  });

  it('goes over a list, in the language of the respondent', async () => {
    const { admin } = organization;
    const items = [
      { item_code: 'mon', item_label: 'Monday', translations: { de: { item_label: 'Montag' } } },
      { item_code: 'sun', item_label: 'Sunday', translations: { de: { item_label: 'Sonntag' } } },
    ];
    const draft = await draftSurvey(admin, {
      settings: { languages: ['de'] },
      pages: [
        {
          page_title: 'On {{item.label}}',
          questions: [
            {
              question_type: 'number',
              question_code: 'HOURS',
              question_text: 'Hours on {{item.label}}?',
              question_settings: { translations: { de: { question_text: 'Stunden am {{item.label}}?' } } },
            },
          ],
        },
      ],
    });
    await admin
      .post(`/api/surveys/${draft.surveyId}/blocks`, {
        block_loop: { over: 'listed', items },
        page_ids: draft.pageIds,
      })
      .expect(201);
    await admin
      .put(`/api/surveys/${draft.surveyId}`, {
        survey_settings: {
          translations: { de: { pages: { [draft.pageIds[0]!]: { page_title: 'Am {{item.label}}' } } } },
        },
      })
      .expect(200);
    const survey = await publish(admin, draft.surveyId);
    const { pages, survey_settings: settings } = (
      await visitor.get(`/api/public/s/${survey.linkToken}`).expect(200)
    ).body.data;
    const german = pages.map(
      (page: { page_id: number; questions: { question_settings: { translations: { de: object } } }[] }) => [
        settings.translations.de.pages[page.page_id].page_title,
        page.questions[0]!.question_settings.translations.de,
      ],
    );
    expect(german).toEqual([
      ['Am Montag', { question_text: 'Stunden am Montag?' }],
      ['Am Sonntag', { question_text: 'Stunden am Sonntag?' }],
    ]);
    expect(pages.map((page: { page_title: string }) => page.page_title)).toEqual(['On Monday', 'On Sunday']);
    await answerAll(survey.linkToken, { 'HOURS[mon]': 3, 'HOURS[sun]': 5 });
    // An item that is left out keeps its column.
    const [block] = (await admin.get(`/api/surveys/${draft.surveyId}/blocks`).expect(200)).body.data;
    await admin
      .put(`/api/surveys/${draft.surveyId}/blocks/${block.block_id}`, {
        block_loop: { over: 'listed', items: [{ item_code: 'tue', item_label: 'Tuesday' }, items[1]] },
      })
      .expect(200);
    await publish(admin, draft.surveyId);
    expect((await questionsOf(survey.linkToken)).map(([code]) => code)).toEqual(['HOURS[tue]', 'HOURS[sun]']);
    const { body } = await admin.get(`/api/responses/${draft.surveyId}/grid`).expect(200);
    expect(body.data.rows[0].values).toMatchObject({ 'HOURS[mon]': 3, 'HOURS[sun]': 5, 'HOURS[tue]': null });
  });

  it('refuses what cannot be, and names the field', async () => {
    const { admin } = organization;
    const { surveyId, pageIds, blockId } = await loopSurvey();
    const path = `/api/surveys/${surveyId}/blocks`;
    const refused = (block_loop: object, field: string) =>
      expectInvalidField(admin.put(`${path}/${blockId}`, { block_loop }), `block_loop${field}`);
    await refused({ ...LOOP, question_code: 'Q99' }, '.question_code');
    await refused({ ...LOOP, question_code: 'Q3', items: [] }, '.question_code');
    await refused({ ...LOOP, question_code: null }, '.question_code');
    await refused({ ...LOOP, max_items: 0 }, '.max_items');
    await refused({ ...LOOP, items: [{ item_code: 'XYZ' }] }, '.items[0].item_code');
    await refused({ over: 'listed', items: [] }, '.items');
    await refused({ over: 'listed', question_code: 'Q1', items: [{ item_code: 'a' }] }, '.question_code');
    await refused({ over: 'listed', items: [{ item_code: 'a' }, { item_code: 'A' }] }, '.items[1].item_code');
    await refused({ over: 'listed', items: [{ item_code: 'a b' }] }, '.items[0].item_code');
    await refused(
      { over: 'listed', items: [{ item_code: 'a', attributes: { label: 'x' } }] },
      '.items[0].attributes.label',
    );
    await expectInvalidField(
      admin.put(`${path}/${blockId}`, { arms: [{ arm_code: 'A' }, { arm_code: 'B' }] }),
      'block_loop',
    );
    await expectInvalidField(
      admin.post(path, { parent_block_id: blockId, page_ids: [pageIds[1]], block_loop: LOOP }),
      'block_loop',
    );
    await admin.put(`${path}/${blockId}`, { block_loop: null }).expect(200);
    const inner = (
      await admin
        .post(path, { parent_block_id: blockId, page_ids: [pageIds[1]], block_loop: LOOP })
        .expect(201)
    ).body.data;
    await expectInvalidField(admin.put(`${path}/${blockId}`, { block_loop: LOOP }), 'block_loop');
    expect(inner.block_loop).toMatchObject({
      over: 'chosen',
      question_code: 'Q1',
      max_items: null,
      order: 'fixed',
    });
  });

  it('is checked before it is published, each fault once', async () => {
    const { admin } = organization;
    const { surveyId, questionIds, pageIds, blockId } = await loopSurvey();
    const change = (code: string, fields: object) =>
      admin.put(`/api/surveys/${surveyId}/questions/${questionIds[code]}`, fields).expect(200);
    await change('Q9', {
      question_text: 'And {{item.label}}?',
      question_settings: { logic: { display: { left: { code: 'Q2' }, operator: 'gt', right: 3 } } },
    });
    await change('Q3', { question_text: 'Why, at {{item.prise}}, {{Q9}}?' });
    expect((await problemsOf(surveyId)).map(([code, field]) => [code, field])).toEqual([
      ['dangling_reference', 'pages[2].questions[0]'],
      ['dangling_reference', 'pages[3].questions[0]'],
      ['forward_reference', 'pages[2].questions[0].question_text'],
      ['dangling_reference', 'pages[3].questions[0].question_settings.logic.display.left'],
    ]);
    const [, , , [, , message]] = (await problemsOf(surveyId)) as [
      unknown,
      unknown,
      unknown,
      [string, string, string],
    ];
    expect(message).toContain('Q2[OAT]');
    await change('Q9', {
      question_text: 'And?',
      question_settings: { logic: { display: { 'Q2[OAT]': [5] } } },
    });
    await change('Q3', { question_text: 'Why?' });
    // A loop over a question that comes later.
    await admin
      .put(`/api/surveys/${surveyId}/pages/reorder`, {
        page_ids: [pageIds[1], pageIds[2], pageIds[0], pageIds[3]],
      })
      .expect(200);
    expect((await problemsOf(surveyId)).map(([code, field]) => [code, field])).toEqual([
      ['forward_reference', 'blocks[0].block_loop.question_code'],
    ]);
    await admin.put(`/api/surveys/${surveyId}/pages/reorder`, { page_ids: pageIds }).expect(200);
    expect(await problemsOf(surveyId)).toEqual([]);
    await publish(admin, surveyId);
    // What names columns of the data stays.
    await admin.put(`/api/surveys/${surveyId}/blocks/${blockId}`, { block_loop: null }).expect(409);
    await admin.delete(`/api/surveys/${surveyId}/blocks/${blockId}`).expect(409);
    await admin.put(`/api/surveys/${surveyId}/pages/${pageIds[2]}`, { block_id: null }).expect(200);
    expect((await problemsOf(surveyId))[0]).toEqual([
      'impossible_settings',
      'pages[2].questions[0]',
      expect.stringContaining('out of its loop'),
    ]);
  });

  it('is not published with more questions or longer texts than a survey can have', async () => {
    const { admin } = organization;
    const items = Array.from({ length: 100 }, (_, index) => ({
      item_code: `i${index}`,
      attributes: { note: 'x'.repeat(2_000) },
    }));
    const loopOf = async (questions: object[]) => {
      const { surveyId, pageIds } = await draftSurvey(admin, [questions]);
      await admin
        .post(`/api/surveys/${surveyId}/blocks`, { block_loop: { over: 'listed', items }, page_ids: pageIds })
        .expect(201);
      const [problem] = await problemsOf(surveyId);
      // The draft is shown and has columns all the same.
      expect((await columnsOf(surveyId)).length).toBeLessThan(100);
      return problem;
    };
    const many = Array.from({ length: 21 }, (_, index) => choice(`Q${index}`));
    expect(await loopOf(many)).toEqual(['survey_too_large', '', expect.stringContaining('2100 questions')]);
    const long = { ...REASON, question_settings: {}, question_text: '{{item.note}} '.repeat(700) };
    expect(await loopOf([long])).toEqual([
      'survey_too_large',
      '',
      expect.stringContaining('texts of the loops'),
    ]);
  });

  it('is part of exports, copies and versions', async () => {
    const { admin } = organization;
    const { surveyId, blockId } = await loopSurvey({ ...LOOP, max_items: 2, order: 'least_filled' });
    const file = (await admin.get(`/api/surveys/${surveyId}/export`).expect(200)).body.data;
    const copy = (await admin.post(`/api/surveys/import`, file).expect(201)).body.data;
    expect((await admin.get(`/api/surveys/${copy.survey_id}/export`).expect(200)).body.data).toEqual(file);
    await publish(admin, surveyId);
    await admin
      .put(`/api/surveys/${surveyId}/blocks/${blockId}`, { block_loop: { ...LOOP, max_items: 1 } })
      .expect(200);
    const { body } = await admin.get(`/api/surveys/${surveyId}/versions/1/diff/draft`).expect(200);
    expect(body.data.changes.map(({ field }: { field: string }) => field)).toEqual(['block_loop']);
    await admin.post(`/api/surveys/${surveyId}/versions/1/restore`).expect(200);
    expect((await admin.get(`/api/surveys/${surveyId}/export`).expect(200)).body.data).toEqual(file);
    const wrong = structuredClone(file);
    wrong.survey.blocks[0].block_loop.question_code = 'Q77';
    await expectInvalidField(
      admin.post('/api/surveys/import', wrong),
      'survey.blocks[0].block_loop.question_code',
    );
  });
});

describe('the data of a loop', () => {
  it('are columns that filters, expressions, tables, test responses and imports know', async () => {
    const { admin } = organization;
    const draft = await loopSurvey();
    const survey = await publish(admin, draft.surveyId);
    const at = `/api/responses/${draft.surveyId}`;
    for (const [known, liking] of [
      [['OAT'], 5],
      [['OAT', 'ALP'], 2],
      [['ALP'], null],
    ] as const)
      await answerAll(survey.linkToken, {
        Q1: known,
        ...(liking !== null && { 'Q2[OAT]': liking }),
        ...(liking === 2 && { 'Q3[OAT]': 'Dull' }),
        ...(known.includes('ALP' as never) && { 'Q2[ALP]': 4 }),
        Q9: '1',
      });
    const filter = encodeURIComponent(JSON.stringify({ 'Q2[OAT]': ['5'] }));
    expect((await admin.get(`${at}/stats?filters=${filter}`).expect(200)).body.data.total).toBe(1);
    await admin
      .post(`${at}/computed-columns`, { column_code: 'BOTH', expression: 'Q2[OAT] + Q2[ALP]' })
      .expect(201);
    const { body: table } = await admin
      .post(`${at}/crosstab`, { rows: ['Q2[OAT]'], columns: [] })
      .expect(200);
    expect(table.data.tables).toHaveLength(1);
    const { body: items } = await admin.post(`${at}/crosstab`, { rows: ['q2'], columns: ['Q9'] }).expect(200);
    expect(items.data.tables.map(({ row }: { row: { column_codes: string[] } }) => row.column_codes)).toEqual(
      [['Q2[OAT]'], ['Q2[ALP]'], ['Q2[NOB]']],
    );
    const { body: estimated } = await admin.get(`${at}/distribution/Q2[OAT]?intervals=true`).expect(200);
    expect(estimated.data.categories[4]).toMatchObject({
      percent: 50,
      ci_low: expect.any(Number),
      ci_high: expect.any(Number),
    });
    const { body: grid } = await admin.get(`${at}/grid?sort=-Q2[OAT]&columns=Q2[OAT],BOTH`).expect(200);
    expect(
      grid.data.rows.map(({ values: row }: { values: Record<string, unknown> }) => [
        row['Q2[OAT]'],
        row.BOTH,
      ]),
    ).toEqual([
      [5, null],
      [2, 6],
      [null, null],
    ]);
    const { file } = await exportResponses(admin, draft.surveyId, { format: 'csv' });
    const copy = (await admin.post(`/api/surveys/${draft.surveyId}/duplicate`).expect(201)).body.data
      .survey_id;
    await publish(admin, copy);
    await withFile(admin.post(`/api/responses/${copy}/import`), file, {}, 'responses.csv').expect(201);
    const again = (
      await admin
        .get(`/api/responses/${copy}/grid?sort=-Q2[OAT]&columns=Q1,Q2[OAT],Q3[OAT],Q2[ALP]`)
        .expect(200)
    ).body.data.rows;
    expect(
      again.map(({ values: row }: { values: Record<string, unknown> }) => [
        row['Q2[OAT]'],
        row['Q3[OAT]'],
        row['Q2[ALP]'],
      ]),
    ).toEqual([
      [5, null, null],
      [2, 'Dull', 4],
      [null, null, 4],
    ]);
    await admin.post(`${at}/seed`, { count: 50, seed: 1 }).expect(201);
    const { rows } = (await admin.get(`${at}/grid?include_test=true&limit=100`).expect(200)).body.data;
    const seeded = rows.filter((row: { is_test: boolean }) => row.is_test);
    expect(seeded).toHaveLength(50);
    const isAsked = ({ values }: { values: Record<string, unknown> }) => values['Q2[NOB]'] !== null;
    const isKnown = ({ values }: { values: Record<string, unknown> }) => values.Q1_3 === 1;
    expect(seeded.some(isAsked)).toBe(true);
    expect(seeded.filter(isAsked).every(isKnown)).toBe(true);
  });
});

describe('the figures of a loop', () => {
  it('are those of a matrix with a row for each item', async () => {
    const { admin } = organization;
    const draft = await loopSurvey();
    const survey = await publish(admin, draft.surveyId);
    for (const liking of [5, 2])
      await answerAll(survey.linkToken, {
        Q1: ['OAT', 'ALP'],
        'Q2[OAT]': liking,
        'Q2[ALP]': 4,
        'Q3[OAT]': liking === 2 ? 'Dull' : null,
        Q9: '1',
      });
    await answerAll(survey.linkToken, { Q1: ['ALP'], 'Q2[ALP]': 1, 'Q3[ALP]': 'Thin', Q9: '1' });
    const figure = async (code: string) =>
      (await admin.get(`/api/responses/${draft.surveyId}/question/${draft.questionIds[code]}`).expect(200))
        .body.data;
    const liking = await figure('Q2');
    expect([liking.question_id, liking.question_code, liking.question_text]).toEqual([
      draft.questionIds.Q2,
      'Q2',
      'How much do you like [item], for [price]?',
    ]);
    expect(liking.whole).toMatchObject({ type: 'matrix', column_code: 'Q2', base: 3, answered: 3 });
    const rows = liking.whole.rows.map(
      (row: Record<string, unknown> & { stats: { mean: number } | null }) => [
        row.row_code,
        row.row_label,
        row.base,
        row.stats?.mean ?? null,
      ],
    );
    expect(rows).toEqual([
      ['OAT', 'Oatly', 2, 3.5],
      ['ALP', 'Alpro', 3, 3],
      ['NOB', 'No brand', 0, null],
    ]);
    const reasons = await figure('Q3');
    expect(reasons.whole).toBe(null);
    expect(reasons.columns.map(({ column_code: code }: { column_code: string }) => code)).toEqual([
      'Q3[OAT]',
      'Q3[ALP]',
      'Q3[NOB]',
    ]);
  });
});

it('flags a response that fails an attention check for one item of a loop', async () => {
  const { admin } = organization;
  const draft = await loopSurvey();
  await admin
    .put(`/api/surveys/${draft.surveyId}`, {
      quality_settings: { attention_checks: [{ question_id: draft.questionIds.Q2, expected: '5' }] },
    })
    .expect(200);
  const survey = await publish(admin, draft.surveyId);
  for (const liking of [5, 4])
    await answerAll(survey.linkToken, { Q1: ['OAT', 'ALP'], 'Q2[OAT]': 5, 'Q2[ALP]': liking, Q9: '1' });
  const { body } = await admin.get(`/api/responses/${draft.surveyId}/grid`).expect(200);
  const flags = body.data.rows.map(
    ({ quality }: { quality: { flags: { column_codes: string[] }[] } | null }) =>
      (quality?.flags ?? []).map(({ column_codes: codes }) => codes),
  );
  expect(flags).toEqual([[], [['Q2[ALP]']]]);
});

describe('a file with a row for each item', () => {
  it('has the questions of the loop once, in every format, and columns of the response in each row', async () => {
    const { admin } = organization;
    const draft = await loopSurvey();
    const survey = await publish(admin, draft.surveyId);
    await answerAll(survey.linkToken, {
      Q1: ['OAT', 'ALP'],
      'Q2[OAT]': 5,
      'Q2[ALP]': 2,
      'Q3[ALP]': 'Too sweet, too thin and too dear',
      Q9: '1',
    });
    await answerAll(survey.linkToken, { Q1: ['NOB'], 'Q2[NOB]': null, Q9: '2' });
    await answerAll(survey.linkToken, { Q1: ['NONE'], Q9: '3' });
    const at = `/api/responses/${draft.surveyId}`;
    await admin
      .post(`${at}/computed-columns`, { column_code: 'KNOWS', expression: 'Q1_1 + Q1_2' })
      .expect(201);
    const { file } = await exportResponses(admin, draft.surveyId, {
      format: 'csv',
      bom: false,
      stack: 'brand',
      columns: ['response_id', 'BRAND_item', 'Q2', 'Q3', 'Q9', 'KNOWS'],
    });
    const [head, ...lines] = file.toString().trim().split(/\r?\n/);
    expect(head).toBe('response_id,BRAND_item,Q2,Q3,Q9,KNOWS');
    expect(lines.map((line) => line.replace(/^\d+,/, ''))).toEqual([
      'OAT,5,,1,2',
      'ALP,2,"Too sweet, too thin and too dear",1,2',
      'NOB,,,2,0',
    ]);
    expect(new Set(lines.slice(0, 2).map((line) => line.split(',')[0])).size).toBe(1);
    // Every column, none of an item.
    const all = await exportResponses(admin, draft.surveyId, { format: 'csv', stack: 'BRAND' });
    expect(all.file.toString().split(/\r?\n/)[0]).not.toContain('[');
    const spss = await exportResponses(admin, draft.surveyId, { format: 'spss', stack: 'BRAND' });
    expect(spss.status).toBe(200);
    expect(spss.file.toString('latin1')).toContain('Too sweet, too thin and too dear');
    const xlsx = await exportResponses(admin, draft.surveyId, {
      format: 'xlsx',
      stack: 'BRAND',
      values: 'label',
    });
    expect(xlsx.status).toBe(200);
    await expectInvalidField(admin.post(`${at}/export`, { format: 'csv', stack: 'NOTHING' }), 'stack');
    await expectInvalidField(
      admin.post(`${at}/export`, { format: 'csv', stack: 'BRAND', columns: ['Q2[OAT]'] }),
      'columns[0]',
    );
  });

  it('has the place, the arm of an inner block and the order of options of its item', async () => {
    const { admin } = organization;
    const shuffled = { ...choice('Q2'), question_settings: { shuffle: 'random' } };
    const draft = await draftSurvey(admin, [[BRANDS], [shuffled], [choice('Q3')]]);
    const at = `/api/surveys/${draft.surveyId}/blocks`;
    const { body } = await admin
      .post(at, {
        block_code: 'BRAND',
        block_loop: { question_code: 'Q1', order: 'random' },
        page_ids: draft.pageIds.slice(1),
      })
      .expect(201);
    await admin
      .post(at, {
        block_code: 'PRICE',
        parent_block_id: body.data.block_id,
        arms: [{ arm_code: 'low' }, { arm_code: 'high' }],
        page_ids: [draft.pageIds[2]],
      })
      .expect(201);
    const survey = await publish(admin, draft.surveyId);
    const items = ['OAT', 'ALP', 'NOB'];
    for (let person = 0; person < 5; person++)
      await visitor
        .post(`/api/public/s/${survey.linkToken}/responses`, {
          submission_id: `person-${person}`,
          answers: Object.fromEntries([
            ['Q1', items],
            ...items.flatMap((item) => [
              [`Q2[${item}]`, '1'],
              [`Q3[${item}]`, '2'],
            ]),
          ]),
        })
        .expect(201);
    const rowsOf = async (body: object) => {
      const { file } = await exportResponses(admin, draft.surveyId, { format: 'csv', bom: false, ...body });
      const [head = '', ...lines] = file.toString().trim().split(/\r?\n/);
      return lines.map((line) =>
        Object.fromEntries(line.split(',').map((cell, index) => [head.split(',')[index], cell])),
      );
    };
    const wide = await rowsOf({});
    const stacked = await rowsOf({ stack: 'BRAND' });
    expect(stacked).toHaveLength(15);
    for (const row of stacked) {
      const item = row.BRAND_item;
      const response = wide.find(({ response_id: id }) => id === row.response_id)!;
      expect([row.Q2_position, row.Q2_order, row.PRICE_arm, row.Q1_position]).toEqual([
        response[`Q2[${item}]_position`],
        response[`Q2[${item}]_order`],
        response[`PRICE[${item}]_arm`],
        '1',
      ]);
      expect(['low', 'high']).toContain(row.PRICE_arm);
      expect(row.Q2_order).toMatch(/^[123];[123];[123]$/);
    }
    // Each item has its own arm.
    const arms = new Set(stacked.map(({ response_id: id, PRICE_arm: arm }) => `${id} ${arm}`));
    expect(arms.size).toBeGreaterThan(5);
  });
});
