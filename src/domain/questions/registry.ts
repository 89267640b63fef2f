import type { z } from 'zod';
import type { CellCodec } from './answers/codec.ts';
import { withEmptyCells, withReasons } from './answers/no-answer.ts';
import type { TypedQuestion } from './question.ts';
import type { QuestionAnswers, QuestionRow, QuestionTypeModule, Table } from './question-type.ts';
import { calculatedAnswers, calculatedType } from './types/calculated.ts';
import { constantSumAnswers, constantSumType } from './types/constant-sum.ts';
import { dateAnswers, dateType } from './types/date.ts';
import { dropdownAnswers, dropdownType } from './types/dropdown.ts';
import { fileUploadAnswers, fileUploadType } from './types/file-upload.ts';
import { matrixAnswers, matrixType } from './types/matrix.ts';
import { multipleChoiceAnswers, multipleChoiceType } from './types/multiple-choice.ts';
import { npsAnswers, npsType } from './types/nps.ts';
import { numberAnswers, numberType } from './types/number.ts';
import { rankingAnswers, rankingType } from './types/ranking.ts';
import { scaleAnswers, scaleType } from './types/scale.ts';
import { sideBySideAnswers, sideBySideType } from './types/side-by-side.ts';
import { singleChoiceAnswers, singleChoiceType } from './types/single-choice.ts';
import { sliderAnswers, sliderType } from './types/slider.ts';
import { statementAnswers, statementType } from './types/statement.ts';
import { textAnswers, textType } from './types/text.ts';

/** The question types in the order of the API document. */
const TYPES = {
  single_choice: singleChoiceType,
  multiple_choice: multipleChoiceType,
  text: textType,
  number: numberType,
  scale: scaleType,
  matrix: matrixType,
  ranking: rankingType,
  date: dateType,
  nps: npsType,
  dropdown: dropdownType,
  slider: sliderType,
  file_upload: fileUploadType,
  constant_sum: constantSumType,
  calculated: calculatedType,
  statement: statementType,
  side_by_side: sideBySideType,
};

/**
 * The part of each type that the respondent page needs. The page has its own table, which is filled with the fields of a survey:
 * web/respondent/client/question-answers.ts.
 */
const ANSWERS = {
  single_choice: singleChoiceAnswers,
  multiple_choice: multipleChoiceAnswers,
  text: textAnswers,
  number: numberAnswers,
  scale: scaleAnswers,
  matrix: matrixAnswers,
  ranking: rankingAnswers,
  date: dateAnswers,
  nps: npsAnswers,
  dropdown: dropdownAnswers,
  slider: sliderAnswers,
  file_upload: fileUploadAnswers,
  constant_sum: constantSumAnswers,
  calculated: calculatedAnswers,
  statement: statementAnswers,
  side_by_side: sideBySideAnswers,
} satisfies { [T in QuestionType]: (typeof TYPES)[T]['answers'] };

/** The answers of each type and the reasons instead of one, which the modules of the types do not see. */
const ANSWERS_OR_REASONS = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries<QuestionAnswers>(ANSWERS).map(([type, answers]) => [
    type,
    withReasons(answers),
  ]),
) as Record<QuestionType, QuestionAnswers>;

const MODULES = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries<QuestionTypeModule>(TYPES).map(([type, module]) => [
    type,
    {
      ...module,
      answers: ANSWERS_OR_REASONS[type as QuestionType],
      cells: withEmptyCells(module.cells),
    },
  ]),
) as Record<QuestionType, QuestionTypeModule>;

export type QuestionType = keyof typeof TYPES;

/** Settings of a question type with defaults. */
export type SettingsOf<T extends QuestionType> = z.infer<(typeof TYPES)[T]['settings']>;

/** A question; `type` determines the settings. */
export type Question = { [T in QuestionType]: TypedQuestion<T, SettingsOf<T>> }[QuestionType];
export type QuestionWithType<T extends QuestionType> = Extract<Question, { type: T }>;

// Object.keys and Object.fromEntries lose the names of the keys, which are those of TYPES.
export const QUESTION_TYPES = Object.keys(TYPES) as QuestionType[];
export const questionSettingsSchemas = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(TYPES).map(([type, { settings }]) => [type, settings]),
) as { [T in QuestionType]: (typeof TYPES)[T]['settings'] };

/** Returns everything that depends on the type of the question. */
export function typeOf({ type }: { type: QuestionType }): QuestionTypeModule {
  return MODULES[type];
}

/** Returns how answers to the question become the cells of data columns. */
export function cellCodecFor({ type }: { type: QuestionType }): CellCodec {
  return MODULES[type].cells;
}

/** Returns how answers to the question are read, compared and shown. */
export function codecFor({ type }: { type: QuestionType }): QuestionAnswers {
  return ANSWERS_OR_REASONS[type];
}

/** Returns the rows of a matrix; empty for other types. */
export function rowsOf(question: Question): readonly QuestionRow[] {
  return codecFor(question).rows(question);
}

/** Returns the table of a question whose cells are questions of their own; null for other types. */
export function tableOf(question: Question): Table | null {
  return typeOf(question).table?.(question.settings) ?? null;
}

/** Returns the table in the settings of a type; null for other types. */
export function tableOfSettings<T extends QuestionType>(type: T, settings: SettingsOf<T>): Table | null {
  return typeOf({ type }).table?.(settings) ?? null;
}

/** Whether questions of the type have options; those of a matrix are its columns. */
export function takesOptions(type: QuestionType): boolean {
  return TYPES[type].options !== null;
}

/** Whether respondents answer questions of the type. They only read a statement and a calculated value. */
export function asksRespondents({ type }: { type: QuestionType }): boolean {
  const { takesAnswers, isCalculated = false } = codecFor({ type });
  return takesAnswers && !isCalculated;
}

/** Returns the problem of `question_required`; null if there is none. */
export function requiredProblem(type: QuestionType, isRequired: boolean | undefined): string | null {
  return isRequired === true && !asksRespondents({ type })
    ? `must be false: respondents do not answer a question of the type ${type}`
    : null;
}

/** Whether an option can ask for a text. */
export function takesOtherText(type: QuestionType): boolean {
  return TYPES[type].options?.takeOtherText === true;
}
