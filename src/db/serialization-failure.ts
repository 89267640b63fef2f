/** serialization_failure (also raised by one of our triggers), deadlock_detected */
const SERIALIZATION_FAILURES = new Set(['40001', '40P01']);

/** Whether a transaction was aborted because of a concurrent one. Repeated from the beginning, it may succeed. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && SERIALIZATION_FAILURES.has(String((error as { code?: unknown }).code));
}
