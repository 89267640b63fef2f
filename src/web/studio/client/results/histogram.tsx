import { useState } from 'preact/hooks';
import { texts } from '../../texts.ts';
import { formatCount, formatPercent } from './describe-figures.ts';
import { axisTicks } from './axis-ticks.ts';
import type { Share } from './ordered-shares.ts';

const t = texts.results;

const describeBin = ({ label, count, percent }: Share): string =>
  `${label}: ${formatPercent(percent)} (${formatCount(count)})`;

/** The bin after a key was pressed; null: the key does not move. */
function moveTo(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, current + 1);
    case 'ArrowLeft':
      return Math.max(0, current - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Adjacent columns of intervals or periods. The values of one bin appear at the pointer or with the arrow keys. Screen readers read a table. */
export function Histogram({
  bins,
  breaks,
  label,
}: {
  bins: readonly Share[];
  /** Bounds of intervals; null: the bins are periods. */
  breaks: readonly number[] | null;
  label: string;
}) {
  const [active, setActive] = useState<number | null>(null);
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const shown = active === null ? undefined : bins[active];
  return (
    <div class="result-histogram">
      <div
        class="result-bins"
        role="img"
        tabIndex={0}
        aria-label={t.histogram(label)}
        onFocus={() => setActive((current) => current ?? 0)}
        onBlur={() => setActive(null)}
        onPointerLeave={() => setActive(null)}
        onKeyDown={(event) => {
          const next = moveTo(event.key, active ?? 0, bins.length);
          if (next === null) return;
          event.preventDefault();
          setActive(next);
        }}
      >
        {bins.map(({ count, percent }, index) => (
          <span
            key={index}
            class={index === active ? 'result-bin active' : 'result-bin'}
            onPointerEnter={() => setActive(index)}
          >
            <span>{count === 0 ? '' : formatPercent(percent)}</span>
            <i style={{ blockSize: `${(100 * count) / highest}%` }} />
          </span>
        ))}
        {shown !== undefined && active !== null && (
          <span
            class="result-bin-values"
            style={{ '--position': `${(100 * (active + 0.5)) / bins.length}%` }}
          >
            {describeBin(shown)}
          </span>
        )}
      </div>
      <div class="result-axis" aria-hidden="true">
        {axisTicks(bins, breaks).map(({ label: tick, position, fitsNarrow }) => (
          <span
            key={position}
            class={fitsNarrow ? '' : 'wide-only'}
            style={{ insetInlineStart: `${position}%` }}
          >
            {tick}
          </span>
        ))}
      </div>
      <div class="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t.group}</th>
              <th scope="col">{t.share}</th>
              <th scope="col">{t.count}</th>
            </tr>
          </thead>
          <tbody>
            {bins.map((bin) => (
              <tr key={bin.label}>
                <th scope="row">{bin.label}</th>
                <td>{formatPercent(bin.percent)}</td>
                <td>{formatCount(bin.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
