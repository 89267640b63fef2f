import { describe, expect, test } from 'vitest';
import type { ChartFigures } from '../../../../src/domain/charts/chart-data.ts';
import { chartConfigSchema, figureTypeOf } from '../../../../src/domain/charts/registry.ts';
import { SharedSuppression } from '../../../../src/domain/charts/disclosure/shared-suppression.ts';
import type { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { selectRows } from '../../../../src/domain/dataset/filter/select-rows.ts';
import type { ResponseRow } from '../../../../src/domain/responses/response-row.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';
import { SeededRandom } from '../../../../src/lib/seeded-random.ts';
import { option, question } from '../dataset/survey-fixture.ts';
import { datasetOf } from '../statistics/crosstab/crosstab-of.ts';

/**
 * Reads a dashboard as an attacker does: every shown figure is a linear equation for the numbers of respondents with each combination of
 * answers, a mean and a Net Promoter Score too. No small group may follow from them.
 */
const [MIN_BASE, SURVEYS] = [5, 40];
const options = (count: number) => Array.from({ length: count }, (_, i) => option(i + 1));

/** The answers of some respondents. */
interface Kind {
  group: number;
  score: number;
  uses: readonly string[];
  /** Best first. */
  order: readonly string[];
}

const isIn = (kind: Kind, dimension: string, value: unknown): boolean => {
  if (dimension === 'group') return String(kind.group) === value;
  if (dimension === 'score') return String(kind.score) === value;
  if (dimension === 'uses') return kind.uses.includes(String(value));
  return String(kind.order.indexOf(dimension.slice('order_'.length)) + 1) === value;
};
const recommends = ({ score }: Kind): number => (score >= 9 ? 100 : score <= 6 ? -100 : 0);

interface Element {
  type: 'bar' | 'kpi';
  config: {
    dimension: string;
    series?: string;
    aggregation?: { function: string; column_code?: string; value?: string[] };
  };
  isWeighted?: true;
}
const bar = (dimension: string, more: object = {}): Element => ({
  type: 'bar',
  config: { dimension, ...more },
});
const measured = (type: Element['type'], dimension: string, name: string): Element => ({
  type,
  config: {
    dimension,
    aggregation: { function: name, ...(dimension !== 'score' && { column_code: 'score' }) },
  },
});

const SCORES = [0, 5, 7, 8, 9, 10];
const SUBSETS = [[], ['1'], ['2'], ['3'], ['1', '2'], ['1', '3'], ['2', '3'], ['1', '2', '3']];
const ORDERS = [
  ['1', '2', '3'],
  ['1', '3', '2'],
  ['2', '1', '3'],
  ['2', '3', '1'],
  ['3', '1', '2'],
  ['3', '2', '1'],
];
const GROUPS = [1, 2, 3];
const kindsOf = (vary: 'score' | 'uses' | 'order'): Kind[] => {
  const values = { score: SCORES, uses: SUBSETS, order: ORDERS }[vary];
  const usual: Kind = { group: 1, score: 7, uses: [], order: ORDERS[0]! };
  return GROUPS.flatMap((group) => values.map((value) => ({ ...usual, group, [vary]: value })));
};

interface Dashboard {
  kinds: Kind[];
  /** Fewer respondents than this have one combination of answers. */
  limit: number;
  elements: Element[];
}

/** Of one kind of question each, by what respondents differ in besides their group. */
const DASHBOARDS: Record<string, Dashboard> = {
  'of means and Net Promoter Scores': {
    kinds: kindsOf('score'),
    limit: 30,
    elements: [
      bar('group'),
      bar('score'),
      bar('score', { series: 'group' }),
      measured('kpi', 'score', 'mean'),
      measured('kpi', 'score', 'nps'),
      measured('bar', 'group', 'mean'),
      measured('bar', 'group', 'nps'),
      measured('bar', 'group', 'sum'),
    ],
  },
  'of weighted figures': {
    kinds: kindsOf('score'),
    limit: 30,
    elements: [
      { ...bar('group'), isWeighted: true },
      bar('score'),
      { ...bar('score', { series: 'group' }), isWeighted: true },
      { ...measured('bar', 'group', 'mean'), isWeighted: true },
      measured('kpi', 'score', 'mean'),
    ],
  },
  'of a multiple choice': {
    kinds: kindsOf('uses'),
    limit: 9,
    elements: [bar('group'), bar('uses'), bar('uses', { series: 'group' }), bar('group', { series: 'uses' })],
  },
  'of ranks': {
    kinds: kindsOf('order'),
    limit: 12,
    elements: [
      bar('group'),
      bar('order'),
      bar('order_1'),
      bar('order_2'),
      bar('order_1', { series: 'group' }),
      bar('order', { aggregation: { function: 'top_box', n: 1 } }),
    ],
  },
};

function computeDashboard(dataset: Dataset, elements: readonly Element[]): ChartFigures[] {
  const mask = selectRows(dataset);
  const shared = new SharedSuppression(mask, MIN_BASE);
  const compute = () =>
    elements.map(({ type, config, isWeighted }) => {
      const chartType = figureTypeOf({ chart_type: type });
      const plan = chartType.plan(
        chartConfigSchema(type).parse({ survey_id: 1, ...config }),
        dataset.catalog,
      );
      const protection = { minBase: MIN_BASE, isRounded: false, dominancePercent: null };
      return runToCompletion(
        chartType.figures(dataset, plan, {
          // Equal weights show the numbers of respondents, as weights do that an attacker knows.
          counting: { mask, weights: isWeighted ? new Float64Array(mask.length).fill(1) : null },
          protection: { ...protection, shared },
          viewer: null,
        }),
      );
    });
  compute();
  runToCompletion(shared.resolve());
  return compute();
}

/** A sum of coefficients times numbers of respondents; `isKnown`: its value follows from the figure. */
interface Equation {
  row: number[];
  /** The respondents of a count; null for other figures. */
  group: number[] | null;
  isKnown: boolean;
}

function equationsOf({ config }: Element, figures: ChartFigures, kinds: readonly Kind[]): Equation[] {
  const { dimension, series: by, aggregation } = config;
  const equations: Equation[] = [];
  const rowOf = (coefficient: (kind: Kind) => number) => kinds.map(coefficient);
  const addCount = (isInside: (kind: Kind) => boolean, isKnown: boolean) => {
    const row = rowOf((kind) => Number(isInside(kind)));
    equations.push({ row, group: row, isKnown });
  };
  const add = (coefficient: (kind: Kind) => number) =>
    equations.push({ row: rowOf(coefficient), group: null, isKnown: true });
  addCount(() => true, figures.base !== null);
  figures.series.forEach((one, at) => {
    const isInSeries = (kind: Kind) => by === undefined || isIn(kind, by, one.value);
    addCount(isInSeries, (one.base ?? null) !== null);
    figures.categories.forEach((category, i) => {
      const [value, count, percent] = [one.values[i], one.counts[i], one.percents[i]];
      if (dimension === 'order') {
        const rank = (kind: Kind) => kind.order.indexOf(String(category.value)) + 1;
        if (one.function === 'mean') {
          if (value != null) add((kind) => rank(kind) - value);
        } else if (at === 0) addCount((kind) => rank(kind) === 1, value != null);
        return;
      }
      const isInside = (kind: Kind) =>
        isInSeries(kind) && (category.value === null || isIn(kind, dimension, category.value));
      addCount(
        isInside,
        count != null || (value != null && ['count', undefined].includes(aggregation?.function)),
      );
      if (percent != null) add((kind) => Number(isInside(kind)) - (percent / 100) * Number(isInSeries(kind)));
      if (value == null) return;
      const inside = (coefficient: (kind: Kind) => number) =>
        add((kind) => (isInside(kind) ? coefficient(kind) : 0));
      if (aggregation?.function === 'mean') inside(({ score }) => score - value);
      if (aggregation?.function === 'nps') inside((kind) => recommends(kind) - value);
      if (aggregation?.function === 'sum') inside(({ score }) => score);
    });
  });
  return equations;
}

/** Whether a row is a linear combination of the known rows (Gaussian elimination). */
function createSolver(known: readonly number[][]): (row: readonly number[]) => boolean {
  const pivots: { at: number; row: number[] }[] = [];
  const reduce = (row: readonly number[]) => {
    const left = [...row];
    for (const { at, row: pivot } of pivots) {
      const times = left[at]!;
      if (times !== 0) pivot.forEach((value, i) => (left[i] = left[i]! - times * value));
    }
    return left.map((value) => (Math.abs(value) < 1e-7 ? 0 : value));
  };
  for (const row of known) {
    const left = reduce(row);
    const at = left.reduce((best, value, i) => (Math.abs(value) > Math.abs(left[best]!) ? i : best), 0);
    if (left[at] !== 0) pivots.push({ at, row: left.map((value) => value / left[at]!) });
  }
  return (row) => reduce(row).every((value) => value === 0);
}

function attack({ kinds, limit, elements }: Dashboard) {
  const random = new SeededRandom('attack');
  const found = { small: 0, recovered: [] as string[], figures: 0, shown: 0 };
  for (let survey = 0; survey < SURVEYS; survey++) {
    const counts = kinds.map(() => Math.floor(random.next() ** 2 * limit));
    const answers = kinds.flatMap(({ group, ...kind }, i) =>
      Array.from({ length: counts[i]! }, () => ({ ...kind, group: String(group) })),
    );
    const dataset = datasetOf(
      [
        question('single_choice', 'group', options(GROUPS.length)),
        question('nps', 'score'),
        question('multiple_choice', 'uses', options(3)),
        question('ranking', 'order', options(3)),
      ],
      answers as unknown as ResponseRow['answers'][],
    );
    const figures = computeDashboard(dataset, elements);
    const equations = figures.flatMap((one, i) => equationsOf(elements[i]!, one, kinds));
    const countOf = (row: readonly number[]) => row.reduce((sum, times, i) => sum + times * counts[i]!, 0);
    // A shown count of 0 says that nobody has any of its combinations.
    const empty = equations.filter(({ group, isKnown }) => isKnown && group !== null && countOf(group) === 0);
    const isEmpty = kinds.map((_, i) => empty.some(({ row }) => row[i] === 1));
    const rows = equations
      .filter(({ isKnown }) => isKnown)
      .map(({ row }) => row.map((value, i) => (isEmpty[i] ? 0 : value)));
    const isDerived = createSolver(rows);
    for (const { group, isKnown } of equations) {
      if (group === null) continue;
      found.figures++;
      if (isKnown) found.shown++;
      const count = countOf(group);
      if (count === 0 || count >= MIN_BASE) continue;
      found.small++;
      const isOpen = isKnown || isDerived(group.map((value, i) => (isEmpty[i] ? 0 : value)));
      if (isOpen) found.recovered.push(JSON.stringify({ survey, count, isKnown, group }));
    }
  }
  return found;
}

describe.each(Object.entries(DASHBOARDS))('hidden figures of a dashboard %s', (_name, dashboard) => {
  test('do not follow from the shown figures of all elements', () => {
    const { small, recovered, shown, figures } = attack(dashboard);
    expect(small).toBeGreaterThan(50);
    expect(recovered).toEqual([]);
    expect(shown / figures).toBeGreaterThan(0.2);
  });
});
