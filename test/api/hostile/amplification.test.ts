import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { number } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;

const MAX_REPLY_BYTES = 64 * 1024;
const unknownFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`unknown${i}`, 1]));

/** The longest time that the event loop was blocked meanwhile, ms. */
async function blockedMs(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

describe('a body with too many fields', () => {
  test('is rejected by their number, before any is named', async () => {
    const body = unknownFields(80_000);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeGreaterThan(1_000_000 * 0.9);
    const text = JSON.stringify(body)
      .slice(0, 999_000)
      .replace(/,[^,]*$/, '}');
    const send = () =>
      author
        .post('/api/surveys')
        .set('Content-Type', 'application/json')
        .send(text as unknown as object);
    await send();
    let reply: Awaited<ReturnType<typeof send>> | undefined;
    const blocked = [];
    for (let i = 0; i < 5; i += 1) blocked.push(await blockedMs(async () => (reply = await send())));
    expect([reply!.status, reply!.body.message]).toEqual([400, 'The body must have at most 1000 fields']);
    expect(reply!.body.details).toHaveLength(1);
    expect(Math.min(...blocked)).toBeLessThan(25);
  });

  test('is rejected if they are in a nested object', async () => {
    const reply = await author.post('/api/surveys', { survey_name: 'A', settings: unknownFields(5_001) });
    expect([reply.status, reply.body.message]).toEqual([
      400,
      'An object in the body must have at most 5000 fields',
    ]);
  });

  test('is rejected if they are items of a list', async () => {
    const reply = await author.post('/api/dashboards', { dashboard_name: 'A', pages: Array(50_002).fill(1) });
    expect([reply.status, reply.body.message]).toEqual([400, 'The body must have at most 50000 values']);
  });

  test('is accepted by rows with many columns, in a body of more than 1 MB', async () => {
    const survey = await publishedSurvey(author, [[number('Q1')]]);
    const rows = Array.from({ length: 20_000 }, (_, i) => ({
      submission_id: `row-${String(i).padStart(30, '0')}`,
      answers: { Q1: i },
    }));
    const reply = await author.post(`/api/responses/${survey.surveyId}/rows`, { rows });
    expect(reply.body.message ?? '').not.toMatch(/values|fields/);
  });
});

describe('an error reply', () => {
  test('lists 100 problems and the number of others', async () => {
    const reply = await author.post('/api/surveys', { survey_name: 'A', ...unknownFields(900) });
    expect(reply.status).toBe(400);
    expect(reply.body.details).toHaveLength(100);
    expect(reply.body.message).toContain('(and 899 more problems)');
  });

  test('stays below 64 KB for any names and lists', async () => {
    const long = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${'日'.repeat(200)}${i}`, 1]));
    const pages = Array.from({ length: 300 }, () => ({ page_title: 1, questions: [{ question_text: 1 }] }));
    for (const body of [
      { survey_name: 'A', ...long },
      { survey_name: 'A', pages },
    ]) {
      const reply = await author.post('/api/surveys', body);
      expect(reply.status).toBe(400);
      expect(reply.body.details.length).toBeLessThanOrEqual(100);
      expect(Buffer.byteLength(reply.text)).toBeLessThan(MAX_REPLY_BYTES);
    }
  });
});

describe('a public JSON body', () => {
  const anyone = anonymous(app);

  test('may have at most 256 KB', async () => {
    const { linkToken } = await publishedSurvey(author, [[number('Q1')]]);
    const path = `/api/public/s/${linkToken}/responses`;
    const text = 'a'.repeat(256 * 1024);
    const reply = await anyone.post(path, { answers: { Q1: 1 }, hidden: { text } });
    expect([reply.status, reply.body.code]).toEqual([413, 'too_large']);
    expect(reply.body.message).toBe('The body must be at most 0.25 MB');
    await anyone.post(path, { answers: { Q1: 1 } }).expect(201);
  });

  test('has the same limit for the login endpoint', async () => {
    const body = { action: 'login', email: 'a@b.example', password: 'a'.repeat(256 * 1024) };
    const reply = await anyone.post('/api/auth', body);
    expect(reply.status).toBe(413);
  });
});
