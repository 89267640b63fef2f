import { formatFigure, formatNumber } from '../charts/figure-texts.ts';
import type { MethodSection, DeckRow } from './deck.ts';

/** Statistics of a weight over the counted responses. */
export interface WeightFacts {
  label: string;
  /** Number of responses with a weight. */
  responses: number;
  /** (Σw)² / Σw² */
  effective: number;
  /** null: no response has a weight. */
  range: { min: number; max: number } | null;
  /** The margins of a rim weight; empty for other weights. */
  margins: WeightMargin[];
  /** Whether the weight is recalculated when the data change. */
  isRecalculated: boolean;
}

interface WeightMargin {
  label: string;
  /** Percentages; null without a target, or without respondents. */
  categories: { label: string; target: number | null; unweighted: number | null; weighted: number | null }[];
}

export function weightingSection({
  label,
  responses,
  effective,
  range,
  margins,
  isRecalculated: isRecalculated,
}: WeightFacts): MethodSection {
  const facts: [string, string][] = [
    ['Responses with a weight', formatNumber(responses, 0)],
    ...(range === null
      ? []
      : ([
          ['Effective base', formatNumber(effective, 0)],
          ['Weighting efficiency', formatFigure((100 * effective) / responses, 'percent')],
          ['Weights', `from ${formatNumber(range.min, 2)} to ${formatNumber(range.max, 2)}`],
        ] as [string, string][])),
  ];
  return {
    heading: `Weighting: ${label}`,
    facts,
    paragraphs: [
      ...(margins.length > 0 ? ['Rim weighting: the sample was weighted to the targets below.'] : []),
      ...(isRecalculated ? ['The weights are recalculated when the data change.'] : []),
    ],
    table:
      margins.length === 0
        ? null
        : {
            corner: '',
            columns: ['Target', 'Unweighted', 'Weighted'].map((name) => ({ label: name, letter: null })),
            rows: margins.flatMap(({ label: name, categories }): DeckRow[] => [
              { label: name, kind: 'heading', cells: [] },
              ...categories.map(({ label: category, target, unweighted, weighted }): DeckRow => ({
                label: category,
                kind: 'category',
                cells: [target, unweighted, weighted].map((percent) => ({
                  text: percent === null ? '' : formatFigure(percent, 'percent', 1),
                  letters: '',
                })),
              })),
            ]),
            source: [],
          },
  };
}
