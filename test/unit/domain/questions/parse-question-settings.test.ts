import { describe, expect, it } from 'vitest';
import { parseQuestionSettings } from '../../../../src/domain/questions/parse-question-settings.ts';
import type { QuestionType } from '../../../../src/domain/questions/registry.ts';
import { rows } from '../../../support/survey-builder.ts';

function problemsOf(type: QuestionType, settings: unknown) {
  const result = parseQuestionSettings(type, settings);
  return result.ok ? [] : result.problems.map(({ field, message }) => `${field} ${message}`);
}

describe('question settings', () => {
  it('have defaults', () => {
    expect(parseQuestionSettings('slider', undefined)).toEqual({
      ok: true,
      settings: {
        description: null,
        image_url: null,
        image_alt: null,
        media_url: null,
        media_alt: null,
        media_captions: null,
        placeholder: null,
        report_label: null,
        shuffle: 'none',
        hidden: false,
        no_answers: [],
        logic: null,
        translations: null,
        min: 0,
        max: 100,
        step: 1,
        start: null,
      },
    });
    expect(problemsOf('nps', null)).toEqual([]);
  });

  it.each<[QuestionType, unknown, string]>([
    [
      'text',
      { shuffle: 'random' },
      'question_settings.shuffle has no effect on this question: leave it out, or send "none"',
    ],
    [
      'number',
      { shuffle: 'rotate' },
      'question_settings.shuffle has no effect on this question: leave it out, or send "none"',
    ],
    [
      'single_choice',
      { placeholder: '…' },
      'question_settings.placeholder has no effect on this question: leave it out, or send null',
    ],
    [
      'date',
      { placeholder: '…' },
      'question_settings.placeholder has no effect on this question: leave it out, or send null',
    ],
    ['text', { maxLength: 5 }, 'question_settings.maxLength is not a known field'],
    ['text', { max_length: '5' }, 'question_settings.max_length must be a whole number, not "5"'],
    ['text', { max_length: 0 }, 'question_settings.max_length must be at least 1, not 0'],
    ['text', { multiline: 'yes' }, 'question_settings.multiline must be true or false, not "yes"'],
    [
      'text',
      { min_length: 10, max_length: 5 },
      'question_settings.min_length min_length (10) must not exceed max_length (5)',
    ],
    [
      'text',
      { format: 'mail' },
      'question_settings.format must be one of none, email, url, phone, regex, not "mail"',
    ],
    ['text', { format: 'regex' }, 'question_settings.pattern is required with format regex'],
    [
      'text',
      { format: 'regex', pattern: '(' },
      'question_settings.pattern is not a regular expression: Unterminated group',
    ],
    [
      'text',
      { format: 'regex', pattern: '(a)\\1' },
      'question_settings.pattern must not use back-references such as \\1',
    ],
    [
      'text',
      { format: 'regex', pattern: 'a', max_length: 5000 },
      'question_settings.max_length must be at most 2000 with a pattern, not 5000',
    ],
    ['text', [], 'question_settings must be an object, not a list'],
    ['text', 'x', 'question_settings must be an object, not "x"'],
    [
      'text',
      { placeholder: 'x'.repeat(501) },
      'question_settings.placeholder must have at most 500 characters, not 501',
    ],
    ['number', { min: 5, max: 1 }, 'question_settings.min min (5) must not exceed max (1)'],
    [
      'number',
      { min: 0.2, max: 0.8 },
      'question_settings.min no number with 0 decimals lies between 0.2 and 0.8',
    ],
    ['number', { step: 0.5 }, 'question_settings.step 0.5 needs more than 0 decimals'],
    ['number', { step: 0 }, 'question_settings.step must be more than 0, not 0'],
    ['number', { max: Infinity }, 'question_settings.max must be a finite number, not Infinity'],
    ['scale', { min: 3, max: 3 }, 'question_settings.max must be greater than min (3)'],
    ['scale', { min: 1, max: 6, step: 2 }, 'question_settings.step steps of 2 from 1 do not reach 6'],
    ['scale', { point_labels: { 9: 'x' } }, 'question_settings.point_labels "9" is not a point of the scale'],
    [
      'scale',
      { point_labels: { '01': 'x' } },
      'question_settings.point_labels "01" is not a point of the scale',
    ],
    ['slider', { step: 500 }, 'question_settings.step 500 is more than the whole range'],
    ['slider', { start: 101 }, 'question_settings.start must be between 0 and 100, not 101'],
    ['matrix', {}, 'question_settings.rows is required'],
    ['matrix', { rows: [] }, 'question_settings.rows must not be empty'],
    [
      'matrix',
      { rows: rows('a', 'A') },
      'question_settings.rows[1].row_code "A" is a duplicate of rows[0] (codes are not case-sensitive)',
    ],
    ['matrix', { rows: rows('a_') }, 'question_settings.rows[0].row_code "a_" must not end in _'],
    [
      'matrix',
      { rows: rows('__proto__') },
      'question_settings.rows[0].row_code must be letters, digits and _, 24 at most',
    ],
    ['multiple_choice', { max_selections: 0 }, 'question_settings.max_selections must be at least 1, not 0'],
    [
      'multiple_choice',
      { min_selections: 3, max_selections: 2 },
      'question_settings.min_selections min_selections (3) must not exceed max_selections (2)',
    ],
    [
      'date',
      { min: '2024-02-30' },
      'question_settings.min "2024-02-30" does not exist in the calendar; must be YYYY-MM-DD',
    ],
    [
      'date',
      { precision: 'year', max: '2024-01-01' },
      'question_settings.max must be YYYY, not "2024-01-01"',
    ],
    [
      'date',
      { precision: 'datetime', max: '2024-01-01 10:00' },
      'question_settings.max must be written 2024-01-01T10:00',
    ],
    [
      'file_upload',
      { allowed_extensions: ['.PDF'] },
      'question_settings.allowed_extensions[0] must be letters and digits in lower case, without the dot',
    ],
    [
      'nps',
      { logic: { display: { left: { code: 'Q1' }, operator: 'is', right: 1 } } },
      'question_settings.logic.display.operator must be',
    ],
    [
      'nps',
      { logic: { display: { left: { code: 'Q1' }, operator: 'in', right: 1 } } },
      'question_settings.logic.display.right in needs an array',
    ],
    [
      'nps',
      { logic: { skip: [{ when: { conditions: [] }, action: 'jump_to_page' }] } },
      'question_settings.logic.skip[0].target_id is required with jump_to_page',
    ],
    [
      'nps',
      { logic: { options: { first: { conditions: [] } } } },
      'question_settings.logic.options.first "first" must be an option_code',
    ],
  ])('of a %s question reject %j', (type, settings, problem) => {
    expect(problemsOf(type, settings)).toEqual([expect.stringContaining(problem) as string]);
  });

  it('do not modify the prototype through a key', () => {
    parseQuestionSettings(
      'scale',
      JSON.parse('{"point_labels":{"__proto__":"x"},"translations":{"de":{"__proto__":{"a":1}}}}'),
    );
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });
});
