import { describe, expect, test } from 'vitest';
import type { DeckRow, DeckTable } from '../../../../src/domain/reports/deck.ts';
import {
  chartDeckTable,
  crosstabDeckTable,
  type CrosstabLayout,
  crosstabNotes,
} from '../../../../src/domain/reports/deck-tables.ts';
import { figuresOf } from '../charts/figures-of.ts';
import { bigFive } from '../statistics/big-five.ts';
import { crosstabOf } from '../statistics/crosstab/crosstab-of.ts';

const data = bigFive();
const everySecond = Float64Array.from({ length: data.rowCount }, (_, row) => 0.5 + (row % 2));

/** `label | cell letters | …` */
const line = ({ label, cells }: DeckRow) =>
  [label, ...cells.map(({ text, letters }) => `${text}${letters && ` ${letters}`}`)].join(' | ');
const head = ({ corner, columns }: DeckTable) =>
  [
    corner,
    ...columns.map(
      ({ label, letter, heading }) =>
        `${heading ? `${heading}: ` : ''}${label}${letter ? ` (${letter})` : ''}`,
    ),
  ].join(' | ');
const drawn = (table: DeckTable) => [head(table), ...table.rows.map(line)];

describe('a chart as a table', () => {
  test('of counts has percents, counts and the base', () => {
    expect(drawn(chartDeckTable(figuresOf(data, { dimension: 'gender', aggregation: 'percent' })))).toEqual([
      'Question gender | Percent | Count',
      'Base (n) | 2,800 | 2,800',
      'Option 1 | 33% | 919',
      'Option 2 | 67% | 1,881',
    ]);
  });

  test('with a series has a column for each, the letters and every base', () => {
    const figures = figuresOf(data, {
      dimension: 'A1',
      series: 'gender',
      aggregation: 'percent',
      compare: { letters: true },
      nets: [{ label: 'Low', values: ['1', '2'] }],
    });
    expect(drawn(chartDeckTable(figures, { decimals: 1 }))).toEqual([
      'Question A1 | Option 1 (A) | Option 2 (B)',
      'Base (n) | 918 | 1,866',
      'Option 1 | 22.0% | 38.6% A',
      'Option 2 | 30.9% | 28.6%',
      'Option 3 | 17.4% B | 13.0%',
      'Option 4 | 15.1% B | 10.6%',
      'Option 5 | 10.8% B | 6.6%',
      'Option 6 | 3.7% | 2.6%',
      'Low | 52.9% | 67.2% A',
    ]);
    expect(chartDeckTable(figures).rows.at(-1)?.kind).toBe('net');
  });

  test('of means shows the base of each, and the effective base with a weight', () => {
    const means = figuresOf(data, {
      dimension: 'gender',
      aggregation: { function: 'mean', column_code: 'age' },
    });
    expect(drawn(chartDeckTable(means))).toEqual([
      'Question gender | Mean: Question age | n',
      'Option 1 | 28.0 | 919',
      'Option 2 | 29.2 | 1,881',
    ]);
    const weighted = chartDeckTable(figuresOf(data, { dimension: 'gender' }, { weights: everySecond }));
    expect(weighted.rows.slice(0, 2).map(line)).toEqual([
      'Base (n) | 2,800 | 2,800',
      'Effective base | 2,240 | 2,240',
    ]);
  });

  test('names the letters of compared categories', () => {
    const figures = figuresOf(data, {
      dimension: 'gender',
      aggregation: { function: 'mean', column_code: 'age' },
      compare: { letters: true },
    });
    expect(drawn(chartDeckTable(figures)).slice(1)).toEqual([
      'Option 1 (A) | 28.0 | 919',
      'Option 2 (B) | 29.2 A | 1,881',
    ]);
  });

  test('shows a dash for a suppressed value', () => {
    const figures = figuresOf(data, { dimension: 'education', series: 'gender' }, { minBase: 100 });
    const hidden = chartDeckTable({
      ...figures,
      series: figures.series.map((entry) => ({ ...entry, values: entry.values.map(() => null), base: null })),
    });
    expect(line(hidden.rows[0]!)).toBe('Base (n) | – | –');
    expect(line(hidden.rows[1]!)).toBe('Option 1 | – | –');
  });
});

describe('a crosstab as a table', () => {
  const reading: CrosstabLayout = {
    show: 'column_percent',
    isWeighted: false,
    columnVariables: 1,
    totals: null,
  };
  const wanted = { rows: ['A1'], columns: ['gender'] };

  test('of one row variable has its name in the corner, the base on top, and the mean below', () => {
    const tables = crosstabOf(data, {
      ...wanted,
      nets: [{ columnCode: 'A1', label: 'Low', values: ['1', '2'] }],
    });
    expect(drawn(crosstabDeckTable(tables, reading))).toEqual([
      'Question A1 | Total | Question gender: Option 1 (A) | Question gender: Option 2 (B)',
      'Base (n) | 2,784 | 918 | 1,866',
      'Option 1 | 33% | 22% | 39% A',
      'Option 2 | 29% | 31% | 29%',
      'Option 3 | 14% | 17% B | 13%',
      'Option 4 | 12% | 15% B | 11%',
      'Option 5 | 8% | 11% B | 7%',
      'Option 6 | 3% | 4% b | 3%',
      'Low | 63% | 53% | 67% A',
      'Mean | 2.41 | 2.73 B | 2.26',
    ]);
  });

  test('shows counts, and the effective base of a weight', () => {
    const tables = crosstabOf(data, { ...wanted, weights: everySecond, statistics: [] });
    const table = crosstabDeckTable(tables, { ...reading, show: 'count', isWeighted: true });
    expect(table.rows.slice(0, 3).map(line)).toEqual([
      'Base (n) | 2,784 | 918 | 1,866',
      'Effective base | 2,227 | 727 | 1,500',
      'Option 1 | 927 | 195 | 732',
    ]);
    expect(table.columns.map(({ letter }) => letter)).toEqual([null, null, null]);
  });

  test('with row percents has the base of each row in a column, and no letters', () => {
    const table = crosstabDeckTable(crosstabOf(data, wanted), { ...reading, show: 'row_percent' });
    expect(drawn(table).slice(0, 2)).toEqual([
      'Question A1 | Question gender: Base (n) | Question gender: Option 1 | Question gender: Option 2',
      'Option 1 | 922 | 22% | 78%',
    ]);
    expect(table.rows.every(({ kind }) => kind !== 'base')).toBe(true);
  });

  test('puts several variables below one another and side by side, with one total', () => {
    const many = { rows: ['A1', 'age'], columns: ['gender', 'education'] };
    const tables = crosstabOf(data, many);
    const totals = crosstabOf(data, { ...many, columns: [] });
    const table = crosstabDeckTable(tables, { ...reading, columnVariables: 2, totals });
    expect(head(table)).toBe(
      ' | Total | Question gender: Option 1 (A) | Question gender: Option 2 (B) | ' +
        [1, 2, 3, 4, 5]
          .map((code) => `Question education: Option ${code} (${'ABCDE'[code - 1]})`)
          .join(' | '),
    );
    expect(table.rows.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'heading Question A1',
      'base Base (n)',
      ...[1, 2, 3, 4, 5, 6].map((code) => `category Option ${code}`),
      'mean Mean',
      'heading Question age',
      'base Base (n)',
      'mean Mean',
    ]);
    expect(table.rows.filter(({ kind }) => kind !== 'heading').every(({ cells }) => cells.length === 8)).toBe(
      true,
    );
    // Of all who answered, not only of those who told their education.
    expect(table.rows[1]!.cells[0]!.text).toBe('2,784');
  });

  test('without columns shows the total', () => {
    const table = crosstabDeckTable(crosstabOf(data, { rows: ['gender'] }), {
      ...reading,
      show: 'row_percent',
    });
    expect(drawn(table)).toEqual([
      'Question gender | Total',
      'Base (n) | 2,800',
      'Option 1 | 33%',
      'Option 2 | 67%',
    ]);
  });

  test('explains letters and excluded respondents in its notes', () => {
    const counted = {
      responses: 2_800,
      test_responses_included: 0,
      test_responses_excluded: 0,
      quality_included: 0,
      quality_excluded: 0,
    };
    expect(
      crosstabNotes(crosstabOf(data, { ...wanted, minBase: 1_000, statistics: ['letters'] }), {
        withoutWeight: 3,
        counted: { ...counted, test_responses_excluded: 1, quality_excluded: 2 },
      }),
    ).toEqual([
      'Not in the base, without a valid answer: 16',
      'Excluded, without a weight: 3',
      'Not counted: 1 test response and 2 responses with a confirmed quality flag.',
      'Columns with a base under 1000 respondents are not compared.',
    ]);
    expect(
      crosstabNotes(crosstabOf(data, { ...wanted, rows: ['A1', 'A2'], statistics: ['letters'] }), {
        withoutWeight: 0,
        counted,
      }),
    ).toEqual([
      'Letters: higher than that column, with 95% (upper case) or 90% (lower case) confidence.',
      'Not in the base, without a valid answer: 16 of “Question A1”, 27 of “Question A2”',
    ]);
  });
});
