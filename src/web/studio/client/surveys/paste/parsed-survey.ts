import { texts } from '../../../texts.ts';
import type { NoAnswer } from '../../question-types/no-answers.ts';
import type { QuestionType } from '../../question-types/question-type.ts';
import { studioTypeOf } from '../../question-types/registry.ts';
import { type NumberRange, type PastedPoint, PASTED_TYPES, reasonInWords } from './pasted-hints.ts';

/** A reason that respondents can give instead of an answer, with the label that was written. */
interface PastedReason {
  reason: NoAnswer['reason'];
  label: string;
}

/** The lists below a question, as they were written. */
interface WrittenLists {
  options: readonly string[];
  rows: readonly string[];
}

export interface ParsedQuestion {
  kind: 'question';
  /** Line of the text, from 1. */
  line: number;
  text: string;
  type: QuestionType;
  isRequired: boolean;
  written: WrittenLists;
  /** Of the type. */
  options: readonly string[];
  /** Of a table, whose options are its columns. */
  rows: readonly string[];
  /** Whether the rows or columns of a table are proposals, because the text has none. */
  isTableProposed: boolean;
  noAnswers: readonly PastedReason[];
  range: NumberRange | null;
  /** Labels of points of a scale. */
  points: PastedPoint[];
  maxSelections: number | null;
}

/** The name of the survey, a page title, an introduction, or a text of the end page. */
export interface ParsedText {
  kind: 'name' | 'heading' | 'introduction' | 'ending';
  line: number;
  text: string;
}

export type ParsedLine = ParsedQuestion | ParsedText;

/** What the user made of a line, or nothing. */
export type LineKind = ParsedLine['kind'] | 'dropped';

export interface ParsedPage {
  lines: ParsedLine[];
}

export interface ParsedSurvey {
  /** The title above all pages; null: none. */
  name: ParsedText | null;
  /** Pages with at least one line. */
  pages: ParsedPage[];
  /** The lines of the end page. */
  ending: ParsedText[];
  dropped: { line: number; text: string }[];
  /** Lines, from 1, with an option that belongs to no question. */
  strayOptionLines: number[];
}

const AGREEMENT_COLUMNS = [
  'Strongly disagree',
  'Disagree',
  'Neither agree nor disagree',
  'Agree',
  'Strongly agree',
];
/** Larger ranges are sliders. */
export const MAX_SCALE_STEPS = 10;

/** The types that a question can have. Its options can be labels of points; a table without rows gets some. */
export const possibleTypes = ({ written, points }: ParsedQuestion): QuestionType[] =>
  PASTED_TYPES.filter((type) => {
    const { options, hasRows } = studioTypeOf({ question_type: type });
    return options === null || hasRows || written.options.length > 0 || points.length > 0;
  });

/** The types that a line of text can have as a question. */
export const TYPES_OF_TEXT: readonly QuestionType[] = ['text', 'statement'];

/** Whether a range such as "(0-10)" sets the numbers of the type. */
export const takesRange = (type: QuestionType): boolean =>
  type === 'scale' || type === 'slider' || type === 'number';

/** Whether labels of points are those of the type. */
export const takesPoints = (type: QuestionType): boolean => type === 'scale' || type === 'nps';

/** The question with the type, and with what was written below it as options, rows and reasons of that type. */
export function understandAs(question: ParsedQuestion, type: QuestionType): ParsedQuestion {
  const { written } = question;
  const { options, hasRows } = studioTypeOf({ question_type: type });
  const understood = { ...question, ...written, type, isTableProposed: false, noAnswers: [] };
  if (hasRows) return { ...understood, ...understandTable(question) };
  if (options !== null) return { ...understood, rows: [] };
  return {
    ...understood,
    rows: [],
    options: written.options.filter((label) => reasonInWords(label) === null),
    noAnswers: reasonsIn(written.options),
  };
}

/** The reasons among options, each once. */
const reasonsIn = (options: readonly string[]): PastedReason[] =>
  options
    .flatMap((label) => {
      const reason = reasonInWords(label);
      return reason === null ? [] : [{ reason, label }];
    })
    .filter(({ reason }, index, all) => all.findIndex((each) => each.reason === reason) === index);

function understandTable(
  question: ParsedQuestion,
): Pick<ParsedQuestion, 'rows' | 'options' | 'isTableProposed'> {
  const { rows, options } = question.written;
  const columns = columnsOf(question);
  if (rows.length > 0 && options.length > 0) return { rows, options, isTableProposed: false };
  if (rows.length > 0)
    return { rows, options: columns ?? AGREEMENT_COLUMNS, isTableProposed: columns === null };
  if (options.length > 0)
    return { rows: options, options: columns ?? AGREEMENT_COLUMNS, isTableProposed: columns === null };
  const proposed = [texts.editor.newRow(1), texts.editor.newRow(2)];
  return { rows: proposed, options: columns ?? AGREEMENT_COLUMNS, isTableProposed: true };
}

/** The columns that points or a range describe: "1 = Bad … 5 = Good" or "(1-5)"; null: they describe none. */
export function columnsOf({ points, range }: Pick<ParsedQuestion, 'points' | 'range'>): string[] | null {
  const numbers = [...points.map(({ point }) => point), ...(range === null ? [] : [range.min, range.max])];
  const max = Math.max(...numbers);
  if (numbers.length < 2 || Math.min(...numbers) !== 1 || max > MAX_SCALE_STEPS) return null;
  const labelAt = (point: number) => points.find((each) => each.point === point)?.label;
  return Array.from({ length: max }, (_, index) => labelAt(index + 1) ?? String(index + 1));
}
