import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { withFile } from '../../support/file-transfer.ts';
import { choice, text } from '../../support/questions.ts';
import {
  cell,
  ALL_RESPONDENTS,
  quotaCounts,
  quota,
  getQuotas,
  setQuotas,
  answersAre,
} from '../../support/quotas.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { type Wave, createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
let survey: PublishedSurvey;
let wave: Wave;
const GENDER = [cell('Women', answersAre('Q1', 1), 2), cell('Men', answersAre('Q1', 2), 2)];

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1'), choice('Q2'), text('Why')]]);
});

beforeEach(async () => {
  await app.database.db.raw(`UPDATE waves SET wave_end_date = now() WHERE survey_id = ?`, [survey.surveyId]);
  wave = await createWave(author, survey.surveyId, {});
});

const submit = async (answers: object): Promise<number> =>
  (await respondent.post(`/api/public/s/${survey.linkToken}/responses`, { answers }).expect(201)).body.data
    .response_id;
const count = () => quotaCounts(author, wave);
const edit = (responseId: number, values: object) =>
  author.patch(`/api/responses/${survey.surveyId}/rows/${responseId}`, { values });
const bulk = (action: string, ids: number[], more: object = {}) =>
  author.post(`/api/responses/${survey.surveyId}/bulk`, { action, response_ids: ids, ...more });
const undo = (reply: { body: { data: { change_id: number } } }) =>
  author.post(`/api/responses/${survey.surveyId}/changes/${reply.body.data.change_id}/undo`);

describe('when data are changed', () => {
  test('moves an edited response to another cell, even beyond its target, and undo moves it back', async () => {
    await setQuotas(author, wave, quota('Gender', GENDER));
    const ids = [];
    for (const Q1 of ['1', '1', '2']) ids.push(await submit({ Q1 }));
    expect(await count()).toEqual({ Women: '2', Men: '1' });
    const edited = await edit(ids[2]!, { Q1: '1' }).expect(200);
    expect(await count()).toEqual({ Women: '3', Men: '0' });
    expect((await getQuotas(author, wave))[0]!.cells[0]).toMatchObject({ target: 2, remaining: 0 });
    await undo(edited).expect(200);
    expect(await count()).toEqual({ Women: '2', Men: '1' });
    await edit(ids[2]!, { Q1: '3' }).expect(200);
    expect(await count()).toEqual({ Women: '2', Men: '0' });
    await author
      .post(`/api/responses/${survey.surveyId}/restore-originals`, { response_ids: [ids[2]] })
      .expect(200);
    expect(await count()).toEqual({ Women: '2', Men: '1' });
  });

  test('frees the places of deleted responses, and undo restores them', async () => {
    await setQuotas(author, wave, quota('Gender', GENDER));
    const ids = [await submit({ Q1: '1' }), await submit({ Q1: '1' })];
    const deleted = await bulk('delete', ids).expect(200);
    expect(await count()).toEqual({ Women: '0', Men: '0' });
    await submit({ Q1: '1' });
    expect(await count()).toEqual({ Women: '1', Men: '0' });
    await undo(deleted).expect(200);
    expect(await count()).toEqual({ Women: '3', Men: '0' });
  });

  test('counts a status that is set by hand, even over quota', async () => {
    await setQuotas(author, wave, quota('Women', [cell('Women', answersAre('Q1', 1), 1)]));
    const [first, over] = [await submit({ Q1: '1' }), await submit({ Q1: '1' })];
    expect(await count()).toEqual({ Women: '1!1' });
    const lifted = await bulk('set_status', [over], { status: 'complete' }).expect(200);
    expect(await count()).toEqual({ Women: '2' });
    await undo(lifted).expect(200);
    expect(await count()).toEqual({ Women: '1!1' });
    await bulk('set_status', [first], { status: 'screened_out' }).expect(200);
    expect(await count()).toEqual({ Women: '0!1' });
  });

  test('changes no count in a dry run, and counts a partial response when it is set to complete', async () => {
    await setQuotas(author, wave, quota('Gender', GENDER));
    const { responseId } = await startResponse(respondent, survey.linkToken, { answers: { Q1: '2' } });
    await bulk('set_status', [responseId], { status: 'complete', dry_run: true }).expect(200);
    expect(await count()).toEqual({ Women: '0', Men: '0' });
    await bulk('set_status', [responseId], { status: 'complete' }).expect(200);
    expect(await count()).toEqual({ Women: '0', Men: '1' });
  });

  test('recounts after find and replace, overwriting transforms and imports', async () => {
    await setQuotas(author, wave, quota('Gender', GENDER));
    const ids = [await submit({ Q1: '1' }), await submit({ Q1: '1' })];
    const base = `/api/responses/${survey.surveyId}`;
    await author
      .post(`${base}/find-replace`, {
        column_code: 'Q1',
        find: '1',
        replace: '2',
        match_entire_cell: true,
        response_ids: [ids[0]],
      })
      .expect(200);
    expect(await count()).toEqual({ Women: '1', Men: '1' });
    const recode = { column_code: 'Q1', overwrite: true, rules: [{ from: ['1'], to: '2' }] };
    await author.post(`${base}/transform/recode`, recode).expect(200);
    expect(await count()).toEqual({ Women: '0', Men: '2' });
    const file = `response_id,Q1\n${ids[0]},1\n${ids[1]},3\n`;
    await withFile(author.post(`${base}/import`), file, { on_existing: 'update' }, 'rows.csv').expect(201);
    expect(await count()).toEqual({ Women: '1', Men: '0' });
  });

  test('locks no wave for changes that no quota depends on', async () => {
    await setQuotas(author, wave, quota('Gender', GENDER));
    const id = await submit({ Q1: '1', Q2: '1' });
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => statements.push(sql);
    app.database.db.on('query', listen);
    await edit(id, { Q2: '2', Why: 'so' }).expect(200);
    app.database.db.removeListener('query', listen);
    expect(statements.some((sql) => sql.includes('UPDATE responses'))).toBe(true);
    expect(statements.filter((sql) => /FROM waves.*FOR NO KEY UPDATE/s.test(sql))).toEqual([]);
    expect(await count()).toEqual({ Women: '1', Men: '0' });
  });
});

describe('when quotas are replaced', () => {
  test('counts existing complete responses', async () => {
    for (const Q1 of ['1', '1', '1', '2']) await submit({ Q1, Q2: '1' });
    await startResponse(respondent, survey.linkToken, { answers: { Q1: '1' } });
    await setQuotas(
      author,
      wave,
      quota('Gender', GENDER),
      quota('Any', [cell('One', ALL_RESPONDENTS, 4), cell('Other', answersAre('Q2', 1), 4)]),
    );
    expect(await count()).toEqual({ Women: '3', Men: '1', One: '2', Other: '2' });
    await setQuotas(author, wave, quota('Age', [cell('Seconds', answersAre('Q2', 1), 9)]));
    expect(await count()).toEqual({ Seconds: '4' });
    await setQuotas(author, wave);
    expect(await getQuotas(author, wave)).toEqual([]);
    await submit({ Q1: '1' });
    await setQuotas(author, wave, quota('Gender', GENDER));
    expect(await count()).toEqual({ Women: '4', Men: '1' });
  });

  test('keeps id, counts and reservations of a cell with the same condition', async () => {
    const [before] = await setQuotas(author, wave, quota('Gender', GENDER));
    const response = await startResponse(respondent, survey.linkToken);
    await response.save({ Q1: '1' }, survey.pageIds[0]).expect(200);
    await submit({ Q1: '1' });
    await submit({ Q1: '1' });
    expect(await count()).toEqual({ Women: '1+1!1', Men: '0' });
    const next = quota('gender', [
      cell('Other', answersAre('Q1', 3), 1),
      cell('Ladies', { conditions: [answersAre('Q1', '1')] }, 5),
    ]);
    const [after] = await setQuotas(author, wave, next);
    expect(after!.quota_id).toBe(before!.quota_id);
    expect(after!.cells[1]).toMatchObject({
      cell_id: before!.cells[0]!.cell_id,
      cell_label: 'Ladies',
      target: 5,
      remaining: 3,
    });
    expect(await count()).toEqual({ Other: '0', Ladies: '1+1!1' });
    await response.complete().expect(200);
    expect(await count()).toEqual({ Other: '0', Ladies: '2!1' });
  });

  test('loses no response and counts none twice while responses arrive', async () => {
    const sent = Array.from({ length: 60 }, (_, index) => submit({ Q1: String((index % 3) + 1) }));
    const sets = (async () => {
      for (const target of [100, 90, 80]) {
        await setQuotas(
          author,
          wave,
          quota('Gender', [
            cell(`Women ${target}`, answersAre('Q1', 1), target),
            cell('Men', answersAre('Q1', 2), target),
          ]),
        );
        await setQuotas(
          author,
          wave,
          quota(`Others ${target}`, [cell('Others', answersAre('Q1', 3), target)]),
          quota(
            'Gender',
            GENDER.map((cell) => ({ ...cell, target })),
          ),
        );
      }
    })();
    await Promise.all([...sent, sets]);
    expect(await count()).toEqual({ Women: '20', Men: '20', Others: '20' });
  });
});
