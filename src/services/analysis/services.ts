import type { Foundations } from '../foundations.ts';
import { AnalysisRuns } from './analysis-runs.ts';

/** Reading open answers, and finding what is remarkable in figures. */
export function analysisServices({ store, credits }: Foundations) {
  const runs = new AnalysisRuns(store, credits);
  return { analysisRuns: runs };
}
