import type { VariableConfig } from '../charts/types/variable.ts';
import type { ChartFigures, VariableFigure } from '../charts/chart-data.ts';
import { figureTypeOf } from '../charts/registry.ts';
import { formatChange, formatFigure, formatNumber } from '../charts/figure-texts.ts';
import type { DeckNumber, DeckProblem } from './deck.ts';

type FormattedNumber = Pick<DeckNumber, 'value' | 'change' | 'sparkline'>;

const TOO_FEW_RESPONDENTS: DeckProblem = { problem: 'Hidden: too few respondents' };
const NO_ANSWERS: DeckProblem = { problem: 'No answers yet' };

/** Formats a variable figure with its change since the previous wave. */
export function formatVariableFigure(
  { variable }: Pick<VariableConfig, 'variable'>,
  { metric, value, change, waves, sparkline = [], suppressed }: VariableFigure,
): FormattedNumber {
  const { prefix = '', suffix = '', decimals = metric === 'mean' ? 2 : 0 } = variable;
  if (value === null)
    return { value: suppressed ? TOO_FEW_RESPONDENTS : NO_ANSWERS, change: null, sparkline };
  const since = waves?.previous ?? 'the previous wave';
  return {
    value: `${prefix}${formatNumber(value, decimals)}${suffix}`,
    change:
      change == null
        ? null
        : {
            direction: change > 0 ? 'up' : change < 0 ? 'down' : 'same',
            text: `${formatChange(change, decimals)}${suffix} since ${since}`,
          },
    sparkline,
  };
}

/** The one figure of a gauge or kpi. */
export function formatSingleFigure(figures: ChartFigures, decimals: number | undefined): FormattedNumber {
  const value = figures.series[0]?.values[0] ?? null;
  const text =
    value === null
      ? figures.base === null || figures.suppressed
        ? TOO_FEW_RESPONDENTS
        : { problem: figureTypeOf(figures).emptyText.title }
      : formatFigure(value, figures.aggregation.function, decimals);
  return { value: text, change: null, sparkline: [] };
}
