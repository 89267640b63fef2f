import { describe, expect, it } from 'vitest';
import {
  copiesOf,
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

describe('copies of questions', () => {
  it('have no logic, and keep only codes that are free', () => {
    const logic = { display: { left: { type: 'question', code: 'Q9' }, operator: 'answered' } };
    const [first, second] = copiesOf(
      [{ ...drinks, question_settings: { ...drinks.question_settings, logic } }, age],
      ['q1', 'Q2'],
    );
    expect(first).not.toHaveProperty('question_code');
    expect(first).toMatchObject({ question_text: 'Which drinks?', question_settings: { logic: null } });
    expect(second).toMatchObject({ question_code: 'age' });
  });
});
