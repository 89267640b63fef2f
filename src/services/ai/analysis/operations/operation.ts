import type { AnalysisRuns, Ran, Run } from '../analysis-runs.ts';
import type { AnalysisOperation, Analyst } from '../analyst.ts';
import type { Coding } from '../coded-columns.ts';
import { sampledPlaces } from '../evidence.ts';
import type { GatheredTexts } from '../gathered-texts.ts';
import type { TextRequest } from '../text-request.ts';

/** What is to be done, by whom, with which texts. */
export interface Task {
  runs: AnalysisRuns;
  analyst: Analyst;
  run: Pick<Run, 'scope' | 'worker' | 'signal' | 'onProgress'>;
  gathered: GatheredTexts;
  request: Pick<TextRequest, 'categories' | 'targetLanguage'>;
}

/** What came of it. */
export interface Found<Members> extends Omit<Ran<unknown>, 'result'> {
  /** In replies, beside who read and what it took. */
  members: Members;
  /** How many of the texts were read, now or before. */
  read: number;
  /** What can be kept as a column. */
  coding: Pick<Coding, 'measure' | 'categories' | 'categoryOf'> | null;
}

/** An operation on open answers. `Members`: as replies say it, in JSON. */
export interface Operation<Members> {
  /** What it cannot do with whoever is to read. */
  refuse?(task: Task): void;
  /** How many texts it would have to read that it has not read before. */
  unread(task: Task): Promise<number>;
  perform(task: Task): Promise<Found<Members>>;
  /** The little of it that a job's result carries. */
  brief(members: Members): Record<string, unknown>;
}

export const runOf = ({ run }: Task, operation: AnalysisOperation, options: object = {}): Run => ({
  ...run,
  operation,
  options,
});

/** Those of the texts that are read where they are looked at all together. */
export function sampleOf({ analyst, gathered }: Task): { places: number[]; texts: string[] } {
  const places = sampledPlaces(gathered.texts.length, analyst.mostTogether);
  return { places, texts: places.map((place) => gathered.texts[place]!) };
}

/** Counts by index, and those of none (-1) last. */
export function countsOf(
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

export const shareOf = (count: number, base: number): number => (base === 0 ? 0 : count / base);
