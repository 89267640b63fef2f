import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { option, question } from '../dataset/survey-fixture.ts';
import { datasetOf, tableOf } from '../statistics/crosstab/crosstab-of.ts';
import { figuresOf } from './figures-of.ts';

const options = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
const rating = question('scale', 'rating', [], { min: 1, max: 5 });
const group = question('single_choice', 'group', options(3));
const wave = question('single_choice', 'wave', options(2));
const owns = question('multiple_choice', 'owns', options(2));
const ASKED = [rating, group, wave, owns];

const compare = { letters: true, level: 0.9 };
const topBox = { function: 'top_box', column_code: 'rating' };
const net = { columnCode: 'rating', label: 'Top 2', values: ['4', '5'] };
type Figures = ReturnType<typeof figuresOf>;
const lettersOf = ({ series }: Figures) => series[0]!.letters;

/** Respondents by group and by whether they gave one of the two highest answers. */
const rated = (groups: readonly (readonly [top: number, of: number])[]) =>
  datasetOf(
    ASKED,
    groups.flatMap(([top, of], position) =>
      Array.from({ length: of }, (_, index) => {
        return { rating: index < top ? 4 + (index % 2) : 1 + (index % 3), group: String(position + 1) };
      }),
    ),
  );

/** Answers that differ slightly by group, with weights. */
function drawn(seed: number) {
  const random = randomNumbers(seed);
  const answers = Array.from({ length: 400 }, () => {
    const of = Math.floor(3 * random());
    return {
      rating: 1 + Math.floor(5 * Math.min(0.999, random() + 0.1 * of)),
      group: String(of + 1),
      wave: String(1 + Math.floor(2 * random())),
      owns: ['1', '2'].filter(() => random() < 0.4 + 0.1 * of),
    };
  });
  return {
    dataset: datasetOf(ASKED, answers),
    weights: Float64Array.from(answers, () => 0.3 + 2 * random()),
  };
}

describe('a top box', () => {
  test('of 39 of 40 against 552 of 600 has the pooled test of a crosstab, p = .206, and no letter', () => {
    const dataset = rated([
      [39, 40],
      [552, 600],
    ]);
    // prop.test(c(39, 552), c(40, 600), correct = FALSE): X-squared is t²; p = 2 * pt(-1.266679, 638)
    const table = tableOf(dataset, { rows: ['rating'], columns: ['group'], nets: [net], minBase: 30 });
    const { tests, cells } = table.rows.at(-1)!;
    expect(tests![0]!.p_value).toBeCloseTo(0.206, 3);
    const chart = figuresOf(dataset, { dimension: 'group', aggregation: topBox, compare });
    expect(chart.series[0]!.values.slice(0, 2)).toEqual([97.5, 92]);
    expect(lettersOf(chart)!.slice(0, 2)).toEqual(cells.map(({ letters }) => letters).slice(0, 2));
    expect(lettersOf(chart)!.flat()).toEqual([]);
  });

  test('has the letters of a crosstab, weighted or not, with a series or without', () => {
    let lettered = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const { dataset, weights } = drawn(seed);
      for (const used of [null, weights]) {
        const wanted = { rows: ['rating'], columns: ['group'], nets: [net], weights: used, minBase: 30 };
        const letters = tableOf(dataset, wanted)
          .rows.at(-1)!
          .cells.map((cell) => cell.letters);
        const chart = figuresOf(
          dataset,
          { dimension: 'group', aggregation: topBox, compare },
          { weights: used },
        );
        expect(lettersOf(chart)).toEqual(letters);
        lettered += letters.flat().length;
        const split = figuresOf(
          dataset,
          { dimension: 'wave', series: 'group', aggregation: topBox, compare },
          { weights: used },
        );
        const within = tableOf(dataset, { ...wanted, columns: [['wave', 'group']] }).rows.at(-1)!;
        // Nested columns continue the letters: those of the second wave are D to F.
        const inWave = (at: number) =>
          within.cells
            .slice(3 * at, 3 * at + 3)
            .map((cell) => cell.letters!.map((letter) => String.fromCharCode(letter.charCodeAt(0) - 3 * at)));
        expect(split.series.map((entry) => entry.letters)).toEqual(
          [0, 1, 2].map((position) => [inWave(0)[position], inWave(1)[position]]),
        );
      }
    }
    expect(lettered).toBeGreaterThan(20);
  });
});

describe('the mean of a 0/1 column is tested as a share', () => {
  test('in a crosstab, where the mean row has the letters and tests of its share row', () => {
    const { dataset, weights } = drawn(3);
    for (const used of [null, weights]) {
      const table = tableOf(dataset, { rows: ['owns_1'], columns: ['group'], weights: used });
      const chosen = table.rows[1]!;
      expect(table.mean!.tests).toEqual(chosen.tests);
      expect(table.mean!.tests).toHaveLength(3);
      expect(table.mean!.cells.map(({ letters }) => letters)).toEqual(
        chosen.cells.map(({ letters }) => letters),
      );
      expect(table.mean!.cells[0]!.mean).toBeCloseTo(chosen.cells[0]!.column_percent! / 100, 12);
    }
  });

  test('in a chart, where 39 of 40 is not above 552 of 600', () => {
    const owned = [
      [39, 40],
      [552, 600],
    ].flatMap(([having, of], position) =>
      Array.from({ length: of! }, (_, index) => {
        return { owns: index < having! ? ['1'] : ['2'], group: String(position + 1) };
      }),
    );
    const aggregation = { function: 'mean', column_code: 'owns_1' };
    const chart = figuresOf(datasetOf(ASKED, owned), { dimension: 'group', aggregation, compare });
    expect(chart.series[0]!.values.slice(0, 2)).toEqual([0.975, 0.92]);
    expect(lettersOf(chart)!.flat()).toEqual([]);
  });

  test('in a chart, with the letters of a crosstab', () => {
    let lettered = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const { dataset, weights } = drawn(seed);
      const aggregation = { function: 'mean', column_code: 'owns_1' };
      const chart = figuresOf(dataset, { dimension: 'group', aggregation, compare }, { weights });
      const table = tableOf(dataset, { rows: ['owns_1'], columns: ['group'], weights, minBase: 30 });
      const letters = table.rows[1]!.cells.map((cell) => cell.letters);
      expect(lettersOf(chart)).toEqual(letters);
      lettered += letters.flat().length;
    }
    expect(lettered).toBeGreaterThan(20);
  });
});

test("other means use Welch's test in charts and crosstabs", () => {
  const { dataset, weights } = drawn(7);
  const aggregation = { function: 'mean', column_code: 'rating' };
  const chart = figuresOf(dataset, { dimension: 'group', aggregation, compare }, { weights });
  const table = tableOf(dataset, { rows: ['rating'], columns: ['group'], weights, minBase: 30 });
  expect(lettersOf(chart)).toEqual(table.mean!.cells.map(({ letters }) => letters));
  expect(lettersOf(chart)!.flat().length).toBeGreaterThan(0);
});

test('parts of one bar are not compared, and a note says so', () => {
  const { dataset } = drawn(7);
  const shown = { dimension: 'group', series: 'wave', aggregation: 'percent', compare };
  const chart = figuresOf(dataset, { ...shown, options: { stacked_percent: true } }, { type: 'stacked-bar' });
  expect(chart.series.flatMap(({ letters }) => letters!.flat())).toEqual([]);
  expect(chart.notes.map(({ code }) => code)).toEqual(['parts_not_compared']);
  expect(figuresOf(dataset, shown).notes).toEqual([]);
});
