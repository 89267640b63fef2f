import { z } from 'zod';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import { type InclusionCounts, selectAndCountRows } from '../../../domain/dataset/filter/select-rows.ts';
import { RESPONSE_STATUSES } from '../../../domain/responses/response-row.ts';
import { typeOf } from '../../../domain/questions/registry.ts';
import type { Question } from '../../../domain/survey/definition.ts';
import { unknownObject } from '../../../lib/error-messages.ts';
import { invalid, unprocessable } from '../../../lib/errors.ts';
import { requireItem } from '../../../lib/require-value.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import { collectLoadCodes, compileFilter, type ResponseSelection } from '../../datasets/requested-columns.ts';

/** Operations on the texts of an open question. */
const TEXT_OPERATIONS = [
  'sentiment',
  'themes',
  'classify',
  'suggest-categories',
  'summarize',
  'translate',
] as const;
export type TextOperation = (typeof TEXT_OPERATIONS)[number];

/** Job kind of a text analysis. */
export const ANALYSIS_JOB = 'analysis';

/** The complete request, as stored with a job. */
export const textRequestSchema = z.strictObject({
  operation: z.enum(TEXT_OPERATIONS),
  questionId: z.int(),
  status: z.array(z.enum(RESPONSE_STATUSES)),
  filter: z.unknown().default(undefined),
  includeTest: z.boolean().nullable(),
  /** Requests queued by earlier versions include confirmed low-quality responses. */
  includeConfirmed: z.boolean().default(true),
  /** null: a language model if one is configured. */
  engine: z.literal('built-in').nullable(),
  /** For `classify`; null: propose categories first. */
  categories: z.array(z.string()).nullable().default(null),
  /** For `translate`: a BCP 47 tag. */
  targetLanguage: z.string().nullable().default(null),
  saveAs: z.strictObject({ columnCode: z.string(), name: z.string().nullable() }).nullable().default(null),
});
export type TextRequest = z.output<typeof textRequestSchema>;

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
export async function gatherTexts({
  datasets,
  scope,
  responseSelection: { questionId, ...selection },
  check = () => undefined,
}: {
  datasets: DatasetService;
  scope: SurveyScope;
  responseSelection: ResponseSelection & { questionId: number };
  check?: (columnCode: string, catalog: ColumnCatalog) => void | undefined;
}): Promise<GatheredTexts> {
  const { dataset, resolved } = await datasets.openFor(scope.surveyId, (catalog) => {
    const open = findOpenQuestion(catalog, questionId);
    const filter = compileFilter(selection.filter, catalog);
    check(open.entry.spec.columnCode, catalog);
    return { ...open, filter, loadCodes: collectLoadCodes([open.entry], filter) };
  });
  const { entry, question, filter } = resolved;
  const { mask, counted } = selectAndCountRows(dataset, { ...selection, filter });
  const column = dataset.column(entry);
  const found: { responseId: number; text: string }[] = [];
  for (const [row, responseId] of dataset.responseIds.subarray(0, mask.length).entries()) {
    if (mask[row] !== 1) continue;
    const cell = column.cell(row);
    if (typeof cell !== 'string' || !VISIBLE_CHARACTER.test(cell)) continue;
    found.push({ responseId, text: cell.trim() });
  }
  if (found.length > MAX_TEXTS) {
    const message = `${found.length} texts are too many; at most ${MAX_TEXTS} can be analyzed, so set a filter`;
    throw unprocessable('too_many_texts', message);
  }
  // By response_id, so that the same responses always give the same texts in the same order.
  found.sort((a, b) => a.responseId - b.responseId);
  return {
    question,
    columnCode: entry.spec.columnCode,
    responseIds: Float64Array.from(found, ({ responseId }) => responseId),
    texts: found.map(({ text }) => text),
    blank: counted.responses - found.length,
    counted,
  };
}

function findOpenQuestion(
  catalog: ColumnCatalog,
  questionId: number,
): { entry: CatalogColumn; question: Question } {
  const entry = catalog.columns.find(({ spec }) => spec.questionId === questionId);
  if (entry?.origin.kind !== 'question')
    throw invalid(
      'question_id',
      unknownObject({ kind: 'question', idOrCode: questionId, scope: 'in this survey' }),
    );
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

/** Limits of the response ids and quotes in the evidence of one claim. */
const MAX_IDS = 1_000;
const MAX_EXAMPLES = 5;
const MAX_QUOTED = 500;

export interface Example {
  response_id: number;
  text: string;
}

/** The responses that support a claim. */
export interface Evidence {
  /** Number of responses that support the claim. */
  count: number;
  /** The first `MAX_IDS` of them. */
  response_ids: number[];
  examples: Example[];
}

interface Texts {
  responseIds: Float64Array;
  texts: readonly string[];
}

/** `indices`: of the supporting texts; `best`: indices to quote first. */
export function collectEvidence(
  { responseIds, texts }: Texts,
  indices: readonly number[],
  best: readonly number[] = [],
): Evidence {
  const cited = new Set(indices);
  // Quotes identical texts only once.
  const quoted = new Map<string, number>();
  for (const index of [...best.filter((one) => cited.has(one)), ...indices]) {
    if (quoted.size === MAX_EXAMPLES) break;
    const text = requireItem(texts, index, 'text');
    if (!quoted.has(text)) quoted.set(text, index);
  }
  return {
    count: cited.size,
    response_ids: indices.slice(0, MAX_IDS).map((index) => requireItem(responseIds, index, 'response id')),
    examples: [...quoted].map(([text, index]) => ({
      response_id: requireItem(responseIds, index, 'response id'),
      text: truncateText(text, MAX_QUOTED),
    })),
  };
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Truncates to `limit` UTF-16 code units without splitting a grapheme. */
export function truncateText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (const { segment } of graphemes.segment(text.slice(0, limit + 100))) {
    if (end + segment.length >= limit) break;
    end += segment.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Up to `most` indices out of `of`, evenly spaced. */
export function sampleIndices(of: number, limit: number): number[] {
  if (of <= limit) return Array.from({ length: of }, (_, index) => index);
  return Array.from({ length: limit }, (_, index) => Math.floor((index * of) / limit));
}
