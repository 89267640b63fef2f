import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { asked, type Conversation, conversationOn } from '../../support/chat.ts';
import { storeResponse } from '../../support/stored-responses.ts';
import { choice, number, text } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const home = useOrganization(test);
let surveyId: number;
let talk: Conversation;

beforeAll(async () => {
  const survey = await publishedSurvey(home.admin, {
    survey_name: 'Coffee',
    pages: [
      [
        choice('Gender', {
          question_text: 'What is your gender?',
          options: [
            { option_label: 'Men', option_value: '1' },
            { option_label: 'Women', option_value: '2' },
          ],
        }),
        choice('Sat', {
          question_text: 'How satisfied are you with our coffee?',
          options: ['Bad', 'Fair', 'Very good'].map((option_label, index) => {
            return { option_label, option_value: String(index + 1) };
          }),
        }),
        number('Age', { question_text: 'How old are you?' }),
        text('Why', { question_text: 'Why do you say that?' }),
        { question_type: 'nps', question_code: 'Rec', question_text: 'Would you recommend us?' },
      ],
    ],
  });
  surveyId = survey.surveyId;
  for (let n = 0; n < 80; n += 1) {
    const isWoman = n % 2 === 1;
    const answers = {
      Gender: isWoman ? '2' : '1',
      Sat: isWoman ? (n % 8 === 1 ? '2' : '3') : n % 8 === 0 ? '3' : '1',
      Age: 20 + (n % 40),
      Why: isWoman ? `The taste is wonderful, number ${n}` : `Too bitter and too expensive, number ${n}`,
      Rec: isWoman ? 10 : 5,
    };
    await storeResponse(test, surveyId, { answers });
  }
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
