import type { Axis, AxisCategory } from '../statistics/crosstab/axis.ts';
import type { ChartOptions } from './config-parts.ts';

/** A category with its sort value. */
export interface SortableCategory {
  category: AxisCategory;
  /** Null: no value, or suppressed; sorted last. */
  value: number | null;
}

export interface CategoryOrder {
  /** Indices of the listed categories, in order; nets are last. */
  listed: number[];
  /** Indices of the categories merged into the rest. */
  rest: number[];
}

export interface CategoryOrderSettings {
  options: Pick<ChartOptions, 'sort' | 'limit' | 'show_rest'>;
  /** Ordered by time or size: a limit keeps the last categories, not the largest. */
  isOrdered: boolean;
  /** Indices of categories that must not be listed by name. */
  unlisted: ReadonlySet<number>;
}

const collator = new Intl.Collator('en', { numeric: true });
const labelOf = ({ steps }: AxisCategory) => steps.at(-1)?.label ?? '';

/** Orders the categories and selects those merged into the rest. Ties keep the order of the survey. */
export function orderCategories(
  ranked: readonly SortableCategory[],
  { options, isOrdered, unlisted }: CategoryOrderSettings,
): CategoryOrder {
  const indices = ranked.map((_, index) => index);
  const nets = indices.filter((index) => ranked[index]!.category.isNet);
  const withoutNets = indices.filter((index) => !ranked[index]!.category.isNet);
  const listable = withoutNets.filter((index) => !unlisted.has(index));
  const value = (index: number) => ranked[index]!.value;
  const byValue = (sign: 1 | -1) => (a: number, b: number) => {
    const [first, second] = [value(a), value(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  };
  const { sort, limit, show_rest: showRest } = options;
  const largest = isOrdered ? listable : [...listable].sort(byValue(-1));
  const listed = limit === undefined ? listable : isOrdered ? largest.slice(-limit) : largest.slice(0, limit);
  const listedSet = new Set(listed);
  const cut = withoutNets.filter((index) => !listedSet.has(index));
  const inOrder = (group: readonly number[]): number[] => {
    const original = [...group].sort((a, b) => a - b);
    if (sort === 'value_desc') return original.sort(byValue(-1));
    if (sort === 'value_asc') return original.sort(byValue(1));
    if (sort === 'label')
      return original.sort((a, b) =>
        collator.compare(labelOf(ranked[a]!.category), labelOf(ranked[b]!.category)),
      );
    return original;
  };
  return { listed: [...inOrder(listed), ...inOrder(nets)], rest: showRest ? cut : [] };
}

/** Merges categories of an axis that has one category per response. */
export function createRestCategory(axis: Axis, rest: readonly number[], label: string): AxisCategory {
  const categories = rest.map((index) => axis.categories[index]!);
  const [first] = categories;
  const columnCode = axis.specs.at(-1)!.columnCode;
  return {
    steps: [{ columnCode, code: null, value: null, label, values: null }],
    region: { coding: first!.region.coding, slots: categories.flatMap(({ region }) => region.slots) },
    missing: false,
    isNet: false,
    family: null,
  };
}
