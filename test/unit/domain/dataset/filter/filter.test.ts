import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../../src/domain/dataset/dataset.ts';
import { compileFilter, readFilter } from '../../../../../src/domain/dataset/filter/filter.ts';
import type { ResponseRow } from '../../../../../src/domain/responses/response-row.ts';
import { selectRows } from '../../../../../src/domain/dataset/filter/select-rows.ts';
import {
  type Comparison,
  type Condition,
  type ConditionScalar,
  isGroup,
  matchesCondition,
  type Operand,
} from '../../../../../src/domain/questions/condition.ts';
import { operandOf } from '../../../../../src/domain/survey/logic/evaluate-logic.ts';
import { everyType, response, rowArbitrary } from '../survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);

/** Returns the ids of the rows that a filter keeps. */
function kept(input: unknown, rows: readonly ResponseRow[]): number[] {
  const result = readFilter(input, catalog);
  if (!result.ok)
    throw new Error(result.problems.map(({ field, message }) => `${field}: ${message}`).join('\n'));
  const dataset = Dataset.ofRows(catalog, rows, result.filter.loadCodes);
  const mask = result.filter.evaluate(dataset);
  return rows.map((row) => row.responseId).filter((_, row) => mask[row] === 1);
}

function problems(input: unknown) {
  const result = readFilter(input, catalog);
  return result.ok ? [] : result.problems;
}

/** Right-side values for a question, in their accepted forms. */
const rights: Record<string, fc.Arbitrary<ConditionScalar>> = {
  Q1: fc.constantFrom('1', '2', 9, '-99'),
  region: fc.constantFrom('north', 'South', 'west'),
  Q2: fc.constantFrom('1', '2', '33', '35', '40', 12),
  Q5: fc.constantFrom('cheap', 'CHEAP', 'too expensive', 'e', 12),
  age: fc.oneof(
    fc.integer({ min: 160, max: 900 }).map((tenths) => tenths / 10),
    fc.constantFrom('30', '16.5'),
  ),
  Q6: fc.integer({ min: 0, max: 8 }),
  nps: fc.integer({ min: 0, max: 10 }),
  Q8: fc.integer({ min: 0, max: 100 }),
  Q3: fc.constantFrom('1', '2', '3'),
  Q7: fc.constantFrom('1', '2', '3'),
  Q4: fc.constantFrom('1', '2', '3'),
  Q9: fc.constantFrom('2024-02-29', '2025-12-31', '2025', '2026-01', '2025-12-31T10:00'),
  Q10: fc.constantFrom('00:00', '08:30', '12:00'),
};
const listOperators = ['in', 'not_in', 'includes_any', 'includes_all', 'includes_none'] as const;
const orderOperators = ['gt', 'gte', 'lt', 'lte', 'before', 'after'] as const;
const plainOperators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
] as const;

const comparisonArbitrary: fc.Arbitrary<Comparison> = fc
  .constantFrom(...Object.keys(rights))
  .chain((code) => {
    const right = rights[code] ?? fc.constant('1');
    const ordered = code === 'region' || code === 'Q5' ? fc.integer({ min: 0, max: 99 }) : right;
    const rowCodes = code === 'Q3' || code === 'Q7' ? ['r1', 'r2', undefined] : [undefined];
    const left = fc
      .constantFrom(...rowCodes)
      .map((row_code) => ({ type: 'question' as const, code, ...(row_code ? { row_code } : {}) }));
    return fc.oneof(
      fc.record({ left, operator: fc.constantFrom('answered' as const, 'not_answered' as const) }),
      fc.record({ left, operator: fc.constantFrom(...plainOperators), right }),
      fc.record({ left, operator: fc.constantFrom(...orderOperators), right: ordered }),
      fc.record({
        left,
        operator: fc.constantFrom(...listOperators),
        right: fc.array(right, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        left,
        operator: fc.constant('between' as const),
        right: fc.array(ordered, { minLength: 2, maxLength: 2 }),
      }),
    );
  });

const { condition: conditionArbitrary } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    comparisonArbitrary,
    fc.record({
      connector: fc.constantFrom('and' as const, 'or' as const),
      conditions: fc.array(tie('condition'), { maxLength: 3 }),
    }),
  ),
}));

const rowsArbitrary = fc.uniqueArray(rowArbitrary(fc.integer({ min: 1, max: 500 })), {
  selector: (row) => row.responseId,
  minLength: 5,
  maxLength: 25,
});

const NEGATIVE: readonly string[] = ['not_equals', 'not_in', 'not_contains', 'includes_none'];

/** As in display logic, except that an option flagged as missing is no other answer, and that words are ordered by their numbers. */
function operandInFilter(
  row: ResponseRow,
  { left: { code, row_code }, operator }: Comparison,
): Operand | null {
  const found = catalog.question(code);
  const operand = found ? operandOf(found.question, row.answers[code], row_code) : null;
  if (operand?.kind !== 'choice') return operand;
  if (operand.isMissing && NEGATIVE.includes(operator)) return null;
  const isOrder = operator === 'between' || orderOperators.some((order) => order === operator);
  if (!isOrder || code !== 'region') return operand;
  return { kind: 'number', value: ['north', 'South', 'west'].indexOf(operand.values[0] ?? '') + 1 };
}

function matchesFilter(condition: Condition, row: ResponseRow): boolean {
  if (!isGroup(condition)) return matchesCondition(condition, () => operandInFilter(row, condition));
  const results = condition.conditions.map((part) => matchesFilter(part, row));
  return (
    results.length === 0 ||
    (condition.connector === 'and' ? !results.includes(false) : results.includes(true))
  );
}

describe('a filter', () => {
  test('keeps exactly the rows that display logic accepts, for any condition', () => {
    fc.assert(
      fc.property(conditionArbitrary, rowsArbitrary, (condition, rows) => {
        const expected = rows.filter((row) => matchesFilter(condition, row));
        expect(kept(condition, rows)).toEqual(expected.map((row) => row.responseId));
      }),
      { numRuns: 1_500 },
    );
  });

  const rows = [
    response(1, { Q1: '1', age: 20, Q2: ['1', '3'], Q9: '2026-05-17', Q5: 'Too Expensive', Q3: { r1: '2' } }),
    response(2, { Q1: '2', age: 30, Q2: ['3'], Q9: '2025-05-17', Q5: 'fine' }, { language: 'de' }),
    response(
      3,
      { Q1: null, age: null, Q2: null },
      { status: 'partial', startedAtMs: Date.UTC(2026, 0, 2, 23, 59) },
    ),
    response(4, { Q1: '-99', age: 40, Q2: ['40'] }, { isTest: true, isEdited: true }),
    response(5, {}, { isDeleted: true, startedAtMs: Date.UTC(2026, 0, 3) }),
  ];

  test.each<[string, unknown, number[]]>([
    ['without conditions matches every row', undefined, [1, 2, 3, 4, 5]],
    ['with an empty object matches every row', {}, [1, 2, 3, 4, 5]],
    ['treats values of a column as alternatives', { Q1: ['1', '2'] }, [1, 2]],
    ['accepts one value without a list, and a number for an option value', { q1: 2 }, [2]],
    ['requires all columns to match', { Q1: ['1', '2'], age: [30, 31] }, [2]],
    ['matches a multiple choice with any of the values', { Q2: ['3'] }, [1, 2]],
    ['reads one option of a multiple choice as 0 or 1', { Q2_3: 0 }, [4]],
    ['reads true and false as 1 and 0', { is_test: true }, [4]],
    ['treats an option flagged as missing as an answer', { Q1: ['-99'] }, [4]],
    ['accepts metadata columns', { language: ['DE'] }, [2]],
    ['accepts a status', { response_status: ['partial'] }, [3]],
    ['matches the whole day for a plain date', { started_at: '2026-01-02' }, [3]],
    ['matches the whole month for a month', { Q9: '2026-05' }, [1]],
    ['accepts a matrix row as a column', { Q3_r1: ['2'] }, [1]],
    ['accepts short forms in a group', { connector: 'or', conditions: [{ Q1: '1' }, { age: 40 }] }, [1, 4]],
  ])('%s', (_, input, expected) => {
    expect(kept(input, rows)).toEqual(expected);
  });

  test('includes the day of an end that is a plain date', () => {
    const left = { type: 'column', code: 'started_at' };
    expect(kept({ left, operator: 'between', right: ['2026-01-01', '2026-01-02'] }, rows)).toEqual([
      1, 2, 3, 4,
    ]);
    expect(kept({ left, operator: 'after', right: '2026-01-02' }, rows)).toEqual([5]);
    expect(kept({ left, operator: 'gte', right: '2026-01-03T01:00:00+01:00' }, rows)).toEqual([5]);
  });

  test('negative operators do not match missing answers', () => {
    expect(kept({ left: { code: 'Q1' }, operator: 'not_equals', right: '1' }, rows)).toEqual([2]);
    expect(kept({ left: { code: 'Q2' }, operator: 'includes_none', right: ['1'] }, rows)).toEqual([2, 4]);
    expect(kept({ left: { code: 'Q1' }, operator: 'not_answered' }, rows)).toEqual([3, 5]);
  });

  test.each([
    ['answered', undefined, [1, 3]],
    ['not_answered', undefined, [2, 4]],
    ['includes_none', ['1', '2'], [1]],
    ['includes_any', ['1', '2', '3'], [3]],
    ['includes_all', ['1'], [3]],
    ['not_equals', '1', [1]],
    ['not_in', ['1'], [1]],
    ['includes_none', [], [1, 3]],
    ['includes_any', [], []],
  ])('treats no ticked options as an answer: %s %j', (operator, right, expected) => {
    const answers = [[], null, ['1'], undefined].map((answer, index) => {
      const row = answer && { r2: answer };
      return response(index + 1, answer === undefined ? {} : { Q2: answer, Q7: row ?? null });
    });
    for (const left of [{ code: 'Q2' }, { code: 'Q7' }, { code: 'Q7', row_code: 'r2' }])
      expect(kept({ left, operator, ...(right === undefined ? {} : { right }) }, answers)).toEqual(expected);
  });

  test.each([
    ['quality_status', 'not_equals', 'confirmed', [1, 2, 4]],
    ['quality_status', 'not_in', ['confirmed', 'pending'], [1, 4]],
    ['quality_status', 'equals', 'confirmed', [3]],
    ['status_reason', 'not_equals', 'quality', [1, 2, 4]],
    ['status_reason', 'not_contains', 'qual', [1, 2, 4]],
    ['quality_flags', 'includes_none', ['speeder'], [1]],
    ['wave_id', 'not_equals', 2, [1, 3, 4]],
    ['wave_id', 'gt', 0, [2]],
    ['completed_at', 'not_equals', '2026-01-01', [2]],
  ] as const)(
    '%s %s %s keeps responses without that metadata if it is negative',
    (code, operator, right, expected) => {
      const flagged = (review?: 'confirmed' | 'dismissed') => ({
        flags: [
          {
            check: 'speeder' as const,
            severity: 'low' as const,
            metric: 'm',
            value: 1,
            threshold: 2,
            column_codes: [],
            ...(review === undefined ? {} : { review }),
          },
        ],
      });
      const some = [
        response(1, {}),
        response(2, {}, { quality: flagged(), waveId: 2, completedAtMs: null }),
        response(3, {}, { quality: flagged('confirmed'), statusReason: 'quality' }),
        response(4, {}, { quality: flagged('dismissed') }),
      ];
      expect(kept({ left: { code }, operator, right }, some)).toEqual(expected);
    },
  );

  test.each<[string, unknown, string, string]>([
    [
      'an unknown column, with a suggestion',
      { regoin: ['north'] },
      'filter.regoin',
      'did you mean "region"?',
    ],
    ['an unknown option', { Q1: ['1', '7'] }, 'filter.Q1', '"7" is not a value of Q1'],
    [
      'a text in a numeric column',
      { age: 'old' },
      'filter.age',
      'must be a number to compare with age, not "old"',
    ],
    ['a day that does not exist', { Q9: '2026-02-30' }, 'filter.Q9', '"2026-02-30"'],
    ['a time that does not exist', { started_at: '2026-01-01T25:00' }, 'filter.started_at', 'with an offset'],
    ['an empty list', { Q1: [] }, 'filter.Q1', 'must not be empty'],
    ['null as a value', { Q1: null }, 'filter.Q1', 'must be a value'],
    ['an operator object', { Q1: { $ne: 1 } }, 'filter.Q1', 'must be a value'],
    ['a list', ['Q1'], 'filter', 'must be an object'],
    [
      'an unknown operator',
      { left: { code: 'Q1' }, operator: 'like', right: '1' },
      'filter.operator',
      'not "like"',
    ],
    [
      'a list for a single value',
      { left: { code: 'Q1' }, operator: 'equals', right: ['1'] },
      'filter.right',
      'single value',
    ],
    [
      'an unknown field of a condition',
      { left: { code: 'Q1' }, operator: 'answered', value: 1 },
      'filter.value',
      'is not a known field',
    ],
    [
      'an error in nested groups, with its path',
      {
        conditions: [
          { Q1: '1' },
          { connector: 'or', conditions: [{ left: { code: 'Q9x' }, operator: 'answered' }] },
        ],
      },
      'filter.conditions[1].conditions[0].left.code',
      'did you mean "Q9"',
    ],
    [
      'an unknown matrix row',
      { left: { code: 'Q3', row_code: 'r7' }, operator: 'answered' },
      'filter.left.code',
      'accepted: "r1", "r2"',
    ],
    [
      'a row of a question that is not a matrix',
      { left: { code: 'Q1', row_code: 'r1' }, operator: 'answered' },
      'filter.left.code',
      'which has no parts',
    ],
    [
      'a hidden value of a link',
      { left: { type: 'hidden', code: 'src' }, operator: 'answered' },
      'filter.left.code',
      'not part of the data',
    ],
    [
      'a file value, as files support only answered and not_answered',
      { Q11: 'f1' },
      'filter.Q11',
      'accepted: answered, not_answered',
    ],
  ])('rejects %s', (_, input, field, message) => {
    expect(problems(input)).toMatchObject([{ field, message: expect.stringContaining(message) }]);
  });

  test('names the code of a deleted column in a stored filter', () => {
    const stored: Condition = { left: { type: 'column', code: 'Q77' }, operator: 'answered' };
    expect(compileFilter(stored, catalog)).toMatchObject({ ok: false, problems: [{ field: 'Q77' }] });
    expect(compileFilter({ connector: 'or', conditions: [] }, catalog)).toMatchObject({ ok: true });
  });

  test('treats __proto__ and constructor as unknown columns', () => {
    expect(problems(JSON.parse('{"__proto__":"1","constructor":"2"}')).map(({ field }) => field)).toEqual([
      'filter.__proto__',
      'filter.constructor',
    ]);
  });

  test('rejects excessive nesting or too many comparisons', () => {
    let deep: unknown = { Q1: '1' };
    for (let level = 0; level < 60; level++) deep = { conditions: [deep] };
    expect(problems(deep)[0]?.message).toContain('levels of groups');
    const many = { conditions: Array.from({ length: 201 }, () => ({ Q1: '1' })) };
    expect(problems(many)).toEqual([{ field: 'filter', message: expect.stringContaining('at most 200') }]);
  });
});

describe('counted rows', () => {
  const rows = [
    response(1, {}),
    response(2, {}, { status: 'partial' }),
    response(3, {}, { status: 'screened_out', isTest: true }),
    response(4, {}, { isTest: true }),
    response(5, {}, { isDeleted: true }),
  ];
  const dataset = Dataset.ofRows(catalog, rows, ['is_test']);

  test('are complete ones, including test responses, without deleted ones', () => {
    expect([...selectRows(dataset)]).toEqual([1, 0, 0, 1, 0]);
  });

  test('follow the requested statuses', () => {
    expect([...selectRows(dataset, { includeTest: false })]).toEqual([1, 0, 0, 0, 0]);
    expect([...selectRows(dataset, { includeDeleted: true })]).toEqual([1, 0, 0, 1, 1]);
    expect([...selectRows(dataset, { status: ['partial', 'screened_out'] })]).toEqual([0, 1, 1, 0, 0]);
    const filtered = readFilter({ is_test: 1 }, catalog);
    expect([...selectRows(dataset, { filter: filtered.ok ? filtered.filter : undefined })]).toEqual([
      0, 0, 0, 1, 0,
    ]);
  });

  test('stay the same for a reader while others are appended', () => {
    const growing = Dataset.ofRows(catalog, rows, []);
    const mask = selectRows(growing);
    growing.upsert([response(6, {})]);
    expect(mask.length).toBe(5);
    expect(growing.rowCount).toBe(6);
  });
});
