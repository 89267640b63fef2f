import { flagIdentity } from './flag-review.ts';
import type { QualityCheck, QualityFlag } from './quality-flag.ts';
import type { RowCheck } from './row-checks.ts';

export interface CheckSummary {
  check: QualityCheck;
  /** Responses that had something to judge by. */
  checked: number;
  /** Of them, those that got a flag of this check. */
  flagged: number;
  /** flagged / checked, 0 to 1; null where nothing could be judged. */
  share: number | null;
  thresholds: Record<string, number | null>;
  /** What was flagged, by what was measured and where. */
  metrics: { metric: string; column_codes: string[]; flagged: number }[];
}

/** Judges rows by several checks and counts what was found. */
export class QualityTally {
  checked = 0;
  flagged = 0;
  private readonly counts: { of: RowCheck; checked: number; flagged: number }[];
  private readonly metrics = new Map<string, { flag: QualityFlag; flagged: number }>();

  constructor(checks: readonly RowCheck[]) {
    this.counts = checks.map((of) => ({ of, checked: 0, flagged: 0 }));
  }

  /** The flags of a row, over all checks. */
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
    // Which of a respondent's open answers are the same is theirs alone: one line for all.
    const counted = flag.metric === 'identical_answers' ? { ...flag, column_codes: [] } : flag;
    const identity = flagIdentity(counted);
    const known = this.metrics.get(identity);
    if (known === undefined) this.metrics.set(identity, { flag: counted, flagged: 1 });
    else known.flagged++;
  }
}
