import path from 'node:path';
import { describe, expect, it } from 'vitest';

interface ParsedQuestion {
  line: number;
  text: string;
  type: string;
  isRequired: boolean;
  options: string[];
}

// The page has another TypeScript configuration, so its types are not imported.
const { parseSurveyText, toSurveyFile } = (await import(
  path.resolve('src/web/studio/client/surveys/parse-survey-text.ts')
)) as {
  parseSurveyText: (text: string) => { pages: ParsedQuestion[][]; strayOptionLines: number[] };
  toSurveyFile: (
    name: string,
    pages: ParsedQuestion[][],
  ) => { survey: { pages: { questions: { question_text: string }[] }[] } };
};
const { describePlace } = (await import(path.resolve('src/web/studio/client/surveys/describe-place.ts'))) as {
  describePlace: (field: string) => string;
};

const only = (text: string): ParsedQuestion => {
  const questions = parseSurveyText(text).pages.flat();
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

  it('name the line that they come from, with any line breaks', () => {
    const { pages } = parseSurveyText('\r\nOne?\r\n\r\nTwo?\rThree?\n');
    expect(pages.flat().map(({ line, text }) => [line, text])).toEqual([
      [2, 'One?'],
      [4, 'Two?'],
      [5, 'Three?'],
    ]);
  });

  it('are on another page after three dashes, without empty pages', () => {
    const { pages } = parseSurveyText('---\nOne?\n---\n\n===\nTwo?\nThree?\n---');
    expect(pages.map((page) => page.map(({ text }) => text))).toEqual([['One?'], ['Two?', 'Three?']]);
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
    expect(parseSurveyText(' \n\n')).toEqual({ pages: [], strayOptionLines: [] });
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
                question_text: 'Which apply? (select all)',
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

it('describes the place of a problem in a file in words', () => {
  expect(describePlace('survey.pages[0].questions[2].question_text')).toBe('Page 1, question 3, text');
  expect(describePlace('survey.pages[1].questions[0].options[4].option_label')).toBe(
    'Page 2, question 1, option 5, label',
  );
  expect(describePlace('survey.survey_name')).toBe('Name');
});

it('leaves out points that the answer shows', () => {
  const { pages } = parseSurveyText('How was it? (1-5)\nWould you recommend us? (0 to 10)\nWhy (1-5)?');
  const file = toSurveyFile('Points', pages);
  expect(file.survey.pages[0]?.questions.map((question) => question.question_text)).toEqual([
    'How was it?',
    'Would you recommend us?',
    'Why (1-5)?',
  ]);
});
