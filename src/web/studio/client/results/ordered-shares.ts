import { formatAmounts, formatPeriod } from './describe-figures.ts';
import type { Distribution } from './figure-kind.ts';

/** One of the parts of a figure. */
export interface Share {
  label: string;
  /** What the label stands for, such as "Very likely" for the 10 of a scale. */
  note?: string | undefined;
  count: number;
  percent: number | null;
}

type OrderedKind = 'scale' | 'histogram' | 'dates';
type Values = Pick<Distribution, 'categories' | 'grouped_by'>;

/** More columns would be narrower than their labels. */
const MAX_COLUMNS = 14;
const MAX_LABEL_CHARACTERS = 12;

export const validCategories = ({ categories }: Pick<Distribution, 'categories'>) =>
  categories.filter(({ missing }) => !missing);

/**
 * The shares of ordered values. Points of a scale have their number as label and their name as note. Between whole numbers stand those
 * without answers, if there is room, so that columns have even distances.
 */
export function orderedShares(kind: OrderedKind, distribution: Values): Share[] {
  const categories = validCategories(distribution);
  switch (kind) {
    case 'scale':
      return categories.map(({ value, label, count, percent }) =>
        isNamedPoint(value, label)
          ? { label: value, note: label, count, percent }
          : { label, count, percent },
      );
    case 'histogram':
      return distribution.grouped_by === null
        ? fillGaps(categories)
        : categories.map((each) => ({ ...each, label: formatAmounts(each.label) }));
    case 'dates':
      return categories.map((each) => ({ ...each, label: formatPeriod(each.label) }));
  }
}

/** Whether the label hides the number of the point, as "Very likely" does for 10. */
const isNamedPoint = (value: string | null, label: string): value is string =>
  value !== null && value !== '' && label !== value && !Number.isNaN(Number(value));

function fillGaps(shares: readonly Share[]): Share[] {
  const values = shares.map(({ label }) => Number(label));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!values.every(Number.isInteger) || high - low >= MAX_COLUMNS) return [...shares];
  return Array.from({ length: high - low + 1 }, (_, index) => {
    const label = String(low + index);
    return shares.find((share) => share.label === label) ?? { label, count: 0, percent: 0 };
  });
}

/** Whether the shares can be columns: few, with short labels, and with numbers at even distances. */
export function fitsColumns(kind: OrderedKind, shares: readonly Share[]): boolean {
  if (shares.length > MAX_COLUMNS || shares.some(({ label }) => label.length > MAX_LABEL_CHARACTERS))
    return false;
  return (
    kind !== 'histogram' ||
    shares.every(({ label }, index) => index === 0 || Number(label) === Number(shares[index - 1]?.label) + 1)
  );
}
