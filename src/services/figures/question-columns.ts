import { createCompositeQuestion } from '../../domain/charts/figures/composite-question.ts';
import type { CatalogColumn, ColumnCatalog, QuestionColumns } from '../../domain/dataset/column-catalog.ts';
import { typeOf } from '../../domain/questions/registry.ts';
import { notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';

/** A matrix or ranking by its code; null for other questions. */
export function findCompositeQuestion(catalog: ColumnCatalog, code: string): QuestionColumns | null {
  const of = catalog.question(code);
  return of === undefined || typeOf(of.question).figures.composite === null ? null : of;
}

/** The columns of the rows of a matrix, or of the options of a ranking. */
export function listParts(of: QuestionColumns): CatalogColumn[] {
  return requireValue(createCompositeQuestion(of), 'composite question').parts.map(({ entry }) => entry);
}

/** The columns of a question; of a multiple choice the set, and the texts of “Other”. Throws 404. */
export function listQuestionColumns(catalog: ColumnCatalog, questionId: number): CatalogColumn[] {
  const listed = catalog.columns.filter(({ spec }) => spec.questionId === questionId);
  const origin = listed[0]?.origin;
  if (origin?.kind !== 'question') throw notFound('question');
  const sets = origin.questionColumns.sets.map(({ columnCode }) =>
    requireValue(catalog.find(columnCode), columnCode),
  );
  const others = listed.filter(({ spec }) => spec.type !== 'binary');
  return sets.length === 0 ? listed : [...sets, ...others];
}

/** The columns of a looped question, in the order of the items; empty: no question in a loop has this code. */
function listLoopColumns(catalog: ColumnCatalog, code: string): CatalogColumn[] {
  const authored = catalog.authored.pages
    .flatMap(({ questions }) => questions)
    .find((question) => question.code.toLowerCase() === code.toLowerCase());
  if (authored === undefined) return [];
  return catalog.loopedQuestions(authored.id).flatMap(({ id }) => listQuestionColumns(catalog, id)[0] ?? []);
}

/**
 * The columns that a code stands for: a column, the rows of a matrix, the options of a ranking, the cells of a column of a side-by-side table, or
 * the items of a question in a loop. Empty: there are none.
 */
export function listColumnsOfCode(catalog: ColumnCatalog, code: string): CatalogColumn[] {
  const column = catalog.find(code);
  if (column !== undefined) return [column];
  const composite = findCompositeQuestion(catalog, code);
  if (composite !== null) return listParts(composite);
  const cells = catalog.tableColumn(code)?.cells;
  if (cells !== undefined)
    return cells.flatMap(({ questionId }) => listQuestionColumns(catalog, questionId)[0] ?? []);
  return listLoopColumns(catalog, code);
}
