import {
  binaryColumnsOfSet,
  type CatalogColumn,
  type ColumnCatalog,
  DELETED_COLUMN,
} from '../../../domain/dataset/columns/column-catalog.ts';
import type { ColumnSpec } from '../../../domain/dataset/columns/column-spec.ts';
import { WAVE_COLUMN } from '../../../domain/dataset/columns/metadata-columns.ts';
import type { FileColumn } from '../../../exporters/file-column.ts';
import { requireColumn, requireWeightColumn } from '../../datasets/requested-columns.ts';

type CellContent = 'code' | 'label' | 'both';

/** The columns of a file and the content of their cells. */
export interface ColumnChoice {
  /** null: every column. */
  columns: readonly string[] | null;
  values: CellContent;
  headers: CellContent;
  /** A multiple choice as one 0/1 column per option, as one column of chosen values, or both. */
  multiple: 'columns' | 'set' | 'both';
  /** Added as the last column of the file; null: no weight. */
  weightColumn: string | null;
  /** Adds a column that marks deleted responses. */
  includeDeleted?: boolean;
}

/** Resolves the columns in the order of the file. Throws errors of the choice. */
export function resolveColumns(catalog: ColumnCatalog, choice: ColumnChoice): CatalogColumn[] {
  const { columns, multiple } = choice;
  const named =
    columns === null
      ? listAllColumns(catalog, multiple)
      : columns.map((code, index) => requireColumn(catalog, code, `columns[${index}]`));
  const chosen = choice.includeDeleted === true ? [...named, DELETED_COLUMN] : named;
  if (choice.weightColumn === null) return chosen;
  const weight = requireWeightColumn(catalog, choice.weightColumn);
  return [...chosen.filter(({ spec }) => spec.columnCode !== weight.spec.columnCode), weight];
}

function listAllColumns(catalog: ColumnCatalog, multiple: ColumnChoice['multiple']): CatalogColumn[] {
  const seen = new Set<string>();
  return catalog.columns.flatMap((entry) => {
    const { origin } = entry;
    if (origin.kind !== 'question' || entry.spec.type !== 'binary' || multiple === 'columns') return [entry];
    const code = origin.questionColumns.question.code;
    const sets = seen.has(code)
      ? []
      : origin.questionColumns.sets.map((spec) => catalog.find(spec.columnCode)!);
    seen.add(code);
    return multiple === 'set' ? sets : [...sets, entry];
  });
}

/** Replaces sets by their 0/1 columns; each column occurs once. */
export function expandSets(catalog: ColumnCatalog, entries: readonly CatalogColumn[]): CatalogColumn[] {
  const single = entries.flatMap((entry) => {
    const { origin } = entry;
    if (origin.kind !== 'question' || origin.part !== 'set') return [entry];
    return binaryColumnsOfSet(origin.questionColumns, origin.index).map(({ columnCode }) =>
      catalog.find(columnCode)!,
    );
  });
  return [...new Set(single)];
}

/** With `both`, columns with value labels occur twice. */
export function toFileColumns(entries: readonly CatalogColumn[], choice: ColumnChoice): FileColumn[] {
  return entries.flatMap((entry): FileColumn[] => {
    const { spec } = entry;
    const header = formatHeader(spec, choice.headers);
    // Among the metadata only waves have names given by authors.
    const isNamed = spec.source !== 'metadata' || spec.columnCode === WAVE_COLUMN;
    const hasLabels = spec.values.length > 0 && isNamed;
    if (!hasLabels || choice.values === 'code') return [{ header, entry, showAs: 'code' }];
    if (choice.values === 'label') return [{ header, entry, showAs: 'label' }];
    const second = choice.headers === 'label' ? header : `${spec.columnCode}_label`;
    return [
      { header, entry, showAs: 'code' },
      { header: second, entry, showAs: 'label' },
    ];
  });
}

function formatHeader(spec: ColumnSpec, shown: CellContent): string {
  if (shown === 'code') return spec.columnCode;
  return shown === 'label' ? spec.label : `${spec.columnCode}: ${spec.label}`;
}
