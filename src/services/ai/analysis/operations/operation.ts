import type { AnalysisRuns, BilledResult, AnalysisRun } from '../analysis-runs.ts';
import type { AnalysisOperation, TextAnalyzer } from '../text-analyzer.ts';
import type { Coding } from '../coded-columns.ts';
import { sampleIndices } from '../evidence.ts';
import type { GatheredTexts } from '../gather-texts.ts';
import type { TextRequest } from '../text-request.ts';

/** One operation with its texts, analyzer and options. */
export interface AnalysisTask {
  runs: AnalysisRuns;
  analyst: TextAnalyzer;
  run: Pick<AnalysisRun, 'scope' | 'worker' | 'signal' | 'onProgress'>;
  textData: GatheredTexts;
  request: Pick<TextRequest, 'categories' | 'targetLanguage'>;
}

/** The result of an operation with its cost. */
export interface OperationResult<Members> extends Omit<BilledResult<unknown>, 'result'> {
  /** Members that the reply adds to the common ones. */
  members: Members;
  /** Number of texts analyzed, now or earlier. */
  read: number;
  /** The result as a column; null if it cannot be saved. */
  coding: Pick<Coding, 'measure' | 'categories' | 'categoryOf'> | null;
}

/** An operation on open answers. `Members` are its JSON reply members. */
export interface TextOperationHandler<Members> {
  /** Throws if the analyzer does not support the operation. */
  refuseUnsupported?(task: AnalysisTask): void;
  /** Number of texts without a cached result. */
  countUncached(task: AnalysisTask): Promise<number>;
  perform(task: AnalysisTask): Promise<OperationResult<Members>>;
  /** The members that a job result includes. */
  summarizeForJob(members: Members): Record<string, unknown>;
}

export const createRun = (
  { run }: AnalysisTask,
  operation: AnalysisOperation,
  options: object = {},
): AnalysisRun => ({
  ...run,
  operation,
  options,
});

/** The texts used when all texts are analyzed together, with their indices. */
export function sampleTexts({ analyst, textData: gathered }: AnalysisTask): {
  indices: number[];
  texts: string[];
} {
  const indices = sampleIndices(gathered.texts.length, analyst.maxSampleSize);
  return { indices, texts: indices.map((index) => gathered.texts[index]!) };
}

/** Counts by category index, and texts without a category (-1). */
export function countByCategory(
  categoryOf: readonly number[],
  categories: number,
): { counts: number[]; none: number } {
  const counts = new Array<number>(categories).fill(0);
  let none = 0;
  for (const index of categoryOf) {
    if (index < 0) none += 1;
    else counts[index]! += 1;
  }
  return { counts, none };
}

export const computeShare = (count: number, base: number): number => (base === 0 ? 0 : count / base);
