import type { Child } from './child.ts';
import type { TestBed } from './test-bed.ts';
import { pseudoRandomSql, fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';

const OPTIONS = 8;
const ROWS = 6;
const POINTS = 5;

const codes = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
const choices = codes('C', 120);
const scales = codes('S', 40);
const several = codes('M', 40);
const grids = codes('G', 20);
const numbers = codes('N', 50);
const texts = codes('T', 30);

/** Two hundred tables: twenty of its choices by ten others. */
export const WIDE_TABLES = { rows: choices.slice(0, 20), columns: choices.slice(20, 30) };

/** A survey of 300 questions of six types, whose files have 700 columns, in the exchange format. */
export function wideSurvey(): object {
  const options = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      option_label: `Option ${index + 1} of the question`,
      option_value: String(index + 1),
    }));
  const question =
    (type: string, extras: object = {}) =>
    (code: string) => ({
      question_type: type,
      question_code: code,
      question_text: `What do you think about the subject of question ${code}?`,
      ...extras,
    });
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    row_code: `r${index + 1}`,
    row_label: `Statement ${index + 1} of the grid`,
  }));
  const questions = [
    ...choices.map(question('single_choice', { options: options(OPTIONS) })),
    ...scales.map(question('scale')),
    ...several.map(question('multiple_choice', { options: options(OPTIONS) })),
    ...grids.map(question('matrix', { options: options(POINTS), question_settings: { rows } })),
    ...numbers.map(question('number')),
    ...texts.map(question('text')),
  ];
  const pages = Array.from({ length: questions.length / 10 }, (_, page) => ({
    page_title: `Page ${page + 1}`,
    questions: questions.slice(page * 10, page * 10 + 10),
  }));
  return { format: 'canvass.survey', version: 1, survey: { survey_name: 'Three hundred questions', pages } };
}

/** Publishes the survey of 300 questions, stores complete responses that answer all of them, and returns its id. */
export async function publishWideSurvey(
  testBed: Pick<TestBed, 'apiKey' | 'db' | 'seed'>,
  api: Pick<Child, 'url'>,
  responses: number,
): Promise<number> {
  const { surveyId } = await publishSurvey(testBed, api, wideSurvey());
  let column = 0;
  const random = (count: number) => pseudoRandomSql(testBed.seed, (column += 1), count);
  const ticked = () => {
    const bits = random(2 ** OPTIONS);
    const list = Array.from(
      { length: OPTIONS },
      (_, bit) => `CASE WHEN b & ${1 << bit} > 0 THEN '${bit + 1}' END`,
    );
    return `(SELECT to_jsonb(array_remove(ARRAY[${list.join(', ')}], NULL)) FROM (SELECT ${bits} AS b) AS bits)`;
  };
  const grid = () => {
    const cells = Array.from({ length: ROWS }, (_, row) => `'r${row + 1}', ${random(POINTS)}::text`);
    return `jsonb_build_object(${cells.join(', ')})`;
  };
  const answers = [
    ...choices.map((code) => `'${code}', ${random(OPTIONS)}::text`),
    ...scales.map((code) => `'${code}', ${random(POINTS)}`),
    ...several.map((code) => `'${code}', ${ticked()}`),
    ...grids.map((code) => `'${code}', ${grid()}`),
    ...numbers.map((code) => `'${code}', ${random(1_000)}`),
    ...texts.map((code) => `'${code}', 'It was good, I would say ' || n`),
  ];
  // A function takes a hundred arguments at most.
  const parts = Array.from(
    { length: Math.ceil(answers.length / 50) },
    (_, part) => `jsonb_build_object(${answers.slice(part * 50, part * 50 + 50).join(', ')})`,
  );
  await fillSurvey(testBed, surveyId, responses, parts.join(' || '));
  return surveyId;
}
