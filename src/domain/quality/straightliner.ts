import type { StoredAnswers } from '../answers/codec.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import type { Battery } from './batteries.ts';
import type { QualityFlag } from './quality-flag.ts';
import { type Straightlining, measureStraightlining } from './straightlining.ts';

/** Flags each battery with at least `min_rows` answers of which too many are identical. */
export function findStraightlinerFlags(
  answers: Readonly<StoredAnswers>,
  batteries: readonly Battery[],
  settings: QualitySettings['straightliner'],
): QualityFlag[] {
  if (!settings.enabled) return [];
  return batteries.flatMap(
    (battery) =>
      findStraightlinerFlag(measureStraightlining(battery.codesOf(answers)), battery.columnCodes, settings) ??
      [],
  );
}

/** Returns null if the battery is not suspicious or has too few answers. */
export function findStraightlinerFlag(
  measured: Straightlining,
  columnCodes: string[],
  settings: QualitySettings['straightliner'],
): QualityFlag | null {
  const { answered, identicalShare } = measured;
  if (answered < settings.min_rows || identicalShare < settings.max_identical_share) return null;
  return {
    check: 'straightliner',
    severity: identicalShare === 1 ? 'high' : 'medium',
    metric: 'identical_share',
    value: identicalShare,
    threshold: settings.max_identical_share,
    column_codes: columnCodes,
    measures: {
      answered,
      longest_string: measured.longestString,
      identical_share: identicalShare,
      standard_deviation: measured.standardDeviation,
    },
  };
}
