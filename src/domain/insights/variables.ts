import type { CatalogColumn, ColumnCatalog } from '../dataset/columns/column-catalog.ts';
import { WAVE_COLUMN } from '../dataset/columns/metadata-columns.ts';
import { allowsMeans } from '../statistics/allows-means.ts';

/** What is said of responses: shares of answers, or, where answers are in order, a mean. */
export interface Outcome {
  entry: CatalogColumn;
  questionId: number;
  /** `shares`: of a choice among several; `yes`: one option, taken or not; `mean`: points and amounts. */
  measured: 'shares' | 'yes' | 'mean';
  /** Points on a scale, not amounts: a top box means something. */
  isScale: boolean;
  isNps: boolean;
}

/** What responses are told apart by. */
export interface SegmentColumn {
  entry: CatalogColumn;
  /** null: metadata. */
  questionId: number | null;
  kind: 'question' | 'wave' | 'link' | 'language';
}

export interface Variables {
  outcomes: Outcome[];
  segments: SegmentColumn[];
  /** What the survey is about most: a score of recommendation, or the overall rating; null: it has none. */
  key: Outcome | null;
}

const MAX_OPTIONS = 40;
const SEGMENT_OPTIONS = { fewest: 2, most: 12 };
/** So many questions with the same answers are items of a battery, and no groups of people. */
const BATTERY_ITEMS = 3;
const METADATA_SEGMENTS = new Map<string, SegmentColumn['kind']>([
  [WAVE_COLUMN, 'wave'],
  ['link_id', 'link'],
  ['language', 'language'],
]);
/** What an overall rating says of itself, in some languages. */
const OVERALL =
  /overall|in general|insgesamt|gesamt|satisf|zufried|en general|globalmente|no geral|в целом|удовлетвор/i;

/**
 * What can be compared in a survey, and by what; `questionIds`: only of these questions is something said, null: of all. Weights say
 * nothing about respondents: neither `weight`, the column that responses are weighted by, nor any other column of weights is among them.
 */
export function selectVariables(
  catalog: ColumnCatalog,
  questionIds: ReadonlySet<number> | null,
  weight: CatalogColumn | null,
): Variables {
  const columns = catalog.columns.filter((entry) => entry !== weight && !isWeight(entry));
  const all = columns.flatMap((entry) => toOutcome(entry) ?? []);
  const scales = all.filter(({ isScale }) => isScale);
  // An ordinal choice may be an age group: it is the key measure only where nothing else is rated.
  const ratings = scales.filter(({ entry }) => !isChoice(entry));
  const overall = scales.filter(({ entry }) => isWholeQuestion(entry) && OVERALL.test(entry.spec.label));
  return {
    outcomes: all.filter(({ questionId }) => questionIds === null || questionIds.has(questionId)),
    segments: selectSegments(columns, catalog.waves),
    key: all.find(({ isNps }) => isNps) ?? overall.at(-1) ?? onlyOne(ratings.length > 0 ? ratings : scales),
  };
}

const onlyOne = (scales: readonly Outcome[]): Outcome | null => (scales.length === 1 ? scales[0]! : null);

const isChoice = ({ origin }: CatalogColumn): boolean =>
  origin.kind === 'question' && ['single_choice', 'dropdown'].includes(origin.of.question.type);

/** A weight that was made here, or the variable that weighted the cases of an imported file. */
const isWeight = ({ spec, origin }: CatalogColumn): boolean =>
  spec.source === 'weight' ||
  (origin.kind === 'question' && origin.of.question.settings.variable?.is_weight === true);

const isWholeQuestion = ({ origin }: CatalogColumn): boolean =>
  origin.kind === 'question' && origin.of.columns.length === 1;

/** null: texts, dates and files, and what is asked no more. */
function toOutcome(entry: CatalogColumn): Outcome | null {
  const { spec, origin } = entry;
  if (origin.kind !== 'question' || spec.retired || spec.questionId === null) return null;
  const { question } = origin.of;
  const of = { entry, questionId: spec.questionId, isScale: false, isNps: question.type === 'nps' };
  const options = spec.values.filter(({ missing }) => !missing).length;
  switch (spec.type) {
    case 'number':
      return { ...of, measured: 'mean', isScale: options > 0 };
    case 'rank':
      return { ...of, measured: 'mean' };
    case 'binary': {
      const option = question.options[origin.index % Math.max(1, question.options.length)];
      return option === undefined || option.missing ? null : { ...of, measured: 'yes' };
    }
    case 'categorical':
      if (options < 2 || options > MAX_OPTIONS) return null;
      // The mean of two codes is a share.
      return allowsMeans(spec) && options > 2
        ? { ...of, measured: 'mean', isScale: true }
        : { ...of, measured: 'shares' };
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
    // Ages and incomes are in an order and make groups of people; the rows of a matrix and amounts do not.
    if (origin.of.question.type === 'matrix' || spec.measure === 'scale') return false;
    const options = spec.values.filter(({ missing }) => !missing).length;
    return options >= SEGMENT_OPTIONS.fewest && options <= SEGMENT_OPTIONS.most;
  });
  const answersOf = ({ spec }: CatalogColumn) => JSON.stringify(spec.values.map(({ label }) => label));
  const alike = new Map<string, number>();
  for (const entry of choices) alike.set(answersOf(entry), (alike.get(answersOf(entry)) ?? 0) + 1);
  const segments = choices.filter((entry) => {
    // Yes or no is asked of many things; each still makes two groups.
    const { length } = entry.spec.values;
    return length === 2 || alike.get(answersOf(entry))! < BATTERY_ITEMS;
  });
  return [
    ...metadata,
    ...segments.map((entry): SegmentColumn => {
      return { entry, questionId: entry.spec.questionId, kind: 'question' };
    }),
  ];
}

/** What must be loaded for them. */
export function loadCodesOfVariables({ outcomes, segments, key }: Variables): string[] {
  return [...outcomes, ...segments, ...(key === null ? [] : [key])].flatMap(({ entry }) => [
    ...entry.loadCodes,
  ]);
}
