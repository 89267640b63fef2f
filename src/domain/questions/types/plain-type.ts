import type { StoredAnswer } from '../answers/codec.ts';
import type { AnyQuestion, Option } from '../question.ts';
import type {
  ComparisonRules,
  FigureRules,
  QuestionAnswers,
  QuestionTypeModule,
  SeedingRules,
  SpssRules,
} from '../question-type.ts';

/** The members of answers that name no option; choices, rows and lists replace some of them. */
export const PLAIN_ANSWERS = {
  takesAnswers: true,
  takesEmptyList: false,
  rows: () => [],
  shufflesRows: () => false,
  withoutOptions: (_question, answer) => answer,
  withOfferedOptions,
  pipedText: (_question, answer) => plainText(answer),
  pipedCode: (_question, answer) => plainText(answer),
} satisfies Partial<QuestionAnswers>;

/** Returns the question with these options only. */
function withOfferedOptions(question: AnyQuestion, offered: readonly Option[]): AnyQuestion {
  return { ...question, options: [...offered] };
}

/** Returns a text or number as text; empty for other answers. */
function plainText(answer: StoredAnswer): string {
  return typeof answer === 'string' || typeof answer === 'number' ? String(answer) : '';
}

const MAX_CHARACTER_BYTES = 4;
/** Of the text of an "other" option. */
const MAX_OTHER_CHARACTERS = 2_000;

/** Returns the most bytes that so many characters have in UTF-8. */
export const textBytes = (characters: number): number => characters * MAX_CHARACTER_BYTES;

/** Comparison of whole answers. */
export const PLAIN_COMPARISON = {
  namesOptions: false,
  parts: null,
  choicesInCell: () => [],
} satisfies Partial<ComparisonRules<AnyQuestion>>;

/** Figures of a question with one column. */
export const PLAIN_FIGURES: FigureRules<AnyQuestion> = {
  composite: null,
  base: 'answering',
  hasNetPromoterScore: false,
};

/** Synthetic answers to a question without rows or patterns. */
export const PLAIN_SEEDING = {
  seconds: () => 8,
  tendency: 0.15,
  skipProbability: (random) => 0.04 * random.next(),
  createExample: () => () => null,
} satisfies Partial<SeedingRules<AnyQuestion>>;

/** Whole numbers, and texts of "other" options. */
export const PLAIN_SPSS: SpssRules<AnyQuestion> = {
  decimals: () => 0,
  maxTextBytes: () => textBytes(MAX_OTHER_CHARACTERS),
};

/** The members of a type with one column and no options; other types replace some of them. */
export const PLAIN_TYPE = {
  showsPlaceholder: () => false,
  settingsProblems: () => [],
  options: null,
  frozenChanges: () => [],
  labelGroups: () => [],
  publishedParts: () => ({}),
  columnCount: () => 1,
  figures: PLAIN_FIGURES,
  spss: PLAIN_SPSS,
  asksWholeAmount: () => false,
  passesCheck: (values, expected) => values.every((value) => expected.includes(value)),
  importedColumn: () => -1,
} satisfies Partial<QuestionTypeModule>;

/** The maximum number of listed answers or rows. */
const MAX_LISTED = 15;

/** Lists labels for the methods section of a report. */
export function listLabels(labels: readonly string[]): string {
  const more = labels.length - MAX_LISTED;
  return more > 0 ? `${labels.slice(0, MAX_LISTED).join(', ')} and ${more} more` : labels.join(', ');
}

/** Lists the labels of the options that are not retired. */
export function listOptions({ options }: AnyQuestion): string {
  return listLabels(options.filter(({ retired }) => !retired).map(({ label }) => label));
}
