import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, newOrganization, signIn, useOrganization } from '../../../support/actors.ts';
import { useApp } from '../../../support/app.ts';
import { askAndWait, openChat } from '../../../support/chat.ts';
import { createChatSurvey } from '../../../support/chat-survey.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../../support/refusals.ts';
import { draftSurvey } from '../../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
let ada: Actor;
let surveyId: number;
const MISSING_SESSION = '00000000-0000-4000-8000-000000000000';
const COUNTS = 'How many responses are there?';

beforeAll(async () => {
  ada = await organization.addUser('member');
  ({ surveyId } = await createChatSurvey(test, ada));
});

const begin = async (who: Actor, body: object = {}): Promise<string> =>
  (await who.post('/api/ai/sessions', body).expect(201)).body.data.session_id;
const read = async (sessionId: string, who = ada) =>
  (await who.get(`/api/ai/sessions/${sessionId}`).expect(200)).body.data;
const soon = <T>(poll: () => T) => expect.poll(poll, { timeout: 15_000 });

/** A survey in a shared workspace, and a user who was invited to it. */
async function invited() {
  const guest = await organization.addUser('member');
  const shared = { workspace_name: 'Shared', workspace_visibility: 3 };
  const { body } = await ada.post('/api/workspaces', shared).expect(201);
  const workspaceId: number = body.data.workspace_id;
  const member = { user_id: guest.userId, role: 'viewer' };
  await ada.post(`/api/workspaces/${workspaceId}/members`, member).expect(201);
  const { surveyId: otherId } = await draftSurvey(
    ada,
    { survey_name: 'Theirs', pages: [[]] },
    { workspaceId },
  );
  const leave = () => ada.delete(`/api/workspaces/${workspaceId}/members/${guest.userId}`).expect(204);
  return { guest, surveyId: otherId, workspaceId, leave };
}

describe('a chat session', () => {
  it('starts with a survey and returns its messages', async () => {
    const sessionId = await begin(ada, { survey_id: surveyId });
    expect(await read(sessionId)).toEqual({
      session_id: sessionId,
      survey_id: surveyId,
      created_at: expect.any(String),
      last_message_at: expect.any(String),
      messages: [],
    });
    const { done, text } = await askAndWait(ada, { message: COUNTS, session_id: sessionId });
    const { messages } = await read(sessionId);
    expect(messages).toEqual([
      {
        message_id: expect.any(Number),
        role: 'user',
        content: COUNTS,
        figures: [],
        unsupported_numbers: [],
        state: 'complete',
        created_at: expect.any(String),
      },
      {
        message_id: done.message_id,
        role: 'assistant',
        content: text,
        figures: done.figures,
        unsupported_numbers: [],
        state: 'complete',
        created_at: expect.any(String),
      },
    ]);
    expect(done.figures).toEqual([
      {
        function: 'get_response_counts',
        arguments: {},
        base: 80,
        counted: expect.objectContaining({ responses: 80, test_responses_excluded: 0 }),
        result: expect.objectContaining({ complete: 80 }),
      },
    ]);
  });

  it('returns 404 to other users and ignores their changes', async () => {
    const sessionId = await begin(ada, { survey_id: surveyId });
    const others = [
      organization.admin,
      await organization.addUser('superadmin'),
      (await newOrganization(test)).admin,
    ];
    for (const other of others) {
      await expectRefused(other.get(`/api/ai/sessions/${sessionId}`), 404, 'not_found');
      await expectRefused(other.delete(`/api/ai/sessions/${sessionId}`), 404, 'not_found');
      await expectRefused(
        other.post('/api/ai/chat', { message: 'Hello', session_id: sessionId }),
        404,
        'not_found',
      );
      expect((await other.get('/api/ai/sessions').expect(200)).body.data).toEqual([]);
    }
    expect((await read(sessionId)).messages).toEqual([]);
    const client = await organization.addUser('client');
    await expectRefused(client.post('/api/ai/sessions', {}), 403);
    await expectRefused(client.post('/api/ai/chat', { message: 'Hello' }), 403);
    await expectRefused(client.get('/api/ai/sessions'), 403);
    await expectRefused(anonymous(test).post('/api/ai/chat', { message: 'Hello' }), 401);
  });

  it('is listed in pages, most recently used first', async () => {
    const bob = await organization.addUser('member');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await begin(bob, n % 2 === 0 ? {} : { survey_id: surveyId }));
    await askAndWait(bob, { message: 'What questions are there?', session_id: ids[4]! });
    ids.unshift(ids.pop()!);
    const received: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await bob.get(`/api/ai/sessions?limit=2${cursor}`).expect(200);
      expect(body.meta).toMatchObject({ limit: 2, total: 5 });
      received.push(...body.data.map((each: { session_id: string }) => each.session_id));
      if (body.meta.next_cursor === null) break;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    expect(received).toEqual(ids);
    const second = await bob.get('/api/ai/sessions?limit=2&page=2').expect(200);
    expect(second.body.data.map((each: { session_id: string }) => each.session_id)).toEqual(ids.slice(2, 4));
    const [latest] = (await bob.get('/api/ai/sessions').expect(200)).body.data;
    expect(latest).toMatchObject({ message_count: 2, first_message: 'What questions are there?' });
    await expectInvalidField(bob.get('/api/ai/sessions?cursor=nonsense'), 'cursor');
    await expectInvalidField(bob.get('/api/ai/sessions?limit=0'), 'limit');
  });

  it('is deleted with its messages, which ends a running answer', async () => {
    const stream = await openChat(test, ada, { message: 'Sat by Gender', survey_id: surveyId });
    await soon(() => stream.events.length).toBeGreaterThan(1);
    const sessionId = String(stream.events[0]!.data.session_id);
    await ada.delete(`/api/ai/sessions/${sessionId}`).expect(204);
    await expectRefused(ada.get(`/api/ai/sessions/${sessionId}`), 404, 'not_found');
    await expectRefused(ada.delete(`/api/ai/sessions/${sessionId}`), 404, 'not_found');
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'not_found' } });
    const { rows } = await test.database.db.raw(
      `SELECT count(*)::int AS n FROM chat_messages WHERE session_id = ?`,
      [sessionId],
    );
    expect(rows[0].n).toBe(0);
    const open = await test.database.db.raw(
      `SELECT count(*)::int AS n FROM credit_reservations WHERE reservation_state = 'open'`,
    );
    expect(open.rows[0].n).toBe(0);
  });
});

describe('a chat message', () => {
  it('lists surveys if the session has none, then assigns the named one', async () => {
    const { guest, surveyId: otherId, workspaceId } = await invited();
    const { text, done } = await askAndWait(guest, { message: 'Hello?' });
    expect(text).toContain(`Theirs (survey_id ${otherId}`);
    expect(text).toContain('Coffee');
    const { text: narrowed } = await askAndWait(guest, {
      message: 'Hello?',
      workspace_id: workspaceId,
    });
    expect(narrowed).toContain('You have access to 1 survey:');
    const named = { message: 'How many responses?', session_id: done.session_id, survey_id: otherId };
    expect((await askAndWait(guest, named)).text).toContain('There are no responses yet');
    expect(await read(done.session_id, guest)).toMatchObject({ survey_id: otherId });
    await expectInvalidField(guest.post('/api/ai/chat', { ...named, survey_id: surveyId }), 'survey_id');
    await expectRefused(guest.post('/api/ai/chat', { message: 'Hi', workspace_id: MISSING_ID }), 404);
  });

  it('is rejected for a hidden survey, even if the caller could see it before', async () => {
    const { guest, surveyId: otherId, leave } = await invited();
    const { done } = await askAndWait(guest, { message: COUNTS, survey_id: otherId });
    await leave();
    const later = { message: COUNTS, session_id: done.session_id };
    await expectRefused(guest.post('/api/ai/chat', later), 404, 'not_found');
    await expectRefused(
      guest.post('/api/ai/chat', { message: COUNTS, survey_id: otherId }),
      404,
      'not_found',
    );
    await expectRefused(guest.get(`/api/ai/sessions/${done.session_id}`), 404, 'not_found');
    await expectRefused(guest.post('/api/ai/sessions', { survey_id: otherId }), 404, 'not_found');
    expect((await guest.get('/api/ai/sessions').expect(200)).body.data).toEqual([]);
    const foreign = (await newOrganization(test)).admin;
    await expectRefused(
      foreign.post('/api/ai/chat', { message: COUNTS, survey_id: surveyId }),
      404,
      'not_found',
    );
  });

  it('is rejected for users without AI access, which also ends a running answer', async () => {
    const bob = await organization.addUser('member');
    const stream = await openChat(test, bob, { message: 'What do people say in Why?', survey_id: surveyId });
    await soon(() => stream.events.length).toBeGreaterThan(0);
    await organization.admin.put(`/api/users/${bob.userId}`, { ai_access: false }).expect(200);
    await expectRefused(bob.post('/api/ai/chat', { message: COUNTS }), 403, 'ai_disabled');
    await expectRefused(bob.post('/api/ai/sessions', {}), 403, 'ai_disabled');
    await expectRefused(bob.get('/api/ai/sessions'), 403, 'ai_disabled');
    await expectRefused(bob.get(`/api/ai/sessions/${MISSING_SESSION}`), 403, 'ai_disabled');
    await stream.ended;
  });

  it('is validated in type and length', async () => {
    const wrong: [object, string][] = [
      [{}, 'message'],
      [{ message: '' }, 'message'],
      [{ message: ' \n ' }, 'message'],
      [{ message: 'x'.repeat(8_001) }, 'message'],
      [{ message: ['x'] }, 'message'],
      [{ message: { $ne: 1 } }, 'message'],
      [{ message: 'x', session_id: 'x' }, 'session_id'],
      [{ message: 'x', survey_id: '1' }, 'survey_id'],
      [{ message: 'x', survey_id: 1.5 }, 'survey_id'],
      [{ message: 'x', user_id: 1 }, 'user_id'],
    ];
    for (const [body, field] of wrong) await expectInvalidField(ada.post('/api/ai/chat', body), field);
    await expectRefused(ada.post('/api/ai/chat', { message: 'x', session_id: MISSING_SESSION }), 404);
    await expectRefused(ada.post('/api/ai/chat', { message: 'x', survey_id: MISSING_ID }), 404);
    await expectRefused(ada.post('/api/ai/chat', { message: 'a\0b' }), 400);
    for (const id of INVALID_IDS) await expectRefused(ada.get(`/api/ai/sessions/${id}`), 400);
    await askAndWait(ada, { message: 'x'.repeat(8_000), survey_id: surveyId });
  });

  it('is answered in a browser session under the same rules', async () => {
    const session = await signIn(test, ada);
    const { start } = await askAndWait(session, { message: COUNTS, survey_id: surveyId });
    expect(start).toMatchObject({ engine: 'built-in' });
  });
});
