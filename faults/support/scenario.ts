import type { TestBed } from './test-bed.ts';

/** The result of a scenario. */
export interface ScenarioOutcome {
  /** Number of clients, kills and rounds. */
  done: string;
  checked: string;
  /** Measurements such as times, which never fail. */
  figures?: string;
  /** Violated promises, with evidence. */
  breaks: string[];
}

export interface Scenario {
  name: string;
  promise: string;
  /** Whether the scenario kills or stops PostgreSQL. */
  needsOwnPostgres?: true;
  /** Returns the reason why the scenario cannot run here, or null. */
  skipReason?(): string | null;
  run(testBed: TestBed): Promise<ScenarioOutcome>;
}

/** Runs the scenario and adds the unexpected log lines of its processes. */
export async function runScenario(
  { run }: Pick<Scenario, 'run'>,
  testBed: TestBed,
): Promise<ScenarioOutcome> {
  const outcome = await run(testBed);
  return { ...outcome, breaks: [...outcome.breaks, ...testBed.describeUnexpectedLogs()] };
}

/** Returns a whole number from `from` to `to`. */
export const randomInteger = (random: () => number, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

/** Formats the first items of the evidence and their number. */
export const formatEvidence = (what: string, all: readonly unknown[]): string[] =>
  all.length === 0
    ? []
    : [
        `${what} (${all.length}): ${all
          .slice(0, 5)
          .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
          .join('; ')}`,
      ];

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
