import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization, requestTo } from '../../../support/actors.ts';
import { appOn, useApp } from '../../../support/app.ts';
import { askAndWait, type Event, openChat, textOfEvents } from '../../../support/chat.ts';
import { createChatSurvey } from '../../../support/chat-survey.ts';
import { startFakeLanguageServer } from '../../../support/fake-language-server.ts';
import { expectRefused, expectInvalidField } from '../../../support/refusals.ts';

const model = await startFakeLanguageServer();
const withModel = useApp({
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'sk-a-key-that-only-tests-have',
  OPENAI_MODEL: 'fake-model',
});
const builtIn = useApp();
afterAll(() => model.close());
beforeEach(() => model.reset());

const apps = { 'a language model': withModel, 'what is built in': builtIn };
const environments = {} as Record<keyof typeof apps, { organization: Organization; surveyId: number }>;
beforeAll(async () => {
  for (const [name, app] of Object.entries(apps)) {
    const organization = await newOrganization(app);
    environments[name as keyof typeof apps] = {
      organization,
      ...(await createChatSurvey(app, organization.admin)),
    };
  }
});

const answerOf = async (who: Actor, sessionId: unknown) =>
  (await who.get(`/api/ai/sessions/${String(sessionId)}`).expect(200)).body.data.messages.at(-1) as {
    message_id: number;
    state: string;
    content: string;
    figures: { function: string }[];
  };
const numbers = (events: readonly Event[]) => events.map(({ id }) => Number(id.split('-')[1]));
const soon = <T>(poll: () => T) => expect.poll(poll, { timeout: 15_000 });

describe.each(Object.keys(apps) as (keyof typeof apps)[])('an answer by %s', (name) => {
  const app = apps[name];
  const question = { message: 'Sat by Gender' };
  const whole =
    'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
  const body = () => ({ ...question, survey_id: environments[name].surveyId });
  const admin = () => environments[name].organization.admin;
  /** Slow enough to be left in the middle. */
  const slowly = () => model.reply({ content: whole, delayPerChunkMs: 40 });
  const words = () => model.reply({ content: whole, delayPerChunkMs: 5 });

  it('resends a completed answer unchanged after any of its events', async () => {
    words();
    const first = await askAndWait(admin(), body());
    for (const { id } of first.events) {
      const replayed = await askAndWait(admin(), body(), id);
      expect(replayed.events).toEqual(first.events.slice(numbers([{ id } as Event])[0]));
    }
    const all = await askAndWait(admin(), body(), `${first.start!.message_id}-0`);
    expect(all.events).toEqual(first.events);
    expect(model.requests.length).toBeLessThan(2);
  });

  it('streams a running answer to a reconnecting client, also from another process', async () => {
    slowly();
    const first = await openChat(app, admin(), body());
    await soon(() => first.events.length).toBeGreaterThan(2);
    const followed = await openChat(app, admin(), body(), first.events[0]!.id);
    await Promise.all([first.ended, followed.ended]);
    expect(first.events.at(-1)!.event).toBe('done');
    expect(followed.events).toEqual(first.events.slice(1));
  });

  it('continues an interrupted answer without repeating or losing text', async () => {
    slowly();
    const first = await openChat(app, admin(), body());
    await soon(() => first.events.filter(({ event }) => event === 'delta').length).toBeGreaterThan(1);
    first.disconnect();
    const { session_id: sessionId, message_id: messageId } = first.events[0]!.data;
    await soon(async () => (await answerOf(admin(), sessionId)).state).toBe('stopped');
    const stopped = await answerOf(admin(), sessionId);
    model.reply({ content: whole.slice(stopped.content.length) });
    const asksBefore = model.requests.length;
    const rest = await askAndWait(admin(), body(), first.events.at(-1)!.id);
    const all = [...first.events, ...rest.events];
    expect(numbers(all)).toEqual(all.map((_, index) => index + 1));
    expect(rest.done).toMatchObject({ session_id: sessionId, message_id: messageId });
    expect(rest.done.credits_used).toBeGreaterThan(0);
    const text = textOfEvents(all).text;
    const kept = await answerOf(admin(), sessionId);
    expect(kept).toMatchObject({ state: 'complete', content: text });
    if (name === 'a language model') {
      expect(text).toBe(whole);
      const messages = model.requests[asksBefore]!.body.messages;
      expect(messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'user']);
      expect(messages.at(-2)!.content).toBe(stopped.content);
    } else {
      expect(kept.figures.map((figure) => figure.function)).toEqual(['get_crosstab']);
      expect(text).toBe((await askAndWait(admin(), body())).text);
    }
  });

  it('rejects a second answer in the same session', async () => {
    slowly();
    const first = await openChat(app, admin(), body());
    await soon(() => first.events.length).toBeGreaterThan(0);
    const sessionId = String(first.events[0]!.data.session_id);
    const second = { ...body(), session_id: sessionId };
    await expectRefused(admin().post('/api/ai/chat', second), 409, 'answer_under_way');
    await first.ended;
    words();
    await askAndWait(admin(), second);
  });

  it('continues the answer of a crashed process after its credit reservation expires', async () => {
    words();
    const first = await askAndWait(admin(), body());
    const { session_id: sessionId, message_id: messageId } = first.start!;
    // As kill -9 in the middle leaves it.
    await app.database.db.raw(
      `UPDATE credit_reservations SET reservation_state = 'open', lease_until = now() - interval '1 second'
       WHERE reservation_id = (SELECT reservation_id FROM chat_messages WHERE message_id = ?)`,
      [messageId],
    );
    await app.database.db.raw(
      `UPDATE credit_ledger SET created_at = now() - interval '1 minute'
       WHERE reservation_id = (SELECT reservation_id FROM chat_messages WHERE message_id = ?)`,
      [messageId],
    );
    await app.database.db.raw(`DELETE FROM chat_events WHERE message_id = ? AND event_number > 2`, [
      messageId,
    ]);
    await app.database.db.raw(`UPDATE chat_messages SET message_state = 'answering' WHERE message_id = ?`, [
      messageId,
    ]);
    const { content: text, state } = await answerOf(admin(), sessionId);
    expect(state).toBe('answering');
    await app.container.services.chat.cleanUp();
    expect(await answerOf(admin(), sessionId)).toMatchObject({ state: 'stopped', content: text });
    model.reply({ content: whole.slice(text.length) });
    const rest = await askAndWait(admin(), body(), `${messageId}-2`);
    expect(rest.done.message_id).toBe(messageId);
    expect((await answerOf(admin(), sessionId)).content).toBe(text + rest.text);
    expect(text + rest.text).toBe(first.text);
  });
});

describe('Last-Event-ID', () => {
  it('is rejected by header name if it is not an event of the answer', async () => {
    const { organization, surveyId } = environments['what is built in'];
    const body = { message: 'How many responses?', survey_id: surveyId };
    const { start, events } = await askAndWait(organization.admin, body);
    const at = (id: string, sent: object = body, who = organization.admin) =>
      who.post('/api/ai/chat', sent).set('Last-Event-ID', id);
    for (const id of [
      '',
      'x',
      '1',
      '0-1',
      '-1-1',
      '1-x',
      '1-1-1',
      '9'.repeat(16) + '-1',
      '%00',
      `${start!.message_id}-999`,
    ])
      await expectInvalidField(at(id), 'Last-Event-ID');
    await expectInvalidField(at(events[0]!.id, { ...body, message: 'Something else' }), 'message');
    await expectRefused(at('999999999-1'), 404, 'not_found');
    const other = await newOrganization(builtIn);
    await expectRefused(at(events[0]!.id, { message: body.message }, other.admin), 404, 'not_found');
    const colleague = await organization.addUser('admin');
    await expectRefused(at(events[0]!.id, body, colleague), 404, 'not_found');
    const second = await askAndWait(organization.admin, { message: body.message });
    await expectRefused(at(second.events[0]!.id, body), 404, 'not_found');
  });

  it('expires after a day, and an answer followed by a later message cannot be continued', async () => {
    const { organization, surveyId } = environments['what is built in'];
    const body = { message: 'How many responses?', survey_id: surveyId };
    const { start, events, done } = await askAndWait(organization.admin, body);
    const { message_id: messageId } = start!;
    const sendAgain = () => organization.admin.post('/api/ai/chat', body).set('Last-Event-ID', events[0]!.id);
    await askAndWait(organization.admin, {
      message: 'What questions are there?',
      session_id: done.session_id,
    });
    await builtIn.database.db.raw(`UPDATE chat_messages SET message_state = 'stopped' WHERE message_id = ?`, [
      messageId,
    ]);
    await expectRefused(sendAgain(), 409, 'conversation_changed');
    await builtIn.database.db.raw(
      `UPDATE chat_events SET created_at = now() - interval '25 hours' WHERE message_id = ?`,
      [messageId],
    );
    await builtIn.container.services.chat.cleanUp();
    await expectRefused(sendAgain(), 410, 'events_forgotten');
    expect((await answerOf(organization.admin, done.session_id)).state).toBe('complete');
  });
});

it('follows an answer that another process generates', async () => {
  const { organization, surveyId } = environments['a language model'];
  model.reply({
    content: 'a b c d e f g h i j k l m n o p q r s t',
    delayPerChunkMs: 60,
    charactersPerChunk: 4,
  });
  const other = appOn(withModel.database, {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-x',
    OPENAI_MODEL: 'm',
  });
  const body = { message: 'Sat by Gender', survey_id: surveyId };
  const first = await openChat(withModel, organization.admin, body);
  await soon(() => first.events.length).toBeGreaterThan(1);
  const who = {
    ...organization.admin,
    post: (path: string, sent?: object) => onOther(other, organization.admin, path, sent),
  };
  const followed = await askAndWait(who, body, first.events[0]!.id);
  await first.ended;
  expect(followed.events).toEqual(first.events.slice(1));
});

function onOther(app: ReturnType<typeof appOn>, { apiKey }: Actor, path: string, sent?: object) {
  return requestTo(app, 'post', path).set('X-API-Key', apiKey!).send(sent);
}
