import type { AggregationName } from '../../../domain/charts/chart-config.ts';
import { formatFigure, isPercentage } from '../../../domain/charts/figure-texts.ts';

/** A literal text in a number format. */
const quoteLiteral = (text: string) => (text === '' ? '' : `"${text.replaceAll('"', '')}"`);

/**
 * The number format that shows a figure as the dashboard does: `45%`, `+12`, `4.25`. The stored value keeps full precision. Letters of
 * significantly lower columns follow the number.
 */
export function numberFormat(
  value: number,
  name: AggregationName,
  decimals: number | undefined,
  letters = '',
): string {
  const [, fraction = ''] = formatFigure(value, name, decimals).split('.');
  const decimalPlaces = fraction.replace('%', '').length;
  const digits = `#,##0${decimalPlaces === 0 ? '' : `.${'0'.repeat(decimalPlaces)}`}`;
  const marks = letters === '' ? '' : ` ${letters}`;
  if (name === 'nps') {
    const suffix = quoteLiteral(marks);
    return `+${digits}${suffix};-${digits}${suffix};${digits}${suffix}`;
  }
  return digits + quoteLiteral(`${isPercentage(name) ? '%' : ''}${marks}`);
}
