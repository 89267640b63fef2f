import type { ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { TableRows } from '../statistics/crosstab/count-crossing.ts';

/** What is looked at: a survey's responses that count. */
export interface AnalysisInput {
  dataset: Dataset;
  catalog: ColumnCatalog;
  rows: TableRows;
  /** By link_id in digits; others are called by it. */
  linkNames: ReadonlyMap<string, string>;
}

/** How many responses a look is at. */
export function countCountedResponses({ rows: { mask, weights } }: AnalysisInput): number {
  let count = 0;
  for (let row = 0; row < mask.length; row++) {
    if (weights === null || weights[row]! > 0) count += mask[row]!;
  }
  return count;
}
