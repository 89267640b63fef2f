import type { ColumnSpec } from '../dataset/columns/column-spec.ts';

/**
 * Whether the level of measurement allows means, standard deviations and quantiles. Ordinal and scale columns use their option codes or
 * numbers; the mean of a 0/1 column is a share.
 */
export function allowsMeans({ type, measure }: Pick<ColumnSpec, 'type' | 'measure'>): boolean {
  if (type === 'binary') return true;
  return (type === 'categorical' || type === 'number' || type === 'rank') && measure !== 'nominal';
}
