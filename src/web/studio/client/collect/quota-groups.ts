import { readTypedNumber } from '../data/typed-number.ts';
import type { Schema } from '../data/api.ts';
import { studioTypeOf } from '../question-types/registry.ts';
import { texts } from '../../texts.ts';

type Question = Schema<'Question'>;

const t = texts.collect;

/** A group of respondents by the answer to one question. */
interface Part {
  label: string;
  comparison: object;
}

/** A group of a quota. `condition` is one of the API. */
interface Group {
  label: string;
  condition: object;
}

/** Whether a quota divides the answers into ranges of numbers. */
export const hasRanges = (question: Question): boolean =>
  question.options.length === 0 && studioTypeOf(question).filter.whole(question)?.kind === 'number';

/** Whether groups can be formed. A matrix has rows, so its options alone are no groups. */
export const canGroup = (question: Question): boolean =>
  !('rows' in question.question_settings) && (question.options.length > 0 || hasRanges(question));

/**
 * Returns the groups of one question, or those of each pair of two. `rangesOf` returns the typed ranges of a question with numbers.
 * Throws a RangeProblem.
 */
export function groupsOf(questions: readonly Question[], rangesOf: (question: Question) => string): Group[] {
  const [first, second] = questions.map((question) => partsOf(question, rangesOf(question)));
  if (first === undefined) return [];
  return first.flatMap(({ label, comparison }): Group[] =>
    second === undefined
      ? [{ label, condition: comparison }]
      : second.map((other) => ({
          label: `${label} · ${other.label}`,
          condition: { connector: 'and', conditions: [comparison, other.comparison] },
        })),
  );
}

function partsOf(question: Question, ranges: string): Part[] {
  const left = { type: 'question', code: question.question_code };
  if (!hasRanges(question))
    return question.options.map(({ option_value: value, option_label: label }) => ({
      label,
      comparison: { left, operator: 'in', right: [value] },
    }));
  return readRanges(ranges).map(({ label, min, max }) => ({
    label,
    comparison:
      max === null ? { left, operator: 'gte', right: min } : { left, operator: 'between', right: [min, max] },
  }));
}

/** The text says what is wrong with typed ranges. */
export class RangeProblem extends Error {}

/** Both ends belong to the range; `max` null: no upper end. */
interface Range {
  label: string;
  min: number;
  max: number | null;
}

const CLOSED = /^(.*\d)\s*(?:–|-|—| to )\s*(-?\d.*)$/;
const OPEN = /^(.*\d)\s*\+$/;

/** Reads `18–29; 30–49; 50+`. Throws a RangeProblem. */
export function readRanges(text: string): Range[] {
  const ranges = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readRange);
  const sorted = [...ranges].sort((a, b) => a.min - b.min);
  for (const [index, range] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && next.min <= (range.max ?? Infinity))
      throw new RangeProblem(t.overlap(range.label, next.label));
  }
  return ranges;
}

function readRange(text: string): Range {
  const [, from = '', to] = CLOSED.exec(text) ?? OPEN.exec(text) ?? [];
  const min = readTypedNumber(from, null).value;
  const max = to === undefined ? null : readTypedNumber(to, null).value;
  if (min === null || (to !== undefined && (max === null || max < min)))
    throw new RangeProblem(t.notRanges(text));
  return { label: max === null ? `${min}+` : `${min}–${max}`, min, max };
}
