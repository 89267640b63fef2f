import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Actor, newOrganization, type Organization, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { EventClient } from '../../support/event-stream.ts';
import { choice } from '../../support/questions.ts';
import { draftSurvey, type TestSurvey } from '../../support/surveys.ts';

const test = useApp();
const home = useOrganization(test);
const author = home.admin;
let colleague: Actor;
let viewer: Actor;
let survey: TestSurvey;
let servers: Server[] = [];

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const streamUrl = (surveyId: number, server = test.server!) =>
  `${originOf(server)}/api/surveys/${surveyId}/events`;

beforeAll(async () => {
  colleague = await home.addUser('member');
  viewer = await home.addUser('member');
  survey = await draftSurvey(author, [[choice('Q1'), choice('Q2')]]);
});

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** A second process on the same database. */
async function otherProcess(settings: Record<string, string> = {}): Promise<Server> {
  const server = createServer(appOn(test.database, settings).app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return server;
}

async function watch(surveyId: number, by: Actor = colleague, server = test.server!) {
  const client = new EventClient();
  const { over } = await client.follow(streamUrl(surveyId, server), { apiKey: by.apiKey! });
  return { client, over, kinds: () => client.events.map(({ data }) => data.kind) };
}

describe('the stream of a survey', () => {
  it('tells of every change: what, by whom, and the revision', async () => {
    const server = await otherProcess();
    const { client, kinds } = await watch(survey.surveyId, colleague, server);
    await expect.poll(kinds).toEqual(['connected']);
    const questions = `/api/surveys/${survey.surveyId}/questions`;
    const reply = await author
      .put(`${questions}/${survey.questionIds.Q1}`, { question_text: 'Reworded' })
      .expect(200);
    await author
      .put(`/api/surveys/${survey.surveyId}/pages/${survey.pageIds[0]}`, { page_title: 'T' })
      .expect(200);
    await author
      .put(`/api/surveys/${survey.surveyId}`, { survey_settings: { show_progress: false } })
      .expect(200);
    const order = [survey.questionIds.Q2, survey.questionIds.Q1];
    await author.put(`${questions}/reorder`, { question_ids: order }).expect(200);
    await author.post(`/api/surveys/${survey.surveyId}/publish`).expect(200);
    await expect
      .poll(kinds)
      .toEqual([
        'connected',
        'question_updated',
        'page_updated',
        'updated',
        'questions_reordered',
        'published',
      ]);
    const { revision } = (await author.get(`/api/surveys/${survey.surveyId}`).expect(200)).body.data;
    const [connected, question, page, fields] = client.events.map(({ data }) => data);
    expect(connected).toMatchObject({ survey_id: survey.surveyId, changed_by: null });
    expect(question).toEqual({
      kind: 'question_updated',
      survey_id: survey.surveyId,
      page_id: null,
      question_id: survey.questionIds.Q1,
      fields: [],
      revision: (connected!.revision as number) + 1,
      changed_by: { user_id: author.userId, user_name: 'Ada Admin' },
      request_id: reply.headers['x-request-id'],
    });
    expect(page).toMatchObject({ page_id: survey.pageIds[0], question_id: null });
    expect(fields).toMatchObject({ fields: ['survey_settings'] });
    expect(client.events.at(-1)!.data.revision).toBe(revision);
  });

  it('is silent about other surveys, refused changes and changes that change nothing', async () => {
    const other = await draftSurvey(author, [[choice('Q1')]]);
    const { kinds } = await watch(survey.surveyId);
    await expect.poll(kinds).toEqual(['connected']);
    const url = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1}`;
    await author.put(`/api/surveys/${other.surveyId}/questions/${other.questionIds.Q1}`, {
      question_text: 'x',
    });
    await author.put(url, { question_text: '' }).expect(400);
    await author.put(url, { question_text: 'Stale' }).set('If-Match', '"stale"').expect(412);
    const { question_text: text } = (await author.get(url).expect(200)).body.data;
    await author.put(url, { question_text: text }).expect(200);
    await author.put(url, { question_required: true }).expect(200);
    await expect.poll(kinds).toEqual(['connected', 'question_updated']);
  });

  it('has no content of the survey', async () => {
    const { client, kinds } = await watch(survey.surveyId);
    await author
      .put(`/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1}`, {
        question_text: `secret\n\ndata: {"kind":"forged"}\n\n${'x'.repeat(9_000)}`,
      })
      .expect(200);
    await expect.poll(kinds).toEqual(['connected', 'question_updated']);
    expect(JSON.stringify(client.events)).not.toContain('secret');
  });
});

describe('access to the stream', () => {
  it('is refused to other organizations, anonymous callers and for missing surveys', async () => {
    const stranger: Organization = await newOrganization(test);
    expect(await (await watch(survey.surveyId, stranger.admin)).over).toBe(404);
    expect(await (await watch(999_999_999)).over).toBe(404);
    const anonymous = await fetch(streamUrl(survey.surveyId));
    expect(anonymous.status).toBe(401);
  });

  it('ends when the survey is deleted', async () => {
    const gone = await draftSurvey(author, [[choice('Q1')]]);
    const { client, over } = await watch(gone.surveyId);
    await expect.poll(() => client.events.length).toBe(1);
    await author.delete(`/api/surveys/${gone.surveyId}`).expect(204);
    expect(await over).toBe('ended');
    // The end of access can be noticed before the event is sent.
    const kinds = client.events.map(({ event, data }) => data.kind ?? event);
    expect(kinds.filter((kind) => kind !== 'deleted')).toEqual(['connected', 'error']);
    expect(client.events.at(-1)!.data).toMatchObject({ code: 'not_found' });
  });

  it('ends when the user is suspended', async () => {
    const { client, over } = await watch(survey.surveyId, viewer);
    await expect.poll(() => client.events.length).toBe(1);
    await author.post(`/api/users/${viewer.userId}/suspend`).expect(200);
    expect(await over).toBe('ended');
    expect(client.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'unauthenticated' } });
  });

  it('is limited to 20 streams of a user, and streams that end make room', async () => {
    const server = await otherProcess();
    const user = await home.addUser('member');
    const open = () => fetch(streamUrl(survey.surveyId, server), { headers: { 'X-API-Key': user.apiKey! } });
    const streams = await Promise.all(Array.from({ length: 20 }, open));
    expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const refused = await open();
    expect(refused.status).toBe(429);
    expect(((await refused.json()) as { code: string }).code).toBe('too_many_streams');
    expect(refused.headers.get('Retry-After')).not.toBeNull();
    const other = await watch(survey.surveyId, colleague, server);
    await expect.poll(other.kinds).toEqual(['connected']);
    await streams[0]!.body!.cancel();
    await expect.poll(async () => (await open()).status).toBe(200);
  });
});
