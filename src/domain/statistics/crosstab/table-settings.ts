import type { CompareSettings } from '../compare-pairs.ts';
import type { TableRows } from './count-crossing.ts';

/** What a table may show beside counts and bases. `tests` are the figures behind the letters. */
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

/** What the making of a table needs to know of the request. */
export interface TableSettings extends Pick<CompareSettings, 'minBase' | 'correction'> {
  statistics: ReadonlySet<Statistic>;
  counting: TableRows;
}
