import { withNumbers } from '../../columns/option-numbers.ts';
import type { CatalogColumn, ColumnCatalog } from '../../dataset/column-catalog.ts';
import { isMeasure } from '../../statistics/crosstab/variable-axis.ts';
import { questionsOf } from '../../survey/definition.ts';
import type { ColumnChoice } from '../chart-config.ts';
import type { CompositeQuestion, QuestionPart } from './composite-question.ts';

/** Several questions with the same settings: the items of a loop, or the rows of a column of a side-by-side table. */
interface CombinedQuestions {
  code: string;
  label: string;
  /** That of the question that authors know. */
  questionId: number;
  noun: string;
  partNoun: string;
  parts: readonly { questionId: number; value: string; label: string }[];
}

/**
 * Returns a question in a loop, by its question_id or code, or a column of a side-by-side table (`Q1_use`) as a whole: its items or rows are
 * the parts. null: the choice names neither, or the parts have several columns or only texts.
 */
export function createCombinedQuestion(
  catalog: ColumnCatalog,
  choice: ColumnChoice,
): CompositeQuestion | null {
  const combined = findTableColumn(catalog, choice) ?? findLoopedQuestion(catalog, choice);
  if (combined === null) return null;
  const parts = combined.parts.flatMap(({ questionId, value, label }): QuestionPart[] => {
    const entry = columnOf(catalog, questionId);
    return entry === undefined ? [] : [{ entry, code: null, value, label }];
  });
  const [first, ...others] = parts;
  if (first === undefined || parts.length < combined.parts.length) return null;
  const entries = parts.map(({ entry }) => entry);
  const areNumbers = entries.every(isMeasure);
  const areCategories = entries.every((entry) => !isMeasure(entry) && entry.spec.values.length > 0);
  if (!areNumbers && !areCategories) return null;
  const { code, label, questionId, noun, partNoun } = combined;
  const spec = {
    ...first.entry.spec,
    columnCode: code,
    questionId,
    label,
    type: 'categorical' as const,
    measure: 'nominal' as const,
    values: withNumbers(
      parts.map(({ value, label: name }, index) => ({ code: index + 1, value, label: name, missing: false })),
    ),
    editable: false,
    precision: null,
  };
  const loadCodes = [...new Set(entries.flatMap((entry) => entry.loadCodes))];
  return {
    kind: areNumbers ? 'numbers' : 'categories',
    noun,
    partNoun,
    base: 'answering',
    parts: [first, ...others],
    entry: { ...first.entry, spec, loadCodes },
  };
}

/** The only column of a question, or the set of its answers; undefined: it has several, such as the rows of a matrix. */
function columnOf(catalog: ColumnCatalog, questionId: number): CatalogColumn | undefined {
  const code = catalog.questionById(questionId)?.question.code;
  return code === undefined ? undefined : catalog.find(code);
}

function findTableColumn(
  catalog: ColumnCatalog,
  { column_code: code, question_id: questionId }: ColumnChoice,
): CombinedQuestions | null {
  const column = code === undefined || catalog.find(code) !== undefined ? null : catalog.tableColumn(code);
  if (column === null || (questionId !== undefined && column.question.id !== questionId)) return null;
  return {
    code: column.code,
    label: column.label,
    questionId: column.question.id,
    noun: 'column of a table',
    partNoun: 'row',
    parts: column.cells.map(({ row, questionId: cellId }) => ({
      questionId: cellId,
      value: row.row_code,
      label: row.row_label,
    })),
  };
}

function findLoopedQuestion(
  catalog: ColumnCatalog,
  { column_code: code, question_id: questionId }: ColumnChoice,
): CombinedQuestions | null {
  if (code !== undefined && catalog.find(code) !== undefined) return null;
  const question = questionsOf(catalog.authored, 'all').find((each) =>
    code === undefined ? each.id === questionId : each.code.toLowerCase() === code.toLowerCase(),
  );
  if (question === undefined || (questionId !== undefined && question.id !== questionId)) return null;
  const copies = catalog.loopedQuestions(question.id);
  if (copies.length === 0) return null;
  return {
    code: question.code,
    label: question.settings.report_label ?? question.text,
    questionId: question.id,
    noun: 'question in a loop',
    partNoun: 'item',
    parts: copies.map(({ id, item }) => ({ questionId: id, value: item.code, label: item.label })),
  };
}
