import type { ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { TableRows } from '../statistics/crosstab/count-crossing.ts';

/** The input of an analysis: the counted responses of a survey. */
export interface AnalysisInput {
  dataset: Dataset;
  catalog: ColumnCatalog;
  rows: TableRows;
  /** By link_id as text; links without a name are labeled by id. */
  linkNames: ReadonlyMap<string, string>;
}

/** Counts the responses of an analysis. */
export function countCountedResponses({ rows: { mask, weights } }: AnalysisInput): number {
  let count = 0;
  for (let row = 0; row < mask.length; row++) {
    if (weights === null || weights[row]! > 0) count += mask[row]!;
  }
  return count;
}
