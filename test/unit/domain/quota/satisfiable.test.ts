import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSatisfiable } from '../../../../src/domain/quota/quota.ts';
import {
  type Comparison,
  type Condition,
  matchesCondition,
  type Operand,
  type Operator,
} from '../../../../src/domain/questions/condition.ts';
import { question, rows } from '../../../support/survey-builder.ts';

const QUESTIONS = new Map(
  [
    question('single_choice', { code: 'One' }),
    question('multiple_choice', { code: 'Many', options: ['1', '2', { value: '9', exclusive: true }] }),
    question('number', { code: 'Age', settings: { min: 0, max: 120 } }),
    question('number', { code: 'Income', settings: { decimals: 2 } }),
    question('scale', { code: 'Scale', settings: { min: 1, max: 9, step: 2 } }),
    question('date', { code: 'Day' }),
    question('date', { code: 'Year', settings: { precision: 'year' } }),
    question('text', { code: 'Why' }),
    question('matrix', { code: 'Grid', settings: { rows: rows('r1', 'r2') } }),
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
const can = (condition: Condition) => isSatisfiable(condition, (code) => QUESTIONS.get(code));

describe('an unsatisfiable condition', () => {
  test.each<[string, Condition]>([
    ['two values of a single choice', all(that('One', 'equals', '1'), that('One', 'equals', '2'))],
    ['a value and its opposite', all(that('One', 'equals', '1'), that('One', 'not_equals', 1))],
    ['lists without a common value', all(that('One', 'in', ['1', '2']), that('One', 'in', ['3']))],
    ['every value excluded', that('One', 'not_in', ['1', '2', '3'])],
    ['an empty list', that('One', 'in', [])],
    ['answered and not answered', all(that('One', 'answered'), that('One', 'not_answered'))],
    ['a value of an unanswered question', all(that('One', 'equals', '1'), that('One', 'not_answered'))],
    [
      'two different values of one row',
      all(that('Grid', 'equals', '1', 'r1'), that('Grid', 'equals', '2', 'r1')),
    ],
    ['exactly one value, and another', all(that('Many', 'equals', '1'), that('Many', 'contains', '2'))],
    ['an exclusive option with another', that('Many', 'includes_all', ['9', '1'])],
    [
      'an option both included and excluded',
      all(that('Many', 'includes_all', ['1', '2']), that('Many', 'includes_none', ['2'])),
    ],
    ['disjoint ranges of ages', all(that('Age', 'gt', 30), that('Age', 'lt', 30))],
    ['an age between consecutive integers', all(that('Age', 'gt', 30), that('Age', 'lt', 31))],
    ['an age above the maximum', that('Age', 'gte', 121)],
    ['a reversed interval', that('Age', 'between', [40, 30])],
    ['a number equal to a word', that('Age', 'equals', 'old')],
    ['disjoint ranges of incomes', all(that('Income', 'gt', 10.01), that('Income', 'lt', 10.02))],
    ['a value outside the scale', that('Scale', 'equals', 4)],
    ['disjoint ranges of days', all(that('Day', 'after', '2026-03-01'), that('Day', 'before', '2026-02-01'))],
    ['two different years', all(that('Year', 'equals', '2024'), that('Year', 'between', ['2025', '2026']))],
    ['two different texts', all(that('Why', 'equals', 'a'), that('Why', 'in', ['b', 'c']))],
    [
      'two values of a link parameter',
      all(
        { left: { type: 'hidden', code: 'source' }, operator: 'equals', right: 'a' },
        { left: { type: 'hidden', code: 'source' }, operator: 'equals', right: 'b' },
      ),
    ],
    [
      'an alternative of two contradictions',
      any(all(that('One', 'equals', '1'), that('One', 'equals', '2')), all(that('Age', 'lt', 0))),
    ],
    [
      'a contradiction within a satisfiable condition',
      all(that('Why', 'answered'), any(that('Age', 'lt', 0), that('Age', 'gt', 500))),
    ],
  ])('%s', (_, condition) => {
    expect(can(condition)).toBe(false);
  });
});

describe('a satisfiable condition', () => {
  test.each<[string, Condition]>([
    ['anything', all()],
    ['one value', that('One', 'equals', 1)],
    ['two values of a multiple choice', all(that('Many', 'contains', '1'), that('Many', 'contains', '2'))],
    ['values of two rows', all(that('Grid', 'equals', '1', 'r1'), that('Grid', 'equals', '2', 'r2'))],
    ['only the exclusive option', that('Many', 'equals', '9')],
    ['an interval', all(that('Age', 'gte', 18), that('Age', 'lt', 35))],
    ['an income between adjacent cents', all(that('Income', 'gt', 10.01), that('Income', 'lt', 10.03))],
    ['an alternative with one contradiction', any(that('Age', 'lt', 0), that('Age', 'equals', 18))],
    ['no answer', that('One', 'not_answered')],
    ['no options ticked', that('Many', 'includes_none', ['1', '2', '9'])],
    ['the days of a month', that('Day', 'between', ['2026-03', '2026-03'])],
    ['texts that differ only in case', all(that('Why', 'equals', 'Yes'), that('Why', 'equals', 'yes'))],
    ['texts that cannot be decided', all(that('Why', 'contains', 'a'), that('Why', 'not_contains', 'b'))],
    [
      'too many alternatives to check',
      all(...Array.from({ length: 12 }, () => any(that('One', 'equals', '1'), that('One', 'equals', '2')))),
    ],
  ])('%s', (_, condition) => {
    expect(can(condition)).toBe(true);
  });
});

test('a condition reported as unsatisfiable matches no random answers', () => {
  const comparison = fc
    .oneof(
      fc.record({
        code: fc.constant('One'),
        operator: fc.constantFrom('equals', 'not_equals', 'gt', 'lte', 'contains'),
        right: fc.constantFrom('1', '2', '3'),
      }),
      fc.record({
        code: fc.constantFrom('One', 'Many'),
        operator: fc.constantFrom('in', 'not_in', 'includes_all', 'includes_any', 'includes_none'),
        right: fc.subarray(['1', '2']),
      }),
      fc.record({
        code: fc.constantFrom('Age', 'Scale'),
        operator: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'equals', 'not_equals'),
        right: fc.integer({ min: 0, max: 10 }),
      }),
      fc.record({
        code: fc.constantFrom('One', 'Many', 'Age'),
        operator: fc.constantFrom('answered', 'not_answered'),
      }),
    )
    .map((given) => that(given.code, given.operator, 'right' in given ? given.right : undefined));
  const tree = fc.record({
    connector: fc.constantFrom('and' as const, 'or' as const),
    conditions: fc.array(
      fc.oneof(
        comparison,
        fc.record({
          connector: fc.constantFrom('and' as const, 'or' as const),
          conditions: fc.array(comparison, { maxLength: 3 }),
        }),
      ),
      { maxLength: 5 },
    ),
  });
  const chosen = (values: readonly string[]): Operand => ({ kind: 'choice', values });
  const answers = fc.record({
    One: fc.constantFrom('1', '2', '3', null).map((value) => (value === null ? null : chosen([value]))),
    Many: fc
      .constantFrom(['1'], ['2'], ['1', '2'], ['9'], [], null)
      .map((values) => (values === null ? null : chosen(values))),
    Age: fc.option(fc.integer({ min: 0, max: 12 }).map((value): Operand => ({ kind: 'number', value }))),
    Scale: fc.option(fc.constantFrom(1, 3, 5, 7, 9).map((value): Operand => ({ kind: 'number', value }))),
  });
  fc.assert(
    fc.property(tree, fc.array(answers, { minLength: 20, maxLength: 20 }), (condition, people) => {
      fc.pre(!can(condition));
      for (const person of people) {
        expect(matchesCondition(condition, ({ code }) => person[code as keyof typeof person])).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});
