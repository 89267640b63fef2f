import { qualityStatus, type ReviewState, reviewState } from './flag-review.ts';
import { FLAG_SOURCES, type FlagSource, type ResponseQuality } from './quality-flag.ts';

type StateCounts = Record<ReviewState, number>;

const zeroCounts = (): StateCounts => ({ pending: 0, confirmed: 0, dismissed: 0 });

/** Counts flags by review state. */
export class ReviewCounts {
  /** Responses with flags. */
  flagged = 0;
  /** Responses with flags, by status. */
  readonly responses = zeroCounts();
  /** Flags by check, in the order of FLAG_SOURCES. */
  readonly checks = new Map<FlagSource, { responses: number; flags: StateCounts }>(
    FLAG_SOURCES.map((check) => [check, { responses: 0, flags: zeroCounts() }]),
  );

  add(quality: ResponseQuality): void {
    const status = qualityStatus(quality);
    if (status === null) return;
    this.flagged++;
    this.responses[status]++;
    const seen = new Set<FlagSource>();
    for (const flag of quality.flags) {
      const counts = this.checks.get(flag.check);
      if (counts === undefined) continue;
      counts.flags[reviewState(flag)]++;
      if (!seen.has(flag.check)) counts.responses++;
      seen.add(flag.check);
    }
  }
}
