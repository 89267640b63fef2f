import { expect, test } from 'vitest';
import {
  describeCondition,
  labelsFromQuestions,
} from '../../../../../src/domain/survey/logic/describe-condition.ts';
import type { Comparison, Condition, Operator } from '../../../../../src/domain/questions/condition.ts';
import { question, rows } from '../../../../support/survey-builder.ts';

const QUESTIONS = new Map(
  [
    question('single_choice', {
      code: 'Gender',
      text: 'Your gender?',
      options: [
        { value: '1', label: 'Female' },
        { value: '2', label: 'Male' },
      ],
    }),
    question('number', { code: 'Age', text: 'How old\n are you?' }),
    question('matrix', { code: 'Grid', text: 'How good?', settings: { rows: rows('r1', 'r2') } }),
    question('text', { code: 'Old', text: 'An old one', retired: true }),
    question('text', { code: 'Long', text: 'x'.repeat(200) }),
  ].map((entry) => [entry.code, entry]),
);
const that = (
  code: string,
  operator: Operator,
  right?: Comparison['right'],
  row_code?: string,
): Comparison => ({
  left: { type: 'question', code, row_code },
  operator,
  right,
});
const all = (...conditions: Condition[]): Condition => ({ connector: 'and', conditions });
const any = (...conditions: Condition[]): Condition => ({ connector: 'or', conditions });

test.each<[Condition, string]>([
  [all(), 'all respondents'],
  [that('Gender', 'equals', 1), '“Your gender?” is “Female”'],
  [
    all(that('Gender', 'equals', '2'), that('Age', 'between', [18, 34])),
    '“Your gender?” is “Male” and “How old are you?” is between 18 and 34',
  ],
  [
    all(that('Gender', 'in', ['1', '2']), any(that('Age', 'lt', 18), that('Age', 'gte', 65))),
    '“Your gender?” is one of “Female” and “Male” and (“How old are you?” is less than 18 or “How old are you?” is at least 65)',
  ],
  [all(any(that('Age', 'answered'))), '“How old are you?” is answered'],
  [that('Grid', 'equals', '3', 'r2'), '“How good?”, “Row r2” is “Option 3”'],
  [that('Gender', 'in', ['2']), '“Your gender?” is “Male”'],
  [that('Gender', 'includes_none', ['2']), '“Your gender?” does not include “Male”'],
  [that('Old', 'equals', 'a $& b'), '“An old one” (no longer asked) is “a $& b”'],
  [that('Gone', 'not_answered'), 'Gone is not answered'],
  [
    { left: { type: 'hidden', code: 'source' }, operator: 'starts_with', right: 'news' },
    "the link's source starts with “news”",
  ],
  [
    { left: { type: 'attribute', code: 'city' } as never, operator: 'equals', right: 'Oslo' },
    "the respondent's city is “Oslo”",
  ],
  [that('Long', 'answered'), `“${'x'.repeat(80)}…” is answered`],
])('describes a condition: %#', (condition, words) => {
  expect(
    describeCondition(
      condition,
      labelsFromQuestions((code) => QUESTIONS.get(code)),
    ),
  ).toBe(words);
});
