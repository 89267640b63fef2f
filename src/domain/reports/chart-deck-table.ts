import type { ChartBase, ChartFigures } from '../charts/chart-data.ts';
import { isCounting } from '../charts/chart-config.ts';
import { figureTypeOf } from '../charts/registry.ts';
import { categoryLetters, formatNumber, hasCategoryBases, isWeightedBase } from '../charts/figure-texts.ts';
import type { DeckRow, DeckTable } from './deck.ts';

/** Shown instead of a hidden figure. */
const HIDDEN_FIGURE = '–';

/** Returns the figures of a chart as a table with bases, for table charts and charts that cannot be drawn. */
export function chartDeckTable(
  figures: ChartFigures,
  { decimals, source = [] }: { decimals?: number | undefined; source?: string[] } = {},
): DeckTable {
  const { categories, dimension, series, aggregation } = figures;
  const columns = figureTypeOf(figures).columns(figures, decimals);
  const letters = categoryLetters(figures);
  const baseRow = (label: string, sizeOf: (base: ChartBase) => number): DeckRow => ({
    label,
    kind: 'base',
    cells: columns.map(({ base }) => ({
      text: base === null ? HIDDEN_FIGURE : formatNumber(sizeOf(base), 0),
      letters: '',
    })),
  });
  const hasBase = !hasCategoryBases(figures) && (series.length > 1 || isCounting(aggregation.function));
  const isWeighted = columns.some(({ base }) => base !== null && isWeightedBase(base));
  return {
    corner: dimension.label,
    columns: columns.map(({ name, letter }) => ({ label: name, letter })),
    rows: [
      ...(hasBase ? [baseRow('Base (n)', ({ unweighted }) => unweighted)] : []),
      ...(hasBase && isWeighted ? [baseRow('Effective base', ({ effective }) => effective)] : []),
      ...categories.map(({ label, is_net: isNet }, index): DeckRow => {
        const letter = letters[index] ?? null;
        return {
          label: letter === null ? label : `${label} (${letter})`,
          kind: isNet === true ? 'net' : 'category',
          cells: columns.map((column) => ({
            text: column.text(index) ?? HIDDEN_FIGURE,
            letters: column.letters(index).join(''),
          })),
        };
      }),
    ],
    source,
  };
}
