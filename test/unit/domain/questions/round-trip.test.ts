import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredAnswer } from '../../../../src/domain/questions/answers/codec.ts';
import { cellCodecFor, codecFor } from '../../../../src/domain/questions/registry.ts';
import type { Question } from '../../../../src/domain/survey/definition.ts';
import { columnCount } from '../../../../src/domain/survey/question-codes.ts';
import { question, rows } from '../../../support/survey-builder.ts';

const options = [
  '1',
  '2',
  'b',
  { value: '-9', retired: true },
  { value: 'o', other: true },
  { value: 'p', other: true },
];
const values = ['1', '2', 'b'];
const text = fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme' });
const choice = fc.oneof(
  fc.constantFrom(...values),
  fc.record({ value: fc.constantFrom('o', 'p'), other: text }),
);

/** A question of each type with valid inputs. */
const cases: [string, Question, fc.Arbitrary<unknown>][] = [
  ['single_choice', question('single_choice', { options }), choice],
  ['dropdown', question('dropdown', { options: values }), fc.constantFrom(...values)],
  [
    'multiple_choice',
    question('multiple_choice', { options }),
    fc.uniqueArray(choice, { selector: (item) => (typeof item === 'string' ? item : item.value) }),
  ],
  ['text', question('text'), text],
  [
    'number',
    question('number', { settings: { decimals: 2 } }),
    fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 100),
  ],
  ['scale', question('scale'), fc.integer({ min: 1, max: 5 })],
  [
    'slider',
    question('slider', { settings: { step: 0.1 } }),
    fc.integer({ min: 0, max: 1000 }).map((n) => n * 0.1),
  ],
  ['nps', question('nps'), fc.integer({ min: 0, max: 10 })],
  [
    'matrix',
    question('matrix', { options: values, settings: { rows: rows('r1', '7', 'constructor') } }),
    fc.dictionary(fc.constantFrom('r1', '7', 'constructor'), fc.constantFrom(...values)),
  ],
  [
    'multi-select matrix',
    question('matrix', { options: values, settings: { rows: rows('r1', 'r2'), matrix_type: 'multiple' } }),
    fc.dictionary(fc.constantFrom('r1', 'r2'), fc.subarray(values)),
  ],
  ['ranking', question('ranking', { options: values }), fc.shuffledSubarray(values)],
  [
    'constant_sum',
    question('constant_sum', {
      options: [...values, { value: '-9', retired: true }],
      settings: { decimals: 2 },
    }),
    fc
      .tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 10_000 }))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b) - Math.min(a, b), 10_000 - Math.max(a, b)])
      .map(([a, b, c]) => ({ '1': a! / 100, '2': String(b! / 100), '3': c === 0 ? null : c! / 100 })),
  ],
  [
    'date',
    question('date', { settings: { precision: 'time' } }),
    fc.integer({ min: 0, max: 23 }).map((h) => `${String(h).padStart(2, '0')}:30`),
  ],
  [
    'file_upload',
    question('file_upload', { settings: { max_files: 3 } }),
    fc.uniqueArray(fc.uuid(), { maxLength: 3 }),
  ],
  ['calculated', question('calculated'), fc.constantFrom(null, '', 3)],
  ['statement', question('statement'), fc.constantFrom(null, '')],
  ['side_by_side', question('side_by_side'), fc.constantFrom(null, '')],
];

function readOf(question: Question, input: unknown): StoredAnswer | null {
  const result = codecFor(question).read(question, input);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.answer;
}

describe.each(cases)('a random answer to a %s', (_, question, input) => {
  const codec = cellCodecFor(question);

  it('is unchanged when read again', () => {
    fc.assert(
      fc.property(input, (given) => {
        const stored = readOf(question, given);
        expect(readOf(question, stored)).toEqual(stored);
        expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
      }),
    );
  });

  it('is restored completely from its cells', () => {
    fc.assert(
      fc.property(input, (given) => {
        const stored = readOf(question, given);
        const columns = codec.columns(question);
        const cells = codec.toCells(question, stored);
        expect(cells).toHaveLength(columns.length);
        const changes = new Map(columns.map(({ columnCode }, index) => [columnCode, cells[index]!]));
        expect(codec.fromCells(question, null, changes)).toEqual({ ok: true, answer: stored });
      }),
    );
  });

  it('has as many distinct column codes as counted', () => {
    const codes = codec.columns(question).map(({ columnCode }) => columnCode);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toHaveLength(columnCount(question));
  });

  it('or any other value is accepted or rejected, but never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: false }), (given) => {
        const result = codecFor(question).read(question, given);
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
      }),
    );
  });
});
