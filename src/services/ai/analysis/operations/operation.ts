import type { AnalysisRuns, BilledResult, AnalysisRun } from '../analysis-runs.ts';
import type { AnalysisOperation, TextAnalyzer } from '../text-analyzer.ts';
import type { Coding } from '../coded-columns.ts';
import { sampleIndices } from '../evidence.ts';
import type { GatheredTexts } from '../gather-texts.ts';
import type { TextRequest } from '../text-request.ts';

/** What is to be done, by whom, with which texts. */
export interface AnalysisTask {
  runs: AnalysisRuns;
  analyst: TextAnalyzer;
  run: Pick<AnalysisRun, 'scope' | 'worker' | 'signal' | 'onProgress'>;
  gathered: GatheredTexts;
  request: Pick<TextRequest, 'categories' | 'targetLanguage'>;
}

/** What came of it. */
export interface OperationResult<Members> extends Omit<BilledResult<unknown>, 'result'> {
  /** In replies, beside who read and what it took. */
  members: Members;
  /** How many of the texts were read, now or before. */
  read: number;
  /** What can be kept as a column. */
  coding: Pick<Coding, 'measure' | 'categories' | 'categoryOf'> | null;
}

/** An operation on open answers. `Members`: as replies say it, in JSON. */
export interface TextOperationHandler<Members> {
  /** What it cannot do with whoever is to read. */
  refuseUnsupported?(task: AnalysisTask): void;
  /** How many texts it would have to read that it has not read before. */
  countUncached(task: AnalysisTask): Promise<number>;
  perform(task: AnalysisTask): Promise<OperationResult<Members>>;
  /** The little of it that a job's result carries. */
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

/** Those of the texts that are read where they are looked at all together. */
export function sampleTexts({ analyst, gathered }: AnalysisTask): { places: number[]; texts: string[] } {
  const places = sampleIndices(gathered.texts.length, analyst.maxSampleSize);
  return { places, texts: places.map((place) => gathered.texts[place]!) };
}

/** Counts by index, and those of none (-1) last. */
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
