import type { SurveyScope } from '../../../domain/access/scopes.ts';
import {
  cellOf,
  applyEdits,
  type QuestionEdit,
  notEditableReason,
} from '../../../domain/dataset/edit-cells.ts';
import { answerState, type AnswerStates } from '../../../domain/responses/response-row.ts';
import type { Cell, ColumnSpec } from '../../../domain/columns/column-spec.ts';
import type { CatalogColumn, QuestionColumns } from '../../../domain/dataset/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { NOT_SHOWN } from '../../../domain/columns/columns.ts';
import { ALL_RESPONSES, selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import { computedTransform, type ComputedType } from '../../../domain/transforms/computed.ts';
import { type Transform, transformOf } from '../../../domain/transforms/registry.ts';
import { concurrentChange, notAllowedWith, onlyAllowed } from '../../../lib/error-messages.ts';
import { conflict, invalid, invalidFields, unprocessableField } from '../../../lib/errors.ts';
import { requireEntry } from '../../../lib/require-value.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import {
  addColumns,
  type ColumnRequest,
  type ColumnsOutcome,
  planColumns,
  type PlannedColumn,
  type SentField,
} from './new-columns.ts';
import {
  type DataChangeService,
  type DataOperation,
  lockInChunks,
  readCatalog,
  type RowChange,
  toRowChange,
} from '../changes/data-changes.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { requireColumn } from '../../datasets/requested-columns.ts';

interface TransformRequest {
  transform: Transform;
  /** Absent: the request names fields as the module does. */
  sentField?: SentField;
  columnCodes: readonly string[];
  /** The client sent a list of columns. */
  isList: boolean;
  targetColumnCode: string | null;
  label: string | null;
  /** Writes results into the responses. */
  overwrite: boolean;
  filter: unknown;
  reason: string | null;
  dryRun: boolean;
}

interface ComputedColumnRequest {
  columnCode: string;
  label: string | null;
  expression: string;
  type: ComputedType | null;
  reason: string | null;
  dryRun: boolean;
}

interface OverwriteRequest {
  operation: DataOperation;
  columnRequests: readonly ColumnRequest[];
  sentField: SentField;
  reason: string | null;
  dryRun: boolean;
}

/** Creates columns from others, as definitions that also apply to later responses, or overwrites the source columns. */
export class TransformService {
  private readonly parts: { datasets: DatasetService; changes: DataChangeService };

  constructor(datasets: DatasetService, changes: DataChangeService) {
    this.parts = { datasets, changes };
  }

  async transform(scope: SurveyScope, request: TransformRequest): Promise<ColumnsOutcome> {
    const { transform, columnCodes, targetColumnCode, label, overwrite, reason, dryRun } = request;
    if (targetColumnCode !== null && overwrite)
      throw invalid(
        'target_column_code',
        `${notAllowedWith('overwrite')}, which replaces the values of the source column`,
      );
    if (targetColumnCode !== null && columnCodes.length > 1)
      throw invalid('target_column_code', onlyAllowed('for one column; several columns get a suffix each'));
    if (label !== null && (columnCodes.length > 1 || overwrite))
      throw invalid(
        'label',
        overwrite
          ? notAllowedWith('overwrite')
          : onlyAllowed('for one column; change the labels of several columns one by one'),
      );
    const newColumnField = overwrite ? transformOf(transform).overwrite.newColumnField?.(transform) : null;
    if (newColumnField) throw invalidFields([newColumnField]);
    const specs = await this.resolveSources(scope, request);
    const columnRequests = specs.map((spec, index) => this.toColumnRequest(spec, index, request));
    const change = { operation: transform.kind, columnRequests, reason, dryRun };
    if (!overwrite) return addColumns(this.parts, scope, change);
    return overwriteColumns(this.parts, scope, { ...change, sentField: request.sentField ?? ownName });
  }

  compute(scope: SurveyScope, request: ComputedColumnRequest): Promise<ColumnsOutcome> {
    const { columnCode, label, expression, type, reason, dryRun } = request;
    const columnRequest = {
      columnCode,
      field: 'column_code',
      label: () => label ?? columnCode,
      recipe: { kind: 'computed' as const, expression, type },
    };
    return addColumns(this.parts, scope, {
      operation: computedTransform.changeOperation,
      columnRequests: [columnRequest],
      reason,
      dryRun,
    });
  }

  /** The source columns. */
  private async resolveSources(scope: SurveyScope, request: TransformRequest): Promise<ColumnSpec[]> {
    const { resolved } = await this.parts.datasets.openFor(scope.surveyId, (catalog) => ({
      specs: request.columnCodes.map(
        (code, index) => requireColumn(catalog, code, fieldOf(request, index)).spec,
      ),
      loadCodes: [],
    }));
    return resolved.specs;
  }

  private toColumnRequest(spec: ColumnSpec, index: number, request: TransformRequest) {
    const { transform, targetColumnCode, label, overwrite, filter, sentField = ownName } = request;
    const { suffix, overwrite: overwriting } = transformOf(transform);
    const adapted = overwrite ? overwriting.adapt?.(transform) : undefined;
    return {
      columnCode: targetColumnCode ?? spec.columnCode + suffix.code,
      field: 'target_column_code',
      label: () => label ?? `${spec.label} (${suffix.label})`,
      recipe: {
        kind: 'transform' as const,
        transform: adapted ?? transform,
        source: spec.columnCode,
        filter,
        sourceField: fieldOf(request, index),
        sentField,
      },
    };
  }
}

const ownName: SentField = (field) => field;

function fieldOf({ isList }: TransformRequest, index: number): string {
  return isList ? `column_codes[${index}]` : 'column_code';
}

/** The changed cells of one column. */
interface Replacement {
  source: CatalogColumn;
  of: QuestionColumns;
  cells: ChangedCell[];
}

interface ChangedCell {
  responseId: number;
  before: Cell;
  after: Cell;
}

/**
 * Writes the result of a transform into its source column; originals are preserved. Cells without a result stay unchanged unless a rule
 * empties them; questions that were not shown stay so. If a single value is invalid for the question, nothing is written.
 */
async function overwriteColumns(
  { datasets, changes }: { datasets: DatasetService; changes: DataChangeService },
  scope: SurveyScope,
  { columnRequests, sentField, ...request }: OverwriteRequest,
): Promise<ColumnsOutcome> {
  const overwriteRequests = columnRequests.map((columnRequest) => ({ ...columnRequest, columnCode: null }));
  const { plans, counted, dataset } = await planColumns(datasets, scope.surveyId, overwriteRequests);
  const replacements = plans.map((plan) => planReplacement(plan, dataset, sentField));
  const columnCodes = plans.map(({ spec }) => spec.columnCode);
  const { changeId, rowsChanged, cellsChanged } = await changes.run(
    scope,
    { ...request, columnCodes, details: { overwrite: true } },
    async (repositories, change) => {
      const catalog = await readCatalog(repositories, scope.surveyId);
      const byResponse = groupByResponse(replacements);
      const ids = [...byResponse.keys()].sort((a, b) => a - b);
      for await (const rows of lockInChunks(repositories, scope.surveyId, ids)) {
        const rowChanges = rows.flatMap((row): RowChange | RowChange[] => {
          const states = overwriteCells(row, requireEntry(byResponse, row.response_id, 'response'));
          return toRowChange(catalog, row, states) ?? [];
        });
        await change.patchResponses(rowChanges);
      }
    },
  );
  return { plans, counted, changeId, rowsChanged, cellsChanged };
}

function planReplacement(plan: PlannedColumn, dataset: Dataset, sentField: SentField): Replacement {
  const { resolved, column } = plan;
  if (resolved.kind !== 'column') throw new Error('a computed column has nothing to overwrite');
  const { source, filter, definition } = resolved;
  const { origin, spec } = source;
  const { overwrite } = transformOf(definition);
  const reason = notEditableReason(source) ?? overwrite.typeProblem(spec);
  if (reason !== null || origin.kind !== 'question')
    throw unprocessableField('not_editable', 'overwrite', reason ?? spec.columnCode);
  const problems = overwrite.valueProblems?.(definition, spec) ?? [];
  if (problems.length > 0)
    throw invalidFields(problems.map((problem) => ({ ...problem, field: sentField(problem.field) })));
  const from = dataset.column(source);
  const mask = selectRows(dataset, { ...ALL_RESPONSES, filter: filter ?? undefined });
  const replacement: Replacement = {
    source,
    of: origin.questionColumns,
    cells: [],
  };
  const mayEmpty = overwrite.mayEmpty?.(definition) ?? false;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0 || from.missing(row) === NOT_SHOWN) continue;
    const after = column.cell(row);
    const before = from.cell(row);
    if (after === before || (after === null && !mayEmpty)) continue;
    replacement.cells.push({ responseId: dataset.responseIds[row] ?? NaN, before, after });
  }
  return replacement;
}

/** The changed cells by response. */
function groupByResponse(
  replacements: readonly Replacement[],
): Map<number, { replacement: Replacement; cell: ChangedCell }[]> {
  const byResponse = new Map<number, { replacement: Replacement; cell: ChangedCell }[]>();
  for (const replacement of replacements) {
    for (const cell of replacement.cells) {
      const known = byResponse.get(cell.responseId);
      if (known === undefined) byResponse.set(cell.responseId, [{ replacement, cell }]);
      else known.push({ replacement, cell });
    }
  }
  return byResponse;
}

/** The answers of a response with the results applied. Throws 409 if they changed since the results were computed. */
function overwriteCells(
  row: EditableRow,
  cells: readonly { replacement: Replacement; cell: ChangedCell }[],
): AnswerStates {
  const edits = new Map<QuestionColumns, QuestionEdit>();
  for (const { replacement, cell } of cells) {
    const { source, of } = replacement;
    const now = cellOf(source, answerState(row.answers, of.question.code)[0]);
    if (now !== cell.before) throw conflict('data_changed', concurrentChange(`Response ${row.response_id}`));
    const edit = edits.get(of) ?? { columns: of, cells: new Map<string, Cell>() };
    edits.set(of, edit);
    edit.cells.set(source.spec.columnCode, cell.after);
  }
  const result = applyEdits(row, [...edits.values()]);
  if (!result.ok) {
    const details = result.problems.map(({ field, message }) => {
      return { field, message: `${message} (response ${row.response_id})` };
    });
    throw invalidFields(details);
  }
  return result.states;
}
