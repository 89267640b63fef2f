import {
  ColumnCatalog as Catalog,
  type ColumnCatalog,
} from '../../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../../src/domain/dataset/dataset.ts';
import type { ResponseRow } from '../../../../../src/domain/responses/response-row.ts';
import { selectRows } from '../../../../../src/domain/dataset/filter/select-rows.ts';
import type { Question } from '../../../../../src/domain/survey/definition.ts';
import { computeCrosstabs } from '../../../../../src/domain/statistics/crosstab/crosstab.ts';
import {
  type CrosstabTable,
  type Statistic,
  STATISTICS,
} from '../../../../../src/domain/statistics/crosstab/table.ts';
import { response, surveyOf } from '../../dataset/survey-fixture.ts';

interface Wanted {
  rows: (string | string[])[];
  columns?: (string | string[])[];
  weights?: Float64Array | null;
  mask?: Uint8Array;
  base?: 'answering' | 'shown' | 'all';
  minBase?: number;
  correction?: 'none' | 'bonferroni' | 'fdr';
  statistics?: readonly Statistic[];
  nets?: { columnCode: string; label: string; values: string[] }[];
}

const found = (catalog: ColumnCatalog, code: string) => {
  const entry = catalog.find(code);
  if (!entry) throw new Error(`column ${code} does not exist`);
  return entry;
};

/** All statistics and no minimum base by default. */
export function crosstabOf(dataset: Dataset, wanted: Wanted): CrosstabTable[] {
  const nestings = (codes: (string | string[])[]) =>
    codes.map((each) => [each].flat().map((code) => found(dataset.catalog, code)));
  const work = computeCrosstabs(
    dataset,
    {
      rows: nestings(wanted.rows),
      columns: nestings(wanted.columns ?? []),
      nets: (wanted.nets ?? []).map((net, index) => ({ ...net, field: `nets[${index}].values` })),
      base: wanted.base ?? 'answering',
      statistics: new Set(wanted.statistics ?? STATISTICS),
      minBase: wanted.minBase ?? 0,
      correction: wanted.correction ?? 'none',
    },
    { mask: wanted.mask ?? selectRows(dataset), weights: wanted.weights ?? null },
  );
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The table of a request for a single table. */
export function tableOf(dataset: Dataset, wanted: Wanted): CrosstabTable {
  const tables = crosstabOf(dataset, wanted);
  if (tables.length !== 1) throw new Error(`${tables.length} tables`);
  return tables[0]!;
}

export function datasetOf(questions: Question[], answers: ResponseRow['answers'][]): Dataset {
  return Dataset.ofRows(
    new Catalog(surveyOf(...questions)),
    answers.map((each, index) => response(index + 1, each)),
    [...questions.map(({ code }) => code), 'response_id', 'response_status', 'started_at'],
  );
}

/** Responses of two single choices from a table of counts; options are 1, 2, 3 … */
export function answersOfTable(down: string, across: string, counts: number[][]): Record<string, string>[] {
  return counts.flatMap((row, r) =>
    row.flatMap((count, c) =>
      Array.from({ length: count }, () => ({ [down]: String(r + 1), [across]: String(c + 1) })),
    ),
  );
}
