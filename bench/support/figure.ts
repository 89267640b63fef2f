/** One measured figure: a ratio within one run, which says more than times of this or that machine. */
export interface Figure {
  what: string;
  ours: string;
  yardstick: string;
  ratio: number;
  /** What the project wants; null: for the record. */
  target: { atLeast: number } | { atMost: number } | null;
}

/** For the eye only: a timing never fails. */
export function printFigure({ what, ours, yardstick, ratio, target }: Figure): void {
  const wanted =
    target === null
      ? 'for the record'
      : 'atLeast' in target
        ? `target ${target.atLeast} or more: ${ratio >= target.atLeast ? 'met' : 'MISSED'}`
        : `target ${target.atMost} or less: ${ratio <= target.atMost ? 'met' : 'MISSED'}`;
  console.log(`${what}\n    ours ${ours} | yardstick ${yardstick} | ratio ${short(ratio)} (${wanted})`);
}

export const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
