import { readFileSync } from 'node:fs';

/** The Big Five survey with its 2,800 real respondents; the source is stated in data/README.md. */

const POINTS = {
  1: 'Very inaccurate',
  2: 'Moderately inaccurate',
  3: 'Slightly inaccurate',
  4: 'Slightly accurate',
  5: 'Moderately accurate',
  6: 'Very accurate',
};

const TRAITS = [
  ['A', 'How you are with others'],
  ['C', 'How you work'],
  ['E', 'How you meet people'],
  ['N', 'How you feel'],
  ['O', 'How you think'],
] as const;

const GENDERS = ['Male', 'Female'];
const EDUCATION = [
  'In high school',
  'Finished high school',
  'Some college',
  'College graduate',
  'Graduate degree',
];

export const BIG_FIVE_NAME = 'Big Five personality inventory';

/** The survey in the exchange format that POST /api/surveys/import takes. */
export function bigFiveSurvey(): object {
  const items = new Map(table('bfi_dictionary.csv').map((row) => [row[0]!, row[2]!]));
  const personality = TRAITS.map(([letter, title]) => ({
    page_title: title,
    page_description: 'How accurately does each statement describe you?',
    questions: [1, 2, 3, 4, 5].map((number) => ({
      question_type: 'scale',
      question_code: `${letter}${number}`,
      question_text: items.get(`${letter}${number}`)!,
      question_settings: { min: 1, max: 6, min_label: POINTS[1], max_label: POINTS[6], point_labels: POINTS },
    })),
  }));
  const about = {
    page_title: 'About you',
    questions: [
      {
        question_type: 'single_choice',
        question_code: 'gender',
        question_text: 'Your gender',
        options: options(GENDERS),
      },
      {
        question_type: 'single_choice',
        question_code: 'education',
        question_text: 'Your education',
        question_settings: { measure: 'ordinal' },
        options: options(EDUCATION),
      },
      {
        question_type: 'number',
        question_code: 'age',
        question_text: 'Your age',
        question_settings: { min: 3, max: 120, suffix: 'years' },
      },
    ],
  };
  return {
    format: 'canvass.survey',
    version: 1,
    survey: {
      survey_name: BIG_FIVE_NAME,
      survey_description:
        'Twenty-five statements of the International Personality Item Pool, and three about you.',
      pages: [...personality, about],
    },
  };
}

export interface BigFiveResponse {
  submission_id: string;
  answers: Record<string, string | number | null>;
}

/** The 2,800 responses as POST /api/responses/:surveyId/rows takes them; what was left blank is null. */
export function bigFiveResponses(): BigFiveResponse[] {
  const [header, ...rows] = table('bfi.csv', true);
  const codes = header!.slice(1);
  return rows.map(([id, ...cells]) => ({
    submission_id: `bfi-${id}`,
    answers: Object.fromEntries(
      codes.map((code, index) => [code, cells[index] === '' ? null : cells[index]!]),
    ),
  }));
}

const options = (labels: readonly string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));

/** Cells of a file; a quoted one may hold commas, none holds a quote. */
function table(file: string, withHeader = false): string[][] {
  const text = readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8');
  const lines = text
    .trimEnd()
    .split(/\r?\n/)
    .slice(withHeader ? 0 : 1);
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((cell) => cell[1] ?? cell[2] ?? ''),
  );
}
