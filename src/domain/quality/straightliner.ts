import type { StoredAnswers } from '../answers/codec.ts';
import type { QualitySettings } from '../survey/quality-settings.ts';
import type { Battery } from './batteries.ts';
import type { QualityFlag } from './quality-flag.ts';
import { straightlining } from './straightlining.ts';

/** A flag for each battery of which at least `min_rows` were answered and too many of them alike. */
export function straightlinerFlags(
  answers: Readonly<StoredAnswers>,
  batteries: readonly Battery[],
  settings: QualitySettings['straightliner'],
): QualityFlag[] {
  if (!settings.enabled) return [];
  return batteries.flatMap((battery): QualityFlag[] => {
    const measured = straightlining(battery.codesOf(answers));
    const conspicuous =
      measured.answered >= settings.min_rows && measured.identicalShare >= settings.max_identical_share;
    if (!conspicuous) return [];
    return [
      {
        check: 'straightliner',
        severity: measured.identicalShare === 1 ? 'high' : 'medium',
        metric: 'identical_share',
        value: measured.identicalShare,
        threshold: settings.max_identical_share,
        column_codes: battery.columnCodes,
        measures: {
          answered: measured.answered,
          longest_string: measured.longestString,
          identical_share: measured.identicalShare,
          standard_deviation: measured.standardDeviation,
        },
      },
    ];
  });
}
