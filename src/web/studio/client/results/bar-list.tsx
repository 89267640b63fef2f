import { chooseFill, DARK_THEME, LIGHT_THEME } from '../../../../domain/charts/drawing/chart-theme.ts';
import type { Palette } from '../../../../domain/charts/drawing/palette.ts';
import { pointLabel } from '../../../../domain/charts/figures/point-label.ts';
import { formatCount, formatPercent } from './describe-figures.ts';
import type { Share } from './ordered-shares.ts';

interface Bar {
  label: string;
  /** Length of the bar, 0 to 100; null: no base. */
  length: number | null;
  /** Texts at the end of the row. */
  values: readonly string[];
}

/** Horizontal bars with labels and values. Screen readers read a list. */
export function BarList({ bars, label }: { bars: readonly Bar[]; label: string }) {
  return (
    <ul class="result-bars" aria-label={label}>
      {bars.map((bar, index) => (
        <li key={index}>
          <span class="result-bar-label">{bar.label}</span>
          <span class="result-bar-track" aria-hidden="true">
            <i style={{ inlineSize: `${Math.min(100, bar.length ?? 0)}%` }} />
          </span>
          <span class="result-bar-values">
            {bar.values.map((value, position) => (
              <span key={position}> {value}</span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

export const shareBars = (shares: readonly Share[]): Bar[] =>
  shares.map(({ label, note, count, percent }) => ({
    label: note === undefined ? label : pointLabel({ value: label, label: note }),
    length: percent,
    values: [formatPercent(percent), formatCount(count)],
  }));

/** Vertical columns for ordered values. The highest has the full height. */
export function ColumnChart({ shares, label }: { shares: readonly Share[]; label: string }) {
  const highest = Math.max(1, ...shares.map(({ count }) => count));
  const named = shares.filter(({ note }) => note !== undefined);
  return (
    <div class="result-column-chart" style={{ '--columns': shares.length }}>
      <ul class="result-columns" aria-label={label}>
        {shares.map(({ label: name, note, count, percent }, index) => (
          <li key={index}>
            <span class="result-column-value">
              <span class={count === 0 ? 'visually-hidden' : ''}>{formatPercent(percent)}</span>
              <span class={count === 0 ? 'visually-hidden' : 'soft'}> {formatCount(count)}</span>
            </span>
            <span class="result-column" aria-hidden="true">
              <i style={{ blockSize: `${(100 * count) / highest}%` }} />
            </span>
            <span class="result-column-label">
              {name}
              {note !== undefined && <span class="visually-hidden"> {note}</span>}
            </span>
          </li>
        ))}
      </ul>
      {named.length > 0 && (
        <p class="result-column-notes" aria-hidden="true">
          {named.map(({ label: name, note }) => (
            <span key={name}>
              {name} = {note}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** The color of a part by its position. */
function partStyle(index: number, count: number, palette: Palette): Record<string, string> {
  const light = chooseFill(LIGHT_THEME, { count, palette }, index);
  const dark = chooseFill(DARK_THEME, { count, palette }, index);
  return {
    backgroundColor: `var(--light, ${light.fill}) var(--dark, ${dark.fill})`,
    color: `var(--light, ${light.textOnFill}) var(--dark, ${dark.textOnFill})`,
  };
}

/** Narrower parts have no room for their value. */
const MIN_LABELED_PERCENT = 9;

/** One bar of parts that add up to a whole. */
export function StackedBar({ parts, palette }: { parts: readonly Share[]; palette: Palette }) {
  return (
    <ul class="result-stack">
      {parts.map(({ label, percent }, index) => (
        <li
          key={index}
          // Without a width there is no gap beside it either.
          class={percent === null || percent === 0 ? 'visually-hidden' : ''}
          style={{ flexGrow: percent ?? 0, ...partStyle(index, parts.length, palette) }}
          title={`${label}: ${formatPercent(percent)}`}
        >
          <span class="visually-hidden">{label}: </span>
          <span class={(percent ?? 0) < MIN_LABELED_PERCENT ? 'visually-hidden' : ''}>
            {formatPercent(percent)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Names the parts of stacked bars. Screen readers get the names with the values. */
export function StackLegend({ labels, palette }: { labels: readonly string[]; palette: Palette }) {
  return (
    <p class="result-legend" aria-hidden="true">
      {labels.map((label, index) => (
        <span key={index}>
          <i style={partStyle(index, labels.length, palette)} />
          {label}
        </span>
      ))}
    </p>
  );
}
