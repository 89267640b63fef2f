import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { choice, number } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
let surveyId: number;
let questionIds: Record<string, number>;

beforeAll(async () => {
  ({ surveyId, questionIds } = await publishedSurvey(author, [[choice('Q1'), number('Q2')]]));
  const rows = Array.from({ length: 6 }, (_, index) => ({
    answers: { Q1: String(1 + (index % 3)), Q2: index },
  }));
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  await author
    .post(`/api/responses/${surveyId}/transform/recode`, {
      column_code: 'Q1',
      target_column_code: 'GROUP1',
      rules: [
        { from: ['1'], to: 1, label: 'One' },
        { from: 'else', to: 2, label: 'More' },
      ],
    })
    .expect(201);
  await createColumn('SCORE', 'GROUP1 * 100 + Q2').expect(201);
  await author
    .post(`/api/responses/${surveyId}/transform/z-scores`, { column_code: 'Q2', parameters: 'frozen' })
    .expect(201);
});

const columnsPath = () => `/api/responses/${surveyId}/derived-columns`;
const createColumn = (column_code: string, expression: string) =>
  author.post(`/api/responses/${surveyId}/computed-columns`, { column_code, expression });
const getColumn = async (code: string) =>
  (await author.get(`${columnsPath()}/${code}`).expect(200)).body.data;
const patchColumn = (code: string, body: object) => author.patch(`${columnsPath()}/${code}`, body);
const undoLatest = async () => {
  const log = await author.get(`/api/responses/${surveyId}/changes`).expect(200);
  const latest = log.body.data.find((change: { undone_at: string | null }) => change.undone_at === null);
  await author.post(`/api/responses/${surveyId}/changes/${latest.change_id}/undo`).expect(200);
};
const listCells = async (code: string): Promise<unknown[]> => {
  const reply = await author.get(`/api/responses/${surveyId}/grid?columns=${code}`).expect(200);
  return reply.body.data.rows.map((row: { values: Record<string, unknown> }) => row.values[code]);
};

describe('derived columns', () => {
  test('are listed with definitions and sources', async () => {
    const reply = await author.get(columnsPath()).expect(200);
    expect(reply.body.data).toMatchObject([
      { column_code: 'GROUP1', kind: 'recode', sources: ['Q1'], used_by: ['SCORE'], problem: null },
      { column_code: 'SCORE', kind: 'computed', sources: ['GROUP1', 'Q2'], used_by: [], problem: null },
      { column_code: 'Q2_z', kind: 'z_scores', parameters: { mean: 2.5, frozen: true }, used_by: [] },
    ]);
    expect(await getColumn('score')).toMatchObject({ created_by: author.userId, source: 'derived' });
    await expectRefused(author.get(`${columnsPath()}/Q1`), 404);
  });

  test('change only the given members, and undo restores them', async () => {
    await patchColumn('GROUP1', {
      label: 'Groups',
      values: [{ value: '2', label: 'Others', missing: true }],
    }).expect(200);
    const renamed = await getColumn('GROUP1');
    expect(renamed).toMatchObject({
      label: 'Groups',
      values: [
        { value: '1', label: 'One', missing: false },
        { value: '2', label: 'Others', missing: true },
      ],
    });
    // A value that is flagged as missing is null to expressions.
    expect(await listCells('SCORE')).toEqual([100, null, null, 103, null, null]);

    const filtered = await patchColumn('GROUP1', { filter: 'Q2 > 0', reason: 'Positive only' }).expect(200);
    expect(filtered.body.data).toMatchObject({
      dry_run: false,
      column: { label: 'Groups', sources: ['Q1', 'Q2'] },
    });
    expect((await getColumn('GROUP1')).values).toEqual(renamed.values);
    expect(await listCells('GROUP1')).toEqual([null, '2', '2', '1', '2', '2']);
    await undoLatest();
    await undoLatest();
    expect(await getColumn('GROUP1')).toMatchObject({ label: 'Which for Q1? (recoded)', sources: ['Q1'] });
    expect(await listCells('SCORE')).toEqual([100, 201, 202, 103, 204, 205]);
  });

  test('keep frozen parameters unless asked to unfreeze them', async () => {
    await author
      .post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: '3', Q2: 99 } }] })
      .expect(201);
    await patchColumn('Q2_z', { filter: { Q1: ['1', '2', '3'] } }).expect(200);
    expect((await getColumn('Q2_z')).parameters).toMatchObject({ mean: 2.5, frozen: true });
    await patchColumn('Q2_z', { parameters: 'live' }).expect(200);
    expect((await getColumn('Q2_z')).parameters).toMatchObject({ mean: 114 / 7, frozen: false });
    await undoLatest();
    await undoLatest();
  });

  test('cannot depend on themselves', async () => {
    const self = await expectRefused(patchColumn('SCORE', { expression: 'SCORE + 1' }), 422, 'cycle');
    expect(self.message).toContain('SCORE → SCORE');
    await createColumn('LAST', 'SCORE + 1').expect(201);
    const cycle = await expectRefused(patchColumn('SCORE', { expression: 'LAST * 2' }), 422, 'cycle');
    expect(cycle.message).toContain('SCORE → LAST → SCORE');
    await undoLatest();
  });

  test('cannot change in a way that breaks dependent columns', async () => {
    const body = await expectRefused(
      patchColumn('GROUP1', { rules: [{ from: 'else', to: 1.5 }], type: 'text' }),
      400,
      'validation_failed',
    );
    expect(body.details[0]).toMatchObject({ field: 'type' });
    await createColumn('TEXTS', "concat('a', Q1)").expect(201);
    await createColumn('LONG', 'len(TEXTS)').expect(201);
    const broken = await expectRefused(
      patchColumn('TEXTS', { expression: 'Q1 + 1', type: 'number' }),
      409,
      'column_in_use',
    );
    expect(broken.details).toEqual([{ field: 'LONG', message: 'is derived from TEXTS' }]);
    await undoLatest();
    await undoLatest();
  });

  test('reject invalid changes, and a dry run stores nothing', async () => {
    await expectInvalidField(
      patchColumn('GROUP1', { values: [{ value: '7', label: 'x' }] }),
      'values[0].value',
    );
    await expectInvalidField(patchColumn('GROUP1', { rules: [{ from: ['8'], to: 1 }] }), 'rules[0].from');
    await expectInvalidField(patchColumn('SCORE', { operations: ['trim'] }), 'operations');
    await expectRefused(patchColumn('SCORE', { expression: 'Q2 +' }), 422, 'expression_invalid');
    const preview = await patchColumn('SCORE', { expression: "'x'", type: 'text', dry_run: true }).expect(
      200,
    );
    expect(preview.body.data).toMatchObject({ dry_run: true, change_id: null, column: { type: 'text' } });
    expect((await getColumn('SCORE')).type).toBe('number');
  });

  test('cannot be deleted while in use; other deletions can be undone', async () => {
    const body = await expectRefused(author.delete(`${columnsPath()}/group1`), 409, 'column_in_use');
    expect(body.details).toEqual([{ field: 'SCORE', message: 'is derived from GROUP1' }]);
    await author.delete(`${columnsPath()}/SCORE`).expect(204);
    await expectRefused(author.get(`${columnsPath()}/SCORE`), 404);
    await expectRefused(author.get(`/api/responses/${surveyId}/distribution/SCORE`), 404);
    await undoLatest();
    expect(await listCells('SCORE')).toEqual([100, 201, 202, 103, 204, 205, 299]);
  });

  test('prevent the deletion of the sources of a weight', async () => {
    const dimensions = [
      {
        column_code: 'GROUP1',
        targets: [
          { value: '1', target: 50 },
          { value: '2', target: 50 },
        ],
      },
    ];
    const weight = await author
      .post(`/api/responses/${surveyId}/weighting/create`, { name: 'W', dimensions })
      .expect(201);
    expect(weight.body.data.column_code).toBe('WEIGHT');
    expect((await getColumn('GROUP1')).used_by).toEqual(['SCORE', 'WEIGHT']);
    await patchColumn('WEIGHT', { label: 'Main weight' }).expect(200);
    await expectInvalidField(patchColumn('WEIGHT', { expression: '1' }), 'expression');
    expect(await getColumn('WEIGHT')).toMatchObject({
      kind: 'weight',
      source: 'weight',
      label: 'Main weight',
    });
    await author.delete(`${columnsPath()}/WEIGHT`).expect(204);
  });
});

describe('questions of a survey with derived columns', () => {
  test('cannot use their codes, and numbering skips them', async () => {
    await createColumn('Q3', 'Q2').expect(201);
    const page = (await author.get(`/api/surveys/${surveyId}`).expect(200)).body.data.pages[0];
    const path = `/api/surveys/${surveyId}/questions`;
    const addQuestion = (extra: object) =>
      author.post(path, {
        page_id: page.page_id,
        question_type: 'number',
        question_text: 'More?',
        ...extra,
      });
    await expectRefused(addQuestion({ question_code: 'score' }), 409, 'column_code_taken');
    const created = await addQuestion({}).expect(201);
    expect(created.body.data.question_code).toBe('Q4');
  });

  test('cannot be deleted from a draft while in use', async () => {
    const page = (await author.get(`/api/surveys/${surveyId}`).expect(200)).body.data.pages[0];
    expect(page.questions.length).toBeGreaterThan(2);
    const draft = await author.post('/api/surveys', { survey_name: 'Draft' }).expect(201);
    const draftId = draft.body.data.survey_id as number;
    const first = await author.post(`/api/surveys/${draftId}/pages`, { page_title: 'P' }).expect(201);
    const question = await author
      .post(`/api/surveys/${draftId}/questions`, {
        page_id: first.body.data.page_id,
        question_type: 'number',
        question_text: 'N',
        question_code: 'N1',
      })
      .expect(201);
    await author
      .post(`/api/responses/${draftId}/computed-columns`, { column_code: 'TWICE', expression: 'N1 * 2' })
      .expect(201);
    const id = question.body.data.question_id as number;
    const questionPath = `/api/surveys/${draftId}/questions/${id}`;
    const body = await expectRefused(author.delete(questionPath), 409, 'column_in_use');
    expect(body.details).toEqual([{ field: 'TWICE', message: 'is derived from N1' }]);
    await expectRefused(author.put(questionPath, { question_code: 'N2' }), 409, 'column_in_use');
    await expectRefused(
      author.delete(`/api/surveys/${draftId}/pages/${first.body.data.page_id}`),
      409,
      'column_in_use',
    );
    await author.delete(`/api/responses/${draftId}/derived-columns/TWICE`).expect(204);
    await author.delete(questionPath).expect(204);
  });

  test('remain sources after retirement', async () => {
    await author.delete(`/api/surveys/${surveyId}/questions/${questionIds.Q2}`).expect(204);
    expect(await getColumn('SCORE')).toMatchObject({ problem: null });
    expect((await listCells('SCORE'))[1]).toBe(201);
  });
});
