import type { TableChiSquare } from '../statistics/crosstab/table.ts';
import type { CountedResponses } from '../dataset/filter/select-rows.ts';
import type { QuestionType } from '../survey/questions/question-types.ts';

/** A share of respondents; percents are 0 to 100, of the base. */
export interface Share {
  value: string;
  label: string;
  count: number;
  percent: number | null;
}

/** Moments of a number; null where there are too few values. */
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
  /** How many answered. */
  base: number;
}

export interface ColumnShares extends AnsweredColumn {
  type: string;
  skipped: number;
  not_shown: number;
  /** Of a derived column: it has no value for what they gave. */
  not_applicable: number;
  /** null: numbers would mean nothing. */
  mean: number | null;
  /** Of a text or a file none: what was written is nobody's category. */
  categories: Share[];
  /** Different values, of which at most some are listed. */
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

/** What each function gives, by its name. `base` of a figure: the responses that it rests on. */
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
    /** Not among the others. */
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
  /** Not for models, which read texts themselves: what the built-in analysis found. */
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

/** A figure that an answer rests on. */
export type ChatFigure = {
  [Name in FunctionName]: {
    function: Name;
    arguments: Record<string, string | number | null>;
    /** null: it is about no responses. */
    base: number | null;
    /** Which responses it counts; null: it is about none. */
    counted: CountedResponses | null;
    result: FigureResults[Name];
  };
}[FunctionName];

export type FigureOf<Name extends FunctionName> = Extract<ChatFigure, { function: Name }>;
