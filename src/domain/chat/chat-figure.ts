import type { NoAnswerReason } from '../columns/no-answer.ts';
import type { TableChiSquare } from '../statistics/crosstab/table.ts';
import type { InclusionCounts } from '../dataset/filter/select-rows.ts';
import type { QuestionType } from '../questions/registry.ts';

/** A share of respondents; percents are 0 to 100, of the base. */
export interface Share {
  value: string;
  label: string;
  count: number;
  percent: number | null;
}

/** Summary statistics of a number; null if there are too few values. */
export interface SummaryStatistics {
  mean: number | null;
  median: number | null;
  sd: number | null;
  min: number | null;
  max: number | null;
  p25: number | null;
  p75: number | null;
  nps?: number | null;
}

interface AnsweredColumn {
  column_code: string;
  label: string;
  /** Number of respondents who answered. */
  base: number;
}

export interface ColumnShares extends AnsweredColumn {
  type: string;
  skipped: number;
  not_shown: number;
  /** Number of respondents who gave a reason instead of an answer. */
  no_answer: Readonly<Record<NoAnswerReason, number>>;
  /** Derived columns only: respondents without a defined value. */
  not_applicable: number;
  /** null: the column has no numeric values. */
  mean: number | null;
  /** Empty for texts and files. */
  categories: Share[];
  /** Number of distinct values; not all are listed. */
  distinct: number;
}

interface ListedQuestion {
  question_code: string;
  question_type: QuestionType;
  question_text: string;
  options: string[];
}

interface CrosstabColumn {
  letter: string;
  label: string;
  base: number;
}

interface CrosstabRow {
  label: string;
  total_percent: number | null;
  /** Parallel to the columns. `above`: letters of columns that it is significantly above; upper case at 95 %, lower case at 90 %. */
  cells: { count: number; percent: number | null; above: string[] }[];
}

interface CrosstabMeans {
  total: number | null;
  cells: { count: number; mean: number | null; sd: number | null; above: string[] }[];
}

export interface CrosstabFigure {
  row: string;
  column: string;
  base: number;
  columns: CrosstabColumn[];
  /** Column percents; empty where the row is a number, which has means alone. */
  rows: CrosstabRow[];
  means: CrosstabMeans | null;
  chi_square: TableChiSquare | null;
  notes: string[];
}

export interface Verbatim {
  response_id: number;
  text: string;
}

/** Results by function name. `base` is the number of responses behind a figure. */
export interface FigureResults {
  list_surveys: {
    surveys: { survey_id: number; survey_name: string; responses: number; status: string }[];
    total: number;
  };
  list_questions: { questions: ListedQuestion[]; total: number };
  get_response_counts: {
    total: number;
    complete: number;
    partial: number;
    screened_out: number;
    /** Not included in the other counts. */
    test: number;
    quality_confirmed: number;
  };
  get_distribution: { question_code: string; question_text: string; columns: ColumnShares[] };
  get_statistics: {
    question_code: string;
    question_text: string;
    columns: (AnsweredColumn & { statistics: SummaryStatistics })[];
  };
  get_crosstab: CrosstabFigure;
  compare_waves: CrosstabFigure;
  get_verbatims: {
    question_code: string;
    question_text: string;
    answered: number;
    matching: number;
    contains: string | null;
    verbatims: Verbatim[];
  };
  /** Built-in analysis of texts; not offered to models. */
  read_texts: {
    question_code: string;
    question_text: string;
    answered: number;
    read: number;
    sentiments: Record<'negative' | 'neutral' | 'positive', number>;
    themes: { theme: string; count: number; response_ids: number[] }[];
    method: string;
  };
}

export type FunctionName = keyof FigureResults;

/** A figure used in an answer. */
export type ChatFigure = {
  [Name in FunctionName]: {
    function: Name;
    arguments: Record<string, string | number | null>;
    /** null: the function does not count responses. */
    base: number | null;
    /** The responses that it counts; null: none. */
    counted: InclusionCounts | null;
    result: FigureResults[Name];
  };
}[FunctionName];

export type FigureOf<Name extends FunctionName> = Extract<ChatFigure, { function: Name }>;
