import { formatAmounts } from './describe-figures.ts';
import type { Share } from './ordered-shares.ts';

/** Widths of the axis in characters: on a phone, and in a card of a wider screen. */
const NARROW_CHARACTERS = 44;
const WIDE_CHARACTERS = 84;
/** Between two labels. */
const GAP_CHARACTERS = 2;

interface Tick {
  label: string;
  /** Percent of the axis. */
  position: number;
  /** Whether it has room on a phone. */
  fitsNarrow: boolean;
}

/** Bounds below the edges of intervals; names below the middle of the bars of periods. Leaves out labels that have no room. */
export function axisTicks(bins: readonly Share[], breaks: readonly number[] | null): Tick[] {
  // Intervals of one whole number are named by it.
  const bounds = breaks?.some((bound, index) => bins[index] && bins[index].label !== String(bound)) === true;
  const labels = bounds
    ? breaks.map((bound) => formatAmounts(String(bound)))
    : bins.map(({ label }) => label);
  const longest = Math.max(...labels.map(({ length }) => length)) + GAP_CHARACTERS;
  const step = (characters: number) => Math.max(1, Math.ceil((longest * bins.length) / characters));
  const [narrow, wide] = [step(NARROW_CHARACTERS), step(WIDE_CHARACTERS)];
  return labels.flatMap((label, index) => {
    const position = (100 * (bounds ? index : index + 0.5)) / bins.length;
    const fitsNarrow = index % narrow === 0;
    return fitsNarrow || index % wide === 0 ? [{ label, position, fitsNarrow }] : [];
  });
}
