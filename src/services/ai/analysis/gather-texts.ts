import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { type InclusionCounts, selectAndCountRows } from '../../../domain/dataset/filter/select-rows.ts';
import { typeOf } from '../../../domain/questions/registry.ts';
import type { Question } from '../../../domain/survey/definition.ts';
import { unknownObject } from '../../../lib/error-messages.ts';
import { invalid, unprocessable } from '../../../lib/errors.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { compileFilter, collectLoadCodes, type ResponseSelection } from '../../datasets/requested-columns.ts';

/** All texts and their results are in memory during an analysis. */
const MAX_TEXTS = 250_000;
/** A character other than whitespace and control characters. */
const VISIBLE_CHARACTER = /[^\s\p{C}]/u;

/** The answers of the selected responses to an open question. */
export interface GatheredTexts {
  question: Question;
  columnCode: string;
  /** Responses with a text, ascending. */
  responseIds: Float64Array;
  /** Parallel to `responseIds`, trimmed. */
  texts: readonly string[];
  /** Number of selected responses without a text. */
  blank: number;
  counted: InclusionCounts;
}

/**
 * Collects texts from the dataset. Throws 400 for a question that does not exist or is not open, 422 for too many texts. `check` runs
 * further checks of the request before data are loaded.
 */
export async function gatherTexts(
  datasets: DatasetService,
  scope: SurveyScope,
  { questionId, ...selection }: ResponseSelection & { questionId: number },
  check: (columnCode: string, catalog: ColumnCatalog) => void = () => undefined,
): Promise<GatheredTexts> {
  const { dataset, resolved } = await datasets.openFor(scope.surveyId, (catalog) => {
    const open = findOpenQuestion(catalog, questionId);
    const filter = compileFilter(selection.filter, catalog);
    check(open.entry.spec.columnCode, catalog);
    return { ...open, filter, loadCodes: collectLoadCodes([open.entry], filter) };
  });
  const { entry, question, filter } = resolved;
  const { mask, counted } = selectAndCountRows(dataset, { ...selection, filter });
  const rows = listRowsById(dataset, mask);
  const column = dataset.column(entry);
  const responseIds: number[] = [];
  const texts: string[] = [];
  for (const row of rows) {
    const cell = column.cell(row);
    if (typeof cell !== 'string' || !VISIBLE_CHARACTER.test(cell)) continue;
    responseIds.push(dataset.responseIds[row]!);
    texts.push(cell.trim());
  }
  if (texts.length > MAX_TEXTS) {
    const message = `${texts.length} texts are too many; at most ${MAX_TEXTS} can be analyzed, so set a filter`;
    throw unprocessable('too_many_texts', message);
  }
  return {
    question,
    columnCode: entry.spec.columnCode,
    responseIds: Float64Array.from(responseIds),
    texts,
    blank: rows.length - texts.length,
    counted,
  };
}

function findOpenQuestion(
  catalog: ColumnCatalog,
  questionId: number,
): { entry: CatalogColumn; question: Question } {
  const entry = catalog.columns.find(({ spec }) => spec.questionId === questionId);
  if (entry?.origin.kind !== 'question')
    throw invalid('question_id', unknownObject('question', questionId, 'in this survey'));
  const { question } = entry.origin.questionColumns;
  if (typeOf(question).openText !== undefined) return { entry, question };
  const other = question.options.some((option) => option.other)
    ? '; texts entered for its options are not analyzed'
    : '';
  throw invalid(
    'question_id',
    `must be an open question (type text); ${question.code} (${questionId}) is of type ${question.type}${other}`,
  );
}

/** Ordered by response_id, so that the same responses always give the same texts in the same order. */
function listRowsById({ responseIds }: Dataset, mask: Uint8Array): number[] {
  const rows: number[] = [];
  for (let row = 0; row < mask.length; row++) if (mask[row] === 1) rows.push(row);
  return rows.sort((a, b) => responseIds[a]! - responseIds[b]!);
}
