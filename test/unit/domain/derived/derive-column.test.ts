import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { type Column, NOT_APPLICABLE, NOT_SHOWN, SKIPPED } from '../../../../src/domain/columns/columns.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { RESPONSE_STATUSES, type ResponseRow } from '../../../../src/domain/responses/response-row.ts';
import { selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import { cleanText } from '../../../../src/domain/transforms/clean-text.ts';
import { recodeForm, type RecodeRule } from '../../../../src/domain/transforms/recode.ts';
import type { Transform } from '../../../../src/domain/transforms/registry.ts';
import { type DerivedForm, NUMBER_FORM } from '../../../../src/domain/transforms/transform.ts';
import { all, buildColumn, cars, cells, HORSEPOWER, MPG, transformed } from './derived-values.ts';
import { everyType, question, response, rowArbitrary, surveyOf } from '../dataset/survey-fixture.ts';

function binCounts(transform: Transform): number[] {
  const column = transformed(cars, transform, 'mpg');
  return column.spec.values.map(({ value }) => cells(cars, column).filter((cell) => cell === value).length);
}

const everything = [
  'Q1',
  'region',
  'Q2',
  'Q5',
  'age',
  'Q6',
  'nps',
  'Q8',
  'Q3',
  'Q7',
  'Q4',
  'Q9',
  'Q10',
  'Q11',
];
const catalog = new ColumnCatalog(everyType);
const rows = fc
  .array(rowArbitrary(fc.constant(0)), { maxLength: 40 })
  .map((some) => some.map((row, index) => ({ ...row, responseId: index + 1 })));
const datasetOf = (some: readonly ResponseRow[]) => Dataset.ofRows(catalog, some, everything);

describe('reference values of mtcars$mpg from R', () => {
  test('z-scores', () => {
    const z = cells(
      cars,
      transformed(cars, { kind: 'z_scores', frozen: false, weight: null }, 'mpg'),
    ) as number[];
    expect(z[0]).toBeCloseTo(0.150885, 6);
    expect(Math.max(...z)).toBeCloseTo(2.291272, 6);
  });

  test('normalized values', () => {
    const column = transformed(cars, { kind: 'normalize', frozen: true, outside: 'clip' }, 'mpg');
    expect(column.cell(0)).toBeCloseTo(0.451064, 6);
  });

  test.each<[string, Transform, number[]]>([
    [
      'of equal width',
      { kind: 'bin', cuts: { method: 'equal_width', bins: 5 }, labels: null },
      [6, 12, 8, 2, 4],
    ],
    [
      'with custom breaks',
      { kind: 'bin', cuts: { method: 'custom', breaks: [10, 15, 20, 25, 35] }, labels: null },
      [5, 13, 8, 6],
    ],
    [
      'of equal frequency',
      { kind: 'bin', cuts: { method: 'equal_frequency', bins: 4 }, labels: null },
      [8, 7, 8, 9],
    ],
  ])('bins %s', (_, transform, counts) => {
    expect(binCounts(transform)).toEqual(counts);
  });

  test('bins are named by their bounds', () => {
    const labels = (breaks: number[], openEnded: boolean) =>
      transformed(
        cars,
        { kind: 'bin', cuts: { method: 'custom', breaks, openEnded }, labels: null },
        'mpg',
      ).spec.values.map(({ label }) => label);
    expect(labels([10, 20, 35], false)).toEqual(['10 to under 20', '20 to 35']);
    expect(labels([10, 20, 30, 35], true)).toEqual(['under 20', '20 to under 30', '30 and more']);
  });
});

describe('derived scores', () => {
  test('have mean 0 and sd 1 over the counted responses, or are missing, and normalized values are between 0 and 1', () => {
    fc.assert(
      fc.property(rows, (some) => {
        const dataset = datasetOf(some);
        const counted = selectRows(dataset);
        const z = buildColumn(dataset, { kind: 'z_scores', source: 'Q8' }, NUMBER_FORM);
        const share = buildColumn(dataset, { kind: 'normalize', source: 'Q8' }, NUMBER_FORM);
        const source = dataset.column('Q8');
        const there = all(dataset).filter((row) => counted[row] === 1 && source.cell(row) !== null);
        const scores = there.map((row) => z.cell(row) as number | null);
        if (new Set(there.map((row) => source.cell(row))).size < 2)
          expect(scores.every((one) => one === null)).toBe(true);
        else {
          const sum = scores.reduce((total: number, one) => total + one!, 0);
          const squares = scores.reduce((total: number, one) => total + one! ** 2, 0);
          expect(sum / there.length).toBeCloseTo(0, 9);
          expect(squares / (there.length - 1)).toBeCloseTo(1, 9);
        }
        const shares = all(dataset).flatMap((row) => (share.cell(row) as number | null) ?? []);
        for (const one of shares) expect(one >= 0 && one <= 1).toBe(true);
        // Minimum and maximum of the converted responses of any status map to 0 and 1; deleted ones are ignored.
        const converted = selectRows(dataset, { status: RESPONSE_STATUSES });
        const values = new Set(
          all(dataset).flatMap((row) => (converted[row] === 1 ? (source.cell(row) ?? []) : [])),
        );
        if (values.size > 1) expect([Math.min(...shares), Math.max(...shares)]).toEqual([0, 1]);
        for (const row of all(dataset))
          if (source.missing(row) !== null) expect(z.missing(row)).toBe(source.missing(row));
      }),
    );
  });
});

describe('normalized values', () => {
  const mixed = (...extra: ResponseRow[]) =>
    Dataset.ofRows(
      cars.catalog,
      [
        response(1, { mpg: 0 }),
        response(2, { mpg: 10 }),
        response(3, { mpg: 40 }, { status: 'partial' }),
        response(4, { mpg: null }),
        ...extra,
      ],
      ['mpg'],
    );

  test('take min and max from the converted responses of any status', () => {
    const dataset = mixed();
    const column = buildColumn(dataset, { kind: 'normalize', source: 'mpg' }, NUMBER_FORM);
    expect(cells(dataset, column)).toEqual([0, 0.25, 1, null]);
    const below = buildColumn(dataset, { kind: 'normalize', source: 'mpg', filter: 'mpg < 40' }, NUMBER_FORM);
    expect(cells(dataset, below)).toEqual([0, 1, null, null]);
  });

  test('are clipped outside the range, or not applicable if configured', () => {
    const deleted = response(5, { mpg: 80 }, { isDeleted: true });
    const outside = (definition: object) => {
      const dataset = mixed(deleted, response(6, { mpg: -5 }));
      const column = buildColumn(dataset, { kind: 'normalize', source: 'mpg', ...definition }, NUMBER_FORM);
      return all(dataset).map((row) => column.cell(row) ?? column.missing(row));
    };
    const frozen = { min: 0, max: 10 };
    expect(outside({ frozen })).toEqual([0, 1, 1, SKIPPED, 1, 0]);
    expect(outside({ frozen, outside: 'missing' })).toEqual([
      0,
      1,
      NOT_APPLICABLE,
      SKIPPED,
      NOT_APPLICABLE,
      NOT_APPLICABLE,
    ]);
    // Not frozen: a deleted response is ignored for the parameters, but still maps to 0 to 1.
    expect(outside({})).toEqual([5 / 45, 15 / 45, 1, SKIPPED, 1, 0]);
    expect(outside({ frozen: { min: 10, max: 10 } })).toEqual([0, 0, 0, SKIPPED, 0, 0]);
  });

  test('ignore test responses of a published survey for parameters, and clip them to the range', () => {
    const dataset = mixed(response(5, { mpg: 1_000 }, { isTest: true }));
    const normalized = () =>
      cells(dataset, buildColumn(dataset, { kind: 'normalize', source: 'mpg' }, NUMBER_FORM));
    expect(normalized()).toEqual([0, 0.01, 0.04, null, 1]);
    dataset.isPublished = true;
    expect(normalized()).toEqual([0, 0.25, 1, null, 1]);
  });
});

describe('z-scores', () => {
  const pairs = surveyOf(
    question('number', 'x', [], { decimals: 6 }),
    question('number', 'w', [], { decimals: 6 }),
  );
  const zOf = (x: readonly number[], w: readonly (number | null)[]) => {
    const dataset = Dataset.ofRows(
      new ColumnCatalog(pairs),
      x.map((value, index) => response(index + 1, { x: value, w: w[index]! })),
      ['x', 'w'],
    );
    return cells(dataset, transformed(dataset, { kind: 'z_scores', frozen: true, weight: 'w' }, 'x'));
  };

  test('are weighted like svymean and svyvar', () => {
    // de <- svydesign(~1, weights = ~hp, data = mtcars): (mpg - svymean(~mpg, de)) / sqrt(svyvar(~mpg, de)) of R
    const z = zOf(MPG, HORSEPOWER);
    expect(z[0]).toBeCloseTo(0.578579805141901, 9);
    expect(z[19]).toBeCloseTo(3.043837136197853, 9);
    // A response without a weight is not counted, but has a score.
    const more = zOf([...MPG, 1_000, 21], [...HORSEPOWER, 0, null]);
    expect(more[0]).toBeCloseTo(0.578579805141901, 9);
    expect(more[33]).toBeCloseTo(0.578579805141901, 9);
    expect(more[32]).toBeGreaterThan(100);
  });

  test('keep precision far from zero', () => {
    // sd <- 0.00113689151801911 of R; the mean is the midpoint.
    const [low, high] = zOf([-999.9999999999992, -999.9983921925955], [0.05, 0.05]) as number[];
    expect(low! / -Math.SQRT1_2 - 1).toBeCloseTo(0, 9);
    expect(high! / Math.SQRT1_2 - 1).toBeCloseTo(0, 9);
  });
});

describe('bins', () => {
  test('put every number of the current data into exactly one bin', () => {
    const cuts = fc.record({
      method: fc.constantFrom('equal_width' as const, 'equal_frequency' as const),
      bins: fc.integer({ min: 2, max: 12 }),
    });
    const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
      minLength: 2,
      maxLength: 60,
    });
    fc.assert(
      fc.property(numbers, cuts, (values, how) => {
        fc.pre(new Set(values).size > 1);
        const dataset = Dataset.ofRows(
          cars.catalog,
          values.map((mpg, index) => response(index + 1, { mpg })),
          ['mpg'],
        );
        const column = transformed(dataset, { kind: 'bin', cuts: how, labels: null }, 'mpg');
        const places = cells(dataset, column).map(Number);
        expect(places.every((index) => index >= 1 && index <= how.bins)).toBe(true);
        // Bins are monotonic.
        const order = values
          .map((value, row) => ({ value, place: places[row]! }))
          .sort((a, b) => a.value - b.value);
        order.forEach(({ place }, index) =>
          expect(place).toBeGreaterThanOrEqual(order[index - 1]?.place ?? 0),
        );
      }),
    );
  });
});

const rulesOf = (...rules: [RecodeRule['from'], RecodeRule['to']][]): RecodeRule[] =>
  rules.map(([from, to]) => ({ from, to }));

describe('values without a result in a definition', () => {
  const dataset = datasetOf([
    response(1, { age: 20, Q5: 'yes', Q1: '1' }),
    response(2, { age: 80, Q5: '...', Q1: '-99' }),
    response(3, { age: null, Q5: null, Q1: null }),
    response(4, {}),
  ]);
  const reasons = (column: Column) => all(dataset).map((row) => column.missing(row));
  const expected = [null, NOT_APPLICABLE, SKIPPED, NOT_SHOWN];

  test('are not applicable outside custom breaks, except skipped and not shown ones', () => {
    const cuts = { method: 'custom' as const, breaks: [0, 30, 60] };
    const column = transformed(dataset, { kind: 'bin', cuts, labels: null }, 'age');
    expect(reasons(column)).toEqual(expected);
    // The same for a numeric target, as used for overwriting.
    const numbers = buildColumn(
      dataset,
      { kind: 'bin', source: 'age', breaks: [0, 30, 60], openEnded: false },
      NUMBER_FORM,
    );
    expect(reasons(numbers)).toEqual(expected);
  });

  test('are not applicable if no rule matches, or a rule maps to missing', () => {
    const rules = rulesOf([{ max: 30 }, 1]);
    expect(reasons(transformed(dataset, { kind: 'recode', rules }, 'age'))).toEqual(expected);
    const missing = rulesOf([{ min: 60 }, null], ['else', 1]);
    expect(reasons(transformed(dataset, { kind: 'recode', rules: missing }, 'age'))).toEqual(expected);
  });

  test('are not applicable for options flagged as missing, and for texts that become empty', () => {
    expect(
      reasons(transformed(dataset, { kind: 'normalize', frozen: false, outside: 'clip' }, 'Q1')),
    ).toEqual(expected);
    const operations = ['remove_punctuation'] as const;
    expect(reasons(transformed(dataset, { kind: 'text', operations }, 'Q5'))).toEqual(expected);
  });

  test('are not applicable if an expression has no value for the answer', () => {
    const computed = (expression: string) =>
      buildColumn(dataset, { kind: 'computed', expression, type: 'number' }, NUMBER_FORM);
    expect(reasons(computed('if(age < 30, 1, null)'))).toEqual(expected);
    expect(reasons(computed('age / 0'))).toEqual([NOT_APPLICABLE, NOT_APPLICABLE, SKIPPED, NOT_SHOWN]);
  });
});

describe('a recode', () => {
  test('gives every response the result of the first matching rule', () => {
    const outcome = fc.constantFrom(1, 2, 'x', null);
    const from = fc.oneof(
      fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
      fc.tuple(fc.integer({ min: 1, max: 7 }), fc.nat(3)).map(([min, width]) => ({ min, max: min + width })),
      fc.constantFrom('missing' as const, 'else' as const),
    );
    const rules = fc.array(fc.record({ from, to: outcome }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, rules, (some, given) => {
        const dataset = datasetOf(some);
        const source = dataset.column('Q6');
        const column = buildColumn(
          dataset,
          { kind: 'recode', source: 'Q6', rules: given },
          recodeForm(given, source.spec),
        );
        for (const row of all(dataset)) {
          const cell = source.cell(row) as number | null;
          const rule = given.find((one) => {
            if (one.from === 'missing') return cell === null;
            if (cell === null) return false;
            if (one.from === 'else') return true;
            if (Array.isArray(one.from)) return one.from.includes(cell);
            const { min, max } = one.from;
            return cell >= min && cell <= max;
          });
          const to = rule?.to ?? null;
          expect(column.cell(row)).toBe(to === null ? null : String(to));
          if (rule === undefined && cell === null) expect(column.missing(row)).toBe(source.missing(row));
        }
      }),
    );
  });

  test('matches categories by value, texts regardless of case, flags, dates and ranks', () => {
    const dataset = datasetOf([
      response(1, { region: 'South', Q5: 'Cheap', Q2: ['1'], Q9: '2026-01-01', Q4: ['2', '1'] }),
      response(2, { region: 'north', Q5: 'other', Q2: ['2'], Q9: '2025-12-31', Q4: ['1'] }),
    ]);
    const recoded = (source: string, rules: RecodeRule[]) =>
      cells(
        dataset,
        buildColumn(
          dataset,
          { kind: 'recode', source, rules },
          recodeForm(rules, dataset.column(source).spec),
        ),
      );
    expect(recoded('region', rulesOf([['South'], 1], ['else', 2]))).toEqual(['1', '2']);
    expect(recoded('Q5', rulesOf([['cheap'], 'low']))).toEqual(['low', null]);
    expect(recoded('Q2_1', rulesOf([[1], 'yes'], [['0'], 'no']))).toEqual(['yes', 'no']);
    expect(recoded('Q9', rulesOf([['2026-01-01'], 'new year']))).toEqual(['new year', null]);
    expect(recoded('Q4_1', rulesOf([{ max: 1 }, 'first'], ['missing', 'never']))).toEqual([null, 'first']);
    expect(recoded('Q4_1', rulesOf([[1], 0.5], [[2], 1.5]))).toEqual([1.5, 0.5]);
  });

  test('marks responses excluded by the filter as not shown', () => {
    const dataset = datasetOf([
      response(1, { age: 20 }),
      response(2, { age: 40 }),
      response(3, { age: null }),
    ]);
    const rules = rulesOf(['else', 1]);
    const definition = { kind: 'recode' as const, source: 'age', rules, filter: 'age > 30 or isnull(age)' };
    const column = buildColumn(dataset, definition, recodeForm(rules, { measure: 'scale' }));
    expect(all(dataset).map((row) => column.missing(row))).toEqual([NOT_SHOWN, null, SKIPPED]);
  });

  test('keeps integer codes and numbers text values', () => {
    const codes = (rules: RecodeRule[]) =>
      recodeForm(rules, { measure: 'nominal' }).values.map(({ code }) => code);
    expect(codes(rulesOf([['a'], 5], [['b'], -1]))).toEqual([-1, 5]);
    expect(codes(rulesOf([['a'], 'x'], [['b'], 5]))).toEqual([1, 2]);
  });
});

describe('cleaned texts', () => {
  test.each([
    [['trim', 'lowercase'], '  ABC ', 'abc'],
    [['strip_html'], '<p class="x">a &lt; b</p>&amp;lt; a < b', 'a < b&lt; a < b'],
    [['remove_punctuation'], "don't: «stop»… 5€ 😀", 'dont stop 5€ 😀'],
    [['collapse_whitespace'], 'a \n\t\u00a0 b', 'a b'],
    [['nfc'], 'e\u0301', '\u00e9'],
    [['uppercase'], 'straße', 'STRASSE'],
    [['trim'], '   ', null],
  ] as const)('%j of %j', (operations, text, cleaned) => {
    expect(cleanText(text, operations)).toBe(cleaned);
  });

  test('are read once from start to end, even with hostile input', () => {
    const open = '<a'.repeat(50_000);
    expect(cleanText(open, ['strip_html'])).toBeNull();
    expect(cleanText('<'.repeat(30_000), ['strip_html'])).toBe('<'.repeat(30_000));
    expect(cleanText(`<a ${' '.repeat(100_000)}`, ['strip_html', 'collapse_whitespace'])).toBe('<a ');
  });
});

describe('a computed column', () => {
  test('truncates dates to the displayed precision, and is not shown if none of its sources was', () => {
    const dataset = datasetOf([
      response(1, { Q9: '2026-01-01' }),
      response(2, {}),
      response(3, { Q9: null }),
    ]);
    const definition = { kind: 'computed' as const, expression: 'max(Q9, Q9)', type: 'date' as const };
    const form: DerivedForm = { type: 'date', measure: 'scale', values: [], precision: 'date' };
    const column = buildColumn(dataset, definition, form);
    expect(cells(dataset, column)).toEqual(['2026-01-01', null, null]);
    expect(all(dataset).map((row) => column.missing(row))).toEqual([null, NOT_SHOWN, SKIPPED]);
  });

  test('has no values if it cannot be computed', () => {
    const dataset = datasetOf([response(1, { age: 5 })]);
    for (const expression of ['Q99', 'age +', "concat('a', 'b')"])
      expect(
        cells(dataset, buildColumn(dataset, { kind: 'computed', expression, type: 'number' }, NUMBER_FORM)),
      ).toEqual([null]);
    expect(cells(dataset, buildColumn(dataset, { kind: 'z_scores', source: 'Q5' }, NUMBER_FORM))).toEqual([
      null,
    ]);
  });
});
