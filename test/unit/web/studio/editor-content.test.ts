import { describe, expect, it } from 'vitest';
import {
  conditionInWords,
  fromConditionRows,
  toConditionRows,
} from '../../../../src/web/studio/client/editor/conditions.ts';
import {
  type Condition,
  type EditorQuestion,
  labelsFromText,
  newOption,
  nextOptionNumber,
  questionChanges,
} from '../../../../src/web/studio/client/editor/editor-content.ts';

const drinks: EditorQuestion = {
  question_id: 1,
  page_id: 1,
  question_type: 'multiple_choice',
  question_text: 'Which drinks?',
  question_code: 'Q1',
  question_required: false,
  question_settings: { shuffle: 'none', columns: 1 },
  options: [newOption(1, 'Coffee'), newOption(2, 'Tea')],
};
const age: EditorQuestion = {
  ...drinks,
  question_id: 2,
  question_type: 'number',
  question_text: 'How old are you?',
  question_code: 'age',
  options: [],
};
const typeOf = (code: string) =>
  [drinks, age].find(({ question_code: each }) => each === code)?.question_type;

describe('what the editor sends', () => {
  it('sends only what differs, and leaves out empty options', () => {
    const edited = {
      ...drinks,
      question_text: 'Which?',
      question_settings: { ...drinks.question_settings, columns: 2 },
      options: [...drinks.options, newOption(3)],
    };
    expect(questionChanges(drinks, edited)).toEqual({
      question_text: 'Which?',
      question_settings: { columns: 2 },
    });
    expect(questionChanges(drinks, { ...drinks })).toBeNull();
  });

  it('keeps the value of an option whose label changes', () => {
    const [first, ...others] = drinks.options;
    const edited = { ...drinks, options: [{ ...first!, option_label: 'Espresso' }, ...others] };
    expect(questionChanges(drinks, edited)?.options).toMatchObject([
      { option_code: 1, option_value: '1', option_label: 'Espresso' },
      { option_code: 2, option_value: '2', option_label: 'Tea' },
    ]);
  });

  it('sends no settings of the previous type with another type', () => {
    expect(questionChanges(drinks, { ...drinks, question_type: 'ranking', question_settings: {} })).toEqual({
      question_type: 'ranking',
    });
  });

  it('does not use the number of a removed option again', () => {
    expect(nextOptionNumber(drinks.options)).toBe(3);
    expect(nextOptionNumber(drinks.options, 7)).toBe(8);
    expect(nextOptionNumber([])).toBe(1);
  });

  it('reads labels from lines with bullets and numbers', () => {
    expect(labelsFromText('- Coffee\r\n\n* Tea\n 3. Water \n1984\n')).toEqual([
      'Coffee',
      'Tea',
      'Water',
      '1984',
    ]);
  });
});

describe('conditions as rows', () => {
  const either: Condition = {
    connector: 'or',
    conditions: [
      { left: { type: 'question', code: 'Q1' }, operator: 'includes_any', right: ['1', '2'] },
      {
        connector: 'and',
        conditions: [
          { left: { type: 'question', code: 'age' }, operator: 'gte', right: 18 },
          { left: { type: 'question', code: 'Q1' }, operator: 'answered' },
        ],
      },
    ],
  };

  it('are written back as they were read', () => {
    const rows = toConditionRows(either);
    expect(rows?.groups).toHaveLength(2);
    expect(fromConditionRows(rows!, typeOf)).toEqual(either);
    const single: Condition = { left: { type: 'question', code: 'age' }, operator: 'lt', right: 30 };
    expect(fromConditionRows(toConditionRows(single)!, typeOf)).toEqual(single);
  });

  it('leave out rows without a value', () => {
    const rows = {
      connector: 'and',
      groups: [{ connector: 'and', rows: [{ code: 'Q1', operator: 'includes_any', values: [] }] }],
    } as const;
    expect(fromConditionRows(rows, typeOf)).toBeNull();
  });

  it('do not show values of the link and rows of a matrix', () => {
    const hidden = { left: { type: 'hidden', code: 'source' }, operator: 'equals', right: 'a' } as Condition;
    const row = { left: { type: 'question', code: 'Q1', row_code: 'r1' }, operator: 'answered' } as Condition;
    expect(toConditionRows(hidden)).toBeNull();
    expect(toConditionRows({ connector: 'and', conditions: [row] })).toBeNull();
  });

  it('are repeated in words', () => {
    expect(conditionInWords(either, [drinks, age])).toBe(
      '“Which drinks?” includes any of “Coffee”, “Tea” or (“How old are you?” is at least 18 and “Which drinks?” is answered)',
    );
  });
});
