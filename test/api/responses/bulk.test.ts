import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { type SurveyWithResponses, createSurveyWithResponses } from '../../support/survey-with-responses.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
let author: Actor;
let survey: SurveyWithResponses;
let ids: number[];
const bulk = (body: object) => author.post(survey.at('bulk'), body);
const undo = (changeId: number) => author.post(survey.at(`changes/${changeId}/undo`)).expect(200);

beforeEach(async () => {
  author ??= (await newOrganization(app)).admin;
  survey = await createSurveyWithResponses(author);
  ids = await survey.idsOf('a', 'b', 'c', 'd', 'e');
});

/** Counts by the stats endpoint (complete, partial, screened out) and by the stored counters (all, complete). */
async function counts() {
  const stats = (await author.get(survey.at('stats')).expect(200)).body.data;
  const [row] = await app.database
    .db('response_counts')
    .where({ survey_id: survey.surveyId })
    .sum({ responses: 'response_count', complete: 'complete_count' });
  return {
    stats: [stats.complete, stats.partial, stats.screened_out],
    counted: [Number(row!.responses), Number(row!.complete)],
  };
}
const INITIAL_COUNTS = { stats: [3, 1, 1], counted: [5, 3] };

describe('bulk delete', () => {
  test('removes responses from grid, counts and edits, and undo restores them', async () => {
    const before = await survey.rows();
    const reply = await bulk({ action: 'delete', response_ids: [ids[0], ids[4], ids[0]] }).expect(200);
    expect(reply.body.data).toEqual({
      change_id: expect.any(Number),
      dry_run: false,
      processed: 2,
      updated: 2,
      cells_updated: 0,
      unchanged: 0,
      failed: 0,
      errors: [],
    });
    expect(await counts()).toEqual({ stats: [2, 1, 0], counted: [3, 2] });
    expect(Object.keys(await survey.rows())).toEqual(['b', 'c', 'd']);
    await expectRefused(author.patch(survey.at(`rows/${ids[0]}`), { values: { Q1: '1' } }), 404);
    const repeated = await bulk({ action: 'delete', response_ids: [ids[0], ids[1]] }).expect(200);
    expect(repeated.body.data).toMatchObject({ processed: 2, updated: 1, failed: 1 });
    await undo(repeated.body.data.change_id);
    await undo(reply.body.data.change_id);
    expect(await counts()).toEqual(INITIAL_COUNTS);
    const after = await survey.rows();
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after.a!.values).toEqual(before.a!.values);
  });

  test('with a filter deletes matching responses of any status', async () => {
    const reply = await bulk({ action: 'delete', filter: { Q1: ['1', '2'] } }).expect(200);
    expect(reply.body.data).toMatchObject({ processed: 3, updated: 3 });
    expect(Object.keys(await survey.rows())).toEqual(['b', 'c']);
  });

  test('with dry_run deletes nothing', async () => {
    const reply = await bulk({ action: 'delete', response_ids: ids, dry_run: true }).expect(200);
    expect(reply.body.data).toMatchObject({ change_id: null, dry_run: true, updated: 5 });
    expect(await counts()).toEqual(INITIAL_COUNTS);
  });

  test('reports unknown ids and deletes the others', async () => {
    const other = await createSurveyWithResponses(author);
    const [foreign] = await other.idsOf('a');
    const reply = await bulk({ action: 'delete', response_ids: [foreign, ids[2], MISSING_ID] }).expect(200);
    expect(reply.body.data).toMatchObject({ processed: 3, updated: 1, failed: 2 });
    expect(reply.body.data.errors.map((error: { response_id: number }) => error.response_id)).toEqual([
      foreign,
      MISSING_ID,
    ]);
    expect(Object.keys(await other.rows())).toHaveLength(5);
  });
});

describe('bulk set_status', () => {
  test('updates counts, clears the reason and adjusts completed_at', async () => {
    await app.database.db('responses').where({ response_id: ids[4]! }).update({ status_reason: 'quality' });
    const before = await survey.rows();
    const complete = await bulk({ action: 'set_status', status: 'complete', response_ids: ids }).expect(200);
    expect(complete.body.data).toMatchObject({ processed: 5, updated: 2, unchanged: 3 });
    expect(await counts()).toEqual({ stats: [5, 0, 0], counted: [5, 5] });
    const rows = await survey.rows();
    expect(rows.e).toMatchObject({ response_status: 'complete', status_reason: null });
    expect(rows.e!.completed_at).toBe(before.e!.completed_at);
    expect(before.d!.completed_at).toBeNull();
    expect(Date.parse(rows.d!.completed_at!)).toBeGreaterThan(Date.now() - 60_000);
    const partial = await bulk({ action: 'set_status', status: 'partial', response_ids: [ids[0]] }).expect(
      200,
    );
    expect((await survey.rows()).a).toMatchObject({ response_status: 'partial', completed_at: null });
    expect(await counts()).toEqual({ stats: [4, 1, 0], counted: [5, 4] });
    await undo(partial.body.data.change_id);
    await undo(complete.body.data.change_id);
    expect(await counts()).toEqual(INITIAL_COUNTS);
    const statusFields = ({ response_status, status_reason, completed_at }: (typeof before)[string]) => ({
      response_status,
      status_reason,
      completed_at,
    });
    const restored = await survey.rows();
    for (const name of 'abcde') expect(statusFields(restored[name]!)).toEqual(statusFields(before[name]!));
  });

  test('requires one of three statuses; other actions reject a status', async () => {
    await expectInvalidField(bulk({ action: 'set_status', response_ids: ids }), 'status');
    await expectInvalidField(bulk({ action: 'set_status', status: 'done', response_ids: ids }), 'status');
    await expectInvalidField(bulk({ action: 'delete', status: 'partial', response_ids: ids }), 'status');
  });
});

describe('bulk flag and unflag', () => {
  test('adds a quality flag with a reason once and removes it', async () => {
    const flag = await bulk({
      action: 'flag',
      response_ids: [ids[0], ids[1]],
      reason: 'Duplicate respondent',
    });
    expect(flag.body.data).toMatchObject({ updated: 2 });
    const { quality } = (await survey.rows()).a!;
    expect(quality!.status).toBe('pending');
    expect(quality!.flags).toMatchObject([{ check: 'manual', value: 'Duplicate respondent' }]);
    const repeated = await bulk({ action: 'flag', response_ids: [ids[0], ids[2]] }).expect(200);
    expect(repeated.body.data).toMatchObject({ updated: 1, unchanged: 1 });
    const unflag = await bulk({ action: 'unflag', response_ids: ids }).expect(200);
    expect(unflag.body.data).toMatchObject({ updated: 3, unchanged: 2 });
    expect((await survey.rows()).a!.quality).toBeNull();
    await undo(unflag.body.data.change_id);
    expect((await survey.rows()).a!.quality).toEqual(quality);
  });
});

test('rejects a request without response ids or a filter', async () => {
  await expectInvalidField(bulk({ action: 'delete' }), 'response_ids');
  await expectInvalidField(bulk({ action: 'delete', response_ids: [] }), 'response_ids');
  await expectInvalidField(bulk({ action: 'delete', filter: {} }), 'filter');
  await expectInvalidField(bulk({ action: 'delete', filter: { connector: 'or', conditions: [] } }), 'filter');
  await expectInvalidField(bulk({ action: 'delete', filter: null }), 'response_ids');
  await expectInvalidField(bulk({ action: 'delete', filters: { Q1: ['1'] }, response_ids: ids }), 'filters');
  await expectInvalidField(bulk({ action: 'delete', filter: { Zed: ['1'] } }), 'filter.Zed');
  await expectInvalidField(bulk({ action: 'purge', response_ids: ids }), 'action');
  await expectInvalidField(bulk({ action: 'delete', response_ids: ids, hard: true }), 'hard');
  expect(await counts()).toEqual(INITIAL_COUNTS);
});

describe('bulk leave_out', () => {
  test('takes responses out of figures, says so, and can be undone', async () => {
    const figures = async () =>
      (await author.get(survey.at('distribution/Q1')).expect(200)).body.data.counted.responses as number;
    const before = await figures();
    const body = { action: 'leave_out', response_ids: [ids[0], ids[1]], reason: 'Our own staff' };
    const reply = await bulk(body).expect(200);
    expect(reply.body.data).toMatchObject({ updated: 2, unchanged: 0 });
    expect(await figures()).toBe(before - 2);
    expect((await survey.rows()).a!.quality).toMatchObject({
      status: 'confirmed',
      flags: [{ check: 'manual', value: 'Our own staff' }],
    });
    expect((await bulk(body).expect(200)).body.data).toMatchObject({ updated: 0, unchanged: 2 });
    await undo(reply.body.data.change_id);
    expect(await figures()).toBe(before);

    // A flag of a colleague that was not reviewed is confirmed, not doubled.
    await bulk({ action: 'flag', response_ids: [ids[0]] }).expect(200);
    await bulk({ ...body, response_ids: [ids[0]] }).expect(200);
    expect((await survey.rows()).a!.quality!.flags).toHaveLength(1);
  });
});
