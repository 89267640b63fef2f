import type { QualityFlag } from './quality-flag.ts';

export type DuplicateMetric = 'address' | 'fingerprint' | 'external_id' | 'identical_answers';

/** `earlier`: the number of earlier responses with the same value. The first of a group of duplicates is not flagged. */
export function createDuplicateFlag(metric: DuplicateMetric, earlier: number): QualityFlag | null {
  if (earlier === 0) return null;
  return {
    check: 'duplicate',
    severity: metric === 'external_id' ? 'high' : 'medium',
    metric,
    value: earlier,
    threshold: 0,
    column_codes: metric === 'external_id' ? ['external_id'] : [],
  };
}
