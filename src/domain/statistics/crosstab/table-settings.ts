import type { CompareSettings } from '../compare-pairs.ts';
import type { TableRows } from './count-crossing.ts';

/** Optional figures beside counts and bases. `tests` are the figures behind the letters. */
export const STATISTICS = [
  'column_percent',
  'row_percent',
  'total_percent',
  'chi_square',
  'letters',
  'means',
  'tests',
] as const;
export type Statistic = (typeof STATISTICS)[number];

/** The settings for building a table. */
export interface TableSettings extends Pick<CompareSettings, 'minBase' | 'correction'> {
  statistics: ReadonlySet<Statistic>;
  counting: TableRows;
}
