import type { Axis, AxisCategory } from '../statistics/crosstab/axis.ts';
import type { ChartOptions } from './config-parts.ts';

/** What a category is worth in the order of a chart. */
export interface SortableCategory {
  category: AxisCategory;
  /** Null: nothing to tell, or not to be told; it comes last. */
  value: number | null;
}

export interface CategoryOrder {
  /** Places of the categories that are listed, in order; nets come last. */
  listed: number[];
  /** Places of those that are put together as the rest. */
  rest: number[];
}

export interface CategoryOrderSettings {
  options: Pick<ChartOptions, 'sort' | 'limit' | 'show_rest'>;
  /** They follow each other in time or size: a limit keeps the last, not the largest. */
  isOrdered: boolean;
  /** Places that must not be listed by name. */
  unlisted: ReadonlySet<number>;
}

const collator = new Intl.Collator('en', { numeric: true });
const labelOf = ({ steps }: AxisCategory) => steps.at(-1)?.label ?? '';

/** The order of the categories, and which of them stand together as the rest. Of equals the one that comes first in the survey. */
export function orderCategories(
  ranked: readonly SortableCategory[],
  { options, isOrdered, unlisted }: CategoryOrderSettings,
): CategoryOrder {
  const indices = ranked.map((_, index) => index);
  const nets = indices.filter((index) => ranked[index]!.category.isNet);
  const proper = indices.filter((index) => !ranked[index]!.category.isNet);
  const known = proper.filter((index) => !unlisted.has(index));
  const value = (index: number) => ranked[index]!.value;
  const byValue = (sign: 1 | -1) => (a: number, b: number) => {
    const [first, second] = [value(a), value(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  };
  const { sort, limit, show_rest: showRest } = options;
  const largest = isOrdered ? known : [...known].sort(byValue(-1));
  const kept = limit === undefined ? known : isOrdered ? largest.slice(-limit) : largest.slice(0, limit);
  const keptSet = new Set(kept);
  const cut = proper.filter((index) => !keptSet.has(index));
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
  return { listed: [...inOrder(kept), ...inOrder(nets)], rest: showRest ? cut : [] };
}

/** The rest of an axis that holds one category per response: their slots put together. */
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
