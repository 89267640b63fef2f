import { flagIdentity, type QualityCheck, type QualityFlag } from './quality-flag.ts';
import type { RowCheck } from './row-checks.ts';

export interface CheckSummary {
  check: QualityCheck;
  /** Responses with data for the check. */
  checked: number;
  /** Responses flagged by this check. */
  flagged: number;
  /** flagged / checked, 0 to 1; null if no response could be checked. */
  share: number | null;
  thresholds: Record<string, number | null>;
  /** Flags by metric and columns. */
  metrics: { metric: string; column_codes: string[]; flagged: number }[];
}

/** Runs several checks on rows and counts the flags. */
export class QualityTally {
  checked = 0;
  flagged = 0;
  private readonly counts: { of: RowCheck; checked: number; flagged: number }[];
  private readonly metrics = new Map<string, { flag: QualityFlag; flagged: number }>();

  constructor(checks: readonly RowCheck[]) {
    this.counts = checks.map((of) => ({ of, checked: 0, flagged: 0 }));
  }

  /** The flags of a row from all checks. */
  evaluate(row: number, answers: Parameters<RowCheck['evaluate']>[1]): QualityFlag[] {
    const found: QualityFlag[] = [];
    for (const count of this.counts) {
      const flags = count.of.evaluate(row, answers);
      if (flags === null) continue;
      count.checked++;
      if (flags.length === 0) continue;
      count.flagged++;
      for (const flag of flags) this.note(flag);
      found.push(...flags);
    }
    this.checked++;
    if (found.length > 0) this.flagged++;
    return found;
  }

  summarize(): CheckSummary[] {
    const metrics = [...this.metrics.values()];
    return this.counts.map(({ of: { check, thresholds }, checked, flagged }) => ({
      check,
      checked,
      flagged,
      share: checked === 0 ? null : flagged / checked,
      thresholds,
      metrics: metrics
        .filter(({ flag }) => flag.check === check)
        .map(({ flag, flagged: count }) => {
          return { metric: flag.metric, column_codes: flag.column_codes, flagged: count };
        }),
    }));
  }

  private note(flag: QualityFlag): void {
    // The identical answers differ by respondent, so they are counted in one line.
    const counted = flag.metric === 'identical_answers' ? { ...flag, column_codes: [] } : flag;
    const identity = flagIdentity(counted);
    const existing = this.metrics.get(identity);
    if (existing === undefined) this.metrics.set(identity, { flag: counted, flagged: 1 });
    else existing.flagged++;
  }
}
