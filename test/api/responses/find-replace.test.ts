import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { useOrganization } from '../../support/actors.ts';
import { type SurveyWithResponses, createSurveyWithResponses } from '../../support/survey-with-responses.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
let survey: SurveyWithResponses;
const postReplace = (body: object, column = 'Q4') =>
  author.post(survey.at('find-replace'), { column_code: column, ...body });
const undo = (changeId: number) => author.post(survey.at(`changes/${changeId}/undo`)).expect(200);

beforeAll(async () => {
  survey = await createSurveyWithResponses(author);
});

describe('find and replace', () => {
  test('replaces every occurrence, returns the counts, and can be undone', async () => {
    const before = await survey.rows();
    const preview = await postReplace({ find: 'GOOD', replace: 'nice $&', dry_run: true }).expect(200);
    expect(preview.body.data).toMatchObject({ change_id: null, dry_run: true, processed: 5, updated: 2 });
    expect(await survey.rows()).toEqual(before);
    const reply = await postReplace({ find: 'GOOD', replace: 'nice $&', reason: 'Spelling' }).expect(200);
    expect(reply.body.data).toEqual({
      ...preview.body.data,
      dry_run: false,
      change_id: expect.any(Number),
      cells_updated: 2,
      unchanged: 3,
    });
    const rows = await survey.rows();
    expect([rows.a!.values.Q4, rows.b!.values.Q4]).toEqual([
      'nice $& coffee',
      'nice $&, nice $& and nice $&',
    ]);
    expect([rows.a!.edited, rows.c!.edited]).toEqual([true, false]);
    const [change] = (await author.get(survey.at('changes')).expect(200)).body.data;
    expect(change).toMatchObject({ operation: 'find_replace', column_codes: ['Q4'], rows_changed: 2 });
    expect(JSON.stringify(change)).not.toContain('nice');
    await undo(reply.body.data.change_id);
    expect((await survey.rows()).b!.values).toEqual(before.b!.values);
  });

  test('can match case and whole cells, in several columns and selected responses', async () => {
    const [a, b] = await survey.idsOf('a', 'b');
    const preview = async (body: object) =>
      (await author.post(survey.at('find-replace'), { replace: 'x', dry_run: true, ...body }).expect(200))
        .body.data;
    expect(await preview({ column_code: 'Q4', find: 'Good', match_case: true })).toMatchObject({
      updated: 2,
    });
    expect(await preview({ column_code: 'Q4', find: 'GOOD', match_case: true })).toMatchObject({
      updated: 1,
    });
    expect(await preview({ column_code: 'Q4', find: 'good', match_entire_cell: true })).toMatchObject({
      updated: 0,
    });
    expect(await preview({ column_codes: ['Q4', 'q1_other', 'Q4'], find: 'e' })).toMatchObject({
      updated: 2,
      cells_updated: 2,
    });
    expect(await preview({ column_code: 'Q4', find: 'good', filters: { Q1: ['1'] } })).toMatchObject({
      processed: 2,
      updated: 1,
    });
    expect(
      await preview({ column_code: 'Q4', find: 'good', response_ids: [b, MISSING_ID, b] }),
    ).toMatchObject({
      processed: 2,
      updated: 1,
      failed: 1,
      errors: [{ response_id: MISSING_ID }],
    });
    expect(a).toBeGreaterThan(0);
  });

  test('replaces one value of a coded column with another', async () => {
    const reply = await postReplace({ find: '1', replace: '3' }, 'Q1').expect(200);
    expect(reply.body.data).toMatchObject({ updated: 2 });
    const figures = await author.get(survey.at('distribution/Q1?base=shown')).expect(200);
    expect(figures.body.data.categories.map((category: { count: number }) => category.count)).toEqual([
      0, 0, 2, 1,
    ]);
    await undo(reply.body.data.change_id);
  });

  test('fills empty cells for an empty search, and clears cells with an empty replacement', async () => {
    const filled = await postReplace({ find: '', replace: 'none', match_entire_cell: true }).expect(200);
    const rows = await survey.rows();
    expect([rows.a!.values.Q4, rows.c!.values.Q4]).toEqual(['Good coffee', 'none']);
    const emptied = await postReplace({ find: 'NONE', replace: '', match_entire_cell: true }).expect(200);
    expect(emptied.body.data.updated).toBe(filled.body.data.updated);
    expect((await survey.rows()).c).toMatchObject({ edited: false, values: { Q4: null } });
  });

  test.each([
    [{ find: '1', replace: '8' }, 'Q1', 'replace', 'accepted: "1", "2", "3", "9"'],
    [{ find: '0', replace: 'x' }, 'Q2', 'replace', 'Q2: must be a number, not "3x"'],
    [{ find: '0', replace: '00' }, 'Q2', 'replace', 'must be between 0 and 120, not 300'],
    [{ find: '2026', replace: '20' }, 'Q6', 'replace', 'must be YYYY-MM-DD'],
    [{ find: '', replace: 'x' }, 'Q4', 'find', 'must not be empty'],
    [{ find: 'x', replace: 'y' }, 'Q44', 'column_code', 'did you mean '],
    [{ find: 'x', replace: 'y', regex: true }, 'Q4', 'regex', 'regex'],
    [{ find: 'x'.repeat(1_001), replace: 'y' }, 'Q4', 'find', 'find'],
    [{ find: 'x' }, 'Q4', 'replace', 'replace'],
  ])('rejects %j in %s', async (body, column, field, text) => {
    const before = await survey.rows();
    const { message, details } = await expectRefused(postReplace(body, column), 400, 'validation_failed');
    expect(details[0]!.field).toBe(field);
    expect(message).toContain(text);
    expect(await survey.rows()).toEqual(before);
  });

  test('rejects columns that are not editable', async () => {
    await expectRefused(postReplace({ find: 'a', replace: 'b' }, 'submission_id'), 422, 'not_editable');
    const one = await expectRefused(postReplace({ find: 'a', replace: 'b' }, 'Q7'), 422, 'not_editable');
    expect(one.details[0]!.field).toBe('column_code');
    const body = { find: 'a', replace: 'b', column_codes: ['Q4', 'Q7'] };
    const second = await expectRefused(author.post(survey.at('find-replace'), body), 422, 'not_editable');
    expect(second.details[0]!.field).toBe('column_codes[1]');
    await expectInvalidField(
      author.post(survey.at('find-replace'), { find: 'a', replace: 'b' }),
      'column_code',
    );
    await expectInvalidField(postReplace({ find: 'a', replace: 'b', column_codes: ['Q4'] }), 'column_codes');
  });
});

describe('find and replace in many responses', () => {
  const RESPONSES = 2_050;
  const readResponses = () =>
    app.database
      .db('responses')
      .where({ survey_id: survey.surveyId })
      .orderBy('response_id')
      .select('answers', 'originals', 'response_status', 'deleted_at');

  beforeAll(async () => {
    await app.database.db.raw(
      `INSERT INTO responses (survey_id, response_token, response_status, survey_version, answers)
       SELECT ?, md5(random()::text), 'complete', 1,
         jsonb_build_object('Q4', CASE WHEN n = ${RESPONSES} THEN repeat('word ', 300) ELSE 'one word' END, 'Q2', n % 100)
       FROM generate_series(1, ${RESPONSES}) n`,
      [survey.surveyId],
    );
  });

  test('changes nothing if validation fails in the last batch', async () => {
    const before = await readResponses();
    const { details } = await expectRefused(postReplace({ find: 'word', replace: 'w'.repeat(100) }), 400);
    expect(details).toHaveLength(1);
    expect(details[0]!.message).toMatch(/^response \d+, Q4: must have at most \d+ characters, not \d+$/);
    expect(await readResponses()).toEqual(before);
  });

  test('changes nothing if the database fails in the last batch', async () => {
    const before = await readResponses();
    await app.database.db.raw(`
      CREATE FUNCTION fail_update() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF length(NEW.answers ->> 'Q4') > 1000 THEN RAISE EXCEPTION 'update failed'; END IF;
        RETURN NEW;
      END $$`);
    await app.database.db.raw(
      'CREATE TRIGGER fail_update BEFORE UPDATE ON responses FOR EACH ROW EXECUTE FUNCTION fail_update()',
    );
    await expectRefused(postReplace({ find: 'word', replace: 'term' }), 500);
    await app.database.db.raw('DROP TRIGGER fail_update ON responses');
    await app.database.db.raw('DROP FUNCTION fail_update()');
    expect(await readResponses()).toEqual(before);
    const changes = (await author.get(survey.at('changes')).expect(200)).body;
    expect(changes.data[0].undone_at !== null || changes.data[0].rows_changed < 10).toBe(true);
  });

  test('is one change, and undo also restores the originals of earlier edits', async () => {
    const first = await postReplace({ find: 'one', replace: 'two' }).expect(200);
    expect(first.body.data.updated).toBe(RESPONSES - 1);
    const between = await readResponses();
    const second = await postReplace({ find: 'two', replace: 'one' }).expect(200);
    expect((await readResponses()).every(({ originals }) => !Object.hasOwn(originals ?? {}, 'Q4'))).toBe(
      true,
    );
    await undo(second.body.data.change_id);
    expect(await readResponses()).toEqual(between);
    await undo(first.body.data.change_id);
  });
});
