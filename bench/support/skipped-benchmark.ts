/** A bench cannot be measured here, and that is no fault: what it is compared with is not installed. */
export class SkippedBenchmarkError extends Error {}
