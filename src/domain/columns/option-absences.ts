/** Published versions that asked a question without one of its options: `from` to `to`, null: still without it. */
export interface VersionRange {
  from: number;
  to: number | null;
}

export interface OptionAbsence extends VersionRange {
  questionId: number;
  optionCode: number;
}

export const isAbsent = (ranges: readonly VersionRange[], version: number): boolean =>
  ranges.some(({ from, to }) => version >= from && (to === null || version <= to));
