import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChartFigures } from '../../../../src/domain/charts/chart-data.ts';
import type { DeckRow, DeckTable } from '../../../../src/domain/reports/deck.ts';
import {
  SIDE_TEXT_SIZE,
  SLIDE_TEXT_SIZE,
  splitChart,
  splitMarkdown,
  splitTable,
} from '../../../../src/domain/reports/split-slides.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('splitting a table', () => {
  const row = (kind: DeckRow['kind'], label: string, width: number): DeckRow => ({
    label,
    kind,
    cells:
      kind === 'heading' ? [] : range(width).map((index) => ({ text: `${label}.${index}`, letters: '' })),
  });
  const section = (name: string, categories: number, width: number): DeckRow[] => [
    row('heading', name, width),
    row('base', 'Base (n)', width),
    ...range(categories).map((index) => row('category', `${name}${index}`, width)),
  ];
  const table = (rows: DeckRow[], columns: DeckTable['columns']): DeckTable => ({
    corner: 'C',
    columns,
    rows,
    source: ['S'],
  });
  const columns = (count: number): DeckTable['columns'] =>
    range(count).map((index) => ({ label: `c${index}`, letter: null }));
  const labels = ({ rows }: DeckTable) => rows.map(({ label }) => label);

  test('leaves one that fits unchanged', () => {
    const small = table(section('A', 14, 3), columns(3));
    expect(splitTable(small)).toEqual([small]);
  });

  test('of many rows repeats heading and base, and ends no part with a heading', () => {
    const parts = splitTable(table([...section('A', 10, 1), ...section('B', 30, 1)], columns(1)));
    expect(parts.map(labels)).toEqual([
      ['A', 'Base (n)', ...range(10).map((index) => `A${index}`), 'B', 'Base (n)', 'B0', 'B1'],
      ['B (continued)', 'Base (n)', ...range(14).map((index) => `B${index + 2}`)],
      ['B (continued)', 'Base (n)', ...range(14).map((index) => `B${index + 16}`)],
    ]);
    const whole = splitTable(table([...section('A', 10, 1), ...section('B', 10, 1)], columns(1)));
    expect(whole.map(({ rows }) => rows.length)).toEqual([12, 12]);
  });

  test('of many columns repeats the total and keeps categories of a variable together', () => {
    const banner: DeckTable['columns'] = [
      { label: 'Total', letter: null },
      ...range(5).map((index) => ({ label: `a${index}`, letter: 'A', heading: 'a' })),
      ...range(4).map((index) => ({ label: `b${index}`, letter: 'A', heading: 'b' })),
      ...range(9).map((index) => ({ label: `d${index}`, letter: 'A', heading: 'd' })),
    ];
    const parts = splitTable(table([row('base', 'Base (n)', banner.length)], banner));
    expect(parts.map((part) => part.columns.map(({ label }) => label).join(' '))).toEqual([
      'Total a0 a1 a2 a3 a4',
      'Total b0 b1 b2 b3 d0 d1 d2',
      'Total d3 d4 d5 d6 d7 d8',
    ]);
    expect(parts[1]!.rows[0]!.cells.map(({ text }) => text)).toEqual(
      [0, 6, 7, 8, 9, 10, 11, 12].map((index) => `Base (n).${index}`),
    );
  });

  test('loses nothing and gives no part that is too large, for any table', () => {
    const sections = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sections, fc.integer({ min: 1, max: 30 }), (sizes, width) => {
        const rows = sizes.flatMap((size, index) => section(`${'ABCDEF'[index]}`, size, width));
        const parts = splitTable(table(rows, columns(width)));
        const texts = new Set(
          parts.flatMap((part) => part.rows.flatMap(({ cells }) => cells.map(({ text }) => text))),
        );
        expect(texts).toEqual(new Set(rows.flatMap(({ cells }) => cells.map(({ text }) => text))));
        for (const part of parts) {
          expect(part.rows.length).toBeLessThanOrEqual(16);
          expect(part.columns.length).toBeLessThanOrEqual(8);
          expect(part.rows.at(-1)!.kind).not.toBe('heading');
        }
      }),
    );
  });
});

describe('splitting a chart', () => {
  const chart = (
    type: ChartFigures['chart_type'],
    count: number,
    series = 1,
    letters = false,
  ): ChartFigures => ({
    chart_type: type,
    dimension: { column_code: 'Q', label: 'Q', measure: 'nominal' },
    series_by: series > 1 ? { column_code: 'S', label: 'S', measure: 'nominal' } : null,
    aggregation: { function: 'count', label: 'Count' },
    categories: range(count).map((index) => ({ code: index, value: `${index}`, label: `${index}` })),
    series: range(series).map((one) => ({
      name: `s${one}`,
      values: range(count).map((index) => 10 * index + one),
      counts: range(count),
      percents: range(count),
      ...(letters && { letters: range(count).map(() => ['A']) }),
      base: null,
    })),
    base: null,
    notes: [],
  });

  test('keeps up to 24 bars in one part and distributes more evenly on one axis', () => {
    expect(splitChart(chart('bar', 24))).toHaveLength(1);
    const parts = splitChart(chart('bar', 60));
    expect(parts.map(({ figures }) => figures.categories.length)).toEqual([20, 20, 20]);
    expect(parts.map(({ axisMax }) => axisMax)).toEqual([600, 600, 600]);
    expect(parts[2]!.figures.series[0]).toMatchObject({
      values: range(20).map((index) => 400 + 10 * index),
      counts: range(20).map((index) => 40 + index),
    });
  });

  test('puts fewer categories with several bars in a part, and ends stacked ones at the highest stack', () => {
    expect(
      splitChart(chart('horizontal-bar', 24, 4)).map(({ figures }) => figures.categories.length),
    ).toEqual([12, 12]);
    const stacked = splitChart(chart('stacked-bar', 25, 3));
    expect(stacked.map(({ figures, axisMax }) => [figures.categories.length, axisMax])).toEqual([
      [13, 800],
      [12, 800],
    ]);
  });

  test('keeps lines, donuts and a single stack whole', () => {
    for (const type of ['line', 'area', 'line-bar', 'pie', 'radar', 'stacked-bar'] as const)
      expect(splitChart(chart(type, 100))).toHaveLength(1);
  });

  test('ends percents at a multiple of ten, at most 100', () => {
    const percents = chart('bar', 30);
    percents.aggregation.function = 'percent';
    percents.series[0]!.values = range(30).map((index) => index);
    expect(splitChart(percents)[0]!.axisMax).toBe(30);
    percents.series[0]!.values[3] = 98;
    expect(splitChart(percents)[0]!.axisMax).toBe(100);
  });

  test('omits letters that refer to categories of another part', () => {
    expect(splitChart(chart('bar', 30, 1, true))[0]!.figures.series[0]!.letters).toBeUndefined();
    expect(splitChart(chart('bar', 30, 2, true))[0]!.figures.series[0]!.letters).toHaveLength(15);
  });
});

describe('splitting a text', () => {
  const sentence = 'Here is a sentence of some words that says a little. ';
  const paragraph = sentence.repeat(6).trim();

  test('leaves one that fits unchanged', () => {
    expect(splitMarkdown('# A\n\nShort.\n\n- one\n- two')).toEqual(['# A\n\nShort.\n\n- one\n- two']);
    expect(splitMarkdown('')).toEqual([]);
  });

  test('cuts between paragraphs and keeps a heading with its text', () => {
    const parts = splitMarkdown([paragraph, paragraph, paragraph, '## Next', paragraph].join('\n\n'));
    expect(parts).toEqual([[paragraph, paragraph, paragraph].join('\n\n'), `## Next\n\n${paragraph}`]);
  });

  test('cuts a long paragraph after sentences, and a long word anywhere', () => {
    const parts = splitMarkdown(sentence.repeat(50));
    expect(parts.length).toBe(3);
    for (const part of parts) expect(part).toMatch(/^Here .* little\.$/s);
    const word = splitMarkdown('漢'.repeat(3_000));
    expect(word.join('')).toBe('漢'.repeat(3_000));
    expect(Math.max(...word.map((part) => part.length))).toBeLessThanOrEqual(1_100);
  });

  test('cuts a list between items and continues its numbering', () => {
    const list = range(30)
      .map(() => '1. An item')
      .join('\n');
    const parts = splitMarkdown(list);
    expect(parts.map((part) => part.split('\n').length)).toEqual([16, 14]);
    expect(parts[1]).toMatch(/^17\. An item\n18\. /);
  });

  test('keeps any code block whole', () => {
    const code = ['```', '# no heading', '', '- no item', '```'].join('\n');
    expect(splitMarkdown(`${paragraph}\n\n${paragraph}\n\n${paragraph}\n\n${code}\n\nEnd.`)).toEqual([
      [paragraph, paragraph, paragraph].join('\n\n'),
      `${code}\n\nEnd.`,
    ]);
  });

  test('allows a smaller first part beside a chart', () => {
    const parts = splitMarkdown(
      [paragraph, paragraph, paragraph].join('\n\n'),
      SLIDE_TEXT_SIZE,
      SIDE_TEXT_SIZE,
    );
    expect(parts).toEqual([paragraph, `${paragraph}\n\n${paragraph}`]);
  });

  test('loses no word and gives no part that is too long', () => {
    const line = fc.oneof(
      fc.constantFrom('# Heading', '- item', '1. item', '', '```', 'Some words. More words!'),
      fc.integer({ min: 1, max: 60 }).map((times) => sentence.repeat(times).trim()),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const words = (text: string) => text.match(/[a-z]+/gi) ?? [];
        const parts = splitMarkdown(lines.join('\n'));
        expect(parts.flatMap(words)).toEqual(words(lines.join('\n')));
        for (const part of parts) expect(part.trim()).not.toBe('');
      }),
    );
  });
});
