import { describe, expect, test } from 'vitest';
import type { ChartFigures } from '../../../../../src/domain/charts/chart-data.ts';
import { chartConfigSchema, figureTypeOf } from '../../../../../src/domain/charts/registry.ts';
import { SharedSuppression } from '../../../../../src/domain/charts/disclosure/shared-suppression.ts';
import { selectRows } from '../../../../../src/domain/dataset/filter/select-rows.ts';
import { runToCompletion } from '../../../../../src/lib/concurrency.ts';
import { option, question } from '../../dataset/survey-fixture.ts';
import { answersOfTable, datasetOf } from '../../statistics/crosstab/crosstab-of.ts';

const [SCORES, GROUPS, MIN_BASE] = [5, 3, 5];
const range = (length: number) => Array.from({ length }, (_, index) => index);
const options = (count: number) => range(count).map((index) => option(index + 1));

/** An element, and the score numbers and groups of each of its counts. */
interface Element {
  type: 'bar' | 'kpi';
  config: object;
  isByScore?: boolean;
  series?: 'score' | 'group';
  net?: number[];
  /** The scores that a single figure counts, besides its base. */
  box?: number[];
}
const ELEMENTS: Element[] = [
  { type: 'bar', config: { dimension: 'score' }, isByScore: true },
  {
    type: 'bar',
    config: { dimension: 'score', nets: [{ label: 'High', values: ['3', '4', '5'] }] },
    isByScore: true,
    net: [2, 3, 4],
  },
  { type: 'kpi', config: { dimension: 'score', aggregation: { function: 'top_box', n: 2 } }, box: [3, 4] },
  {
    type: 'kpi',
    config: { dimension: 'score', aggregation: { function: 'percent', value: ['1', '2'] } },
    box: [0, 1],
  },
  { type: 'bar', config: { dimension: 'group' } },
  { type: 'bar', config: { dimension: 'group', series: 'score' }, series: 'score' },
  {
    type: 'bar',
    config: { dimension: 'score', series: 'group', nets: [{ label: 'Low', values: ['1', '2'] }] },
    isByScore: true,
    series: 'group',
    net: [0, 1],
  },
];

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function dashboardOf(cells: number[][], isShared: boolean): ChartFigures[] {
  const dataset = datasetOf(
    [
      question('single_choice', 'group', options(GROUPS)),
      question('single_choice', 'score', options(SCORES), { measure: 'scale' }),
    ],
    answersOfTable('group', 'score', cells),
  );
  const mask = selectRows(dataset);
  const shared = new SharedSuppression(mask, MIN_BASE);
  const compute = () =>
    ELEMENTS.map(({ type, config }) => {
      const chartType = figureTypeOf({ chart_type: type });
      const plan = chartType.plan(
        chartConfigSchema(type).parse({ survey_id: 1, ...config }),
        dataset.catalog,
      );
      const protection = { minBase: MIN_BASE, isRounded: false, dominancePercent: null };
      return runToCompletion(
        chartType.figures(dataset, plan, {
          counting: { mask, weights: null },
          protection: isShared ? { ...protection, shared } : protection,
          viewer: null,
        }),
      );
    });
  if (isShared) {
    compute();
    runToCompletion(shared.resolve());
  }
  return compute();
}

/** A count as a sum of cells (by group, then score). */
interface Figure {
  cells: number[];
  isShown: boolean;
}

function figuresOfElement(element: Element, { series, base, categories }: ChartFigures): Figure[] {
  const sum = (scores: number[], groups: number[]) =>
    groups.flatMap((group) => scores.map((score) => group * SCORES + score));
  const [scores, groups] = [range(SCORES), range(GROUPS)];
  const whole = { cells: sum(scores, groups), isShown: base !== null };
  if (element.type === 'kpi')
    return [whole, { cells: sum(element.box ?? [], groups), isShown: series[0]?.values[0] != null }];
  const rows =
    element.isByScore === true
      ? [
          ...scores.map((score) => ({ scores: [score], groups })),
          ...(element.net ? [{ scores: element.net, groups }] : []),
        ]
      : groups.map((group) => ({ scores, groups: [group] }));
  const columns =
    element.series === 'score'
      ? scores.map((score) => ({ scores: [score], groups }))
      : element.series === 'group'
        ? groups.map((group) => ({ scores, groups: [group] }))
        : [{ scores, groups }];
  const both = (a: number[], b: number[]) => a.filter((one) => b.includes(one));
  return [
    whole,
    ...columns.flatMap((column, at) => [
      { cells: sum(column.scores, column.groups), isShown: (series[at]?.base ?? null) !== null },
      ...rows.map((row, index) => ({
        cells: sum(both(row.scores, column.scores), both(row.groups, column.groups)),
        isShown: categories.length > 0 && series[at]?.values[index] != null,
      })),
    ]),
  ];
}

/** Whether a sum of cells is a linear combination of shown sums (Gaussian elimination). */
function createSolver(shown: readonly number[][]): (cells: number[]) => boolean {
  const pivots: { at: number; row: number[] }[] = [];
  const reduce = (cells: number[]) => {
    const row = range(SCORES * GROUPS).map((cell) => (cells.includes(cell) ? 1 : 0) as number);
    for (const { at, row: pivot } of pivots) {
      const times = row[at]!;
      if (times !== 0) pivot.forEach((value, index) => (row[index] = row[index]! - times * value));
    }
    return row.map((value) => (Math.abs(value) < 1e-9 ? 0 : value));
  };
  for (const cells of shown) {
    const row = reduce(cells);
    const at = row.findIndex((value) => value !== 0);
    if (at >= 0) pivots.push({ at, row: row.map((value) => value / row[at]!) });
  }
  return (cells) => reduce(cells).every((value) => value === 0);
}

function attack(isShared: boolean) {
  const random = randomNumbers(7);
  const found = { small: 0, recovered: 0, large: 0, hiddenLarge: 0, failures: [] as string[] };
  for (let survey = 0; survey < 60; survey++) {
    const cells = range(GROUPS).map(() => range(SCORES).map(() => Math.floor(random() ** 2 * 30)));
    const counts = cells.flat();
    const figures = dashboardOf(cells, isShared).flatMap((chart, index) =>
      figuresOfElement(ELEMENTS[index]!, chart),
    );
    // A count of 0 is known: it is shown, and identifies no respondent.
    const zeros = counts.flatMap((count, cell) => (count === 0 ? [[cell]] : []));
    const isKnown = createSolver([
      ...zeros,
      ...figures.filter(({ isShown }) => isShown).map((one) => one.cells),
    ]);
    for (const { cells: group, isShown } of figures) {
      const count = group.reduce((sum, cell) => sum + counts[cell]!, 0);
      if (count >= MIN_BASE) {
        found.large++;
        if (!isShown) found.hiddenLarge++;
      }
      if (count === 0 || count >= MIN_BASE) continue;
      found.small++;
      if (isShown || isKnown(group)) {
        found.recovered++;
        found.failures.push(JSON.stringify({ cells, group, isShown }));
      }
    }
  }
  return found;
}

describe('hidden figures of a dashboard with seven elements', () => {
  test('do not follow from the shown figures of all elements', () => {
    const { small, failures } = attack(true);
    expect(small).toBeGreaterThan(200);
    expect(failures).toEqual([]);
  });

  test('would follow often if each element hid figures by itself', () => {
    // 136 of 408 (33 %).
    const { small, recovered } = attack(false);
    expect(recovered / small).toBeGreaterThan(0.1);
  });

  test('include a bounded share of the large groups', () => {
    const { large, hiddenLarge } = attack(true);
    // 34 %; 24 % if each element hides figures by itself.
    expect(hiddenLarge / large).toBeLessThan(0.36);
  });
});
