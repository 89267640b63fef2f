import type { Stage } from './stage.ts';

/** What a scenario did and found. */
export interface Outcome {
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
  run(stage: Stage): Promise<Outcome>;
}

/** Plays it, and adds what its processes complained of. */
export async function played({ run }: Pick<Scenario, 'run'>, stage: Stage): Promise<Outcome> {
  const outcome = await run(stage);
  return { ...outcome, breaks: [...outcome.breaks, ...stage.troubles()] };
}

/** A whole number from `from` to `to`. */
export const between = (random: () => number, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

/** The evidence of many of a kind: the first ones, and how many. */
export const listed = (what: string, all: readonly unknown[]): string[] =>
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
