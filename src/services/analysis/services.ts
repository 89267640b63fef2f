import type { Foundations } from '../foundations.ts';
import { AnalysisRuns } from './analysis-runs.ts';
import { AnalysisSweep } from './analysis-sweep.ts';
import { Analysts } from './analysts.ts';
import { BuiltInAnalyst } from './built-in-analyst.ts';
import { CodedColumns } from './coded-columns.ts';
import { Looks } from './insights/asked-look.ts';
import { InsightService } from './insights/insights.ts';
import { ModelAnalyst } from './model-analyst.ts';
import { TextAnalysis } from './text-analysis.ts';

/** Reading open answers, and finding what is remarkable in figures. */
export function analysisServices(foundations: Foundations) {
  const { store, credits, datasets, dataChanges, clock, jobs, languageModel, words } = foundations;
  const runs = new AnalysisRuns(store, credits);
  const analysts = new Analysts(new BuiltInAnalyst(words), languageModel && new ModelAnalyst(languageModel));
  return {
    insights: new InsightService(new Looks(store, datasets, clock), runs, analysts),
    analysisSweep: new AnalysisSweep(store),
    textAnalysis: new TextAnalysis(datasets, runs, analysts, new CodedColumns(dataChanges, clock), jobs),
  };
}
