import { formatList } from '../../../lib/format-list.ts';
import { quote } from '../../../lib/quote.ts';
import type { Comparison } from '../../survey/logic/condition.ts';
import type { Question } from '../../survey/definition.ts';
import type { CatalogColumn, ColumnCatalog, QuestionColumns } from '../columns/column-catalog.ts';

/**
 * The left side of a comparison: one column, or a question that has several columns. For a ranking, and a matrix without row_code, all
 * choices count together, as in display logic.
 */
export type FilterTarget =
  | { kind: 'column'; column: CatalogColumn }
  | { kind: 'question'; question: Question; columns: CatalogColumn[] };

type TargetResult = { ok: true; target: FilterTarget } | { ok: false; message: string };

const LISTED_CODES = 5;

function columnTarget(found: CatalogColumn): TargetResult {
  return { ok: true, target: { kind: 'column', column: found } };
}

function unknownCode(code: string, catalog: ColumnCatalog): TargetResult {
  const similar = catalog.similarCodes(code);
  const hint = similar.length > 0 ? `; did you mean ${similar.map(quote).join(' or ')}?` : '';
  return { ok: false, message: `no column or question ${quote(code)}${hint}` };
}

/** Returns the columns of a question's choices; for a matrix with multiple answers, the sets of its rows. */
function choiceColumns({ question, columns }: QuestionColumns, catalog: ColumnCatalog): CatalogColumn[] {
  if (question.type === 'matrix') {
    return question.settings.rows.flatMap(({ row_code }) => catalog.matrixRow(question.code, row_code) ?? []);
  }
  return columns.flatMap(({ columnCode }) => catalog.find(columnCode) ?? []);
}

/** Resolves the left side of a comparison. Questions and columns share one code namespace, so `left.type` does not distinguish them. */
export function resolveTarget(left: Comparison['left'], catalog: ColumnCatalog): TargetResult {
  const { code, row_code: rowCode } = left;
  if (left.type === 'hidden')
    return { ok: false, message: 'values that a link brought are not part of the data' };
  if (left.type === 'attribute')
    return { ok: false, message: 'attributes of respondents are not part of the data' };
  const questionColumns = catalog.question(code);
  if (rowCode !== undefined) {
    if (questionColumns?.question.type !== 'matrix') {
      return questionColumns || catalog.find(code)
        ? { ok: false, message: `${quote(code)} is not a matrix; leave out row_code` }
        : unknownCode(code, catalog);
    }
    const found = catalog.matrixRow(code, rowCode);
    if (found) return columnTarget(found);
    const rows = questionColumns.question.settings.rows.map(({ row_code }) => row_code);
    return {
      ok: false,
      message: `matrix ${questionColumns.question.code} has no row ${quote(rowCode)}; rows: ${formatList(rows, LISTED_CODES, quote)}`,
    };
  }
  const found = catalog.find(code);
  if (found) return columnTarget(found);
  if (!questionColumns) return unknownCode(code, catalog);
  return {
    ok: true,
    target: {
      kind: 'question',
      question: questionColumns.question,
      columns: choiceColumns(questionColumns, catalog),
    },
  };
}
