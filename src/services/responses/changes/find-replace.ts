import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import {
  applyEdits,
  type ColumnReplacement,
  createColumnReplacement,
  findReplacements,
  notEditableReason,
  replacementProblem,
} from '../../../domain/dataset/edit-cells.ts';
import type { LiteralSearchInput } from '../../../domain/dataset/filter/literal-search.ts';
import { NOT_SHOWN } from '../../../domain/dataset/columns/columns.ts';
import { type ErrorDetail, invalid, invalidFields, unprocessableField } from '../../../lib/errors.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import type { DataChangeService, RowChange } from './data-changes.ts';
import { type EditOutcome, toSelectionOutcome } from './edit-outcome.ts';
import { readCatalog, lockInChunks } from './lock-in-chunks.ts';
import type { ResponseSelector } from './response-selector.ts';
import { toRowChange } from './row-change.ts';
import { requireColumn } from '../../datasets/requested-columns.ts';

const ROWS_PER_TURN = 200;
const MAX_DETAILS = 100;

interface FindReplaceRequest extends LiteralSearchInput {
  columnCodes: readonly string[];
  /** The client named one column rather than a list. */
  isSingleColumn: boolean;
  responseIds: readonly number[] | null;
  filter: unknown;
  reason: string | null;
  dryRun: boolean;
}

/** Replaces a text in some columns, in all matching responses or in none. */
export class FindReplaceService {
  constructor(
    private readonly dataChanges: DataChangeService,
    private readonly selector: ResponseSelector,
  ) {}

  async run(scope: SurveyScope, request: FindReplaceRequest): Promise<EditOutcome> {
    let columns: ColumnReplacement[] = [];
    const { responseIds, filter, reason, dryRun, matchCase, matchEntireCell } = request;
    // Searches in memory first: only responses with a match are locked and read.
    const selected = await this.selector.select(
      scope,
      { responseIds, filter, requiresCondition: false },
      (catalog) => {
        columns = planReplacements(catalog, request);
        return columns.flatMap(({ entry }) => entry.loadCodes);
      },
      (dataset, row) =>
        columns.some(({ entry, matches: isFound }) => {
          const column = dataset.column(entry);
          return isFound(column.cell(row), column.missing(row) !== NOT_SHOWN);
        }),
    );
    const changed = await this.dataChanges.run(
      scope,
      {
        operation: 'find_replace',
        columnCodes: columns.map(({ entry }) => entry.spec.columnCode),
        // The search text may be a respondent's name and must not be logged.
        details: { match_case: matchCase, match_entire_cell: matchEntireCell },
        reason,
        dryRun,
      },
      async (repositories, change) => {
        const catalog = await readCatalog(repositories, scope.surveyId);
        const replacements = planReplacements(catalog, request);
        const problems: ErrorDetail[] = [];
        for await (const rows of lockInChunks(repositories, scope.surveyId, selected.ids)) {
          const changes: RowChange[] = [];
          for (const [index, row] of rows.entries()) {
            if (index > 0 && index % ROWS_PER_TURN === 0) await nextTurn();
            const patch = replaceInRow(catalog, row, replacements, problems);
            if (patch !== null) changes.push(patch);
          }
          if (problems.length >= MAX_DETAILS) break;
          if (problems.length === 0) await change.patchResponses(changes);
        }
        if (problems.length > 0) throw invalidFields(problems.slice(0, MAX_DETAILS));
      },
    );
    return toSelectionOutcome(changed, selected);
  }
}

function replaceInRow(
  catalog: ColumnCatalog,
  row: EditableRow,
  columns: readonly ColumnReplacement[],
  problems: ErrorDetail[],
): RowChange | null {
  const refuse = (message: string) =>
    problems.push({ field: 'replace', message: `response ${row.response_id}, ${message}` });
  const found = findReplacements(row, columns);
  found.problems.forEach(refuse);
  if (found.problems.length > 0 || found.edits.length === 0) return null;
  const result = applyEdits(row, found.edits);
  if (!result.ok) {
    for (const { field, message } of result.problems) refuse(`${field}: ${message}`);
    return null;
  }
  return toRowChange(catalog, row, result.states);
}

/** Resolves each column once. Throws the problems of all columns together. */
function planReplacements(catalog: ColumnCatalog, request: FindReplaceRequest): ColumnReplacement[] {
  if (request.find === '' && !request.matchEntireCell) {
    throw invalid('find', 'must not be empty without match_entire_cell');
  }
  const entries = new Set<CatalogColumn>();
  for (const [index, code] of request.columnCodes.entries()) {
    const field = request.isSingleColumn ? 'column_code' : `column_codes[${index}]`;
    const entry = requireColumn(catalog, code, field);
    const reason = notEditableReason(entry);
    if (reason !== null) throw unprocessableField('not_editable', field, reason);
    entries.add(entry);
  }
  const problems = [...entries].flatMap((entry) => {
    const message = replacementProblem(entry, request.replace);
    return message === null ? [] : [{ field: 'replace', message }];
  });
  if (problems.length > 0) throw invalidFields(problems);
  return [...entries].map((entry) => createColumnReplacement(entry, request));
}
