import type { Schema } from '../data/api.ts';

export type QuestionType = Schema<'Question'>['question_type'];
export type Operator = Schema<'Comparison'>['operator'];

/** Settings of any type; which exist depends on the type. */
export type QuestionSettings = Readonly<Record<string, unknown>>;

/** What the modules read of a question. */
export interface QuestionContent {
  question_type: QuestionType;
  question_settings: QuestionSettings;
  options: readonly Pick<Schema<'Option'>, 'option_code' | 'option_value' | 'option_label'>[];
}

/** A field of the settings, with the control that edits it. */
export type SettingField =
  | { name: string; label: string; control: 'text' | 'expression' | 'switch' }
  | { name: string; label: string; control: 'number'; isWhole?: boolean }
  | { name: string; label: string; control: 'select'; choices: readonly (readonly [string, string])[] };

/** A list of labels that is edited in place, such as the options. */
export interface LabelListTexts {
  title: string;
  item: (index: number) => string;
  actions: (index: number) => string;
  add: string;
}

export const OPTION_FLAGS = ['option_other', 'option_exclusive', 'option_missing', 'option_anchor'] as const;
export type OptionFlag = (typeof OPTION_FLAGS)[number];

interface OptionRules {
  texts: LabelListTexts;
  /** Whether the title of the list is shown, because another list is above it. */
  hasTitle: boolean;
  /** What respondents see before the label. */
  mark: 'radio' | 'box' | 'plain';
  /** The flags that have an effect. */
  flags: readonly OptionFlag[];
  /** Whether respondents see the images of options. */
  hasImages: boolean;
  /** Whether logic can show single options and carry options forward. */
  hasLogic: boolean;
}

/** The label of a point, which is edited under it. */
export interface PointLabel {
  /** Of the setting. */
  setting: string;
  name: string;
  text: string;
}

/** A point of a scale with its label; empty: none. */
export interface ScalePoint {
  point: number;
  label: string;
}

/** A drawing of the answer: the points of a scale, which are edited in it, numbered points, the track of a slider, or a box to type in. */
export type AnswerSketch =
  | { kind: 'scale'; points: readonly ScalePoint[] }
  | { kind: 'points'; points: readonly number[]; labels: readonly PointLabel[] }
  | { kind: 'track'; lowest: number; highest: number }
  | { kind: 'box'; before: string; placeholder: string; after: string; isTall: boolean };

/** How the value of a comparison is entered: chosen from the options, or typed. */
export type ValueControl =
  { kind: 'options' } | { kind: 'number' } | { kind: 'text'; inputType: 'text' | 'date' | 'time' | 'month' };

/** The left side of a comparison. The first operator is the default. */
export interface ComparedSide {
  operators: readonly Operator[];
  value: ValueControl;
}

/** A part of the answer that is compared separately, such as a row of a matrix. */
interface ComparedPart {
  code: string;
  label: string;
}

interface ComparisonRules {
  /** The answer as a whole. */
  whole: (question: QuestionContent) => ComparedSide;
  /** null: the answer has no parts. */
  parts: {
    label: string;
    list: (question: QuestionContent) => ComparedPart[];
    side: (question: QuestionContent) => ComparedSide;
  } | null;
}

/** How the value of a filter is typed: as a number, a text, or a date of a precision. */
export type FilterInput = 'number' | 'text' | 'date' | 'datetime' | 'time' | 'month' | 'year';

export interface FilterValue {
  value: string;
  label: string;
}

/** What a filter can ask of an answer or of a part of it. The first operator is the default. */
export interface FilterSide {
  /** Chooses the words for the operators. */
  kind: 'choice' | 'choices' | 'number' | 'text' | 'date' | 'flags';
  operators: readonly Operator[];
  /** Values to choose from; empty: they are typed. */
  values: readonly FilterValue[];
  /** Groups of these values that are chosen together, such as promoters. */
  groups: readonly { label: string; values: readonly string[] }[];
  input: FilterInput;
  /** The reasons that respondents can give instead of an answer. Absent: none. */
  reasons?: readonly FilterValue[];
}

type FilteredQuestion = QuestionContent & { question_code: string };

/** A part of the answer that is filtered separately, by its code in the data. */
interface FilterPart {
  code: string;
  /** `row_code` of the comparison; null: the part is a column. */
  part: string | null;
  label: string;
}

interface FilterRules {
  /** The answer as a whole. */
  whole: (question: QuestionContent) => FilterSide;
  /** null: the answer has no parts. */
  parts: {
    label: string;
    list: (question: FilteredQuestion) => FilterPart[];
    side: (question: QuestionContent) => FilterSide;
  } | null;
}

interface ResultRules {
  /** The figure of points that are numbers; null: the type of the data decides. */
  figureOfPoints: 'nps' | 'scale' | null;
  /** Height that a card reserves before its data are known, in rem, so that the page does not move when they arrive. */
  reservedHeightRem: (
    question: Pick<QuestionContent, 'question_settings'> & { options: readonly unknown[] },
    responses: number,
  ) => number;
  /** Whether its options, points or numbers can be columns of a comparison. */
  canSplit: boolean;
}

/** What the studio knows of a question type. Other code asks for these members and does not compare types. */
export interface StudioQuestionType {
  label: string;
  about: string;
  /** Whether respondents read it and answer nothing: it is never required, and has no figures, filters or conditions. */
  isReadOnly?: true;
  /** Whether an expression computes the answer, so that respondents do not give one. */
  isCalculated?: true;
  /** Path of the icon in a box of 24 by 24. */
  icon: string;
  /** Types that the question can become. */
  related: readonly QuestionType[];
  /** Fields of a new question besides its text. */
  initial: Readonly<Record<string, unknown>>;
  /** The settings that the editor offers. The remaining ones keep their values. */
  settingFields: readonly SettingField[];
  /** null: the question has no options. */
  options: OptionRules | null;
  /** Whether the settings have rows, which are listed above the options. */
  hasRows: boolean;
  /** Whether the settings have columns of different kinds. Absent: they do not. */
  hasTableColumns?: true;
  /** How the answer will look; null: the options show it. */
  sketch: ((settings: QuestionSettings) => AnswerSketch) | null;
  comparison: ComparisonRules;
  filter: FilterRules;
  results: ResultRules;
  /** Its 0/1 columns are combined in a set, whose code is that of the question. */
  isSet: boolean;
}
