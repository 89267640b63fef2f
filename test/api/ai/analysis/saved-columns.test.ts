import { beforeEach, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../../../support/actors.ts';
import { useApp } from '../../../support/app.ts';
import { exportResponses } from '../../../support/file-transfer.ts';
import { type OpenAnswers, createOpenAnswers } from '../../../support/open-answers.ts';
import { expectRefused, expectInvalidField } from '../../../support/refusals.ts';
import { text } from '../../../support/questions.ts';
import { draftSurvey } from '../../../support/surveys.ts';
import { readSav } from '../../../support/sav-reader.ts';

const test = useApp();
const TEXTS = [
  'I hate the price, it is terrible',
  'Awful and bad price',
  'The price is bad',
  'The staff is wonderful, I love it',
  'Great staff',
  '  ',
  'It was a Tuesday',
];
let organization: Organization;
let survey: OpenAnswers;

beforeEach(async () => {
  organization = await newOrganization(test);
  survey = await createOpenAnswers(organization.admin, TEXTS);
});

const data = (path: string) => `/api/responses/${survey.surveyId}/${path}`;
const save = async (operation: string, body: object) =>
  (
    await organization.admin
      .post(survey.at(operation), { question_id: survey.questionId, ...body })
      .expect(200)
  ).body.data;
const asSentiment = () => save('sentiment', { save_as_column: 'FEELING' });
const edited = (index: number, text: string) =>
  organization.admin.patch(data(`rows/${survey.responseIds[index]}`), { values: { Q2: text } }).expect(200);
const distribution = async (code: string) => {
  const { body } = await organization.admin.get(data(`distribution/${code}`)).expect(200);
  const values = body.data.categories as { value: string; label: string; count: number }[];
  return Object.fromEntries(values.map(({ value, count }) => [value, count]));
};
const listed = async (): Promise<Record<string, unknown>[]> =>
  (await organization.admin.get(data('derived-columns')).expect(200)).body.data;

describe('a saved column of analysis results', () => {
  it('has categories with the counts of the summary', async () => {
    const reply = await asSentiment();
    expect(reply.saved_as).toEqual({
      column_code: 'FEELING',
      label: 'Why Q2? – sentiment',
      responses: 6,
      change_id: expect.any(Number),
    });
    expect(await distribution('FEELING')).toEqual(reply.summary.counts);
    const grid = await organization.admin.get(data('grid?columns=FEELING')).expect(200);
    expect(grid.body.columns ?? grid.body.data.columns).toEqual([
      expect.objectContaining({
        column_code: 'FEELING',
        type: 'categorical',
        measure: 'ordinal',
        source: 'derived',
        editable: false,
        values: [
          { code: 1, value: 'negative', number: 1, label: 'Negative', missing: false },
          { code: 2, value: 'neutral', number: 2, label: 'Neutral', missing: false },
          { code: 3, value: 'positive', number: 3, label: 'Positive', missing: false },
        ],
      }),
    ]);
    expect(await listed()).toEqual([
      expect.objectContaining({
        kind: 'coded',
        sources: ['Q2'],
        problem: null,
        definition: {
          column_code: 'Q2',
          operation: 'sentiment',
          engine: 'built-in',
          model: expect.any(String),
          responses: 6,
          coded_at: expect.any(String),
        },
      }),
    ]);
  });

  it('works in filters, crosstabs and exports with its labels', async () => {
    const { summary } = await asSentiment();
    const filtered = await organization.admin
      .get(data('stats'))
      .query({ filter: '{"FEELING":["negative"]}' })
      .expect(200);
    expect(filtered.body.data.total).toBe(summary.counts.negative);
    const crossed = await organization.admin
      .post(data('crosstab'), { rows: ['FEELING'], columns: ['Q1'] })
      .expect(200);
    expect(JSON.stringify(crossed.body.data.tables)).toContain('"Negative"');
    const csv = await exportResponses(organization.admin, survey.surveyId, {
      format: 'csv',
      columns: ['FEELING'],
      values: 'label',
    });
    expect(csv.file.toString().split('\r\n')).toEqual(
      expect.arrayContaining(['FEELING', 'Negative', 'Positive']),
    );
    const sav = readSav(
      (await exportResponses(organization.admin, survey.surveyId, { format: 'spss', columns: ['FEELING'] }))
        .file,
    );
    const [variable] = sav.variables;
    expect(variable!.labels).toEqual([
      [1, 'Negative'],
      [2, 'Neutral'],
      [3, 'Positive'],
    ]);
    expect(sav.rows[0]).toEqual([1]);
    expect(sav.rows[5]).toEqual([null]);
  });

  it('is updated by saving it again and restored step by step by undo', async () => {
    const first = await asSentiment();
    expect((await asSentiment()).saved_as.change_id).toBeNull();
    await edited(0, 'I love the price');
    // The saved column stays unchanged until it is saved again.
    expect(await distribution('FEELING')).toEqual(first.summary.counts);
    const second = await asSentiment();
    expect(second.credits_used).toBe(1);
    expect(second.summary.counts.positive).toBe(first.summary.counts.positive + 1);
    expect(await distribution('FEELING')).toEqual(second.summary.counts);
    const undo = (changeId: number) => organization.admin.post(data(`changes/${changeId}/undo`)).expect(200);
    await undo(second.saved_as.change_id);
    expect(await distribution('FEELING')).toEqual(first.summary.counts);
    const third = await asSentiment();
    expect(await distribution('FEELING')).toEqual(third.summary.counts);
    await undo(third.saved_as.change_id);
    const changes = (await organization.admin.get(data('changes')).expect(200)).body.data as {
      change_id: number;
      operation: string;
      undone_at: string | null;
    }[];
    const edit = changes.find(({ operation }) => operation === 'edit')!;
    await undo(edit.change_id);
    await undo(first.saved_as.change_id);
    expect(await listed()).toEqual([]);
    await organization.admin.get(data('distribution/FEELING')).expect(404);
  });

  it('keeps codes and labels of unchanged categories', async () => {
    await save('classify', {
      categories: ['Price', 'Staff'],
      save_as_column: { column_code: 'TOPIC', name: 'Topic' },
    });
    await organization.admin
      .patch(data('derived-columns/TOPIC'), { values: [{ value: 'Price', label: 'Money' }] })
      .expect(200);
    const repeated = await save('classify', {
      categories: ['Tuesday', 'Staff', 'Price'],
      save_as_column: 'topic',
    });
    expect(repeated.saved_as).toMatchObject({ column_code: 'TOPIC', label: 'Topic' });
    const [column] = await listed();
    expect(column!.values).toEqual([
      { code: 3, value: 'Tuesday', number: 3, label: 'Tuesday', missing: false },
      { code: 2, value: 'Staff', number: 2, label: 'Staff', missing: false },
      { code: 1, value: 'Price', number: 1, label: 'Money', missing: false },
    ]);
    expect(await distribution('TOPIC')).toEqual(
      Object.fromEntries(
        repeated.categories.map(({ category, count }: { category: string; count: number }) => [
          category,
          count,
        ]),
      ),
    );
  });

  it('contains the main theme of each response', async () => {
    const { themes, without_theme: without } = await save('themes', { save_as_column: 'THEME' });
    const counts = await distribution('THEME');
    expect(Object.keys(counts)).toEqual(themes.map(({ theme }: { theme: string }) => theme));
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(6 - without.count);
    for (const { theme, count } of themes) expect(counts[theme]).toBeLessThanOrEqual(count);
  });

  it('prevents the deletion of its question while the survey is a draft', async () => {
    const draft = await draftSurvey(organization.admin, [[text('Q2')]]);
    const questionId = draft.questionIds.Q2!;
    await organization.admin
      .post(`/api/responses/${draft.surveyId}/ai/sentiment`, {
        question_id: questionId,
        save_as_column: 'FEELING',
      })
      .expect(200);
    const question = `/api/surveys/${draft.surveyId}/questions/${questionId}`;
    const refusal = await expectRefused(organization.admin.delete(question), 409, 'column_in_use');
    expect(refusal.details).toEqual([{ field: 'FEELING', message: 'is derived from Q2' }]);
  });

  it('outlives a retired question and cannot be deleted while it is used', async () => {
    await asSentiment();
    await organization.admin
      .post(data('transform/recode'), {
        column_code: 'FEELING',
        target_column_code: 'GLAD',
        mapping: { positive: 1 },
      })
      .expect(201);
    expect(await distribution('GLAD')).toEqual({ 1: (await distribution('FEELING')).positive });
    await expectRefused(organization.admin.delete(data('derived-columns/FEELING')), 409, 'column_in_use');
    await organization.admin
      .delete(`/api/surveys/${survey.surveyId}/questions/${survey.questionId}`)
      .expect(204);
    expect((await distribution('FEELING')).positive).toBeGreaterThan(0);
    expect((await asSentiment()).credits_used).toBe(0);
    await organization.admin.delete(data('derived-columns/GLAD')).expect(204);
    await organization.admin.delete(data('derived-columns/FEELING')).expect(204);
  });

  it('is recorded in the change log without texts', async () => {
    await asSentiment();
    const { body } = await organization.admin.get(data('changes')).expect(200);
    expect(body.data[0]).toMatchObject({ operation: 'text_coding' });
    expect(JSON.stringify(body.data)).not.toMatch(/terrible|price|staff/i);
  });
});

describe('rejects before any charge', () => {
  const balance = async (): Promise<number> =>
    (await organization.admin.get('/api/billing/balance').expect(200)).body.data.balance;
  const sendRequest = (column: unknown, operation = 'sentiment') =>
    organization.admin.post(survey.at(operation), { question_id: survey.questionId, save_as_column: column });

  it('taken and invalid codes', async () => {
    const before = await balance();
    await expectRefused(sendRequest('q1'), 409, 'column_code_taken');
    await expectInvalidField(sendRequest('started_at'), 'save_as_column');
    await expectInvalidField(sendRequest('two words'), 'save_as_column');
    await expectInvalidField(sendRequest({ column_code: 'FINE', label: 'x' }), 'save_as_column.label');
    expect(await balance()).toBe(before);
  });

  it('a column of another operation or question', async () => {
    await asSentiment();
    const before = await balance();
    const { message } = await expectRefused(sendRequest('FEELING', 'themes'), 409, 'column_code_taken');
    expect(message).toContain('"FEELING" is already used by sentiment of Q2');
    expect(await balance()).toBe(before);
  });

  it('operations without categories', async () => {
    await expectInvalidField(sendRequest('SUM', 'summarize'), 'save_as_column');
  });

  it('callers with view access only', async () => {
    const shared = { workspace_name: 'Shown to all', workspace_visibility: 3 };
    const created = await organization.admin.post('/api/workspaces', shared).expect(201);
    await organization.admin.put(`/api/workspaces/current/${created.body.data.workspace_id}`).expect(200);
    survey = await createOpenAnswers(organization.admin, TEXTS);
    const viewer = await organization.addUser('member');
    await organization.admin
      .post(`/api/workspaces/${created.body.data.workspace_id}/members`, {
        user_id: viewer.userId,
        role: 'viewer',
      })
      .expect(201);
    const before = await balance();
    const body = { question_id: survey.questionId };
    await expectRefused(
      viewer.post(survey.at('sentiment'), { ...body, save_as_column: 'MINE' }),
      403,
      'forbidden',
    );
    expect(await balance()).toBe(before);
    await viewer.post(survey.at('sentiment'), body).expect(200);
    expect(await listed()).toEqual([]);
  });
});
