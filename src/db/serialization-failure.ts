/** serialization_failure (a trigger of ours says so too), deadlock_detected */
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);

/** Whether a transaction was given up for the sake of another one: done again from the beginning it may well succeed. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && SERIALIZATION_FAILURES.has(String((error as { code?: unknown }).code));
}
