import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountSum, roundedCount } from '../../../../src/domain/charts/disclosure/protection.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import { computeDistribution } from '../../../../src/domain/statistics/distribution.ts';
import { everyType, option, question, rowArbitrary } from '../dataset/survey-fixture.ts';
import { datasetOf, tableOf } from '../statistics/crosstab/crosstab-of.ts';
import { figuresOf } from './figures-of.ts';
import { isDerived } from './is-derived.ts';

const catalog = new ColumnCatalog(everyType);
const loadCodes = [...new Set(catalog.columns.flatMap((column) => column.loadCodes))];
const datasets = fc.array(rowArbitrary(fc.constant(0)), { minLength: 1, maxLength: 60 }).map((rows) =>
  Dataset.ofRows(
    catalog,
    rows.map((row, index) => ({ ...row, responseId: index + 1 })),
    loadCodes,
  ),
);
const columns = fc.constantFrom(
  'Q1',
  'region',
  'Q2',
  'Q2_33',
  'Q5',
  'age',
  'Q6',
  'nps',
  'Q8',
  'Q3_r1',
  'Q7_r2',
  'Q4_1',
  'Q9',
  'language',
  'started_at',
  'response_status',
);
const bases = fc.constantFrom('answering', 'shown', 'total');
const baseNames = { answering: 'answering', shown: 'shown', total: 'all' } as const;
const weightsArbitrary = fc.option(
  fc.array(fc.constantFrom(0.5, 1, 2.25, NaN, 0), { minLength: 60, maxLength: 60 }),
);

describe('any chart', () => {
  test("has the counts of its column's distribution", () => {
    fc.assert(
      fc.property(datasets, columns, bases, weightsArbitrary, (dataset, dimension, base, given) => {
        const weights = given && Float64Array.from(given);
        const chart = figuresOf(dataset, { dimension, options: { base } }, { weights });
        const expected = computeDistribution(dataset, dataset.catalog.find(dimension)!, {
          rows: selectRows(dataset),
          weights,
          base: baseNames[base],
        });
        expect(chart.base).toMatchObject({
          unweighted: expected.base,
          weighted: expected.weighted_base ?? expected.base,
        });
        const { counts, values, percents } = chart.series[0]!;
        const found = new Map(chart.categories.map(({ value }, position) => [value, position]));
        for (const {
          value,
          count,
          percent,
          weighted_count,
          weighted_percent,
          missing,
        } of expected.categories) {
          if (missing && base === 'answering') continue;
          const position = found.get(value);
          // The distribution of a rank lists only given ranks.
          if (position === undefined) expect(count).toBe(0);
          else {
            expect(counts[position]).toBe(count);
            expect(values[position]).toBeCloseTo(weighted_count ?? count, 8);
            const share = weights === null ? percent : weighted_percent;
            if (share === null) expect(percents[position]).toBeNull();
            else expect(percents[position]).toBeCloseTo(share, 8);
          }
        }
        const listed = expected.categories.filter(({ count }) => count > 0).map(({ value }) => value);
        for (const [value, position] of found) if (counts[position]! > 0) expect(listed).toContain(value);
      }),
      { numRuns: 150 },
    );
  });

  test('with a series matches the table of both columns', () => {
    const single = fc.constantFrom('Q1', 'region', 'Q2', 'Q6', 'Q3_r1', 'Q7_r2', 'language');
    fc.assert(
      fc.property(
        datasets,
        single,
        single,
        bases,
        weightsArbitrary,
        (dataset, dimension, series, base, given) => {
          const weights = given && Float64Array.from(given);
          const chart = figuresOf(
            dataset,
            { dimension, series, aggregation: 'percent', options: { base } },
            { weights },
          );
          const table = tableOf(dataset, {
            rows: [dimension],
            columns: [series],
            base: baseNames[base],
            weights,
          });
          expect(chart.base).toEqual(table.base);
          chart.series.forEach(({ values, counts, base: of }, position) => {
            expect(of).toEqual(table.columns[position]!.base);
            expect(counts).toEqual(table.rows.map(({ cells }) => cells[position]!.count));
            expect(values).toEqual(table.rows.map(({ cells }) => cells[position]!.column_percent));
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of a number matches the distribution figures of each category', () => {
    const measures = fc.constantFrom('age', 'Q6', 'nps', 'Q8', 'duration_seconds');
    const functions = fc.constantFrom('mean', 'median', 'min', 'max', 'sum');
    fc.assert(
      fc.property(
        datasets,
        fc.constantFrom('Q1', 'region', 'Q2'),
        measures,
        functions,
        weightsArbitrary,
        (dataset, dimension, measure, name, given) => {
          const weights = given && Float64Array.from(given);
          const aggregation = { function: name, column_code: measure };
          const chart = figuresOf(dataset, { dimension, series: 'Q3_r1', aggregation }, { weights });
          const cell = (code: string, row: number) => [dataset.column(code).cell(row)].flat().map(String);
          const all = selectRows(dataset);
          chart.series.forEach(({ value: across, values, counts }) => {
            chart.categories.forEach(({ value: down }, position) => {
              const rows = all.map(
                (counts, row) =>
                  counts &&
                  Number(cell(dimension, row).includes(down!) && cell('Q3_r1', row).includes(across!)),
              );
              const one = computeDistribution(dataset, dataset.catalog.find(measure)!, { rows, weights });
              expect(counts[position]).toBe(one.base);
              const expected =
                name === 'sum'
                  ? one.stats!.mean === null
                    ? null
                    : one.stats!.mean * (one.weighted_base ?? one.base)
                  : one.stats![name as 'mean'];
              if (expected === null) expect(values[position]).toBeNull();
              else expect(values[position]).toBeCloseTo(expected, 6);
            });
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('has the same total in its categories and remainder as in its base', () => {
    fc.assert(
      fc.property(
        datasets,
        fc.constantFrom('Q6', 'region', 'age', 'Q9'),
        fc.integer({ min: 1, max: 5 }),
        (dataset, dimension, limit) => {
          const chart = figuresOf(dataset, { dimension, options: { limit, sort: 'value_desc' } });
          expect(chart.series[0]!.counts.reduce((sum, count) => sum! + count!, 0)).toBe(
            chart.base!.unweighted,
          );
          expect(chart.categories.length).toBeLessThanOrEqual(limit + 1);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a protected chart', () => {
  const MIN = 5;
  const choices = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
  const answers = fc.array(
    fc.record({
      a: fc.option(fc.constantFrom('1', '1', '1', '2', '2', '3', '4')),
      b: fc.option(fc.constantFrom('1', '1', '1', '2', '2', '3')),
      m: fc.option(fc.subarray(['1', '2', '3'], { minLength: 1 })),
      x: fc.integer({ min: 20, max: 90 }),
    }),
    { minLength: 1, maxLength: 90 },
  );
  const anyDataset = answers.map((rows) =>
    datasetOf(
      [
        question('single_choice', 'a', choices(4)),
        question('single_choice', 'b', choices(3)),
        question('multiple_choice', 'm', choices(3)),
        question('number', 'x'),
      ],
      rows,
    ),
  );
  const configs = fc.record({
    dimension: fc.constantFrom('a', 'm', 'x'),
    series: fc.constantFrom(undefined, 'b', 'm'),
    aggregation: fc.constantFrom('count', 'percent', { function: 'mean', column_code: 'x' }),
    nets: fc.constantFrom(undefined, [{ label: 'Net', values: ['1', '2'] }]),
    options: fc.record({
      limit: fc.constantFrom(undefined, 1, 2),
      show_rest: fc.boolean(),
      base: bases,
    }),
  });

  /** The same chart as clients see it, exact and protected, in the same order. */
  function bothOf(dataset: Dataset, config: object) {
    const disclosed = figuresOf(dataset, config, { minBase: MIN });
    const key = ({ value, label }: { value: string | null; label: string }) => `${value} ${label}`;
    return { disclosed, key };
  }

  test('discloses no small group or its size', () => {
    fc.assert(
      fc.property(anyDataset, configs, (dataset, config) => {
        const { dimension, nets } = config;
        const chartConfig = { ...config, nets: dimension === 'x' ? undefined : nets };
        const { disclosed } = bothOf(dataset, chartConfig);
        for (const { counts, values, percents, base } of disclosed.series) {
          counts.forEach((count, position) => {
            if (count === null) expect([values[position], percents[position]]).toEqual([null, null]);
            else expect(count % 5).toBe(0);
          });
          if (base !== null) expect(base.unweighted % 5).toBe(0);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('does not reveal a hidden cell by addition or subtraction, even without rounding', () => {
    fc.assert(
      fc.property(
        anyDataset,
        fc.constantFrom(undefined, 'b'),
        fc.boolean(),
        fc.constantFrom(undefined, 1, 2),
        (dataset, series, withNet, limit) => {
          const nets = withNet ? [{ label: 'Net', values: ['1', '2'] }] : undefined;
          const config = { dimension: 'a', series, nets, options: { limit, sort: 'original' } };
          const disclosed = figuresOf(dataset, config, { minBase: MIN });
          if (disclosed.base === null) return;
          const width = disclosed.series.length;
          const counts: number[] = [];
          const cell = (row: number, column: number) => row * width + column;
          disclosed.categories.forEach(() => disclosed.series.forEach(() => counts.push(0)));
          const hidden = new Set<number>();
          disclosed.series.forEach((entry, column) =>
            entry.counts.forEach((count, row) => count === null && hidden.add(cell(row, column))),
          );
          // What a reader knows: disclosed bases, nets with their members, the total.
          let next = counts.length;
          const sums: CountSum[] = [];
          const bases: number[] = [];
          disclosed.series.forEach((entry, column) => {
            const total = next++;
            if (entry.base === null) hidden.add(total);
            bases.push(total);
            const proper = disclosed.categories.flatMap(({ is_net: isNet }, row) =>
              isNet ? [] : [cell(row, column)],
            );
            sums.push({ total, parts: proper });
            disclosed.categories.forEach(({ is_net: isNet }, row) => {
              if (!isNet) return;
              const members = disclosed.categories.flatMap(({ value }, member) =>
                value === '1' || value === '2' ? [cell(member, column)] : [],
              );
              if (members.length === 2) sums.push({ total: cell(row, column), parts: members });
            });
          });
          if (series !== undefined) sums.push({ total: next++, parts: bases });
          for (const position of hidden) expect(isDerived(position, sums, hidden)).toBe(false);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('shows every large enough group in at least one chart', () => {
    const answers = Array.from({ length: 60 }, (_, index) => ({
      a: String(1 + (index % 4)),
      b: '1',
      m: ['1'],
      x: 30,
    }));
    const dataset = datasetOf(
      [question('single_choice', 'a', choices(4))],
      answers.map(({ a }) => ({ a })),
    );
    const disclosed = figuresOf(dataset, { dimension: 'a' }, { minBase: MIN });
    expect(disclosed.series[0]!.counts).toEqual([15, 15, 15, 15]);
    expect(disclosed.suppressed).toBeUndefined();
    expect(disclosed.notes.map(({ code }) => code)).toEqual(['rounded']);
  });

  test('discloses no share that leaves out only a few, and no line without a bar', () => {
    const rows = [
      ...Array.from({ length: 40 }, () => ({ a: '1', x: 30 })),
      ...Array.from({ length: 20 }, () => ({ a: '2', x: 50 })),
      ...Array.from({ length: 3 }, () => ({ a: '3', x: 70 })),
    ];
    const dataset = datasetOf([question('single_choice', 'a', choices(4)), question('number', 'x')], rows);
    const share = (value: string[]) =>
      figuresOf(
        dataset,
        { dimension: 'a', aggregation: { function: 'percent', value } },
        { type: 'kpi', minBase: MIN },
      ).series[0]!.values;
    expect([share(['1']), share(['1', '2']), share(['3'])]).toEqual([[62], [null], [null]]);
    const line = figuresOf(
      dataset,
      { dimension: 'a', line_aggregation: { function: 'mean', column_code: 'x' } },
      { type: 'line-bar', minBase: MIN },
    );
    expect(line.series.map(({ values }) => values)).toEqual([
      [40, null, null, 0],
      [30, null, null, null],
    ]);
    expect(line.suppressed).toBe(true);
  });

  test('of too few responses discloses nothing', () => {
    const dataset = datasetOf(
      [question('single_choice', 'a', choices(2))],
      [{ a: '1' }, { a: '1' }, { a: '1' }, { a: '2' }],
    );
    expect(figuresOf(dataset, { dimension: 'a' }, { minBase: MIN })).toMatchObject({
      categories: [],
      series: [],
      base: null,
      suppressed: true,
    });
  });

  test('merges rare values found in the data into an unnamed remainder', () => {
    const dataset = datasetOf(
      [question('number', 'x')],
      [
        ...Array.from({ length: 20 }, () => ({ x: 30 })),
        ...Array.from({ length: 6 }, () => ({ x: 40 })),
        { x: 93 },
        { x: 94 },
        { x: 95 },
        { x: 96 },
        { x: 97 },
      ],
    );
    const disclosed = figuresOf(dataset, { dimension: 'x' }, { minBase: MIN });
    expect(disclosed.categories.map(({ label }) => label)).toEqual(['30', '40', 'Other']);
    expect(disclosed.series[0]!.counts).toEqual([20, 5, 5]);
    const extreme = figuresOf(dataset, { dimension: 'x', aggregation: 'max' }, { type: 'kpi', minBase: MIN });
    expect(extreme.series[0]!.values).toEqual([null]);
  });
});

test('rounds counts to multiples of five', () => {
  expect([0, 2, 3, 7, 8, 12, 13].map(roundedCount)).toEqual([0, 0, 5, 5, 10, 10, 15]);
});
