import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { choice } from '../../support/questions.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
let member: Actor;
let survey: PublishedSurvey;
let first: number;
let second: number;
const commentsPath = (query = '') => `/api/responses/${survey.surveyId}/comments${query}`;

beforeAll(async () => {
  member = await organization.addUser('member');
  survey = await publishedSurvey(author, [[choice('Q1')]]);
  first = await insertResponse(app, survey.surveyId, { answers: { Q1: '1' } });
  second = await insertResponse(app, survey.surveyId, { answers: { Q1: '2' } });
});

interface Comment {
  comment_id: number;
  comment_text: string;
}

async function createComment(actor: Actor, responseId: number, text: string): Promise<Comment> {
  const reply = await actor.post(commentsPath(), { response_id: responseId, comment_text: text }).expect(201);
  return reply.body.data as Comment;
}

async function listTexts(query = ''): Promise<string[]> {
  const reply = await author.get(commentsPath(query)).expect(200);
  return (reply.body.data as Comment[]).map((comment) => comment.comment_text);
}

async function countsInGrid(): Promise<Record<number, number>> {
  const reply = await author.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
  const rows = reply.body.data.rows as { response_id: number; comment_count: number }[];
  return Object.fromEntries(rows.map((row) => [row.response_id, row.comment_count]));
}

describe('comments', () => {
  test('are listed with user and time, newest last, and counted in the grid', async () => {
    expect(await countsInGrid()).toEqual({ [first]: 0, [second]: 0 });
    const created = await createComment(member, first, '  Check: 1 < 2 & "3" 🙂 <b>  ');
    expect(created).toEqual({
      comment_id: expect.any(Number),
      response_id: first,
      user_id: member.userId,
      user_name: 'A member',
      comment_text: 'Check: 1 < 2 & "3" 🙂 <b>',
      created_at: expect.stringMatching(/Z$/),
    });
    await createComment(author, second, 'Two');
    await createComment(author, first, 'Three');
    expect(await listTexts()).toEqual(['Check: 1 < 2 & "3" 🙂 <b>', 'Two', 'Three']);
    expect(await listTexts(`?response_id=${second}`)).toEqual(['Two']);
    expect(await countsInGrid()).toEqual({ [first]: 2, [second]: 1 });
  });

  test('are paginated by cursor and by number', async () => {
    const reply = await author.get(commentsPath('?limit=2')).expect(200);
    expect(reply.body.data).toHaveLength(2);
    expect(reply.body.meta).toMatchObject({ limit: 2, total: 3 });
    expect(await listTexts(`?limit=2&cursor=${reply.body.meta.next_cursor}`)).toEqual(['Three']);
    expect(await listTexts('?limit=2&page=2')).toEqual(['Three']);
    const last = await author.get(commentsPath('?limit=3')).expect(200);
    expect(last.body.meta.next_cursor).toBeNull();
  });

  test('do not change the response', async () => {
    const readVersion = async () => {
      const result: { rows: { updated_at: Date; changed_xid: string }[] } = await app.database.db.raw(
        'SELECT updated_at, changed_xid FROM responses WHERE response_id = ?',
        [first],
      );
      return result.rows[0];
    };
    const before = await readVersion();
    await createComment(author, first, 'Four');
    expect(await readVersion()).toEqual(before);
  });

  test('can be deleted by their author and by admins, and the audit log omits the text', async () => {
    const ofMember = await createComment(member, first, 'Mine');
    const ofAuthor = await createComment(author, first, 'Theirs');
    await expectRefused(member.delete(commentsPath(`/${ofAuthor.comment_id}`)), 403);
    await member.delete(commentsPath(`/${ofMember.comment_id}`)).expect(204, '');
    await expectRefused(member.delete(commentsPath(`/${ofMember.comment_id}`)), 404);
    const other = await createComment(member, first, 'A mistake');
    await author.delete(commentsPath(`/${other.comment_id}`)).expect(204);
    expect(await listTexts()).not.toContain('A mistake');
    const log: { rows: { details: unknown }[] } = await app.database.db.raw(
      `SELECT details FROM audit_log WHERE action = 'comment.deleted' ORDER BY audit_id DESC LIMIT 1`,
    );
    expect(log.rows[0]!.details).toEqual({ comment_id: other.comment_id, response_id: first });
  });

  test('are hidden while their response is deleted', async () => {
    const third = await insertResponse(app, survey.surveyId);
    const created = await createComment(member, third, 'About the third');
    const setDeleted = (sql: string) =>
      app.database.db.raw(`UPDATE responses SET deleted_at = ${sql} WHERE response_id = ?`, [third]);
    await setDeleted('now()');
    expect(await listTexts()).not.toContain('About the third');
    await expectRefused(author.get(commentsPath(`?response_id=${third}`)), 404);
    await expectRefused(author.post(commentsPath(), { response_id: third, comment_text: 'Late' }), 404);
    await expectRefused(member.delete(commentsPath(`/${created.comment_id}`)), 404);
    await setDeleted('NULL');
    expect(await listTexts(`?response_id=${third}`)).toEqual(['About the third']);
  });

  test('are accessible only through the survey of their response', async () => {
    const other = await publishedSurvey(author, { survey_name: 'Other', pages: [[choice('Q1')]] });
    const otherResponse = await insertResponse(app, other.surveyId);
    const created = await author
      .post(`/api/responses/${other.surveyId}/comments`, { response_id: otherResponse, comment_text: 'Here' })
      .expect(201);
    await expectRefused(
      author.post(commentsPath(), { response_id: otherResponse, comment_text: 'There' }),
      404,
    );
    await expectRefused(author.get(commentsPath(`?response_id=${otherResponse}`)), 404);
    await expectRefused(author.delete(commentsPath(`/${created.body.data.comment_id}`)), 404);
    await expectRefused(
      author.post(commentsPath(), { response_id: MISSING_ID, comment_text: 'Nowhere' }),
      404,
    );
  });
});

describe('invalid input', () => {
  test.each([
    [{ comment_text: 'x' }, 'response_id'],
    [{ response_id: 1 }, 'comment_text'],
    [{ response_id: 1, comment_text: ' \n ' }, 'comment_text'],
    [{ response_id: 1, comment_text: 'x'.repeat(5_001) }, 'comment_text'],
    [{ response_id: -1, comment_text: 'x' }, 'response_id'],
    [{ response_id: 1, comment_text: 'x', user_id: 7 }, 'user_id'],
    [{ response_id: 1, comment_text: ['x'] }, 'comment_text'],
  ])('%j is rejected', async (body, field) => {
    await expectInvalidField(author.post(commentsPath(), body), field);
  });

  test('a comment of 5,000 characters is accepted', async () => {
    expect((await createComment(author, second, 'x'.repeat(5_000))).comment_text).toHaveLength(5_000);
  });

  test.each(['?response_id=x', '?limit=0', '?page=0', '?surprise=1', '?cursor=zzz'])(
    '%s is rejected',
    async (query) => {
      await expectInvalidField(author.get(commentsPath(query)), query.slice(1).split('=')[0]!);
    },
  );

  test.each(INVALID_IDS)('returns 400 for the id %s', async (id) => {
    await expectRefused(author.delete(commentsPath(`/${id}`)), 400);
  });
});

test('members can read and write comments; clients and other organizations cannot', async () => {
  const otherAdmin = (await newOrganization(app)).admin;
  const client = await organization.addUser('client');
  const body = { response_id: first, comment_text: 'Access test' };
  for (const [actor, status] of [
    [anonymous(app), 401],
    [client, 403],
    [otherAdmin, 404],
  ] as const) {
    await expectRefused(actor.get(commentsPath()), status);
    await expectRefused(actor.post(commentsPath(), body), status);
    await expectRefused(actor.delete(commentsPath('/1')), status);
  }
  await member.post(commentsPath(), body).expect(201);
});
