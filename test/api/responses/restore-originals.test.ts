import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { type SurveyWithResponses, createSurveyWithResponses } from '../../support/survey-with-responses.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
let author: Actor;
let survey: SurveyWithResponses;
let ids: number[];
const restore = (body: object = {}) => author.post(survey.at('restore-originals'), body);
const edit = (id: number, values: object) => author.patch(survey.at(`rows/${id}`), { values }).expect(200);
const readStored = () =>
  app.database
    .db('responses')
    .where({ survey_id: survey.surveyId })
    .orderBy('response_id')
    .select('response_id', 'answers', 'originals', 'response_status');
let originals: Awaited<ReturnType<typeof readStored>>;

beforeEach(async () => {
  author ??= (await newOrganization(app)).admin;
  survey = await createSurveyWithResponses(author);
  ids = await survey.idsOf('a', 'b', 'c', 'd', 'e');
  originals = await readStored();
  await edit(ids[0]!, { Q1: '2', Q5_r1: '3', Q5_r2: null, Q3: ['3'] });
  await edit(ids[1]!, { Q1: '3', Q4: 'changed' });
  await edit(ids[1]!, { Q1: '2', Q4: null });
  await edit(ids[3]!, { Q2: 5, Q9: 'never asked' });
});

describe('restoring originals', () => {
  test('restores the original answers exactly after several kinds of edits', async () => {
    await author.post(survey.at('find-replace'), { column_code: 'Q1', find: '2', replace: '1' }).expect(200);
    const edited = await readStored();
    const reply = await restore().expect(200);
    expect(reply.body.data).toMatchObject({ processed: 5, updated: 4, unchanged: 1, failed: 0 });
    expect(await readStored()).toEqual(originals);
    expect((await survey.rows()).b).toMatchObject({ edited: false, values: { Q1: '9', Q1_other: 'Tea' } });
    await author.post(survey.at(`changes/${reply.body.data.change_id}/undo`)).expect(200);
    expect(await readStored()).toEqual(edited);
  });

  test('can be limited to responses and columns', async () => {
    const restored = await restore({ response_ids: [ids[0], ids[2], MISSING_ID] }).expect(200);
    expect(restored.body.data).toMatchObject({ processed: 3, updated: 1, unchanged: 1, failed: 1 });
    expect((await readStored())[0]).toEqual(originals[0]);
    const byColumns = await restore({ column_codes: ['Q4', 'Q9'] }).expect(200);
    expect(byColumns.body.data).toMatchObject({ updated: 2, cells_updated: 2 });
    const rows = await survey.rows();
    expect(rows.b).toMatchObject({ edited: true, values: { Q1: '2', Q4: 'good, Good and GOOD' } });
    expect(rows.d).toMatchObject({ edited: true, values: { Q2: 5, Q9: null } });
  });

  test('restores one row of a matrix and keeps the other rows edited', async () => {
    await restore({ column_codes: ['Q5_r1'], filter: { Q1: ['2'] } }).expect(200);
    expect((await survey.rows()).a!.values).toMatchObject({ Q5_r1: '1', Q5_r2: null });
    await restore({ column_codes: ['Q5_r2'] }).expect(200);
    expect((await readStored())[0]!.originals).toEqual({ Q1: ['1'], Q3: [['1', '2']] });
  });

  test('changes nothing with dry_run or when repeated', async () => {
    const edited = await readStored();
    const preview = await restore({ dry_run: true }).expect(200);
    expect(preview.body.data).toMatchObject({ updated: 3, change_id: null });
    expect(await readStored()).toEqual(edited);
    await restore().expect(200);
    expect((await restore().expect(200)).body.data).toMatchObject({ updated: 0, change_id: null });
  });

  test('rejects unknown columns, metadata columns and contradictory selections', async () => {
    await expectInvalidField(restore({ column_codes: ['Q4', 'Q44'] }), 'column_codes[1]');
    const { details } = await expectRefused(restore({ column_codes: ['edited'] }), 422, 'not_editable');
    expect(details[0]!.field).toBe('column_codes[0]');
    await expectInvalidField(restore({ response_ids: ids, filter: { Q1: ['1'] } }), 'filter');
    await expectInvalidField(restore({ everything: true }), 'everything');
  });
});
