import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { choice } from '../../support/questions.ts';
import { storeResponse } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { BAD_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let member: Actor;
let survey: PublishedSurvey;
let first: number;
let second: number;
const comments = (query = '') => `/api/responses/${survey.surveyId}/comments${query}`;

beforeAll(async () => {
  member = await organization.person('member');
  survey = await publishedSurvey(author, [[choice('Q1')]]);
  first = await storeResponse(app, survey.surveyId, { answers: { Q1: '1' } });
  second = await storeResponse(app, survey.surveyId, { answers: { Q1: '2' } });
});

interface Comment {
  comment_id: number;
  comment_text: string;
}

async function comment(actor: Actor, responseId: number, text: string): Promise<Comment> {
  const reply = await actor.post(comments(), { response_id: responseId, comment_text: text }).expect(201);
  return reply.body.data as Comment;
}

async function texts(query = ''): Promise<string[]> {
  const reply = await author.get(comments(query)).expect(200);
  return (reply.body.data as Comment[]).map((one) => one.comment_text);
}

async function countsInGrid(): Promise<Record<number, number>> {
  const reply = await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
  const rows = reply.body.data.rows as { response_id: number; comment_count: number }[];
  return Object.fromEntries(rows.map((row) => [row.response_id, row.comment_count]));
}

describe('comments', () => {
  test('say who said what when, the newest last, and are counted in the grid', async () => {
    expect(await countsInGrid()).toEqual({ [first]: 0, [second]: 0 });
    const made = await comment(member, first, '  Odd: 1 < 2 & "3" 🙂 <b>  ');
    expect(made).toEqual({
      comment_id: expect.any(Number),
      response_id: first,
      user_id: member.userId,
      user_name: 'A member',
      comment_text: 'Odd: 1 < 2 & "3" 🙂 <b>',
      created_at: expect.stringMatching(/Z$/),
    });
    await comment(author, second, 'Two');
    await comment(author, first, 'Three');
    expect(await texts()).toEqual(['Odd: 1 < 2 & "3" 🙂 <b>', 'Two', 'Three']);
    expect(await texts(`?response_id=${second}`)).toEqual(['Two']);
    expect(await countsInGrid()).toEqual({ [first]: 2, [second]: 1 });
  });

  test('come in pages, by cursor or by number', async () => {
    const reply = await author.get(comments('?limit=2')).expect(200);
    expect(reply.body.data).toHaveLength(2);
    expect(reply.body.meta).toMatchObject({ limit: 2, total: 3 });
    expect(await texts(`?limit=2&cursor=${reply.body.meta.next_cursor}`)).toEqual(['Three']);
    expect(await texts('?limit=2&page=2')).toEqual(['Three']);
    const last = await author.get(comments('?limit=3')).expect(200);
    expect(last.body.meta.next_cursor).toBeNull();
  });

  test('are no change of the response', async () => {
    const updated = async () => {
      const result: { rows: { updated_at: Date; changed_xid: string }[] } = await app.database.db.raw(
        'SELECT updated_at, changed_xid FROM responses WHERE response_id = ?',
        [first],
      );
      return result.rows[0];
    };
    const before = await updated();
    await comment(author, first, 'Four');
    expect(await updated()).toEqual(before);
  });

  test('are deleted by who wrote them and by admins, and leave a trace without their text', async () => {
    const mine = await comment(member, first, 'Mine');
    const theirs = await comment(author, first, 'Theirs');
    await expectRefused(member.delete(comments(`/${theirs.comment_id}`)), 403);
    await member.delete(comments(`/${mine.comment_id}`)).expect(204, '');
    await expectRefused(member.delete(comments(`/${mine.comment_id}`)), 404);
    const other = await comment(member, first, 'A slip');
    await author.delete(comments(`/${other.comment_id}`)).expect(204);
    expect(await texts()).not.toContain('A slip');
    const log: { rows: { details: unknown }[] } = await app.database.db.raw(
      `SELECT details FROM audit_log WHERE action = 'comment.deleted' ORDER BY audit_id DESC LIMIT 1`,
    );
    expect(log.rows[0]!.details).toEqual({ comment_id: other.comment_id, response_id: first });
  });

  test('are gone while their response is deleted, and back with it', async () => {
    const third = await storeResponse(app, survey.surveyId);
    const said = await comment(member, third, 'About the third');
    const setDeleted = (sql: string) =>
      app.database.db.raw(`UPDATE responses SET deleted_at = ${sql} WHERE response_id = ?`, [third]);
    await setDeleted('now()');
    expect(await texts()).not.toContain('About the third');
    await expectRefused(author.get(comments(`?response_id=${third}`)), 404);
    await expectRefused(author.post(comments(), { response_id: third, comment_text: 'Late' }), 404);
    await expectRefused(member.delete(comments(`/${said.comment_id}`)), 404);
    await setDeleted('NULL');
    expect(await texts(`?response_id=${third}`)).toEqual(['About the third']);
  });

  test('belong to a response of this very survey', async () => {
    const other = await publishedSurvey(author, { survey_name: 'Other', pages: [[choice('Q1')]] });
    const elsewhere = await storeResponse(app, other.surveyId);
    const said = await author
      .post(`/api/responses/${other.surveyId}/comments`, { response_id: elsewhere, comment_text: 'Here' })
      .expect(201);
    await expectRefused(author.post(comments(), { response_id: elsewhere, comment_text: 'There' }), 404);
    await expectRefused(author.get(comments(`?response_id=${elsewhere}`)), 404);
    await expectRefused(author.delete(comments(`/${said.body.data.comment_id}`)), 404);
    await expectRefused(author.post(comments(), { response_id: MISSING_ID, comment_text: 'Nowhere' }), 404);
  });
});

describe('bad input', () => {
  test.each([
    [{ comment_text: 'x' }, 'response_id'],
    [{ response_id: 1 }, 'comment_text'],
    [{ response_id: 1, comment_text: ' \n ' }, 'comment_text'],
    [{ response_id: 1, comment_text: 'x'.repeat(5_001) }, 'comment_text'],
    [{ response_id: -1, comment_text: 'x' }, 'response_id'],
    [{ response_id: 1, comment_text: 'x', user_id: 7 }, 'user_id'],
    [{ response_id: 1, comment_text: ['x'] }, 'comment_text'],
  ])('%j is refused', async (body, field) => {
    await expectInvalidField(author.post(comments(), body), field);
  });

  test('5,000 characters fit', async () => {
    expect((await comment(author, second, 'x'.repeat(5_000))).comment_text).toHaveLength(5_000);
  });

  test.each(['?response_id=x', '?limit=0', '?page=0', '?surprise=1', '?cursor=zzz'])(
    '%s is refused',
    async (query) => {
      await expectInvalidField(author.get(comments(query)), query.slice(1).split('=')[0]!);
    },
  );

  test.each(BAD_IDS)('the id %s is none', async (id) => {
    await expectRefused(author.delete(comments(`/${id}`)), 400);
  });
});

test('members see and write, clients and strangers do not', async () => {
  const stranger = (await newOrganization(app)).admin;
  const client = await organization.person('client');
  const body = { response_id: first, comment_text: 'Who may?' };
  for (const [who, status] of [
    [anonymous(app), 401],
    [client, 403],
    [stranger, 404],
  ] as const) {
    await expectRefused(who.get(comments()), status);
    await expectRefused(who.post(comments(), body), status);
    await expectRefused(who.delete(comments('/1')), status);
  }
  await member.post(comments(), body).expect(201);
});
