import type { SurveyScope } from '../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../domain/dataset/column-catalog.ts';
import type { Cell, ColumnSpec } from '../domain/dataset/column-spec.ts';
import { cellGroups } from '../domain/dataset/read-cells.ts';
import { CsvCells, csvFile, type CsvOptions } from '../exporters/csv.ts';
import { columnNamed, type ResponseSelection, type ResponseService, type SelectedRows } from './responses.ts';

type Shown = 'code' | 'label' | 'both';

export interface ExportRequest extends ResponseSelection, CsvOptions {
  /** null: every column. */
  columns: readonly string[] | null;
  values: Shown;
  headers: Shown;
  /** A multiple choice as one 0/1 column per option, as one column of chosen values, or both. */
  multiple: 'columns' | 'set' | 'both';
}

/** One column of the file. */
interface ExportColumn {
  header: string;
  text: (cell: Cell) => string;
  entry: CatalogColumn;
}

/** The response data as files. */
export class ResponseExportService {
  private readonly responses: ResponseService;

  constructor(responses: ResponseService) {
    this.responses = responses;
  }

  /** Everything that can be wrong is found before the first byte. */
  async csv(scope: SurveyScope, request: ExportRequest): Promise<AsyncIterable<string>> {
    const chosen = (catalog: ColumnCatalog) =>
      request.columns === null
        ? everyColumn(catalog, request.multiple)
        : namedColumns(catalog, request.columns);
    const selection = { ...request, columns: chosen, sort: null, afterId: null, limit: null };
    const selected = await this.responses.rows(scope, selection);
    const columns = exportColumns(selected.columns, request);
    return csvFile(
      columns.map((column) => column.header),
      lines(columns, selected),
      request,
    );
  }
}

function exportColumns(entries: readonly CatalogColumn[], request: ExportRequest): ExportColumn[] {
  const cells = new CsvCells(request);
  return entries.flatMap((entry) => {
    const { spec } = entry;
    const header = headerOf(spec, request.headers);
    const labelled = spec.values.length > 0 && spec.source !== 'metadata';
    const coded: ExportColumn = { header, entry, text: (cell) => codeText(cells, cell) };
    const inWords: ExportColumn = { header, entry, text: labelText(cells, spec) };
    if (!labelled || request.values === 'code') return [coded];
    if (request.values === 'label') return [inWords];
    return [coded, { ...inWords, header: request.headers === 'label' ? header : `${spec.columnCode}_label` }];
  });
}

function everyColumn(catalog: ColumnCatalog, multiple: ExportRequest['multiple']): CatalogColumn[] {
  const seen = new Set<string>();
  return catalog.columns.flatMap((entry) => {
    const { origin } = entry;
    if (origin.kind !== 'question' || entry.spec.type !== 'binary' || multiple === 'columns') return [entry];
    const code = origin.of.question.code;
    const sets = seen.has(code) ? [] : origin.of.sets.map((spec) => catalog.find(spec.columnCode)!);
    seen.add(code);
    return multiple === 'set' ? sets : [...sets, entry];
  });
}

function namedColumns(catalog: ColumnCatalog, codes: readonly string[]): CatalogColumn[] {
  return codes.map((code, index) => columnNamed(catalog, code, `columns[${index}]`));
}

function headerOf(spec: ColumnSpec, shown: Shown): string {
  if (shown === 'code') return spec.columnCode;
  return shown === 'label' ? spec.label : `${spec.columnCode}: ${spec.label}`;
}

/** Several values in one cell. */
const SEPARATOR = ';';

function codeText(cells: CsvCells, cell: Cell): string {
  return Array.isArray(cell) ? cells.text(cell.join(SEPARATOR)) : cells.cell(cell);
}

/** A category's label; a number that has none stays a number. */
function labelText(cells: CsvCells, spec: ColumnSpec): (cell: Cell) => string {
  const labels = new Map(spec.values.map(({ value, label }) => [value, label]));
  const wordFor = (value: string) => labels.get(value) ?? value;
  return (cell) => {
    if (Array.isArray(cell)) return cells.text(cell.map(wordFor).join(SEPARATOR));
    if (cell === null) return '';
    const label = labels.get(String(cell));
    return label === undefined ? cells.cell(cell) : cells.text(label);
  };
}

async function* lines(
  columns: readonly ExportColumn[],
  { chunks, dataset }: Pick<SelectedRows, 'chunks' | 'dataset'>,
): AsyncGenerator<string[][]> {
  const groups = cellGroups(
    columns.map(({ entry }) => entry),
    dataset,
  );
  for await (const chunk of chunks) {
    yield chunk.map((row) => {
      const line = new Array<string>(columns.length);
      for (const group of groups) {
        const cells = group.read(row);
        for (const { place, index } of group.columns)
          line[place] = columns[place]!.text(cells[index] ?? null);
      }
      return line;
    });
  }
}
