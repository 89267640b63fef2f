import { z } from 'zod';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { mustBe, quote, requiredField, sizeAtLeast } from '../../../lib/error-messages.ts';
import { type CellCodec, questionColumn, type ReadResult } from '../answers/codec.ts';
import {
  acceptAnswer,
  countCharacters,
  editSingleCell,
  isNoAnswer,
  NO_ANSWER,
  readTypedText,
  rejectAnswer,
  type Strictness,
} from '../answers/read-answer.ts';
import { type QuestionProfile, sampleTexts, type SyntheticRespondent } from '../generate-answers.ts';
import type { SeededRandom } from '../../../lib/seeded-random.ts';
import { type CompiledPattern, compilePattern } from '../safe-pattern.ts';
import { isHttpUrl } from '../../../lib/urls.ts';
import {
  commonSettings,
  defineSettings,
  optionalMinimum,
  withOrderedBounds,
  textSetting,
} from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import {
  PLAIN_ANSWERS,
  PLAIN_COMPARISON,
  PLAIN_SEEDING,
  PLAIN_SPSS,
  PLAIN_TYPE,
  textBytes,
} from './plain-type.ts';
import { isSatisfiableByText } from './possible-operands.ts';

/** Maximum length of a text to match, which limits the time for one answer to a few milliseconds. */
const MAX_PATTERN_TEXT = 2_000;

/** Maximum length of an answer. */
export const MAX_TEXT_CHARACTERS = 1_000_000;

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...commonSettings,
      multiline: z.boolean().default(false),
      min_length: optionalMinimum(20_000),
      max_length: z.int().min(1).max(MAX_TEXT_CHARACTERS).default(2_000),
      format: z.enum(['none', 'email', 'url', 'phone', 'regex']).default('none'),
      pattern: textSetting(200)
        .nullable()
        .default(null)
        .describe('Regular expression for the format `regex`'),
    }),
    'min_length',
    'max_length',
  ),
);

type TextSettings = z.infer<typeof settings>;
type TextQuestion = TypedQuestion<'text', TextSettings>;

/** Checks RFC 5321 lengths and the characters in practical use. Whether the mailbox exists is not checked. */
function isEmail(text: string): boolean {
  if (text.length > 254 || /[\s"(),:;<>[\]\\]/.test(text)) return false;
  const [local, domain, ...more] = text.split('@');
  if (!local || !domain || more.length > 0 || local.length > 64) return false;
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false;
  const labels = domain.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label))
  );
}

/** International or national, with the usual separators: 5 to 15 digits (E.164). */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return digits >= 5 && digits <= 15 && /^\+?[\d ()./-]+$/.test(text);
}

/** Compiled patterns by settings object; recompiled if the pattern changes in place. */
const compiled = new WeakMap<object, { source: string; result: CompiledPattern }>();

function patternOf(settings: TextSettings, source: string): CompiledPattern {
  const known = compiled.get(settings);
  if (known?.source === source) return known.result;
  const result = compilePattern(source);
  compiled.set(settings, { source, result });
  return result;
}

/** Returns why the text does not match the question's format, or null. */
function formatProblem(settings: TextSettings, text: string): string | null {
  switch (settings.format) {
    case 'none':
      return null;
    case 'email':
      return isEmail(text) ? null : mustBe('an email address such as name@example.org', text);
    case 'url':
      return isHttpUrl(text) ? null : mustBe('a web address such as https://example.org', text);
    case 'phone':
      return isPhone(text) ? null : mustBe('a telephone number such as +49 30 123456', text);
    case 'regex': {
      if (settings.pattern === null) return null;
      const compiledPattern = patternOf(settings, settings.pattern);
      if (!compiledPattern.ok) return `the question's pattern ${compiledPattern.message}`;
      if (countCharacters(text) > MAX_PATTERN_TEXT) return `must have at most ${MAX_PATTERN_TEXT} characters`;
      return compiledPattern.pattern.matches(text)
        ? null
        : `${quote(text)} does not match the pattern ${settings.pattern}`;
    }
  }
}

function read(question: TextQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  const { settings } = question;
  const typed = readTypedText(input, settings.max_length);
  if (!typed.ok) return rejectAnswer(typed.message);
  if (typed.text === null) return NO_ANSWER;
  // Phone keyboards add a space after a completed word; in formatted input it is not intended.
  const text = settings.format === 'none' ? typed.text : typed.text.trim();
  const least = strictness !== 'answer' ? 0 : (settings.min_length ?? 0);
  if (countCharacters(text) < least) {
    return rejectAnswer(sizeAtLeast(least, 'character', countCharacters(text)));
  }
  const problem = strictness === 'draft' ? null : formatProblem(settings, text);
  return problem === null ? acceptAnswer(text) : rejectAnswer(problem);
}

/** A text, stored as entered. */
export const textAnswers: QuestionAnswers<TextQuestion> = {
  ...PLAIN_ANSWERS,
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  operand: (_question, answer) => ({ kind: 'text', text: answer as string }),
};

const textCells: CellCodec<TextQuestion> = {
  columns: (question) => [questionColumn(question, { type: 'text', measure: 'nominal' })],
  toCells: (_question, answer) => [typeof answer === 'string' ? answer : null],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) => read(question, cell, 'edit')),
};

export const textType: QuestionTypeModule<TextQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: textAnswers,
  cells: textCells,
  settings,
  showsPlaceholder: () => true,
  settingsProblems({ format, pattern, max_length: maxLength }) {
    const problems: ErrorDetail[] = [];
    if (pattern === null) {
      if (format === 'regex')
        problems.push({ field: 'pattern', message: requiredField('with format regex') });
      return problems;
    }
    const compiled = compilePattern(pattern);
    if (!compiled.ok) problems.push({ field: 'pattern', message: compiled.message });
    if (format === 'regex' && maxLength > MAX_PATTERN_TEXT) {
      const message = `must be at most ${MAX_PATTERN_TEXT} with a pattern, not ${maxLength}`;
      problems.push({ field: 'max_length', message });
    }
    return problems;
  },
  comparison: {
    ...PLAIN_COMPARISON,
    isSatisfiable: (_question, comparisons) => isSatisfiableByText(comparisons),
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer: ({ question, profile, respondent }) => generateText(question, profile, respondent),
    seconds: ({ settings }) => (settings.multiline ? 35 : 15),
    skipProbability: (random) => 0.2 + 0.3 * random.next(),
    createExample({ settings: { format, pattern } }) {
      if (format !== 'regex') return () => null;
      const compiled = compilePattern(pattern ?? '');
      return compiled.ok ? (random) => compiled.pattern.example(random) : () => null;
    },
  },
  spss: { ...PLAIN_SPSS, maxTextBytes: ({ settings }) => textBytes(settings.max_length) },
  describeAnswers: () => 'open text',
  openText: {
    isFree: ({ settings }) => settings.format === 'none',
    maxCharacters: ({ settings }) => settings.max_length,
  },
  passesCheck([typed], expected) {
    return typed !== undefined && expected.some((value) => foldText(value) === foldText(typed));
  },
  answerFormat: 'a string',
  example: {
    page_id: 2,
    question_code: 'Q7',
    question_text: 'What would make the coffee better?',
    question_settings: { multiline: true, max_length: 1000 },
  },
};

const foldText = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Shorter limits do not fit a sentence. */
const MIN_SENTENCE_CHARACTERS = 40;
const FIRST_NAMES = ['anna', 'ben', 'chidi', 'dara', 'elif', 'farid', 'grace', 'hugo', 'ines', 'jun'];
const LAST_NAMES = ['adams', 'bauer', 'costa', 'dubois', 'evans', 'garcia', 'kim', 'novak', 'okoye', 'silva'];

/** Generates a text in the question's format. Addresses use example.org, phone numbers the US range reserved for fiction. */
function generateText(
  { settings }: TextQuestion,
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): string | null {
  const { random } = respondent;
  switch (settings.format) {
    case 'email':
      return `${generateName(random)}${random.integer(1_000)}@example.org`;
    case 'url':
      return `https://example.org/${generateName(random)}`;
    case 'phone':
      return `+1 202 555 01${String(random.integer(100)).padStart(2, '0')}`;
    case 'regex':
      return settings.pattern === null ? generateOpinion(settings, respondent) : profile.example(random.next);
    case 'none':
      return generateOpinion(settings, respondent);
  }
}

const generateName = (chance: SeededRandom): string =>
  `${chance.pick(FIRST_NAMES)}.${chance.pick(LAST_NAMES)}`;

/** Generates an opinion matching the respondent's attitude, within the length limits. */
function generateOpinion(
  settings: TextSettings,
  { random, attitude, language }: SyntheticRespondent,
): string {
  const { min_length: least, max_length: most, multiline } = settings;
  const { words, negative, neutral, positive } = sampleTexts(language);
  if (most < MIN_SENTENCE_CHARACTERS)
    return fitLength([random.pick(words)], () => random.pick(words), { least, most });
  const mood = attitude + 0.7 * random.normal();
  const tone = mood < -0.6 ? negative : mood > 0.3 ? positive : neutral;
  const any = [...negative, ...neutral, ...positive];
  const sentences = multiline
    ? random.shuffleWeighted(tone, () => 1).slice(0, 1 + random.integer(3))
    : [random.pick(tone)];
  return fitLength(sentences, () => random.pick(any), { least, most });
}

function fitLength(
  parts: string[],
  more: () => string,
  { least, most }: { least: number | null; most: number },
): string {
  const text = [...parts];
  while (countCharacters(text.join(' ')) < (least ?? 0)) text.push(more());
  while (text.length > 1 && countCharacters(text.join(' ')) > most) text.pop();
  const joined = text.join(' ');
  return countCharacters(joined) < (least ?? 0)
    ? // Little room between minimum and maximum: pads and cuts.
      [...`${joined} ${more().repeat(most)}`]
        .slice(0, most)
        .join('')
        .trim()
        .padEnd(least ?? 0, '.')
    : [...joined].slice(0, most).join('').trim();
}
