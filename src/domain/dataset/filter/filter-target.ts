import type { ErrorDetail } from '../../../lib/errors.ts';
import { notAllowedFor, unknownObject, unknownValue } from '../../../lib/error-messages.ts';
import { formatList } from '../../../lib/format-list.ts';
import { quote } from '../../../lib/quote.ts';
import type { Comparison } from '../../survey/logic/condition.ts';
import type { Question } from '../../survey/definition.ts';
import { typeOf } from '../../questions/registry.ts';
import {
  type CatalogColumn,
  type ColumnCatalog,
  partColumnAt,
  type QuestionColumns,
} from '../columns/column-catalog.ts';

/**
 * The left side of a comparison: one column, or a question that has several columns. For a ranking, and a matrix without row_code, all
 * choices count together, as in display logic.
 */
export type FilterTarget =
  | { kind: 'column'; column: CatalogColumn }
  | { kind: 'question'; question: Question; columns: CatalogColumn[] };

type TargetResult = { ok: true; target: FilterTarget } | { ok: false; problem: ComparisonProblem };

/** A problem of one side of a comparison. */
export type ComparisonProblem = Omit<ErrorDetail, 'field'>;

const LISTED_CODES = 5;

const unknownReference = (message: string): TargetResult => ({
  ok: false,
  problem: { message, isUnknownReference: true },
});

function columnTarget(found: CatalogColumn): TargetResult {
  return { ok: true, target: { kind: 'column', column: found } };
}

function unknownCode(code: string, catalog: ColumnCatalog): TargetResult {
  const similar = catalog.similarCodes(code);
  return unknownReference(unknownObject('column or question', code, '', { similar }));
}

/** Returns the columns of a question's choices; for a matrix with multiple answers, the sets of its rows. */
function choiceColumns(questionColumns: QuestionColumns): CatalogColumn[] {
  const { columns, sets } = questionColumns;
  const parts = sets.length > 0 ? sets : columns;
  return parts.flatMap((_, index) => partColumnAt(questionColumns, index) ?? []);
}

/** Resolves the left side of a comparison. Questions and columns share one code namespace, so `left.type` does not distinguish them. */
export function resolveTarget(left: Comparison['left'], catalog: ColumnCatalog): TargetResult {
  const { code, row_code: rowCode } = left;
  if (left.type === 'hidden')
    return { ok: false, problem: { message: 'hidden values are not part of the data' } };
  if (left.type === 'attribute')
    return { ok: false, problem: { message: 'attributes of respondents are not part of the data' } };
  const questionColumns = catalog.question(code);
  if (rowCode !== undefined) {
    const parts = questionColumns && typeOf(questionColumns.question).comparison.parts;
    if (!parts) {
      return questionColumns || catalog.find(code)
        ? {
            ok: false,
            problem: { message: `row_code ${notAllowedFor(`${quote(code)}, which is not a matrix`)}` },
          }
        : unknownCode(code, catalog);
    }
    const found = catalog.partColumn(code, rowCode);
    if (found) return columnTarget(found);
    const { question } = questionColumns;
    const accepted = formatList(parts.list(question), LISTED_CODES, (part) => quote(part.code));
    return unknownReference(unknownValue(rowCode, `a ${parts.partNoun} of ${question.code}`, { accepted }));
  }
  const found = catalog.find(code);
  if (found) return columnTarget(found);
  if (!questionColumns) return unknownCode(code, catalog);
  return {
    ok: true,
    target: {
      kind: 'question',
      question: questionColumns.question,
      columns: choiceColumns(questionColumns),
    },
  };
}
