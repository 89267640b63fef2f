import type { AggregationName } from '../../../domain/charts/chart-types.ts';
import { formatFigure, isPercentage } from '../../../domain/charts/format-figure.ts';

/** A text that a format shows as it is. */
const quoteLiteral = (text: string) => (text === '' ? '' : `"${text.replaceAll('"', '')}"`);

/**
 * How a spreadsheet shows a figure as people read it on the page: `45%`, `+12`, `4.25`. The figure itself stays whole. What differs
 * significantly stands behind it as letters.
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
