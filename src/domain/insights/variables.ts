import type { CatalogColumn, ColumnCatalog, QuestionColumns } from '../dataset/column-catalog.ts';
import { WAVE_COLUMN } from '../responses/metadata-columns.ts';
import { MISSING_SLOTS } from '../columns/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { rowsOf, typeOf } from '../questions/registry.ts';
import { allowsMeans } from '../columns/column-spec.ts';
import { type Coding, MAX_CODING_SIZE } from '../statistics/crosstab/axis.ts';
import type { TableRows } from '../statistics/crosstab/count-crossing.ts';
import { createVariableAxis, observeTexts } from '../statistics/crosstab/variable-axis.ts';
import { withoutMissingCodes } from '../statistics/crosstab/slot-moments.ts';

/** An outcome variable: shares of answers, or a mean of ordered answers. */
export interface Outcome {
  entry: CatalogColumn;
  questionId: number;
  /** `shares`: a single choice; `yes`: one option, chosen or not; `mean`: scale points and amounts. */
  measured: 'shares' | 'yes' | 'mean';
  /** Scale points rather than amounts, so that a top box is meaningful. */
  isScale: boolean;
  isNps: boolean;
}

/** A column that divides responses into segments. */
export interface SegmentColumn {
  entry: CatalogColumn;
  /** null: metadata. */
  questionId: number | null;
  kind: 'question' | 'wave' | 'link' | 'language';
}

export interface Variables {
  outcomes: Outcome[];
  segments: SegmentColumn[];
  /** The key measure: the Net Promoter Score, or the overall rating; null: none. */
  key: Outcome | null;
}

const MAX_OPTIONS = 40;
const SEGMENT_OPTIONS = { fewest: 2, most: 12 };
/** Questions with the same answer options form a battery from this number on and are not used as segments. */
const BATTERY_ITEMS = 3;
const METADATA_SEGMENTS = new Map<string, SegmentColumn['kind']>([
  [WAVE_COLUMN, 'wave'],
  ['link_id', 'link'],
  ['language', 'language'],
]);
/** Words that identify an overall rating, in several languages. */
const OVERALL =
  /overall|in general|insgesamt|gesamt|satisf|zufried|en general|globalmente|no geral|в целом|удовлетвор/i;

/**
 * Selects the outcomes and segments of a survey; `questionIds`: restricts the outcomes, null: all. Weight columns, whether used or not, are
 * excluded.
 */
export function selectVariables(
  catalog: ColumnCatalog,
  questionIds: ReadonlySet<number> | null,
  weight: CatalogColumn | null,
): Variables {
  const columns = catalog.columns.filter((entry) => entry !== weight && !isWeight(entry));
  const all = columns.flatMap((entry) => toOutcome(entry) ?? []);
  const scales = all.filter(({ isScale }) => isScale);
  // An ordinal choice can be an age group: it is the key measure only without any ratings.
  const ratings = scales.filter(({ entry }) => !isChoice(entry));
  const overall = scales.filter(({ entry }) => isWholeQuestion(entry) && OVERALL.test(entry.spec.label));
  return {
    outcomes: all.filter(({ questionId }) => questionIds === null || questionIds.has(questionId)),
    segments: selectSegments(columns, catalog.waves),
    key:
      all.find(({ isNps }) => isNps) ?? overall.at(-1) ?? singleOrNull(ratings.length > 0 ? ratings : scales),
  };
}

const singleOrNull = ([first, ...others]: readonly Outcome[]): Outcome | null =>
  others.length === 0 ? (first ?? null) : null;

/** Whether the column is a choice, and no row of a matrix. */
const isChoice = ({ spec, origin }: CatalogColumn): boolean =>
  origin.kind === 'question' && spec.type === 'categorical' && !isMatrix(origin.questionColumns);

const isMatrix = ({ question }: QuestionColumns): boolean => rowsOf(question).length > 0;

/** Whether the column is a weight: computed here, or the weight variable of an imported file. */
const isWeight = ({ spec, origin }: CatalogColumn): boolean =>
  spec.source === 'weight' ||
  (origin.kind === 'question' && origin.questionColumns.question.settings.variable?.is_weight === true);

const isWholeQuestion = ({ origin }: CatalogColumn): boolean =>
  origin.kind === 'question' && origin.questionColumns.columns.length === 1;

const IDENTIFIER_CODE = /^(?:id|nr|no|serial|case|record|uuid)$|_(?:id|nr|no)$/i;
/** With fewer answers, numbers can be consecutive by chance. */
const MIN_NUMBERED = 10;

/** Whether an amount numbers the responses, such as a case number: by its code, or because it counts up without a repetition. */
export function isIdentifier({ spec }: CatalogColumn, values: Float64Array, mask: Uint8Array): boolean {
  if (spec.type !== 'number' || spec.values.length > 0) return false;
  if (IDENTIFIER_CODE.test(spec.columnCode)) return true;
  const seen = new Set<number>();
  let [count, min, max] = [0, Infinity, -Infinity];
  for (let row = 0; row < mask.length; row++) {
    const value = values[row] ?? NaN;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    if (!Number.isInteger(value) || seen.has(value)) return false;
    seen.add(value);
    count += 1;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return count >= MIN_NUMBERED && max - min < 2 * count;
}

/** Returns null for texts, dates, files and retired questions. */
function toOutcome(entry: CatalogColumn): Outcome | null {
  const { spec, origin } = entry;
  if (origin.kind !== 'question' || spec.retired || spec.questionId === null) return null;
  const { question } = origin.questionColumns;
  const shared = {
    entry,
    questionId: spec.questionId,
    isScale: false,
    isNps: typeOf(question).figures.hasNetPromoterScore,
  };
  const options = spec.values.filter(({ missing }) => !missing).length;
  switch (spec.type) {
    case 'number':
      return { ...shared, measured: 'mean', isScale: options > 0 };
    case 'rank':
      return { ...shared, measured: 'mean' };
    case 'binary': {
      const option = question.options[origin.index % Math.max(1, question.options.length)];
      return option === undefined || option.missing ? null : { ...shared, measured: 'yes' };
    }
    case 'categorical':
      if (options < 2 || options > MAX_OPTIONS) return null;
      // The mean of two codes is a share.
      return allowsMeans(spec) && options > 2
        ? { ...shared, measured: 'mean', isScale: true }
        : { ...shared, measured: 'shares' };
    default:
      return null;
  }
}

function selectSegments(columns: readonly CatalogColumn[], waves: ColumnCatalog['waves']): SegmentColumn[] {
  const metadata = columns.flatMap((entry): SegmentColumn[] => {
    const kind = METADATA_SEGMENTS.get(entry.spec.columnCode);
    if (kind === undefined || entry.origin.kind !== 'metadata') return [];
    return kind === 'wave' && waves.length < 2 ? [] : [{ entry, questionId: null, kind }];
  });
  const choices = columns.filter(({ spec, origin }) => {
    if (origin.kind !== 'question' || spec.retired || spec.type !== 'categorical') return false;
    // Ordered choices such as age and income can be segments; matrix rows and amounts cannot.
    if (isMatrix(origin.questionColumns) || spec.measure === 'scale') return false;
    const options = spec.values.filter(({ missing }) => !missing).length;
    return options >= SEGMENT_OPTIONS.fewest && options <= SEGMENT_OPTIONS.most;
  });
  const answersOf = ({ spec }: CatalogColumn) => JSON.stringify(spec.values.map(({ label }) => label));
  const questionsByAnswers = new Map<string, number>();
  for (const entry of choices)
    questionsByAnswers.set(answersOf(entry), (questionsByAnswers.get(answersOf(entry)) ?? 0) + 1);
  const segments = choices.filter((entry) => {
    // Yes/no questions often have the same answer options but still define two groups.
    const { length } = entry.spec.values;
    return length === 2 || (questionsByAnswers.get(answersOf(entry)) ?? 0) < BATTERY_ITEMS;
  });
  return [
    ...metadata,
    ...segments.map((entry): SegmentColumn => {
      return { entry, questionId: entry.spec.questionId, kind: 'question' };
    }),
  ];
}

/** Returns the load codes of the variables. */
export function loadCodesOfVariables({ outcomes, segments, key }: Variables): string[] {
  return [...outcomes, ...segments, ...(key === null ? [] : [key])].flatMap(({ entry }) => [
    ...entry.loadCodes,
  ]);
}

/** A group of responses or an answer, and its slot in the coding. */
export interface Category {
  label: string;
  slot: number;
  /** What means use; null: none. */
  number: number | null;
}

/** Responses grouped by a few values. */
export interface Grouping {
  coding: Coding;
  /** Without values flagged as missing. */
  categories: Category[];
}

/** Maximum number of groups; a survey with a link per respondent has thousands. */
const MAX_GROUPS = 40;

/** Groups responses by a column's values; null if there are too many or none. */
export function groupByColumn(dataset: Dataset, entry: CatalogColumn, mask: Uint8Array): Grouping | null {
  const column = dataset.column(entry);
  if (column.kind === 'text') {
    const observed = observeTexts(column, mask);
    if (observed === null || observed.values.length > MAX_GROUPS) return null;
  }
  if (column.kind === 'categorical' && entry.spec.values.length + MISSING_SLOTS > MAX_CODING_SIZE)
    return null;
  if (column.kind === 'numeric' && hasTooManyNumbers(column.values, mask)) return null;
  const axis = createVariableAxis(dataset, entry, false, {
    base: 'answering',
    nets: [],
    mask,
    field: 'segment',
  });
  const categories = axis.categories.flatMap(({ steps: [step], region: { slots } }): Category[] => {
    const [slot] = slots;
    return step === undefined || slot === undefined ? [] : [{ label: step.label, number: step.number, slot }];
  });
  const coding = axis.codings[0];
  return coding === undefined ? null : { coding, categories };
}

function hasTooManyNumbers(values: Float64Array, mask: Uint8Array): boolean {
  const met = new Set<number>();
  for (let row = 0; row < mask.length; row++) {
    const value = values[row] ?? NaN;
    if (mask[row] === 0 || Number.isNaN(value) || met.has(value)) continue;
    if (met.add(value).size > MAX_GROUPS) return true;
  }
  return false;
}

/** Groups responses by a segment; links are labeled by name, keyed by link_id. */
export function groupBySegment(
  dataset: Dataset,
  { entry, kind }: SegmentColumn,
  { mask, linkNames }: { mask: Uint8Array; linkNames: ReadonlyMap<string, string> },
): Grouping | null {
  const grouped = groupByColumn(dataset, entry, mask);
  if (grouped === null || kind !== 'link') return grouped;
  const categories = grouped.categories.map(({ label, ...category }) => {
    return { ...category, label: linkNames.get(label) ?? `Link ${label}` };
  });
  return { ...grouped, categories };
}

/** Returns ordered answers as numbers by row; NaN where missing or flagged as missing. */
export function readNumericAnswers(
  dataset: Dataset,
  { entry }: Pick<Outcome, 'entry'>,
  rowCount: number,
): Float64Array {
  const column = dataset.column(entry);
  if (column.kind === 'numeric') return withoutMissingCodes(column, entry.spec, rowCount);
  const values = new Float64Array(rowCount).fill(NaN);
  if (column.kind !== 'categorical') return values;
  const numbers = column.spec.values.map(({ number, missing }) => (missing ? NaN : number));
  const { indices } = column;
  for (let row = 0; row < rowCount; row++) {
    const index = indices[row] ?? -1;
    if (index >= 0) values[row] = numbers[index] ?? NaN;
  }
  return values;
}

/** The input of an analysis: the counted responses of a survey. */
export interface AnalysisInput {
  dataset: Dataset;
  catalog: ColumnCatalog;
  rows: TableRows;
  /** By link_id as text; links without a name are labeled by id. */
  linkNames: ReadonlyMap<string, string>;
}

/** Counts the responses of an analysis. */
export function countCountedResponses({ rows: { mask, weights } }: AnalysisInput): number {
  let count = 0;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 1 && (weights === null || (weights[row] ?? 0) > 0)) count += 1;
  }
  return count;
}
