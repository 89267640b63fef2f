import { qualityStatus, type ReviewState, reviewState } from './flag-review.ts';
import { QUALITY_CHECKS, type QualityCheck, type ResponseQuality } from './quality-flag.ts';

export type StateCounts = Record<ReviewState, number>;

const none = (): StateCounts => ({ pending: 0, confirmed: 0, dismissed: 0 });

/** How many flags there are and what became of them. */
export class ReviewCounts {
  /** Responses with flags. */
  flagged = 0;
  /** Those responses by their status. */
  readonly responses = none();
  /** Flags by check; in the order of QUALITY_CHECKS. */
  readonly checks = new Map<QualityCheck, { responses: number; flags: StateCounts }>(
    QUALITY_CHECKS.map((check) => [check, { responses: 0, flags: none() }]),
  );

  add(quality: ResponseQuality): void {
    const status = qualityStatus(quality);
    if (status === null) return;
    this.flagged++;
    this.responses[status]++;
    const seen = new Set<QualityCheck>();
    for (const flag of quality.flags) {
      const counts = this.checks.get(flag.check);
      if (counts === undefined) continue;
      counts.flags[reviewState(flag)]++;
      if (!seen.has(flag.check)) counts.responses++;
      seen.add(flag.check);
    }
  }
}
