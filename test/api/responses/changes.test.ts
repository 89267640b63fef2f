import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { type SurveyWithResponses, createSurveyWithResponses } from '../../support/survey-with-responses.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
let survey: SurveyWithResponses;
let ids: number[];
const changeIds: number[] = [];
const undo = (changeId: number) => author.post(survey.at(`changes/${changeId}/undo`));
const listChanges = async (query = '') => (await author.get(survey.at(`changes${query}`)).expect(200)).body;

beforeAll(async () => {
  survey = await createSurveyWithResponses(author);
  ids = await survey.idsOf('a', 'b', 'c', 'd', 'e');
  const replies = [
    await author.patch(survey.at(`rows/${ids[0]}`), { values: { Q4: 'x' } }).expect(200),
    await author.post(survey.at('bulk'), { action: 'flag', response_ids: [ids[0], ids[1]] }).expect(200),
    await author
      .post(survey.at('find-replace'), { column_codes: ['Q4', 'Q1'], find: '1', replace: '1' })
      .expect(200),
    await author.post(survey.at('bulk'), { action: 'delete', response_ids: [ids[0]] }).expect(200),
  ];
  for (const reply of replies) changeIds.push(reply.body.data.change_id);
});

describe('the change log', () => {
  test('lists effective changes, latest first, with user and row count', async () => {
    expect(changeIds[2]).toBeNull();
    const { data, meta } = await listChanges();
    expect(
      data.map((change: { operation: string; rows_changed: number }) => [
        change.operation,
        change.rows_changed,
      ]),
    ).toEqual([
      ['bulk_delete', 1],
      ['bulk_flag', 2],
      ['edit', 1],
    ]);
    expect(meta.total).toBe(3);
    expect(data[0]).toMatchObject({
      user_id: author.userId,
      column_codes: [],
      details: { action: 'delete' },
    });
    const audited = await app.database
      .db('audit_log')
      .whereLike('action', 'data.%')
      .orderBy('audit_id')
      .pluck('action');
    expect(audited).toEqual(['data.edit', 'data.bulk_flag', 'data.bulk_delete']);
  });

  test('is paginated', async () => {
    const first = await listChanges('?limit=2');
    const next = await listChanges(`?limit=2&cursor=${first.meta.next_cursor}`);
    expect([...first.data, ...next.data].map((change: { change_id: number }) => change.change_id)).toEqual([
      changeIds[3],
      changeIds[1],
      changeIds[0],
    ]);
    expect(next.meta.next_cursor).toBeNull();
    const second = await listChanges('?limit=2&page=2');
    expect(second.data.map((change: { change_id: number }) => change.change_id)).toEqual([changeIds[0]]);
    expect(second.meta).toMatchObject({ total: 3, next_cursor: null });
    expect((await listChanges('?page=1')).data).toHaveLength(3);
    await expectInvalidField(
      author.get(survey.at(`changes?page=2&cursor=${first.meta.next_cursor}`)),
      'page',
    );
    await expectInvalidField(author.get(survey.at('changes?cursor=abc')), 'cursor');
  });

  test('lists the cells of a change before and after it', async () => {
    const listRows = async (changeId: number, query = '') =>
      (await author.get(survey.at(`changes/${changeId}/rows${query}`)).expect(200)).body;
    const edited = await author
      .patch(survey.at(`rows/${ids[2]}`), { values: { Q3: ['1', '3'], Q5_r1: '2' } })
      .expect(200);
    const again = await author.patch(survey.at(`rows/${ids[2]}`), { values: { Q5_r1: '3' } }).expect(200);
    const first = await listRows(edited.body.data.change_id);
    expect(first.data).toEqual([
      {
        response_id: ids[2],
        cells: expect.arrayContaining([
          expect.objectContaining({
            column_code: 'Q3',
            after: ['1', '3'],
            after_label: 'Option 1, Option 3',
          }),
          // The later edit set 3.
          expect.objectContaining({ column_code: 'Q5_r1', after: '2', after_label: 'Point 2' }),
        ]),
      },
    ]);
    const second = await listRows(again.body.data.change_id);
    expect(second.data[0].cells).toMatchObject([{ before_label: 'Point 2', after_label: 'Point 3' }]);
    await undo(again.body.data.change_id).expect(200);
    const [undone] = (await listRows(again.body.data.change_id)).data;
    expect(undone.cells).toEqual([
      { column_code: 'Q5_r1', label: 'How good? – Price', before: '2', before_label: 'Point 2' },
    ]);
    await undo(edited.body.data.change_id).expect(200);

    const deleted = await listRows(changeIds[3]!);
    expect(deleted.data).toEqual([
      { response_id: ids[0], cells: [expect.objectContaining({ label: 'Deleted', before: 0, after: 1 })] },
    ]);
    const flagged = await listRows(changeIds[1]!, '?limit=1');
    expect(flagged.meta).toMatchObject({ total: 2, next_cursor: expect.any(String) });
    expect(flagged.data[0].cells).toMatchObject([
      { column_code: 'quality_status', before: null, after_label: 'Pending' },
      { column_code: 'quality_flags', before_label: null, after_label: 'manual' },
    ]);
    await expectRefused(author.get(survey.at(`changes/${MISSING_ID}/rows`)), 404);
  });

  test('undoes the latest change first, each once', async () => {
    const { message } = await expectRefused(undo(changeIds[0]!), 409, 'later_changes');
    expect(message).toContain(`undo ${changeIds[3]}, ${changeIds[1]} before ${changeIds[0]}`);
    const undone = await undo(changeIds[3]!).expect(200);
    expect(undone.body.data).toMatchObject({ change_id: changeIds[3], undone_by: author.userId });
    await expectRefused(undo(changeIds[3]!), 409, 'already_undone');
    await undo(changeIds[1]!).expect(200);
    await undo(changeIds[0]!).expect(200);
    expect((await survey.rows()).a).toMatchObject({
      edited: false,
      quality: null,
      values: { Q4: 'Good coffee' },
    });
    await expectRefused(undo(MISSING_ID), 404);
  });

  test('returns 404 for changes of another survey or without access', async () => {
    const other = await createSurveyWithResponses(author);
    const edit = await author.post(other.at('bulk'), {
      action: 'flag',
      response_ids: await other.idsOf('a'),
    });
    await expectRefused(undo(edit.body.data.change_id), 404);
    const otherAdmin = (await newOrganization(app)).admin;
    await otherAdmin.get(survey.at('changes')).expect(404);
    await otherAdmin.post(other.at(`changes/${edit.body.data.change_id}/undo`)).expect(404);
  });
});
