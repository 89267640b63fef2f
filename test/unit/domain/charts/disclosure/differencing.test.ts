import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FigureChart } from '../../../../../src/domain/charts/registry.ts';
import {
  splitsSmallGroup,
  type ViewerFilters,
} from '../../../../../src/domain/charts/disclosure/differencing.ts';
import { selectRows } from '../../../../../src/domain/dataset/filter/select-rows.ts';
import { option, question } from '../../dataset/survey-fixture.ts';
import { datasetOf } from '../../statistics/crosstab/crosstab-of.ts';
import { figuresOf } from '../figures-of.ts';

const MIN_BASE = 5;

describe('a selection of values', () => {
  test.each<[string, number[], boolean[], boolean]>([
    ['of large groups is allowed', [8, 9, 0], [true, false, false], false],
    ['without a small group', [8, 9, 1], [true, true, false], true],
    ['of a small group with its merged group', [8, 9, 1], [true, false, true], false],
    ['of the group that a small one is not merged with', [8, 9, 1], [false, true, false], false],
    ['of one of two small groups', [30, 3, 3], [false, true, false], true],
  ])('%s', (_, counts, chosen, splits) => {
    expect(splitsSmallGroup(counts, chosen, MIN_BASE)).toBe(splits);
  });

  test('allows no two views that differ by fewer respondents than the minimum base', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(14), { minLength: 2, maxLength: 5 }), (counts) => {
        const subsets = Array.from({ length: 2 ** counts.length }, (_, bits) =>
          counts.map((_count, group) => (bits & (1 << group)) !== 0),
        );
        const views = subsets.filter((chosen) => !splitsSmallGroup(counts, chosen, MIN_BASE));
        const size = (within: (group: number) => boolean) =>
          counts.reduce((sum, count, group) => sum + (within(group) ? count : 0), 0);
        const total = size(() => true);
        for (const one of views) {
          for (const other of views) {
            const difference = size((group) => one[group]! && !other[group]!);
            // The total can be below the minimum base: then nothing is shown at all.
            if (difference > 0 && total >= MIN_BASE) expect(difference).toBeGreaterThanOrEqual(MIN_BASE);
          }
        }
      }),
    );
  });
});

describe('a sum under filters', () => {
  const [dept, gender, pay] = [
    question('single_choice', 'dept', [option(1), option(2)]),
    question('single_choice', 'gender', [option(1), option(2)]),
    question('number', 'pay', []),
  ];
  /** Respondents by department, then gender, each paid slightly more than 100. */
  const dataset = (counts: [number, number][]) =>
    datasetOf(
      [dept, gender, pay],
      counts.flatMap((byGender, d) =>
        byGender.flatMap((count, g) =>
          Array.from({ length: count }, (_, n) => ({
            dept: String(d + 1),
            gender: String(g + 1),
            pay: 100 + n,
          })),
        ),
      ),
    );

  function sums(
    counts: [number, number][],
    chosen: Record<string, string[]>,
    { type = 'bar', ...config }: { type?: FigureChart; [part: string]: unknown } = {},
  ) {
    const data = dataset(counts);
    const all = selectRows(data);
    const viewer: ViewerFilters = {
      mask: all,
      choices: Object.entries(chosen).map(([code, values]) => {
        const column = data.column(data.catalog.find(code)!) as unknown as { indices: Int16Array };
        const codes = new Set(values.map((value) => Number(value) - 1));
        const matches = Uint8Array.from(all, (_, row) => Number(codes.has(column.indices[row]!)));
        return { entry: data.catalog.find(code)!, values: new Set(values), matches };
      }),
    };
    const mask = all.map(
      (counted, row) => counted & Math.min(...viewer.choices.map(({ matches }) => matches[row]!)),
    );
    const { series } = figuresOf(
      data,
      { dimension: 'dept', aggregation: { function: 'sum', column_code: 'pay' }, ...config },
      { type, minBase: MIN_BASE, viewer, mask: Uint8Array.from(mask) },
    );
    return series.map(({ values }) => values.map((value) => value !== null));
  }

  test("is suppressed if it differs from the department's sum by one respondent", () => {
    const counts: [number, number][] = [
      [20, 20],
      [12, 1],
    ];
    // Gender 1: department 2 without its only respondent of gender 2. The other department is suppressed with it.
    expect(sums(counts, { gender: ['1'] })).toEqual([[false, false]]);
    expect(
      sums(
        [
          [20, 20],
          [12, 6],
        ],
        { gender: ['1'] },
      ),
    ).toEqual([[true, true]]);
  });

  test('of all is suppressed if two filters together exclude a few', () => {
    const whole = { type: 'kpi', dimension: 'pay' } as const;
    const chosen = { dept: ['1'], gender: ['1'] };
    const even: [number, number][] = [
      [20, 20],
      [20, 20],
    ];
    const few: [number, number][] = [
      [20, 20],
      [20, 2],
    ];
    expect(sums(even, chosen, whole)).toEqual([[true]]);
    // Department 2, gender 2 equals the total minus department 1 and gender 1, subtracting their overlap once.
    expect(sums(few, chosen, whole)).toEqual([]);
  });

  test('is checked for each series', () => {
    const config = { dimension: 'dept', series: 'gender' };
    const counts: [number, number][] = [
      [20, 20],
      [20, 20],
    ];
    expect(sums(counts, { gender: ['1', '2'] }, config)).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});
