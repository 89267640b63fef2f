/** serialization_failure (a trigger of ours says so too), deadlock_detected */
const LOST = new Set(['40001', '40P01']);

/** Whether a transaction was given up for the sake of another one: done again from the beginning it may well succeed. */
export function lostRace(error: unknown): boolean {
  return error instanceof Error && LOST.has(String((error as { code?: unknown }).code));
}
