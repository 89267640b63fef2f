import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../../src/domain/dataset/dataset.ts';
import { readFilter } from '../../../../../src/domain/dataset/filter/filter.ts';
import type { ResponseRow } from '../../../../../src/domain/responses/response-row.ts';
import { everyType, response, rowArbitrary } from '../survey-fixture.ts';

const catalog = new ColumnCatalog(everyType);

function matching(filter: unknown, rows: readonly ResponseRow[]): number[] {
  const result = readFilter(filter, catalog);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const dataset = Dataset.ofRows(catalog, rows, result.filter.loadCodes);
  return [...result.filter.evaluate(dataset)].flatMap((holds, row) => (holds === 1 ? [row] : []));
}

function problemOf(filter: string) {
  const result = readFilter(filter, catalog, 'filters');
  if (result.ok) throw new Error(`${filter} was accepted`);
  return result.problems[0]!;
}

const pairs: [string, object][] = [
  ['age >= 30 and age < 60', { conditions: [compare('age', 'gte', 30), compare('age', 'lt', 60)] }],
  [
    'Q6 = 2 or NPS = 9',
    { connector: 'or', conditions: [compare('Q6', 'equals', 2), compare('nps', 'equals', 9)] },
  ],
  ['label(region) = "Option 1"', compare('region', 'equals', 'north')],
  ['region in (1, 3)', compare('region', 'in', ['north', 'west'])],
  ['q2_1', compare('Q2_1', 'equals', 1)],
  [
    'Q2_33 = 1 and not is_test',
    { conditions: [compare('Q2_33', 'equals', 1), compare('is_test', 'equals', 0)] },
  ],
  ["lower(Q5) = 'cheap'", compare('Q5', 'equals', 'cheap')],
  ["Q9 >= '2025-06-01'", compare('Q9', 'after', '2025-05-31')],
  ['isnull(Q3_r1)', compare('Q3_r1', 'not_answered')],
  ["response_status = 1 and language = 'en'", { response_status: 'complete', language: 'en' }],
];

function compare(code: string, operator: string, right?: unknown): object {
  return { left: { code }, operator, ...(right === undefined ? {} : { right }) };
}

describe('a filter written as an expression', () => {
  test('matches the same responses as the equivalent condition tree', () => {
    const rows = fc
      .array(rowArbitrary(fc.constant(0)), { maxLength: 40 })
      .map((some) => some.map((row, index) => ({ ...row, responseId: index + 1 })));
    fc.assert(
      fc.property(rows, fc.constantFrom(...pairs), (some, [text, tree]) => {
        expect(matching(text, some)).toEqual(matching(tree, some));
      }),
    );
  });

  test('rejects a response with an unknown result, and treats an option flagged as missing as unknown', () => {
    const rows = [
      response(1, { Q1: '-99' }),
      response(2, { Q1: null }),
      response(3, {}),
      response(4, { Q1: '2' }),
    ];
    expect(matching('Q1 < 5', rows)).toEqual([3]);
    expect(matching('not (Q1 < 5)', rows)).toEqual([]);
    expect(matching('isnull(Q1)', rows)).toEqual([0, 1, 2]);
  });

  test.each([
    ['quality_status != 2', [0, 1]],
    ['not (quality_status = 2)', [0, 1]],
    ['quality_status in (1, 3)', [1]],
    ['not (quality_status in (2, 3))', [0, 1]],
    ["status_reason != 'quality'", [0, 1]],
    ["not contains(status_reason, 'qual')", [0, 1]],
    ['quality_status < 3', [1, 2]],
    ['not (quality_status < 2)', [2]],
    ['isnull(quality_status)', [0]],
    // Q1 is unknown in the first row, so the result is unknown for any other operand.
    ['quality_status != Q1', [1]],
    ['age != 2', [1, 2]],
  ])(
    'treats metadata without a value as equal to nothing, and a missing answer as unknown: %s',
    (text, expected) => {
      const flag = {
        check: 'speeder',
        severity: 'low',
        metric: 'm',
        value: 1,
        threshold: 2,
        column_codes: [],
      } as const;
      const rows = [
        response(1, { Q1: null }),
        response(2, { Q1: '2', age: 30 }, { quality: { flags: [{ ...flag, column_codes: [] }] } }),
        response(
          3,
          { Q1: '2', age: 31 },
          {
            quality: { flags: [{ ...flag, column_codes: [], review: 'confirmed' }] },
            statusReason: 'quality',
          },
        ),
      ];
      expect(matching(text, rows)).toEqual(expected);
    },
  );

  test.each([
    ['age + 1', 'this is a number where a boolean belongs', 0, 7],
    ['agf > 1', 'did you mean "age"?', 0, 3],
    ['age > ', 'a value is missing at the end', 6, 0],
    ['Q2 = 1', 'use its 0/1 columns Q2_1, Q2_2, Q2_3, …', 0, 2],
    ['1 = Q4', 'accepted: Q4_1, Q4_2, Q4_3', 4, 2],
    ["constructor.constructor('return process')() = 1", 'a column has no members', 11, 1],
  ])('rejects an invalid expression and gives its position: %s', (text, message, position, length) => {
    const problem = problemOf(text);
    expect(problem).toMatchObject({ field: 'filters', position, length });
    expect(problem.message).toContain(message);
    expect(problem.message).toContain(`(position ${position})`);
  });

  test('lists its load codes and the columns it reads', () => {
    const result = readFilter('q3_R2 = 1 and Q2_1 and AGE > 3', catalog);
    expect(result.ok && result.filter.loadCodes).toEqual(['Q3', 'Q2', 'age']);
    expect(result.ok && result.filter.codes).toEqual(['Q3_r2', 'Q2_1', 'age']);
  });
});
