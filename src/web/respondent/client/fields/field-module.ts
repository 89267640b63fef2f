import type { ComponentChildren } from 'preact';
import type { QuestionAnswers } from '../../../../domain/questions/question-type.ts';
import type { Question, QuestionType, QuestionWithType } from '../../../../domain/survey/definition.ts';
import type { QuestionView } from '../../../../domain/survey/logic/render-survey.ts';
import { fillPlaceholders, type Messages, type TextLanguage } from '../localization.ts';

/** The parts of the session that fields use. */
interface FieldSession {
  /** Returns the attributes of a text; `isTranslated`: whether it is in the respondent's language. */
  languageOf(isTranslated: boolean): TextLanguage;
  /** Text of the live region. */
  readonly announcement: string;
  announce(announcement: string): void;
  /** The last event on the page; `count` identifies it. */
  readonly lastEvent: { readonly kind: 'page' | 'problems'; readonly count: number };
  setInput(code: string, input: unknown): void;
  readonly messages: Messages;
  /** By question code: returns the problem of what its control contains and the browser cannot read, such as half a date. */
  readonly controlProblems: Map<string, () => string | null>;
  /** Removes the problem of a question if it is fixed. */
  recheck(code: string): void;
  /** Number of unfinished uploads by question code. */
  readonly uploads: Map<string, number>;
  readonly draft: {
    readonly responseToken: string | null;
    readonly language: string;
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly files: Record<string, { name: string; sizeBytes: number }>;
  };
  /** Returns the token of the response, and starts the response if necessary. */
  readonly outbox: { ensureStarted(): Promise<string> };
  readonly api: {
    upload(
      token: string,
      questionCode: string,
      file: File,
    ): Promise<{ file_id: string; file_name: string; size_bytes: number }>;
    removeFile(token: string, fileId: string): Promise<unknown>;
  };
}

/** A question as the page shows it. */
type ViewOf<Q extends Question> = Omit<QuestionView, 'question'> & { question: Q };

export interface FieldProps<Q extends Question = Question> {
  view: ViewOf<Q>;
  input: unknown;
  onInput: (input: unknown) => void;
  messages: Messages;
  /** Id of the control, or prefix of the ids of several controls. */
  id: string;
  /** Value of aria-describedby. */
  describedBy: string | undefined;
  invalid: boolean;
  session: FieldSession;
  /** Of a table: its cells, and what shows one with a label instead of its text. */
  cells: readonly QuestionView[];
  showCell: (cell: QuestionView, label: ComponentChildren) => ComponentChildren;
}

/**
 * What the page needs of a question type: its answers (domain/questions), the field, and the texts around it. An input is the value
 * as entered; null or undefined if nothing is entered.
 */
export interface FieldModule<Q extends Question = Question> {
  readonly answers: QuestionAnswers<Q>;
  /** The controls. */
  Field(this: void, props: FieldProps<Q>): ComponentChildren;
  /**
   * How the question text names the controls: as the label of one control, whose id is `props.id`, or as the legend of a group. ARIA allows
   * aria-required and aria-invalid on a radiogroup, but not on other groups. `none`: there are no controls.
   */
  readonly role: 'control' | 'group' | 'radiogroup' | 'none';
  /** Whether the controls cannot be cleared, so that the question has a button for it. */
  readonly needsClearButton: boolean;
  /** Returns the hint of a question, such as its limits; null if it needs none. */
  hint(view: ViewOf<Q>, messages: Messages): string | null;
  /** Converts an input to the answer of the API. */
  toAnswer(question: Q, input: unknown): unknown;
  /** Returns an input as a submitted page has it: where options are ticked, none is an answer. */
  submittedInput(question: Q, input: unknown): unknown;
  /**
   * Returns why an answer that the server would refuse is wrong, in the respondent's language; null: the message of the server is shown.
   */
  problem(question: Q, answer: unknown, messages: Messages): string | null;
}

/** A field module of one type. */
export type FieldModuleOf<T extends QuestionType> = FieldModule<QuestionWithType<T>>;

/** The members of a group of controls without a hint; field modules replace some of them. */
export const PLAIN_FIELD = {
  role: 'group',
  needsClearButton: false,
  hint: () => null,
  toAnswer: (_question, input) => input ?? null,
  submittedInput: (_question, input) => input,
  problem: () => null,
} satisfies Partial<FieldModule>;

/** Returns the message of too few or too many chosen options. */
export function selectionCountProblem(
  answer: unknown,
  [min, tooFew]: readonly [min: number | null, message: string],
  [max, tooMany]: readonly [max: number | null, message: string],
): string | null {
  if (!Array.isArray(answer)) return null;
  if (min !== null && answer.length < min) return fillPlaceholders(tooFew, { n: min });
  return max !== null && answer.length > max ? fillPlaceholders(tooMany, { n: max }) : null;
}
