import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { type SurveyWithResponses, createSurveyWithResponses } from '../../support/survey-with-responses.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { startResponse } from '../../support/start-response.ts';
import { insertResponse } from '../../support/stored-responses.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let survey: SurveyWithResponses;
let ids: Record<'a' | 'b' | 'c' | 'd' | 'e', number>;
const at = (path: string) => survey.at(path);
const patch = (id: number, values: object, more: object = {}) =>
  author.patch(at(`rows/${id}`), { values, ...more });

beforeAll(async () => {
  survey = await createSurveyWithResponses(author);
  const [a, b, c, d, e] = await survey.idsOf('a', 'b', 'c', 'd', 'e');
  ids = { a: a!, b: b!, c: c!, d: d!, e: e! };
});

describe('an edit of one response', () => {
  test('changes its cells, is visible immediately everywhere, and can be undone', async () => {
    const before = (await survey.rows()).a!;
    const reply = await patch(
      ids.a,
      { Q1: 2, q4: 'Bad', Q3_1: 0, Q5_r1: '3' },
      { reason: 'Phone call' },
    ).expect(200);
    const edited = reply.body.data;
    expect(edited).toMatchObject({ response_id: ids.a, edited: true, dry_run: false, comment_count: 0 });
    expect(edited.values).toMatchObject({ Q1: '2', Q4: 'Bad', Q3_1: 0, Q3_2: 1, Q5_r1: '3', Q5_r2: '2' });
    const row = (await survey.rows()).a!;
    expect(row.values).toEqual(edited.values);
    const figures = await author.get(at('distribution/Q1')).expect(200);
    expect(figures.body.data.categories.map((category: { count: number }) => category.count)).toEqual([
      0, 1, 1, 1,
    ]);
    const [change] = (await author.get(at('changes')).expect(200)).body.data;
    expect(change).toMatchObject({
      change_id: edited.change_id,
      operation: 'edit',
      reason: 'Phone call',
      column_codes: ['Q1', 'Q4', 'Q3_1', 'Q5_r1'],
      rows_changed: 1,
      cells_changed: 4,
      user_id: author.userId,
    });
    const audit = await app.database.db('audit_log').where({ action: 'data.edit' }).first('details');
    expect(audit?.details).toMatchObject({ change_id: edited.change_id, rows: 1, cells: 4 });
    await author.post(at(`changes/${edited.change_id}/undo`)).expect(200);
    const back = (await survey.rows()).a!;
    expect({ ...back, updated_at: '' }).toEqual({ ...before, updated_at: '' });
  });

  test('that restores the original values leaves the response unedited', async () => {
    await patch(ids.b, { Q4: 'x', Q1: '2' }).expect(200);
    const partlyRestored = await patch(ids.b, { Q4: 'good, Good and GOOD' }).expect(200);
    expect(partlyRestored.body.data.edited).toBe(true);
    const restored = await patch(ids.b, { Q1: '9', Q1_other: 'Tea' }).expect(200);
    expect(restored.body.data).toMatchObject({ edited: false, values: { Q1: '9', Q1_other: 'Tea' } });
  });

  test('with unchanged values is not logged', async () => {
    const before = (await survey.rows()).c!;
    const reply = await patch(ids.c, { ...before.values, Q7: undefined }).expect(200);
    expect(reply.body.data.change_id).toBeNull();
    expect((await survey.rows()).c).toEqual(before);
  });

  test('with dry_run returns the resulting row without storing it', async () => {
    const before = (await survey.rows()).c!;
    const reply = await patch(ids.c, { Q1: '1', Q8_1: 1, Q8_3: 2, Q8_2: 3 }, { dry_run: true }).expect(200);
    expect(reply.body.data).toMatchObject({ dry_run: true, change_id: null, edited: true });
    expect(reply.body.data.values).toMatchObject({ Q1: '1', Q8_1: 1, Q8_2: 3, Q8_3: 2 });
    expect((await survey.rows()).c).toEqual(before);
  });

  test('can answer a question that was not shown; null keeps it not shown', async () => {
    const id = await insertResponse(app, survey.surveyId, { answers: { Q1: '1', Q2: null } });
    const stored = () =>
      app.database.db('responses').where({ response_id: id }).first<object>('answers', 'originals');
    expect((await patch(id, { Q4: null, Q2: null }).expect(200)).body.data.change_id).toBeNull();
    expect(await stored()).toEqual({ answers: { Q1: '1', Q2: null }, originals: null });
    await patch(id, { Q4: 'now', Q2: 5 }).expect(200);
    expect(await stored()).toEqual({
      answers: { Q1: '1', Q2: 5, Q4: 'now' },
      originals: { Q2: [null], Q4: [] },
    });
    await patch(id, { Q4: '', Q2: '' }).expect(200);
    expect(await stored()).toEqual({ answers: { Q1: '1', Q2: null }, originals: null });
  });

  test('accepts a whole set, numbers for texts and booleans for flags', async () => {
    const set = await patch(ids.c, { Q3: [1, '2'] }).expect(200);
    expect(set.body.data.values).toMatchObject({ Q3_1: 1, Q3_2: 1, Q3_3: 0 });
    const flags = await patch(ids.c, { Q3_1: false, Q3_2: '0', Q3_3: true, Q2: '41.0' }).expect(200);
    expect(flags.body.data.values).toMatchObject({ Q3_1: 0, Q3_2: 0, Q3_3: 1, Q2: 41 });
  });

  test.each([
    [{ Q1: '7' }, 'values.Q1'],
    [{ Q1: ['1'] }, 'values.Q1'],
    [{ Q2: 121 }, 'values.Q2'],
    [{ Q2: 'NaN' }, 'values.Q2'],
    [{ Q2: { $ne: 1 } }, 'values.Q2'],
    [{ Q3_1: 2 }, 'values.Q3_1'],
    [{ Q4: 5 }, 'values.Q4'],
    [{ Q6: '2026-02-30' }, 'values.Q6'],
    [{ Q8_1: 1 }, 'values.Q8_3'],
    [{ Q44: 'x' }, 'values.Q44'],
    [{ "Q1'; DROP": 'x' }, "values.Q1'; DROP"],
    [{ Q1: '1', q1: '2' }, 'values.q1'],
    [{}, 'values'],
  ])('rejects %j, naming %s', async (values, field) => {
    await expectInvalidField(patch(ids.c, values), field);
  });

  test('rejects a text that is too long', async () => {
    const { message } = await expectRefused(patch(ids.c, { Q4: 'x'.repeat(100_001) }), 400);
    expect(message).toMatch(/^values.Q4: must have at most \d+ characters, not 100001$/);
  });

  test('names similar columns for an unknown one', async () => {
    const { message } = await expectRefused(patch(ids.c, { Q44: 'x' }), 400);
    expect(message).toContain('did you mean ');
    expect(message).toContain('Q4');
  });

  test('rejects metadata and file columns with the reason', async () => {
    for (const [values, reason] of [
      [{ response_status: 'complete' }, 'set by the server'],
      [{ Q7: null }, 'files'],
    ] as const) {
      const { message, details } = await expectRefused(patch(ids.c, values), 422, 'not_editable');
      expect(message).toContain(reason);
      expect(details[0]!.field).toBe(`values.${Object.keys(values)[0]}`);
    }
  });

  test('rejects unknown fields and missing responses', async () => {
    await expectInvalidField(patch(ids.c, { Q1: '1' }, { atomic: true }), 'atomic');
    await expectRefused(patch(MISSING_ID, { Q1: '1' }), 404, 'not_found');
    const other = await createSurveyWithResponses(author);
    const [foreign] = await other.idsOf('a');
    await expectRefused(patch(foreign!, { Q1: '1' }), 404, 'not_found');
  });

  test('requires edit access', async () => {
    const otherOrganization = await newOrganization(app);
    await otherOrganization.admin.patch(at(`rows/${ids.a}`), { values: { Q1: '1' } }).expect(404);
    const client = await organization.addUser('client');
    await client.patch(at(`rows/${ids.a}`), { values: { Q1: '1' } }).expect(403);
  });
});

describe('an edit of many responses', () => {
  const batch = (body: object) => author.post(at('rows/batch'), body);

  test('is stored as one change and returns the counts', async () => {
    const reply = await batch({
      rows: [
        { response_id: ids.e, values: { Q1: '3', Q2: 26 } },
        { response_id: ids.a, values: { Q2: 31 } },
        { response_id: ids.d, values: { Q1: '1' } },
      ],
    }).expect(200);
    expect(reply.body.data).toEqual({
      change_id: expect.any(Number),
      dry_run: false,
      processed: 3,
      updated: 2,
      cells_updated: 3,
      unchanged: 1,
      failed: 0,
      errors: [],
    });
    const rows = await survey.rows();
    expect([rows.e!.values.Q2, rows.a!.values.Q2, rows.d!.edited]).toEqual([26, 31, false]);
    await author.post(at(`changes/${reply.body.data.change_id}/undo`)).expect(200);
  });

  const mixed = () => [
    { response_id: ids.a, values: { Q2: 32 } },
    { response_id: ids.b, values: { Q1: 'no', Q2: -1 } },
    { response_id: MISSING_ID, values: { Q2: 1 } },
    { response_id: ids.c, values: { edited: 1 } },
  ];

  test('is rejected as a whole for one invalid row, with every invalid cell', async () => {
    const before = await survey.rows();
    const { details } = await expectRefused(batch({ rows: mixed() }), 400, 'validation_failed');
    expect(details.map(({ field }) => field)).toEqual([
      'rows[1].values.Q1',
      'rows[1].values.Q2',
      'rows[2].response_id',
      'rows[3].values.edited',
    ]);
    expect(await survey.rows()).toEqual(before);
  });

  test('writes valid rows and reports invalid ones with atomic=false', async () => {
    const preview = await batch({ rows: mixed(), atomic: false, dry_run: true }).expect(200);
    const reply = await batch({ rows: mixed(), atomic: false }).expect(200);
    expect({ ...reply.body.data, change_id: null, dry_run: true }).toEqual(preview.body.data);
    expect(reply.body.data).toMatchObject({ processed: 4, updated: 1, unchanged: 0, failed: 3 });
    expect(reply.body.data.errors.map((error: { response_id: number }) => error.response_id)).toEqual([
      ids.b,
      MISSING_ID,
      ids.c,
    ]);
    expect((await survey.rows()).a!.values.Q2).toBe(32);
  });

  test('accepts each response only once', async () => {
    const row = { response_id: ids.a, values: { Q2: 1 } };
    await expectInvalidField(batch({ rows: [row, row] }), 'rows[1].response_id');
    await expectInvalidField(batch({ rows: [] }), 'rows');
    await expectInvalidField(batch({ rows: [{ ...row, response_id: '1 OR 1=1' }] }), 'rows[0].response_id');
  });

  test('that fails in its last batch changes nothing', async () => {
    const stored = await Promise.all(
      Array.from({ length: 5 }, () => insertResponse(app, survey.surveyId, { answers: { Q4: 'x' } })),
    );
    await app.database.db.raw(
      `INSERT INTO responses (survey_id, response_token, response_status, survey_version, answers)
       SELECT ?, md5(random()::text), 'complete', 1, '{"Q4":"x"}' FROM generate_series(1, 2000)`,
      [survey.surveyId],
    );
    const all = await app.database
      .db('responses')
      .where({ survey_id: survey.surveyId })
      .max<{ last: number }[]>('response_id as last');
    const { last } = all[0]!;
    const rows = Array.from({ length: last - stored[0]! }, (_, index) => ({
      response_id: stored[0]! + index,
      values: { Q4: 'y' },
    }));
    await expectInvalidField(
      batch({ rows: [...rows, { response_id: last, values: { Q1: 'x' } }] }),
      `rows[${rows.length}].values.Q1`,
    );
    const changed = await app.database
      .db('responses')
      .where({ survey_id: survey.surveyId })
      .whereRaw(`answers ->> 'Q4' = 'y'`);
    expect(changed).toEqual([]);
    const valid = await batch({ rows }).expect(200);
    expect(valid.body.data).toMatchObject({ updated: rows.length, failed: 0 });
    await author.post(at(`changes/${valid.body.data.change_id}/undo`)).expect(200);
  });
});

describe('a response in progress', () => {
  test('can be edited, and later answers of the respondent take precedence', async () => {
    const respondent = await startResponse(anonymous(app), survey.linkToken, {
      answers: { Q1: '1', Q4: 'first answer' },
    });
    await patch(respondent.responseId, { Q1: '2', Q9: 'edited' }).expect(200);
    await respondent.save({ Q4: 'second answer' }).expect(200);
    await respondent.complete({ Q1: '3', Q9: 'respondent’s answer' }).expect(200);
    const rows = await author.get(at('grid')).expect(200);
    const row = rows.body.data.rows.find(
      (response: { response_id: number }) => response.response_id === respondent.responseId,
    );
    expect(row.values).toMatchObject({ Q1: '3', Q4: 'second answer', Q9: 'respondent’s answer' });
    expect(row.response_status).toBe('complete');
  });
});
