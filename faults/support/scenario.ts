import type { TestBed } from './test-bed.ts';

/** What a scenario did and found. */
export interface ScenarioOutcome {
  /** How many clients, kills, rounds. */
  done: string;
  checked: string;
  /** For the record, such as times: they never fail. */
  figures?: string;
  /** What was promised and is not so, with the evidence. */
  breaks: string[];
}

export interface Scenario {
  name: string;
  promise: string;
  /** It kills or stops PostgreSQL itself. */
  needsOwnPostgres?: true;
  run(stage: TestBed): Promise<ScenarioOutcome>;
}

/** Plays it, and adds what its processes complained of. */
export async function runScenario({ run }: Pick<Scenario, 'run'>, stage: TestBed): Promise<ScenarioOutcome> {
  const outcome = await run(stage);
  return { ...outcome, breaks: [...outcome.breaks, ...stage.troubles()] };
}

/** A whole number from `from` to `to`. */
export const randomInteger = (random: () => number, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

/** The evidence of many of a kind: the first ones, and how many. */
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
