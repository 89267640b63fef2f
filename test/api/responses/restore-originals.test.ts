import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { type EditedSurvey, editedSurvey } from '../../support/edited-survey.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
let author: Actor;
let survey: EditedSurvey;
let ids: number[];
const restore = (body: object = {}) => author.post(survey.at('restore-originals'), body);
const edit = (id: number, values: object) => author.patch(survey.at(`rows/${id}`), { values }).expect(200);
const stored = () =>
  app.database
    .db('responses')
    .where({ survey_id: survey.surveyId })
    .orderBy('response_id')
    .select('response_id', 'answers', 'originals', 'response_status');
let given: Awaited<ReturnType<typeof stored>>;

beforeEach(async () => {
  author ??= (await newOrganization(app)).admin;
  survey = await editedSurvey(author);
  ids = await survey.idsOf('a', 'b', 'c', 'd', 'e');
  given = await stored();
  await edit(ids[0]!, { Q1: '2', Q5_r1: '3', Q5_r2: null, Q3: ['3'] });
  await edit(ids[1]!, { Q1: '3', Q4: 'changed' });
  await edit(ids[1]!, { Q1: '2', Q4: null });
  await edit(ids[3]!, { Q2: 5, Q9: 'never asked' });
});

describe('restoring originals', () => {
  test('brings back exactly what was given, whatever was done in between', async () => {
    await author.post(survey.at('find-replace'), { column_code: 'Q1', find: '2', replace: '1' }).expect(200);
    const edited = await stored();
    const reply = await restore().expect(200);
    expect(reply.body.data).toMatchObject({ processed: 5, updated: 4, unchanged: 1, failed: 0 });
    expect(await stored()).toEqual(given);
    expect((await survey.rows()).b).toMatchObject({ edited: false, values: { Q1: '9', Q1_other: 'Tea' } });
    await author.post(survey.at(`changes/${reply.body.data.change_id}/undo`)).expect(200);
    expect(await stored()).toEqual(edited);
  });

  test('can be of some responses and some columns', async () => {
    const one = await restore({ response_ids: [ids[0], ids[2], MISSING_ID] }).expect(200);
    expect(one.body.data).toMatchObject({ processed: 3, updated: 1, unchanged: 1, failed: 1 });
    expect((await stored())[0]).toEqual(given[0]);
    const some = await restore({ column_codes: ['Q4', 'Q9'] }).expect(200);
    expect(some.body.data).toMatchObject({ updated: 2, cells_updated: 2 });
    const rows = await survey.rows();
    expect(rows.b).toMatchObject({ edited: true, values: { Q1: '2', Q4: 'good, Good and GOOD' } });
    expect(rows.d).toMatchObject({ edited: true, values: { Q2: 5, Q9: null } });
  });

  test('of one row of a matrix leaves the others edited', async () => {
    await restore({ column_codes: ['Q5_r1'], filter: { Q1: ['2'] } }).expect(200);
    expect((await survey.rows()).a!.values).toMatchObject({ Q5_r1: '1', Q5_r2: null });
    await restore({ column_codes: ['Q5_r2'] }).expect(200);
    expect((await stored())[0]!.originals).toEqual({ Q1: ['1'], Q3: [['1', '2']] });
  });

  test('is tried with dry_run, and changes nothing the second time', async () => {
    const edited = await stored();
    const tried = await restore({ dry_run: true }).expect(200);
    expect(tried.body.data).toMatchObject({ updated: 3, change_id: null });
    expect(await stored()).toEqual(edited);
    await restore().expect(200);
    expect((await restore().expect(200)).body.data).toMatchObject({ updated: 0, change_id: null });
  });

  test('refuses what it cannot mean', async () => {
    await expectInvalidField(restore({ column_codes: ['Q4', 'Q44'] }), 'column_codes[1]');
    const { details } = await expectRefused(restore({ column_codes: ['edited'] }), 422, 'not_editable');
    expect(details[0]!.field).toBe('column_codes[0]');
    await expectInvalidField(restore({ response_ids: ids, filter: { Q1: ['1'] } }), 'filter');
    await expectInvalidField(restore({ everything: true }), 'everything');
  });
});
