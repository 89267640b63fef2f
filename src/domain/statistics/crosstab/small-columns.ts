import { truncateText } from '../../../lib/truncate-text.ts';
import type { Axis, AxisCategory } from './axis.ts';
import type { TableNote } from './table.ts';

/** What happens to columns with fewer respondents than the limit. */
export const SMALL_COLUMNS = ['show', 'hide', 'merge'] as const;

export interface SmallColumns {
  treatment: (typeof SMALL_COLUMNS)[number];
  /** Respondents, unweighted, whatever they answered in the rows. */
  limit: number;
}

const MAX_LABEL_CHARACTERS = 200;

/** Columns that can become one: they share no respondents, have the same outer categories and the same coding. */
const mergeKey = ({ family, region, steps }: AxisCategory): string | null =>
  family === null ? null : JSON.stringify([family, region.coding, steps.slice(0, -1)]);

/** One column of several, with their labels. */
function mergeCategories(categories: readonly AxisCategory[]): AxisCategory | null {
  const [first] = categories;
  const innermost = first?.steps.at(-1);
  if (first === undefined || innermost === undefined) return null;
  const steps = categories.flatMap((category) => category.steps.at(-1) ?? []);
  const merged = {
    columnCode: innermost.columnCode,
    code: null,
    number: null,
    value: null,
    label: truncateText(steps.map(({ label }) => label).join(' + '), MAX_LABEL_CHARACTERS),
    values: steps.flatMap(({ value }) => value ?? []),
  };
  return {
    ...first,
    steps: [...first.steps.slice(0, -1), merged],
    region: { coding: first.region.coding, slots: categories.flatMap(({ region }) => region.slots) },
  };
}

/**
 * Hides small columns, or merges those of a variable (nested: within the same outer categories) into one, behind the others. Nets and options of a
 * multiple choice are not merged. The total keeps all respondents.
 *
 * @param sizes respondents by column
 */
export function reduceColumns(
  columns: Axis,
  sizes: readonly number[],
  { treatment, limit }: SmallColumns,
): { columns: Axis; notes: TableNote[] } {
  const isSmall = (index: number) => (sizes[index] ?? 0) < limit;
  const small = columns.categories.filter((_, index) => isSmall(index));
  if (treatment === 'show' || small.length === 0) return { columns, notes: [] };
  const fewer = `fewer than ${limit} respondents`;
  if (treatment === 'hide') {
    const message = `${small.length === 1 ? '1 column' : `${small.length} columns`} with ${fewer} not shown; the total contains them.`;
    return {
      columns: { ...columns, categories: columns.categories.filter((_, index) => !isSmall(index)) },
      notes: [{ code: 'columns_hidden', message }],
    };
  }
  const groups = new Map<string, AxisCategory[]>();
  for (const category of small) {
    const key = mergeKey(category);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), category]);
  }
  const several = [...groups.values()].filter(({ length }) => length > 1);
  if (several.length === 0) return { columns, notes: [] };
  const mergedAway = new Set(several.flat());
  const lastOf = new Map(several.map((group) => [group.at(-1), mergeCategories(group)]));
  const categories = columns.categories.flatMap(
    (category) => lastOf.get(category) ?? (mergedAway.has(category) ? [] : category),
  );
  const message = `${mergedAway.size} columns with ${fewer} are merged.`;
  return { columns: { ...columns, categories }, notes: [{ code: 'columns_merged', message }] };
}
