import type { QuestionWithType } from '../survey/definition.ts';
import { isHttpUrl } from '../survey/settings/http-url.ts';
import { compilePattern, MAX_PATTERN_TEXT, type CompiledPattern } from '../survey/questions/safe-pattern.ts';
import type { AnswerCodec, ReadResult } from './codec.ts';
import { questionColumn } from './question-columns.ts';
import { mustBe, sizeAtLeast } from '../../lib/error-messages.ts';
import { quote } from '../../lib/quote.ts';
import { accept, editSingleCell, isNoAnswer, NO_ANSWER, reject, type Strictness } from './read-result.ts';
import { countCharacters, readTypedText } from './typed-text.ts';

type TextQuestion = QuestionWithType<'text'>;

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

function patternOf(settings: TextQuestion['settings'], source: string): CompiledPattern {
  const known = compiled.get(settings);
  if (known?.source === source) return known.result;
  const result = compilePattern(source);
  compiled.set(settings, { source, result });
  return result;
}

/** Returns why the text does not match the question's format, or null. */
function formatProblem(settings: TextQuestion['settings'], text: string): string | null {
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
  if (!typed.ok) return reject(typed.message);
  if (typed.text === null) return NO_ANSWER;
  // Phone keyboards add a space after a completed word; in formatted input it is not intended.
  const text = settings.format === 'none' ? typed.text : typed.text.trim();
  const least = strictness !== 'answer' ? 0 : (settings.min_length ?? 0);
  if (countCharacters(text) < least) {
    return reject(sizeAtLeast(least, 'character', countCharacters(text)));
  }
  const problem = strictness === 'draft' ? null : formatProblem(settings, text);
  return problem === null ? accept(text) : reject(problem);
}

/** Codec for a text, stored as typed. */
export const textCodec: AnswerCodec<TextQuestion> = {
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  columns: (question) => [questionColumn(question, { type: 'text', measure: 'nominal' })],
  toCells: (_question, answer) => [typeof answer === 'string' ? answer : null],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) => read(question, cell, 'edit')),
};
