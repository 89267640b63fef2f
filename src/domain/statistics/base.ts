import { effectiveBase } from './effective-base.ts';

/** Responses counted together. */
export interface Count {
  count: number;
  /** Σw and Σw²; without weights both are the count. */
  weight: number;
  squaredWeight: number;
}

export const NO_RESPONSES: Readonly<Count> = { count: 0, weight: 0, squaredWeight: 0 };

/** Where the responses stand towards one column; together they are all the rows that count. */
export interface Groups {
  /** Have a value that statistics use. */
  answering: Count;
  /** Chose only options flagged as missing ("don't know"). */
  optionMissing: Count;
  skipped: Count;
  notShown: Count;
}

/** Of whom a percentage is: those with a usable answer, those who saw the question, all. */
export const BASES = ['answering', 'shown', 'all'] as const;
export type Base = (typeof BASES)[number];

export function addCounts(...counts: readonly Count[]): Count {
  return counts.reduce<Count>(
    (sum, { count, weight, squaredWeight }) => ({
      count: sum.count + count,
      weight: sum.weight + weight,
      squaredWeight: sum.squaredWeight + squaredWeight,
    }),
    NO_RESPONSES,
  );
}

export function baseOf({ answering, optionMissing, skipped, notShown }: Groups, base: Base): Count {
  if (base === 'answering') return answering;
  const shown = addCounts(answering, optionMissing, skipped);
  return base === 'shown' ? shown : addCounts(shown, notShown);
}

export function effectiveCount({ weight, squaredWeight }: Count): number {
  return effectiveBase(weight, squaredWeight);
}
