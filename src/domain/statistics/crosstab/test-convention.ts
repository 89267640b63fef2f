import { DEFAULT_TEST_LEVELS } from '../compare-pairs.ts';
import { COMPARED_WITH, type ComparedWith, type TableSettings } from './table.ts';

/** How percentages of columns are tested with each other: see docs/reference/statistics.md. */
export const SHARE_TESTS = ['pooled_proportions', 'rao_scott_f'] as const;
/** How means of columns are tested with each other. */
export const MEAN_TESTS = ['welch', 'linearized_t'] as const;

/** How the cells of tables were tested, in the form of API replies. */
export interface TestConvention {
  compare_with: ComparedWith[];
  /** In percent: of upper-case letters, and of lower-case ones. */
  levels: number[];
  correction: TableSettings['correction'];
  min_base: number;
  /** Whether columns that share respondents were tested. */
  overlapping_columns: boolean;
  shares: (typeof SHARE_TESTS)[number];
  means: (typeof MEAN_TESTS)[number];
  /** Under a design, with comparisons of waves: whether each wave has strata of its own; otherwise null. */
  independent_waves: boolean | null;
}

/** `isLinearized`: with weights or a design. */
export function describeTests(
  {
    compareWith,
    levels = DEFAULT_TEST_LEVELS,
    correction,
    minBase,
    testsOverlaps = false,
  }: Omit<TableSettings, 'counting'>,
  { isLinearized, hasIndependentWaves }: { isLinearized: boolean; hasIndependentWaves: boolean | null },
): TestConvention {
  return {
    compare_with: COMPARED_WITH.filter((each) => compareWith?.has(each) ?? each === 'columns'),
    levels: [...levels],
    correction,
    min_base: minBase,
    overlapping_columns: testsOverlaps,
    shares: isLinearized ? 'rao_scott_f' : 'pooled_proportions',
    means: isLinearized ? 'linearized_t' : 'welch',
    independent_waves: hasIndependentWaves,
  };
}
