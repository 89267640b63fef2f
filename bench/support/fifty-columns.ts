import type { Child } from './child.ts';
import type { TestBed } from './test-bed.ts';
import { pseudoRandomSql, fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';

const codes = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
const scales = codes('S', 30);
const choices = codes('C', 10);
const numbers = codes('N', 5);
const texts = codes('T', 5);

export const FIFTY_COLUMNS = [...scales, ...choices, ...numbers, ...texts];
const FIFTY_RESPONSES = 100_000;

/** Creates a survey of 50 columns with 100,000 responses and returns its id. */
export async function fiftyColumns(
  testBed: Pick<TestBed, 'apiKey' | 'db' | 'seed'>,
  api: Pick<Child, 'url'>,
): Promise<number> {
  const { surveyId } = await publishSurvey(testBed, api, fiftyQuestions());
  const { seed } = testBed;
  const answers = [
    ...scales.map((code, index) => `'${code}', ${pseudoRandomSql(seed, index, 5)}`),
    ...choices.map((code, index) => `'${code}', ${pseudoRandomSql(seed, 100 + index, 4)}::text`),
    ...numbers.map((code, index) => `'${code}', ${pseudoRandomSql(seed, 200 + index, 1_000)}`),
    ...texts.map((code) => `'${code}', 'It was good, I would say ' || n`),
  ];
  await fillSurvey(testBed, surveyId, FIFTY_RESPONSES, `jsonb_build_object(${answers.join(', ')})`);
  return surveyId;
}

function fiftyQuestions(): object {
  const options = [1, 2, 3, 4].map((value) => ({
    option_label: `Option ${value}`,
    option_value: String(value),
  }));
  const question =
    (type: string, extras: object = {}) =>
    (code: string) => ({
      question_type: type,
      question_code: code,
      question_text: `Question ${code}`,
      ...extras,
    });
  const questions = [
    ...scales.map(question('scale')),
    ...choices.map(question('single_choice', { options })),
    ...numbers.map(question('number')),
    ...texts.map(question('text')),
  ];
  return {
    format: 'canvass.survey',
    version: 1,
    survey: { survey_name: 'Fifty questions', pages: [{ page_title: 'All', questions }] },
  };
}
