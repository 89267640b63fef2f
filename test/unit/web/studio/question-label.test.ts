import { describe, expect, it } from 'vitest';
import { columnLabel, questionLabel } from '../../../../src/web/studio/client/data/question-label.ts';

const question = (question_text: string, report_label: string | null = null) => ({
  question_code: 'Q5',
  question_text,
  question_settings: { report_label },
});

describe('the short name of a question', () => {
  it.each([
    [question('How is {{Q4|our stores}}? (Select all that apply)'), 'How is our stores?'],
    [question('How is {{Q4|our stores}}?', 'Rating'), 'Rating'],
    [question('', null), 'Q5'],
  ])('is its short label or a proposal', (from, label) => {
    expect(questionLabel(from)).toBe(label);
  });
});

describe('the label of a column', () => {
  const columnOf = (code: string, label: string) => ({ column_code: code, label });

  it.each([
    [
      'of a whole question is its name',
      columnOf('Q5', 'Rate us (1 to 5)'),
      question('Rate us (1 to 5)'),
      'Rate us',
    ],
    [
      'of a part has the name and the part',
      columnOf('Q5_1', 'Rate us (1 to 5) – Taste'),
      question('Rate us (1 to 5)'),
      'Rate us – Taste',
    ],
    [
      'of a part with a short label',
      columnOf('Q5_1', 'Rating – Taste'),
      question('Rate us', 'Rating'),
      'Rating – Taste',
    ],
    [
      'that begins with other words stays',
      columnOf('Q5_1', 'Rate [Store] – Taste'),
      question('Rate {{Q4}}'),
      'Rate [Store] – Taste',
    ],
    ['without a question stays', columnOf('age_group', 'Age group'), undefined, 'Age group'],
  ])('%s', (_name, column, from, label) => {
    expect(columnLabel(column, from)).toBe(label);
  });
});
