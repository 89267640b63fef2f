import type { Schema } from '../data/api.ts';
import type { QuestionContent } from '../question-types/question-type.ts';
import { studioTypeOf } from '../question-types/registry.ts';

export type QuestionData = Schema<'QuestionData'>;
export type Distribution = Schema<'Distribution'>;

/** How the answers to a question are shown. */
export type Figure =
  | { kind: 'choices' | 'scale' | 'nps' | 'histogram' | 'dates' | 'files'; distribution: Distribution }
  | { kind: 'texts'; columnCode: string; answered: Distribution }
  | { kind: 'matrix'; whole: Extract<Whole, { type: 'matrix' }> }
  /** The column of a side-by-side table can have numbers. */
  | { kind: 'row_numbers'; whole: Extract<Whole, { type: 'matrix' }> }
  | { kind: 'ranking'; whole: Extract<Whole, { type: 'ranking' }> }
  | { kind: 'numbers'; whole: Extract<Whole, { type: 'numbers' }> };

type Whole = NonNullable<QuestionData['whole']>;

function wholeFigure(whole: Whole, columns: QuestionData['columns']): Figure {
  switch (whole.type) {
    case 'matrix': {
      const isTyped = whole.rows[0]?.type === 'number' && columns.every(({ values }) => values.length === 0);
      return { kind: isTyped ? 'row_numbers' : 'matrix', whole };
    }
    case 'ranking':
      return { kind: 'ranking', whole };
    case 'numbers':
      return { kind: 'numbers', whole };
  }
}

function distributionFigure(data: QuestionData, distribution: Distribution): Figure {
  const points = studioTypeOf(data).results.figureOfPoints;
  if (distribution.type !== 'text' && points !== null) return { kind: points, distribution };
  switch (distribution.type) {
    case 'text':
      return { kind: 'texts', columnCode: distribution.column_code, answered: distribution };
    case 'number':
      return { kind: 'histogram', distribution };
    case 'date':
      return { kind: 'dates', distribution };
    case 'file':
      return { kind: 'files', distribution };
    default:
      return { kind: distribution.stats === null ? 'choices' : 'scale', distribution };
  }
}

/** Chooses the figures of a question by the type of its data: one, and another for each text of an option such as "Other". */
export function figuresOf(data: QuestionData): Figure[] {
  if (data.whole !== null) return [wholeFigure(data.whole, data.columns)];
  return data.distributions.map((distribution) => distributionFigure(data, distribution));
}

/** A point of a scale and how many chose it, in percent of the base. */
interface PointShare {
  /** The point. The codes of the data need not be the points. */
  value: string | null;
  percent: number | null;
}

/** Shares of an NPS question in percent of its base: 0 to 6, 7 and 8, 9 and 10. */
export function npsGroups(points: readonly PointShare[]): {
  detractors: number;
  passives: number;
  promoters: number;
} {
  const share = (low: number, high: number) =>
    points
      .filter(({ value }) => value !== null && value !== '' && Number(value) >= low && Number(value) <= high)
      .reduce((sum, { percent }) => sum + (percent ?? 0), 0);
  return { detractors: share(0, 6), passives: share(7, 8), promoters: share(9, 10) };
}

/** The Net Promoter Score, -100 to 100; null: no response has an answer. */
export function npsScore(points: readonly PointShare[]): number | null {
  if (points.every(({ percent }) => percent === null)) return null;
  const { promoters, detractors } = npsGroups(points);
  return promoters - detractors;
}

/** Height that a card reserves before its data are known, in rem, so that the page does not move when they arrive. */
export const reservedHeightRem = (
  question: Pick<QuestionContent, 'question_type' | 'question_settings'> & { options: readonly unknown[] },
  responses: number,
): number => studioTypeOf(question).results.reservedHeightRem(question, responses);
