import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface ParsedLine {
  kind: string;
  line: number;
  text: string;
  type: string;
  isRequired: boolean;
  options: string[];
  rows: string[];
}
interface ParsedSurvey {
  name: string | null;
  pages: { lines: ParsedLine[] }[];
  dropped: { text: string }[];
  strayOptionLines: number[];
}

// The page has another TypeScript configuration, so its types are not imported.
const { parseSurveyText, possibleTypes } = (await import(
  path.resolve('src/web/studio/client/surveys/paste/parse-survey-text.ts')
)) as {
  parseSurveyText: (text: string, kinds?: ReadonlyMap<string, string>) => ParsedSurvey;
  possibleTypes: (question: ParsedLine) => string[];
};
const { toSurveyFile } = (await import(
  path.resolve('src/web/studio/client/surveys/paste/pasted-survey-file.ts')
)) as {
  toSurveyFile: (
    name: string,
    pages: { lines: ParsedLine[] }[],
  ) => {
    survey: {
      pages: { page_title?: string; page_description?: string; questions: Record<string, unknown>[] }[];
    };
  };
};
const { describePlace } = (await import(path.resolve('src/web/studio/client/surveys/describe-place.ts'))) as {
  describePlace: (field: string) => string;
};

const linesOf = (survey: ParsedSurvey) => survey.pages.flatMap(({ lines }) => lines);
const only = (text: string): ParsedLine => {
  const questions = linesOf(parseSurveyText(text));
  expect(questions).toHaveLength(1);
  return questions[0]!;
};

describe('questions from a text', () => {
  it('are one a line, with options after dashes, bullets or letters', () => {
    for (const marker of ['- ', '– ', '* ', '• ', 'a) ', '[ ] ', '  ', '\t', '    - ']) {
      expect(only(`What do you drink?\n${marker}Coffee\n${marker}Tea, green`)).toMatchObject({
        text: 'What do you drink?',
        options: ['Coffee', 'Tea, green'],
      });
    }
  });

  it('keep their text without number and asterisk', () => {
    expect(only('1. How was it? *')).toMatchObject({ text: 'How was it?', isRequired: true });
    expect(only('Q12: How was it?')).toMatchObject({ text: 'How was it?', isRequired: false });
    expect(only('2 * 2 = ?')).toMatchObject({ text: '2 * 2 = ?', isRequired: false });
    expect(only('1.')).toMatchObject({ text: '1.' });
  });

  it.each([
    ['Which do you like? Tick all that apply.\n- Tea\n- Milk', 'Which do you like?', 'multiple_choice'],
    ['Which do you like? Please select one answer\n- Tea\n- Milk', 'Which do you like?', 'single_choice'],
    ['What is your name? ______', 'What is your name?', 'text'],
    ['Your name: ___ *', 'Your name:', 'text'],
    ['How easy was it? (1 - very difficult, 5 - very easy)', 'How easy was it?', 'scale'],
    ['How easy was it? (1 – 5)', 'How easy was it?', 'scale'],
    ['Do you agree? Check the box below', 'Do you agree? Check the box below', 'text'],
  ])('of %j are %j, of the type %s', (pasted, text, type) => {
    expect(only(pasted)).toMatchObject({ text, type });
  });

  it('name the line that they come from, with any line breaks', () => {
    expect(
      linesOf(parseSurveyText('\r\nOne?\r\n\r\nTwo?\rThree?\n')).map(({ line, text }) => [line, text]),
    ).toEqual([
      [2, 'One?'],
      [4, 'Two?'],
      [5, 'Three?'],
    ]);
  });

  it('are on another page after three dashes, without empty pages', () => {
    const { pages } = parseSurveyText('---\nOne?\n---\n\n===\nTwo?\nThree?\n---');
    expect(pages.map(({ lines }) => lines.map(({ text }) => text))).toEqual([['One?'], ['Two?', 'Three?']]);
  });

  it('report options without a question', () => {
    expect(parseSurveyText('- Yes\nReally?\n- Yes\n---\n- No').strayOptionLines).toEqual([1, 5]);
  });

  it.each([
    ['Which?\n- A\n- B', 'single_choice'],
    ['Which? (select all that apply)\n- A\n- B', 'multiple_choice'],
    ['Choose up to three.\n- A\n- B', 'multiple_choice'],
    ['Which?\n[ ] A\n[ ] B', 'multiple_choice'],
    ['Please rank these\n- A\n- B', 'ranking'],
    ['How likely are you to recommend us?', 'nps'],
    ['How many cups a day?', 'number'],
    ['On a scale of 1 to 5, how good is it?', 'scale'],
    ['What is your date of birth?', 'date'],
    ['Would you recommend a book?', 'text'],
    ['Why?', 'text'],
  ])('%j is of type %s', (text, type) => expect(only(text).type).toBe(type));

  it('are nothing for an empty text', () => {
    expect(parseSurveyText(' \n\n')).toEqual({ name: null, pages: [], dropped: [], strayOptionLines: [] });
  });

  it('become a survey file, with "other" and "none" as such', () => {
    const { pages } = parseSurveyText('Which apply? (select all)*\n- A\n- Other\n- None of these\nWhy?');
    expect(toSurveyFile('Mine', pages)).toEqual({
      format: 'canvass.survey',
      version: 1,
      survey: {
        survey_name: 'Mine',
        pages: [
          {
            questions: [
              {
                question_type: 'multiple_choice',
                question_text: 'Which apply?',
                question_required: true,
                options: [
                  { option_label: 'A', option_value: '1' },
                  { option_label: 'Other', option_value: '2', option_other: true },
                  { option_label: 'None of these', option_value: '3', option_exclusive: true },
                ],
              },
              {
                question_type: 'text',
                question_text: 'Why?',
                question_required: false,
                question_settings: { multiline: true },
              },
            ],
          },
        ],
      },
    });
  });
});

/** The questions of a pasted text, as the survey file has them. */
const questionsIn = (text: string) => {
  const { pages } = parseSurveyText(text);
  return toSurveyFile('Mine', pages).survey.pages.flatMap(({ questions }) => questions);
};

describe('answers in a pasted text', () => {
  it.each([
    [
      'How was it? 1 = Very bad … 5 = Very good',
      { min: 1, max: 5, min_label: 'Very bad', max_label: 'Very good' },
    ],
    [
      'How was it? (1 = Bad, 2 = Fair, 3 = Good)',
      { min: 1, max: 3, point_labels: { 1: 'Bad', 2: 'Fair', 3: 'Good' } },
    ],
    [
      'How was it?\n1 = Bad\n2 = Fair\n3 = Good',
      { min: 1, max: 3, point_labels: { 1: 'Bad', 2: 'Fair', 3: 'Good' } },
    ],
    [
      'How was it?\n1 - Bad\n2 - Fair\n3 - Good',
      { min: 1, max: 3, point_labels: { 1: 'Bad', 2: 'Fair', 3: 'Good' } },
    ],
    [
      'How was it?\n1 = Very dissatisfied ... 7 = Very satisfied',
      { min: 1, max: 7, max_label: 'Very satisfied' },
    ],
    ['How was it? (1-7)', { min: 1, max: 7 }],
    ['How was it? (scale of 0 to 10)', { min: 0, max: 10 }],
    ['1. How was it? (1–5)*', { min: 1, max: 5 }],
  ])('%j is a scale', (text, settings) => {
    expect(questionsIn(text)).toMatchObject([
      { question_type: 'scale', question_text: 'How was it?', question_settings: settings },
    ]);
  });

  it.each([
    ['Would you recommend us? (0-10)', 'nps'],
    ['How much of your time? (0-100)', 'slider'],
    ['How warm is it? (slider 0 to 50)', 'slider'],
    ['How warm is it? (slider)', 'slider'],
    ['How old are you? (18-99)', 'number'],
    ['Your comments (open-ended)', 'text'],
    ['Turnover [number]', 'number'],
  ])('%j is of type %s', (text, type) => {
    expect(questionsIn(text)).toMatchObject([{ question_type: type }]);
    expect(questionsIn(text)[0]?.question_text).not.toMatch(/[([]/);
  });

  it.each([
    ['Do you own a car? Yes / No', ['Yes', 'No']],
    ['Do you own a car? (Yes/No)', ['Yes', 'No']],
    ['Do you own a car?\nYes / No / Not sure', ['Yes', 'No', 'Not sure']],
  ])('%j has options in a line', (text, labels) => {
    expect(questionsIn(text)).toMatchObject([
      {
        question_type: 'single_choice',
        question_text: 'Do you own a car?',
        options: labels.map((option_label) => ({ option_label })),
      },
    ]);
  });

  it.each([
    [
      'Which? (choose up to 2)\n- A\n- B\n- C',
      { question_type: 'multiple_choice', question_settings: { max_selections: 2 } },
    ],
    ['Which? (Please select one)\n- A\n- B', { question_type: 'single_choice' }],
    ['Which? [tick all that apply]\n- A\n- B', { question_type: 'multiple_choice' }],
    ['Which? (dropdown)\n- A\n- B', { question_type: 'dropdown' }],
    ['Which? (rank from best to worst)\n- A\n- B', { question_type: 'ranking' }],
    ['Which? (optional)', { question_required: false }],
  ])('%j has a hint that sets its type and leaves its text', (text, expected) => {
    expect(questionsIn(text)).toMatchObject([{ question_text: 'Which?', ...expected }]);
  });

  it.each([
    ['Rate these\nRows: Price; Speed\nColumns: Bad / Fair / Good'],
    ['Rate these\n\tBad\tFair\tGood\nPrice\t\t\t\nSpeed\t\t\t'],
    ['Rate these\n| | Bad | Fair | Good |\n|---|---|---|---|\n| Price | | | |\n| Speed | o | o | o |'],
  ])('%j is a table', (text) => {
    expect(questionsIn(text)).toMatchObject([
      {
        question_type: 'matrix',
        question_settings: { rows: [{ row_label: 'Price' }, { row_label: 'Speed' }] },
        options: [{ option_label: 'Bad' }, { option_label: 'Fair' }, { option_label: 'Good' }],
      },
    ]);
  });

  it('are rows of agreement below "How much do you agree?"', () => {
    expect(
      questionsIn('How much do you agree with these statements?\n- It is new\n- It is clear'),
    ).toMatchObject([
      {
        question_type: 'matrix',
        question_settings: { rows: [{ row_label: 'It is new' }, { row_label: 'It is clear' }] },
        options: [{ option_label: 'Strongly disagree' }, {}, {}, {}, { option_label: 'Strongly agree' }],
      },
    ]);
  });
});

describe('the parts of a pasted questionnaire', () => {
  const numbered = `Customer survey

SECTION A: YOUR VISIT
Thank you for taking part. It takes five minutes.

1. How often do you come?
Every week
Every month
Less often

2. Why do you come?

About you

3. How old are you?`;

  it('are pages with titles, introductions and options without marks', () => {
    const { name, pages } = parseSurveyText(numbered);
    expect(name).toBe('Customer survey');
    expect(toSurveyFile('', pages).survey.pages).toMatchObject([
      {
        page_title: 'YOUR VISIT',
        page_description: 'Thank you for taking part. It takes five minutes.',
        questions: [
          {
            question_type: 'single_choice',
            options: [
              { option_label: 'Every week' },
              { option_label: 'Every month' },
              { option_label: 'Less often' },
            ],
          },
          { question_type: 'text', question_text: 'Why do you come?' },
        ],
      },
      { page_title: 'About you', questions: [{ question_type: 'number' }] },
    ]);
  });

  it('become what the user chooses, or are left out with their options', () => {
    const kinds = new Map([
      ['About you', 'dropped'],
      ['1. How often do you come?', 'dropped'],
      ['2. Why do you come?', 'heading'],
    ]);
    const { pages, dropped, strayOptionLines } = parseSurveyText(numbered, kinds);
    expect(dropped.map(({ text }) => text)).toEqual(['1. How often do you come?', 'About you']);
    expect(strayOptionLines).toEqual([]);
    expect(pages.at(-1)?.lines).toMatchObject([
      { kind: 'heading', text: '2. Why do you come?' },
      { kind: 'question', text: 'How old are you?' },
    ]);
  });

  it('are tables where a list is below the labels of points', () => {
    const rated = only('Please rate our library (1 = Very poor … 3 = Very good)\n- Staff\n- Books');
    expect(rated).toMatchObject({
      type: 'matrix',
      rows: ['Staff', 'Books'],
      options: ['Very poor', '2', 'Very good'],
    });
    expect(only('Rate these (1-5)\n- Staff\n- Books')).toMatchObject({
      type: 'matrix',
      rows: ['Staff', 'Books'],
      options: ['1', '2', '3', '4', '5'],
    });
    expect(only('How often? (1-5)\n- Never\n- Daily')).toMatchObject({ type: 'single_choice', rows: [] });
  });

  it('have points without labels between those that have one', () => {
    const text = 'How satisfied are you?\n1 = Not at all\n2\n3\n4 = Very';
    expect(only(text)).toMatchObject({ type: 'scale', options: [] });
    expect(questionsIn(text)).toMatchObject([
      { question_settings: { min: 1, max: 4, min_label: 'Not at all', max_label: 'Very' } },
    ]);
  });

  it('with options in their line are no options of the line before', () => {
    const text = '3. How old are you?\n\nPlease read this carefully.\n\n4. Do you agree? Yes / No';
    expect(questionsIn(text)).toMatchObject([
      { question_text: 'How old are you?' },
      { question_text: 'Please read this carefully.' },
      { question_text: 'Do you agree?', options: [{ option_label: 'Yes' }, { option_label: 'No' }] },
    ]);
  });

  it('can be statements, which are never required', () => {
    const line = only('Imagine a new cup. *');
    expect(line).toMatchObject({ kind: 'question', isRequired: true });
    expect(possibleTypes(line)).toContain('statement');
    const { survey } = toSurveyFile('Cups', [{ lines: [{ ...line, type: 'statement' }] }]);
    expect(survey.pages[0]!.questions).toEqual([
      { question_type: 'statement', question_text: 'Imagine a new cup.', question_required: false },
    ]);
  });

  it('have options with numbers below questions with a Q', () => {
    expect(questionsIn('Q1. Where?\n1. Here\n2. There\nQ2. When?\n1) Now\n2) Later')).toMatchObject([
      { question_text: 'Where?', options: [{ option_label: 'Here' }, { option_label: 'There' }] },
      { question_text: 'When?', options: [{ option_label: 'Now' }, { option_label: 'Later' }] },
    ]);
  });
});

it('describes the place of a problem in a file in words', () => {
  expect(describePlace('survey.pages[0].questions[2].question_text')).toBe('Page 1, question 3, text');
  expect(describePlace('survey.pages[1].questions[0].options[4].option_label')).toBe(
    'Page 2, question 1, option 5, label',
  );
  expect(describePlace('survey.survey_name')).toBe('Name');
});

it('leaves out hints that the answer shows', () => {
  const { pages } = parseSurveyText('How was it? (1-5)\nWould you recommend us? (0 to 10)\nWhy (1-5)?');
  const file = toSurveyFile('Points', pages);
  expect(file.survey.pages[0]?.questions.map((question) => question.question_text)).toEqual([
    'How was it?',
    'Would you recommend us?',
    'Why (1-5)?',
  ]);
});
