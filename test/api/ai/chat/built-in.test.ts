import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../../support/actors.ts';
import { useApp } from '../../../support/app.ts';
import { createChatSurvey } from '../../../support/chat-survey.ts';
import { askAndWait, type Conversation, conversationOn } from '../../../support/chat.ts';

const test = useApp();
const organization = useOrganization(test);
let surveyId: number;
let talk: Conversation;

beforeAll(async () => {
  ({ surveyId } = await createChatSurvey(test, organization.admin));
  talk = conversationOn(organization.admin, { survey_id: surveyId });
});

describe('without a language model the chat', () => {
  it.each([
    ['How many responses are there?', 'There are 80 responses: 80 complete', 'get_response_counts'],
    ['What questions are there?', 'The survey has 5 questions', 'list_questions'],
    ['How did people answer Sat?', 'Very good: 50 % (40)', 'get_distribution'],
    ['What share is very good?', '50 % answered “Very good” (40)', 'get_distribution'],
    ['What is the mean of Age?', 'The mean of Age “How old are you?” is', 'get_statistics'],
    ['What is our NPS?', 'The Net Promoter Score of Rec “Would you recommend us?” is 0', 'get_statistics'],
    ['Sat by Gender', 'Women 75 % (above Men)', 'get_crosstab'],
    ['Gibt es einen Unterschied zwischen Men und Women bei Sat?', 'differ significantly', 'get_crosstab'],
    ['What do people say in Why?', '80 people answered Why', 'get_verbatims'],
    ['What share of women said very good?', 'Women 75 %', 'get_crosstab'],
    ['Does anybody mention bitter?', '40 of the 80 answers to Why', 'get_verbatims'],
    ['¿Cuántas respuestas hay?', 'There are 80 responses', 'get_response_counts'],
    ['Сколько ответов?', 'There are 80 responses', 'get_response_counts'],
  ])('answers “%s”', async (message, expected, looked) => {
    const { text, done } = await talk(message);
    expect(text).toContain(expected);
    expect(done.figures.map((figure) => figure.function)).toContain(looked);
  });
});

describe('a question about open answers', () => {
  it('is answered with sentiment, themes and the number of texts analyzed', async () => {
    const { text, done } = await talk('What do people say in Why?');
    expect(text).toMatch(/^Of all 80 answers to Why that were analyzed, .* are positive, .* negative\./);
    const [read, quoted] = done.figures;
    expect(read).toMatchObject({ function: 'read_texts', base: 80, result: { answered: 80, read: 80 } });
    expect(quoted).toMatchObject({ function: 'get_verbatims', base: 80 });
    expect(done.credits_used).toBeLessThan(5);
  });
});

describe('a question that is not understood', () => {
  it('is answered with three example questions for this survey', async () => {
    const { text, done, start } = await talk('What is the weather in Paris?');
    expect(text).toContain('built-in chat');
    expect(done.figures).toEqual([]);
    expect(start).toMatchObject({ engine: 'built-in' });
    const examples = text.split('\n').filter((line) => line.startsWith('- '));
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const answer = await talk(example.slice(2));
      expect(answer.done.figures.length, example).toBeGreaterThan(0);
    }
  });

  it('suggests similar questions without a figure if only a part is understood', async () => {
    const { text, done } = await talk('What share of women are under 30?');
    expect(text).toContain('I did not understand “under 30”');
    expect(text).toContain('I understood: How did people answer Gender?');
    expect(done.figures).toEqual([]);
    const [understood, ...nearest] = text.split('\n').filter((line) => line.startsWith('- '));
    expect(nearest.length).toBeGreaterThan(0);
    for (const question of [understood!, ...nearest]) {
      const answer = await talk(question.slice(2));
      expect(answer.done.figures.length, question).toBeGreaterThan(0);
    }
  });

  it('reports that a figure cannot be computed', async () => {
    const { text } = await talk('Rec by Age');
    expect(text).toMatch(/^This figure cannot be computed: /);
  });
});

it('streams an answer in chunks at the price of a built-in answer', async () => {
  const body = { message: 'How did people answer Sat?', survey_id: surveyId };
  const { events, done, text } = await askAndWait(organization.admin, body);
  const names = events.map(({ event }) => event);
  expect([names[0], names[1], names.at(-1)]).toEqual(['start', 'figures', 'done']);
  expect(names.filter((name) => name === 'delta').length).toBeGreaterThan(1);
  expect(done.credits_used).toBe(1);
  expect(done.usage.output_tokens).toBe(Math.ceil(text.length / 4));
});

it('compares waves if the survey has several', async () => {
  const { surveyId: inWaves } = await createChatSurvey(test, organization.admin);
  for (const [index, name] of ['Spring', 'Autumn'].entries()) {
    const wave = { survey_id: inWaves, wave_name: name };
    const { body } = await organization.admin.post('/api/surveys/waves', wave).expect(201);
    await test.database.db.raw(
      `UPDATE responses SET wave_id = ? WHERE survey_id = ? AND (answers->>'Age')::int % 2 = ?`,
      [body.data.wave_id, inWaves, index],
    );
  }
  const message = 'How did Sat change over time?';
  const { text, done } = await askAndWait(organization.admin, { message, survey_id: inWaves });
  expect(done.figures).toMatchObject([{ function: 'compare_waves', arguments: { question_code: 'Sat' } }]);
  expect(text).toContain('Spring (n = 40) and Autumn (n = 40)');
  expect(text).toContain('(above Spring)');
  const { text: none } = await talk(message);
  expect(none).toContain('fewer than two waves');
});
