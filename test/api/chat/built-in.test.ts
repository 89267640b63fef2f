import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { surveyToTalkAbout } from '../../support/coffee-chat.ts';
import { asked, type Conversation, conversationOn } from '../../support/chat.ts';

const test = useApp();
const home = useOrganization(test);
let surveyId: number;
let talk: Conversation;

beforeAll(async () => {
  ({ surveyId } = await surveyToTalkAbout(test, home.admin));
  talk = conversationOn(home.admin, { survey_id: surveyId });
});

describe('without a language model the chat', () => {
  it.each([
    ['How many responses are there?', 'There are 80 responses: 80 complete', 'get_response_counts'],
    ['What questions are there?', 'The survey has 5 questions', 'list_questions'],
    ['How did people answer Sat?', 'Very good: 50 % (40)', 'get_distribution'],
    ['What share is very good?', '50 % said “Very good” (40)', 'get_distribution'],
    ['What is the mean of Age?', 'The mean of Age “How old are you?” is', 'get_statistics'],
    ['What is our NPS?', 'The Net Promoter Score of Rec “Would you recommend us?” is 0', 'get_statistics'],
    ['Sat by Gender', 'Women 75 % (above Men)', 'get_crosstab'],
    ['Gibt es einen Unterschied zwischen Men und Women bei Sat?', 'differ significantly', 'get_crosstab'],
    ['What do people say in Why?', '80 people answered Why', 'get_verbatims'],
    ['Does anybody mention bitter?', '40 of the 80 answers to Why', 'get_verbatims'],
    ['¿Cuántas respuestas hay?', 'There are 80 responses', 'get_response_counts'],
    ['Сколько ответов?', 'There are 80 responses', 'get_response_counts'],
  ])('answers “%s”', async (message, expected, looked) => {
    const { text: said, done } = await talk(message);
    expect(said).toContain(expected);
    expect(done.figures.map((figure) => figure.function)).toContain(looked);
  });
});

it('streams in order', async () => {
  const { events } = await asked(home.admin, { message: 'How did people answer Sat?', survey_id: surveyId });
  expect(events.map(({ event }) => event)[0]).toBe('start');
});
