/** Thrown when a benchmark cannot run because its baseline is not installed. */
export class SkippedBenchmarkError extends Error {}
