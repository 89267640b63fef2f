import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../../src/domain/dataset/dataset.ts';
import { readFilter } from '../../../../../src/domain/dataset/filter/filter.ts';
import type { ResponseRow } from '../../../../../src/domain/responses/response-row.ts';
import { option, question, response, surveyOf } from '../survey-fixture.ts';

const RATING = [1, 2, 3, 4, 5].map((code) => option(code));
const survey = surveyOf(
  question('single_choice', 'Q1', [
    ...RATING,
    option(97, { missing: true }),
    option(98, { value: 'refused', label: 'Refused', missing: true }),
  ]),
  question(
    'dropdown',
    'half',
    ['0.5', '1', '1.5', 'dk'].map((value, index) => option(index + 1, { value })),
  ),
  question('multiple_choice', 'M', [option(1), option(2), option(9, { missing: true })]),
  question('number', 'age', [], { decimals: 1 }),
  question('text', 'why'),
  question('date', 'day'),
);
const ZONE = 'Europe/Berlin';
const catalog = new ColumnCatalog(survey, [], { timeZone: ZONE });

function selected(filter: unknown, rows: readonly ResponseRow[]): number[] {
  const result = readFilter(filter, catalog);
  if (!result.ok) throw new Error(`${JSON.stringify(filter)}: ${JSON.stringify(result.problems)}`);
  const dataset = Dataset.ofRows(catalog, rows, result.filter.loadCodes);
  return [...result.filter.evaluate(dataset)].flatMap((holds, row) => (holds === 1 ? [row] : []));
}

const answersArbitrary = fc.record(
  {
    Q1: fc.constantFrom('1', '3', '4', '5', '97', 'refused', null),
    half: fc.constantFrom('0.5', '1', '1.5', 'dk', null),
    M: fc.constantFrom<string[] | null>(['1'], ['1', '2'], ['9'], ['2', '9'], [], null),
    age: fc.constantFrom(17, 30, 30.5, null),
    why: fc.constantFrom('Price', 'price and taste', 'Taste', null),
    day: fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-02', null),
  },
  { requiredKeys: [] },
);
/** Around midnight in Berlin and in UTC. */
const momentArbitrary = fc.constantFrom(
  ...[
    '2026-02-28T22:59',
    '2026-02-28T23:00',
    '2026-02-28T23:30',
    '2026-03-01T12:00',
    '2026-03-01T22:59',
    '2026-03-01T23:00',
    '2026-03-02T00:00',
  ].map((text) => Date.parse(`${text}:00Z`)),
);
const rowsArbitrary = fc
  .array(fc.tuple(answersArbitrary, momentArbitrary), { minLength: 1, maxLength: 30 })
  .map((some) => some.map(([answers, startedAtMs], index) => response(index + 1, answers, { startedAtMs })));

const SIGNS = { equals: '=', not_equals: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const VALUES: Record<string, (string | number)[]> = {
  Q1: [1, 4, 97, 98, 3],
  half: [0.5, 1, 1.5],
  M_1: [0, 1],
  M_9: [0, 1],
  age: [17, 30, 30.5],
  day: ['2026-03-01', '2026-03'],
  started_at: ['2026-03-01', '2026-02', '2026-03-01T00:00', '2026-02-28T23:30:00Z'],
};
/** The value of an option beside its number. */
const treeValue = (code: string, value: string | number) =>
  code === 'Q1' && value === 98 ? 'refused' : value;
const written = (value: string | number) => (typeof value === 'string' ? `'${value}'` : String(value));

const pairArbitrary = fc.constantFrom(...Object.keys(VALUES)).chain((code) => {
  const value = fc.constantFrom(...(VALUES[code] ?? []));
  const single = fc
    .tuple(fc.constantFrom(...(Object.keys(SIGNS) as (keyof typeof SIGNS)[])), value)
    .map(([operator, right]): [string, object] => {
      const isOrder = operator !== 'equals' && operator !== 'not_equals';
      const treeRight = isOrder ? right : treeValue(code, right);
      return [`${code} ${SIGNS[operator]} ${written(right)}`, { left: { code }, operator, right: treeRight }];
    });
  const list = fc
    .uniqueArray(value, { minLength: 1, maxLength: 3 })
    .map((right): [string, object] => [
      `${code} in (${right.map(written).join(', ')})`,
      { left: { code }, operator: 'in', right: right.map((one) => treeValue(code, one)) },
    ]);
  return fc.oneof(single, list);
});

describe('a filter means the same as a tree and as an expression', () => {
  test('for any comparison', () => {
    fc.assert(
      fc.property(pairArbitrary, rowsArbitrary, ([text, tree], rows) => {
        expect(selected(text, rows), text).toEqual(selected(tree, rows));
      }),
      { numRuns: 600 },
    );
  });

  const ratings = ['5', '4', '3', '97', 'refused', null].map((Q1, index) => response(index + 1, { Q1 }));
  test.each([
    // SPSS: SELECT IF (Q1 >= 4) with MISSING VALUES Q1 (97, 98); R: which(Q1 >= 4) with NA
    ['Q1 >= 4', [0, 1]],
    ['Q1 != 5', [1, 2]],
    ['not (Q1 = 5)', [1, 2]],
    ['Q1 = 97', [3]],
    ['Q1 = "Refused"', [4]],
    ['Q1 in (5, 98)', [0, 4]],
    ['Q1 != 97', [0, 1, 2]],
    ['Q1 < 100', [0, 1, 2]],
  ])('an option flagged as missing is selected only where it is named: %s', (text, rows) => {
    expect(selected(text, ratings)).toEqual(rows);
  });

  const moments = [
    '2026-02-28T22:59:59Z',
    '2026-02-28T23:00:00Z',
    '2026-03-01T22:59:59Z',
    '2026-03-01T23:00:00Z',
  ];
  const days = moments.map((text, index) => response(index + 1, {}, { startedAtMs: Date.parse(text) }));
  test.each([
    ["started_at = '2026-03-01'", [1, 2]],
    ["started_at != '2026-03-01'", [0, 3]],
    ["started_at > '2026-03-01'", [3]],
    ["started_at >= '2026-03-01'", [1, 2, 3]],
    ["started_at <= '2026-03-01'", [0, 1, 2]],
    ["'2026-03-01' > started_at", [0]],
    ["started_at in ('2026-02-28', '2026-03-02')", [0, 3]],
    ["started_at = '2026-03-01T00:00'", [1]],
    ["started_at >= '2026-03-01T22:59:59Z'", [2, 3]],
    ['day(started_at) = 1 and month(started_at) = 3', [1, 2]],
    ["started_at = '2026-02'", [0]],
  ])('a plain date is a day of the survey: %s', (text, rows) => {
    expect(selected(text, days)).toEqual(rows);
  });

  test('texts ignore case in both', () => {
    const rows = ['Price', 'price', 'Taste'].map((why, index) => response(index + 1, { why }));
    const equals = { left: { code: 'why' }, operator: 'equals', right: 'PRICE' };
    for (const filter of ['why = "PRICE"', 'why in ("PRICE")', 'contains(why, "PRIC")', equals])
      expect(selected(filter, rows)).toEqual([0, 1]);
  });
});
