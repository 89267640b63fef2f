import type { Actor } from './actors.ts';
import type { TestApp } from './app.ts';
import { choice, number, text } from './questions.ts';
import { insertResponse } from './stored-responses.ts';
import { publishedSurvey } from './surveys.ts';

/** A survey to talk about, with eighty responses: women are content, men are not. */
export async function createChatSurvey(
  test: TestApp,
  author: Actor,
  textOf: (n: number) => string = (n) =>
    n % 2 === 1 ? `The taste is wonderful, number ${n}` : `Too bitter and too expensive, number ${n}`,
): Promise<{ surveyId: number }> {
  const options = (...labels: string[]) =>
    labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));
  const { surveyId } = await publishedSurvey(author, {
    survey_name: 'Coffee',
    pages: [
      [
        choice('Gender', { question_text: 'What is your gender?', options: options('Men', 'Women') }),
        choice('Sat', {
          question_text: 'How satisfied are you with our coffee?',
          options: options('Bad', 'Fair', 'Very good'),
        }),
        number('Age', { question_text: 'How old are you?' }),
        text('Why', { question_text: 'Why do you say that?' }),
        { question_type: 'nps', question_code: 'Rec', question_text: 'Would you recommend us?' },
      ],
    ],
  });
  for (let n = 0; n < 80; n += 1) {
    const isWoman = n % 2 === 1;
    const satisfaction = isWoman ? (n % 8 === 1 ? '2' : '3') : n % 8 === 0 ? '3' : '1';
    const answers = {
      Gender: isWoman ? '2' : '1',
      Sat: satisfaction,
      Age: 20 + (n % 40),
      Why: textOf(n),
      Rec: isWoman ? 10 : 5,
    };
    await insertResponse(test, surveyId, { answers });
  }
  return { surveyId };
}
