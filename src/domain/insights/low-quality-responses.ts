import type { RowCheck } from '../quality/row-checks.ts';
import { type Finding, MAX_LISTED } from './finding.ts';
import { formatCount, formatPercent, roundTo, roundSignificant, pluralize } from './format-finding.ts';

const CHECKS = {
  speeder: {
    kind: 'speeders',
    headline: 'Responses completed too fast',
    predicate: 'answered too fast',
  },
  straightliner: {
    kind: 'straightliners',
    headline: 'The same answer throughout a list of statements',
    predicate: 'gave the same answer to too many statements in a list',
  },
} as const;
const ROWS_BETWEEN_PAUSES = 5_000;

/** Reports responses flagged by a quality check with the survey's settings. Yields regularly. null: none. */
export function* lowQualityResponses(
  check: RowCheck,
  mask: Uint8Array,
  responseIds: Float64Array,
): Generator<void, Finding | null> {
  if (check.check !== 'speeder' && check.check !== 'straightliner') return null;
  let [checked, flagged] = [0, 0];
  const ids: number[] = [];
  for (let row = 0; row < mask.length; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
    if (mask[row] === 0) continue;
    const flags = check.evaluate(row, {});
    if (flags === null) continue;
    checked += 1;
    if (flags.length === 0) continue;
    flagged += 1;
    if (ids.length < MAX_LISTED) ids.push(responseIds[row]!);
  }
  if (flagged === 0) return null;
  const { kind, headline, predicate } = CHECKS[check.check];
  const seconds = check.thresholds['duration_seconds'] ?? null;
  const line = seconds === null ? '' : `, in less than ${roundTo(seconds)} seconds`;
  return {
    id: kind,
    kind,
    headline,
    statement: `${pluralize(flagged, 'response')} of ${formatCount(checked)} (${formatPercent(flagged / checked)}) ${predicate}${line}.`,
    figures: {
      responses: flagged,
      of: checked,
      percent: roundTo((100 * flagged) / checked),
      ...(check.check === 'speeder'
        ? { threshold_seconds: seconds === null ? null : roundTo(seconds, 1) }
        : { identical_share: check.thresholds['max_identical_share'] ?? null }),
    },
    evidence: {
      questionIds: [],
      responseIds: ids,
      responseCount: flagged,
      base: checked,
      pValue: null,
      qValue: null,
      effect: { measure: 'share', value: roundSignificant(flagged / checked) },
    },
  };
}
