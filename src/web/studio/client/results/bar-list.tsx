import { formatCount, formatPercent } from './describe-figures.ts';

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

interface Share {
  label: string;
  count: number;
  percent: number | null;
}

export const shareBars = (shares: readonly Share[]): Bar[] =>
  shares.map(({ label, count, percent }) => ({
    label,
    length: percent,
    values: [formatPercent(percent), formatCount(count)],
  }));

/** Vertical columns for ordered values. The highest has the full height. */
export function ColumnChart({ shares, label }: { shares: readonly Share[]; label: string }) {
  const highest = Math.max(1, ...shares.map(({ count }) => count));
  return (
    <ul class="result-columns" aria-label={label}>
      {shares.map(({ label: name, count, percent }, index) => (
        <li key={index}>
          <span class="result-column-value">
            <span class={count === 0 ? 'visually-hidden' : ''}>{formatPercent(percent)}</span>
            <span class="visually-hidden"> ({formatCount(count)})</span>
          </span>
          <span class="result-column" aria-hidden="true">
            <i style={{ blockSize: `${(100 * count) / highest}%` }} />
          </span>
          <span class="result-column-label">{name}</span>
        </li>
      ))}
    </ul>
  );
}

/** Tint of the accent for a position on a scale, from weak to strong. Text of the page's color is readable on each. */
const tintOf = (index: number, count: number): string =>
  `${Math.round(8 + (count === 1 ? 1 : index / (count - 1)) * 37)}%`;

/** Narrower parts have no room for their value. */
const MIN_LABELED_PERCENT = 9;

/** One bar of parts that add up to a whole. */
export function StackedBar({ parts }: { parts: readonly Share[] }) {
  return (
    <ul class="result-stack">
      {parts.map(({ label, percent }, index) => (
        <li
          key={index}
          style={{ flexGrow: percent ?? 0, '--tint-strength': tintOf(index, parts.length) }}
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
export function StackLegend({ labels }: { labels: readonly string[] }) {
  return (
    <p class="result-legend" aria-hidden="true">
      {labels.map((label, index) => (
        <span key={index}>
          <i style={{ '--tint-strength': tintOf(index, labels.length) }} />
          {label}
        </span>
      ))}
    </p>
  );
}
