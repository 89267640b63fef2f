/** A number with its unit and additional text for the table. */
export interface Amount {
  value: number;
  unit: string;
  note?: string;
}

/** A measured figure: a ratio within one run, because absolute times depend on the machine. */
export interface Figure {
  what: string;
  ours: Amount | string;
  /** The limit, or the value of the alternative. */
  yardstick: Amount | string;
  /** The baseline; omitted if `what` names it. */
  against?: string;
  ratio: number;
  /** The target of the project; null: none. */
  target: Target | null;
  /** Why the target cannot be reached on this machine. */
  because?: string;
  /** What the number counts, for the list of a document: `responses per second, …`; omitted: it is not in the list. */
  inList?: string;
}

export type Target = { atLeast: number } | { atMost: number };

export const amount = (value: number, unit: string, note?: string): Amount => ({
  value,
  unit,
  ...(note === undefined ? {} : { note }),
});

/** A figure that must stay below a limit; the ratio is to that limit. */
export function withinLimit(what: string, ours: Amount, limit: number): Figure {
  return {
    what,
    ours,
    yardstick: amount(limit, ours.unit),
    against: 'the limit',
    ratio: ours.value / limit,
    target: { atMost: 1 },
  };
}

/** null: no target. */
function isMet({ ratio, target }: Pick<Figure, 'ratio' | 'target'>): boolean | null {
  if (target === null) return null;
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
}

export function short(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  if (value >= 10) return value.toFixed(1);
  return value >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);
}

export function formatAmount(amount: Amount | string): string {
  if (typeof amount === 'string') return amount;
  const { value, unit, note } = amount;
  const number = `${short(value)}${unit.startsWith('/') ? '' : ' '}${unit}`;
  return note === undefined ? number : `${number} (${note})`;
}

export function formatTarget(target: Target | null): string {
  if (target === null) return '';
  return 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
}

/** Information only: a timing never fails. */
export function formatVerdict(figure: Figure): string {
  const met = isMet(figure);
  if (met === null) return '';
  if (met) return 'yes';
  return figure.because === undefined ? 'no' : `no: ${figure.because}`;
}

/** Prints a figure during a run. */
export function printFigure(figure: Figure): void {
  const { what, ours, yardstick, against, ratio, target } = figure;
  const met = target === null ? 'no target' : `target ${formatTarget(target)}: ${formatVerdict(figure)}`;
  console.log(
    `${what}\n    ours ${formatAmount(ours)} | ${against ?? 'yardstick'} ${formatAmount(yardstick)} | ratio ${short(ratio)} (${met})`,
  );
}
