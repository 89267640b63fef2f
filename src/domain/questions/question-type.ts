import type { z } from 'zod';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { CellCodec, ReadResult, StoredAnswer } from './answers/codec.ts';
import type { Cell } from '../columns/column-spec.ts';
import type { QuestionProfile, SyntheticRespondent } from './generate-answers.ts';
import type { SeededRandom } from '../../lib/seeded-random.ts';
import type { Comparison, Operand } from './condition.ts';
import type { TranslatedTexts } from './localize.ts';
import type { OptionInput } from './option-input.ts';
import type { AnyQuestion, Option } from './question.ts';

/** A row of a matrix. */
export interface QuestionRow {
  row_code: string;
  row_label: string;
  /** Whether respondents name the row themselves. */
  row_other?: boolean | undefined;
}

/** A column of a table, under the names of the API. */
export interface TableColumn {
  column_code: string;
  column_label: string;
  column_number?: number | undefined;
  column_required: boolean;
  /** A question type. */
  column_type: string;
  column_settings: Readonly<Record<string, unknown>>;
  /** Only of choices; complete once they are stored (completeTable). */
  options?: OptionInput[] | undefined;
}

/** The highest numbers of the rows and columns of a table, which make up the ids of its cells (domain/survey/tables.ts). */
export const MAX_PART_NUMBERS = { row_number: 511, column_number: 2_047 } as const;

/** A question whose cells are questions of their own: one for each column in each row. */
export interface Table {
  rows: readonly (QuestionRow & { row_number?: number | undefined })[];
  columns: readonly TableColumn[];
}

/**
 * What the server and the respondent page need of a question type: how answers are read, compared and shown. The page loads this
 * part only, so it must not use zod, synthetic data or anything else that only the server needs.
 */
export interface QuestionAnswers<Q extends AnyQuestion = AnyQuestion> {
  /**
   * Validates and normalizes a client's answer. null, '', [] and {} mean "no answer" (answer: null), except that [] is an answer where
   * options are ticked, unless at least one is required. Whether an answer is required is checked elsewhere. `draft`: allows answers less
   * complete than a submitted one.
   */
  read(question: Q, input: unknown, strictness?: 'answer' | 'draft'): ReadResult;
  /** Whether the question asks for anything. A statement does not, so it is never required, and conditions cannot name it. */
  readonly takesAnswers: boolean;
  /** Whether the logic of the survey computes the answer, so that respondents do not give one. */
  readonly isCalculated?: true;
  /** Whether `[]` (nothing ticked) is an answer and not a skipped question. */
  readonly takesEmptyList: boolean;
  /** The rows of a matrix, in the order of the survey; empty for other types. */
  rows(question: Q): readonly QuestionRow[];
  /** Whether each respondent sees the rows in another order. */
  shufflesRows(question: Q): boolean;
  /**
   * Converts an answer to the left side of a comparison; null is missing. `partCode` is the `row_code` of the comparison: without it, a
   * type with parts gives the choices of all its parts.
   */
  operand(question: Q, answer: StoredAnswer, partCode: string | undefined): Operand | null;
  /** Removes options that logic withholds, by option_value, from an answer; null if nothing remains. */
  withoutOptions(question: Q, answer: StoredAnswer, withheld: ReadonlySet<string>): StoredAnswer | null;
  /** The question with only the offered options, and with minimums that they can reach. */
  withOfferedOptions(question: Q, offered: readonly Option[]): AnyQuestion;
  /** The text of `{{Q1}}`: labels in the respondent's language (`texts`, `language`); empty if the answer has no text. */
  pipedText(question: Q, answer: StoredAnswer, texts: TranslatedTexts, language: string): string;
  /** The text of `{{Q1:code}}`: option codes if the question has options, else the answer. */
  pipedCode(question: Q, answer: StoredAnswer): string;
}

/** Rules of a type whose questions have options. */
interface OptionRules<Q extends AnyQuestion> {
  /** Whether an option can ask for a text ("Other, please specify"). */
  readonly takeOtherText: boolean;
  /** Name of the options in messages. */
  readonly noun: string;
  /** Problems of the settings with the `live` options, those that are not retired (at least one). Fields are relative to the settings. */
  problems(settings: Q['settings'], live: readonly Option[]): ErrorDetail[];
}

/** A part of a question that a comparison names by `row_code`, such as a row of a matrix. */
interface ComparedPart {
  code: string;
  label: string;
}

/** How conditions and filters compare the answers. */
export interface ComparisonRules<Q extends AnyQuestion> {
  /** Whether the right side holds option values: labels are resolved to them, and others are refused. */
  readonly namesOptions: boolean;
  /** The parts of the question, and the names of question and part in messages; null: a comparison has no `row_code`. */
  readonly parts: { noun: string; partNoun: string; list(question: Q): readonly ComparedPart[] } | null;
  /** For a question without a column of its own code: the choices in the cell of its column (or set) at `index`. */
  choicesInCell(question: Q, index: number, cell: Exclude<Cell, null>): readonly string[];
  /** Whether at least one answer satisfies all comparisons, which have the same `row_code`; `true` if unknown. */
  isSatisfiable(question: Q, comparisons: readonly Comparison[]): boolean;
}

/** A part of a question that is shown as a whole: a row of a matrix, or an option. */
interface FigurePart {
  /** option_code; null for a row. */
  code: number | null;
  /** row_code or option_value. */
  value: string;
  label: string;
}

/** A question that figures can show as a whole. */
interface Composite<Q extends AnyQuestion> {
  /** What each part has: categories of its own (a row of a matrix), ranks (an option of a ranking), or a number. */
  kind: 'categories' | 'ranks' | 'numbers';
  /** Names of the question and its parts in messages. */
  noun: string;
  partNoun: string;
  /** Parallel to the sets of the question or, without sets, its columns. */
  parts(question: Q): readonly FigurePart[];
}

export type CompositeKind = Composite<AnyQuestion>['kind'];

/** How distributions, charts, insights and the assistant treat the question. */
export interface FigureRules<Q extends AnyQuestion> {
  /** null: the question is one column or one set. */
  readonly composite: Composite<Q> | null;
  /** Base of percentages: respondents who answered, or all who were asked. */
  readonly base: 'answering' | 'shown';
  /** Whether the answers have a Net Promoter Score. */
  readonly hasNetPromoterScore: boolean;
}

/** A question for which a synthetic respondent chooses an answer. */
export interface SeededQuestion<Q extends AnyQuestion> {
  question: Q;
  /** The options that logic leaves. */
  offered: readonly Option[];
  profile: QuestionProfile;
  respondent: SyntheticRespondent;
}

/** How synthetic answers are generated. */
export interface SeedingRules<Q extends AnyQuestion> {
  /** A plausible answer as a client sends it; null if none can be generated. Validation decides whether it is accepted. */
  answer(seeded: SeededQuestion<Q>): unknown;
  /** Median time to answer. */
  seconds(question: Q): number;
  /** Mean of the answers on a scale, in standard deviations of the attitude. */
  readonly tendency: number;
  /** Probability that an optional question is skipped. */
  skipProbability(random: SeededRandom): number;
  /** Creates a generator of texts that match the question's pattern; its result is null if there is no pattern. */
  createExample(question: Q): QuestionProfile['example'];
}

/** Format of the variables in an SPSS file. */
export interface SpssRules<Q extends AnyQuestion> {
  /** Decimals shown for columns of type `number`. */
  decimals(question: Q): number;
  /** The longest text of a string variable. */
  maxTextBytes(question: Q): number;
}

/** Labels in the settings that a translation replaces by key. */
interface LabelGroup {
  /** Key of the group in a translation. */
  name: 'rows' | 'point_labels' | 'columns' | 'column_options' | 'column_texts';
  /** `path`: place of the label in `question_settings`. */
  labels: { key: string; label: string; path: string }[];
}

/** The file that an upload question accepts. */
export interface UploadRules {
  maxFiles: number;
  maxSizeMb: number;
  allowedExtensions: readonly string[] | null;
}

/** Code and label of an option or row in a file of another tool. */
interface ImportedPart {
  key: string;
  label: string;
}

/** A question in the API document. The examples of all types are the questions of one survey. */
interface QuestionExample {
  page_id: number;
  /** `Q<n>`; the examples are in the order of their numbers. */
  question_code: string;
  question_text: string;
  question_required?: boolean;
  question_settings?: Record<string, unknown>;
  options?: OptionInput[];
}

/** Finds the column of an imported part; `isPart` compares the part with a code and a label of the question. */
export interface ImportedColumn {
  part: ImportedPart;
  /** For a cell of a table: its option; `part` is then its row. */
  option: ImportedPart | null;
  isPart: (part: ImportedPart, code: string, label: string) => boolean;
}

/**
 * A question type. Everything that depends on the type is here; other code asks for these members and does not compare types.
 * docs/how-to/add-a-question-type.md describes how to add one.
 */
export interface QuestionTypeModule<
  Q extends AnyQuestion = AnyQuestion,
  S extends z.ZodObject = z.ZodObject,
> {
  readonly answers: QuestionAnswers<Q>;
  /** How answers become the cells of data columns. */
  readonly cells: CellCodec<Q>;

  /** Settings with defaults. Two types with the same schema keep their settings when the type of a question changes. */
  readonly settings: S;
  /** Whether the respondent page shows the placeholder. */
  showsPlaceholder(settings: Q['settings']): boolean;
  /** Problems that the schema cannot express: settings that contradict each other. Fields are relative to the settings. */
  settingsProblems(settings: Q['settings']): ErrorDetail[];
  /** Creates rows and options from the options of a new question without rows. Problems are at `options[2].option_image`. */
  rowsFromOptions?(
    options: readonly OptionInput[],
  ):
    | { ok: true; rows: readonly QuestionRow[]; columns: OptionInput[] }
    | { ok: false; problems: ErrorDetail[] };

  /** Only of tables, which are written out (domain/survey/tables.ts). */
  table?(settings: Q['settings']): Table;

  /** null: questions of the type have no options. */
  readonly options: OptionRules<Q> | null;
  /** Changes of settings that are not allowed once the question has answers. Fields start with `question_settings.`. */
  frozenChanges(before: Q, after: Q): ErrorDetail[];
  /** Labels in the settings with a translation by key. */
  labelGroups(question: Q): LabelGroup[];
  /** The settings with labels of parts as published, except texts that several types have; parts that are not published are removed. */
  publishedParts(question: Q, published: Q): Partial<Q['settings']>;

  /**
   * The numbers that files can hold as answers, null: no limit; undefined: none, such as a text. Types whose columns list all numbers do
   * not have it.
   */
  numberRange?(question: Q): { min: number | null; max: number | null } | undefined;

  /** The number of columns, without creating them: a matrix can have hundreds of thousands. */
  columnCount(question: Q): number;
  readonly comparison: ComparisonRules<Q>;
  readonly figures: FigureRules<Q>;
  readonly seeding: SeedingRules<Q>;
  readonly spss: SpssRules<Q>;
  /** The possible answers, for the methods section of reports. */
  describeAnswers(question: Q): string;

  /** For open text: whether any text is accepted (no format), and the maximum length. */
  readonly openText?: { isFree(question: Q): boolean; maxCharacters(question: Q): number };
  /** For file uploads. */
  uploadRules?(question: Q): UploadRules;
  /** Whether the question names an amount of money and accepts no decimals, although its author has set no step. */
  asksWholeAmount(question: Q): boolean;
  /** Whether the values of an answer are those that an attention check expects. */
  passesCheck(values: readonly string[], expected: readonly string[]): boolean;
  /** Index among the question's columns of a part in a file of another tool; -1 if it has none. */
  importedColumn(question: Q, column: ImportedColumn): number;

  /** The form of answers in requests, for the API document. */
  readonly answerFormat: string;
  readonly example: QuestionExample;
}
