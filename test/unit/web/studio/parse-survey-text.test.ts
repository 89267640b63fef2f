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
  name: { text: string } | null;
  ending: ParsedLine[];
  pages: { lines: ParsedLine[] }[];
  dropped: { text: string }[];
  strayOptionLines: number[];
}

// The page has another TypeScript configuration, so its types are not imported.
const PASTE = 'src/web/studio/client/surveys/paste';
const { parseSurveyText } = (await import(path.resolve(PASTE, 'parse-survey-text.ts'))) as {
  parseSurveyText: (text: string, kinds?: ReadonlyMap<string, string>) => ParsedSurvey;
};
const { possibleTypes, understandAs } = (await import(path.resolve(PASTE, 'parsed-survey.ts'))) as {
  possibleTypes: (question: ParsedLine) => string[];
  understandAs: (question: ParsedLine, type: string) => ParsedLine;
};
const { toSurveyFile } = (await import(path.resolve(PASTE, 'pasted-survey-file.ts'))) as {
  toSurveyFile: (
    name: string,
    pages: { lines: ParsedLine[] }[],
    ending?: ParsedLine[],
  ) => {
    survey: {
      settings?: object;
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
    expect(parseSurveyText(' \n\n')).toEqual({
      name: null,
      pages: [],
      ending: [],
      dropped: [],
      strayOptionLines: [],
    });
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
    expect(name?.text).toBe('Customer survey');
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

describe('answers that a questionnaire has in other forms', () => {
  it.each([
    'How hard was it?\nNot at all 1 2 3 4 5 Extremely',
    'How hard was it? Not at all 1 2 3 4 5 Extremely',
    'How hard was it?\nNot at all | 1 | 2 | 3 | 4 | 5 | Extremely',
    '1. How hard was it?\nNot at all 1 – 2 – 3 – 4 – 5 Extremely',
  ])('%j is a scale with labels at its ends', (text) => {
    expect(questionsIn(text)).toMatchObject([
      {
        question_type: 'scale',
        question_text: 'How hard was it?',
        question_settings: { min: 1, max: 5, min_label: 'Not at all', max_label: 'Extremely' },
      },
    ]);
  });

  it('are the numbers of a scale without labels', () => {
    const [question] = questionsIn('How hard was it?\n1 2 3 4 5 6 7');
    expect(question).toMatchObject({ question_type: 'scale', question_settings: { min: 1, max: 7 } });
  });

  it.each([
    ['What do you drink?\nTea, Coffee, Milk', ['Tea', 'Coffee', 'Milk']],
    ['What do you drink?\nTea, coffee or milk\nWhy?', ['Tea', 'coffee', 'milk']],
    ['1. What do you drink?\nTea, Coffee\n2. Why?', ['Tea', 'Coffee']],
    ['What do you drink? Tea, Coffee, Milk', ['Tea', 'Coffee', 'Milk']],
    ['1. What do you drink?\nTea, green\nCoffee', ['Tea, green', 'Coffee']],
    ['What do you drink?\nTea\nCoffee with milk\nWhy?', ['Tea', 'Coffee with milk']],
    [
      'How old are you?\n18-24\n25-34\n35+\nPrefer not to say',
      ['18-24', '25-34', '35+', 'Prefer not to say'],
    ],
  ])('%j has the options %j', (text, labels) => {
    const [question] = questionsIn(text);
    expect(question).toMatchObject({
      question_type: 'single_choice',
      options: labels.map((option_label) => ({ option_label })),
    });
  });

  it.each([
    ['Do you like tea?\nPlease think of hot, green tea.\nWhy?', 3],
    ['What is your name?\nHow old are you\nYour country', 3],
    ['Which?\nOne line', 2],
  ])('%j has no options', (text, count) => {
    const lines = linesOf(parseSurveyText(text));
    expect(lines).toHaveLength(count);
    expect(lines.flatMap((line) => line.options ?? [])).toEqual([]);
  });

  it.each([
    'Rate these\nBad\tFair\tGood\nPrice\nSpeed',
    'Rate these\nBad | Fair | Good\nPrice\nSpeed',
    'Rate these\nTopic | Bad | Fair | Good\nPrice | | |\nSpeed | o | o | o',
    'Rate these\nTopic\tBad\tFair\tGood\nPrice\t\t\t\nSpeed\t\t\t',
    '1. Rate these\nBad | Fair | Good\n- Price\n- Speed\n2. Why?',
    'Rate these\nColumns: Bad / Fair / Good\n- Price\n- Speed',
  ])('%j is a table', (text) => {
    const [question] = questionsIn(text);
    expect(question).toMatchObject({
      question_type: 'matrix',
      question_settings: { rows: [{ row_label: 'Price' }, { row_label: 'Speed' }] },
      options: [{ option_label: 'Bad' }, { option_label: 'Fair' }, { option_label: 'Good' }],
    });
  });

  it('are options where nothing is below heads', () => {
    expect(questionsIn('How was it?\nBad | Fair | Good\n\nWhy?')).toMatchObject([
      { question_type: 'single_choice', options: [{}, {}, { option_label: 'Good' }] },
      { question_text: 'Why?' },
    ]);
  });

  it('are rows or columns of a table that an author chooses', () => {
    const asTable = (text: string) => understandAs(only(text), 'matrix');
    expect(possibleTypes(only('Rate these things'))).toContain('matrix');
    expect(asTable('Rate these things')).toMatchObject({ rows: ['Row 1', 'Row 2'], isTableProposed: true });
    expect(asTable('Which?\n- Price\n- Speed')).toMatchObject({
      rows: ['Price', 'Speed'],
      isTableProposed: true,
    });
    expect(asTable('Which? (1-3)\n- Price\n- Speed')).toMatchObject({
      rows: ['Price', 'Speed'],
      options: ['1', '2', '3'],
      isTableProposed: false,
    });
    const rated = only('How much do you agree?\n- It is new\n- It is clear');
    expect(rated.rows).toEqual(['It is new', 'It is clear']);
    expect(understandAs(rated, 'single_choice')).toMatchObject({
      rows: [],
      options: ['It is new', 'It is clear'],
    });
  });

  it('are reasons for no answer where the type has no options', () => {
    const reason = { reason: 'refused', code: -98, label: 'Prefer not to say' };
    for (const [text, type] of [
      ['How satisfied are you?\n1 = Bad\n5 = Good\nPrefer not to say', 'scale'],
      ['How old are you? (18-99)\n- Prefer not to say', 'number'],
      ['How hard was it?\nNot at all 1 2 3 4 5 Extremely\nPrefer not to say', 'scale'],
    ] as const)
      expect(questionsIn(text)).toMatchObject([
        { question_type: type, question_settings: { no_answers: [reason] } },
      ]);
    const list = only('Which?\n- Tea\n- Coffee\n- Prefer not to say');
    expect(list.options).toContain('Prefer not to say');
    const scale = understandAs(list, 'scale');
    expect(toSurveyFile('', [{ lines: [scale] }]).survey.pages[0]?.questions).toMatchObject([
      {
        question_settings: { max: 2, min_label: 'Tea', max_label: 'Coffee', no_answers: [reason] },
      },
    ]);
  });
});

describe('the title and the end of a pasted questionnaire', () => {
  it.each(['\n', '\n\n'])('have a name with %j below it', (space) => {
    for (const below of [
      'What do you drink?\n- Tea',
      '1. What do you drink?\n- Tea\n2. Why?',
      'Welcome to our survey.\nWhat do you drink?',
      '# Habits\nWhat do you drink?',
    ]) {
      const survey = parseSurveyText(`Coffee at work${space}${below}`);
      expect(survey.name?.text).toBe('Coffee at work');
      expect(linesOf(survey).some(({ text }) => text === 'Coffee at work')).toBe(false);
    }
    expect(parseSurveyText(`# Your visit${space}Why?\n# The end${space}When?`).name).toBeNull();
    expect(parseSurveyText(`Your name${space}How old are you?`).name).toBeNull();
  });

  it('become what the user chooses', () => {
    const text = 'Coffee at work\nWhy?\nGoodbye, all.';
    const survey = parseSurveyText(
      text,
      new Map([
        ['Coffee at work', 'heading'],
        ['Goodbye, all.', 'ending'],
      ]),
    );
    expect(survey.name).toBeNull();
    expect(survey.pages[0]?.lines[0]).toMatchObject({ kind: 'heading', text: 'Coffee at work' });
    expect(survey.ending).toMatchObject([{ text: 'Goodbye, all.' }]);
  });

  it('are the text of the end page where the last lines say thank you', () => {
    const endOf = (text: string) => {
      const { pages, ending } = parseSurveyText(text);
      return toSurveyFile('', pages, ending).survey;
    };
    for (const text of [
      'Why?\n\nThank you for your time!',
      '1. Why?\n2. Which?\nTea\nCoffee\nThank you for your time!',
      'Why?\n---\nThank you for your time!\n',
    ]) {
      const { pages, settings } = endOf(text);
      expect(settings).toEqual({ completion_message: 'Thank you for your time!' });
      expect(pages).toHaveLength(1);
    }
    for (const text of ['Why?\n\n# Goodbye\nThank you!', 'Why?\n\n# Thank you!\nGoodbye.'])
      expect(Object.keys(endOf(text).settings ?? {})).toEqual(['end_title', 'completion_message']);
    for (const text of ['Thank you for taking part.\nWhy?', 'Thanks to whom?', 'Why?\nThank you for what?'])
      expect(endOf(text).settings).toBeUndefined();
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
