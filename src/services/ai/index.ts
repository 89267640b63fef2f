import { CrosstabService } from '../figures/crosstabs.ts';
import { FigureService } from '../figures/figures.ts';
import type { SharedServices } from '../shared-services.ts';
import { AnalysisCacheCleanup } from '../system/sweeps.ts';
import { AnalysisRuns } from './analysis/analysis-runs.ts';
import { BuiltInTextAnalyzer } from './analysis/built-in-text-analyzer.ts';
import { CodedColumns } from './analysis/coded-columns.ts';
import { InsightDataLoader, InsightService } from './analysis/insights.ts';
import { ModelTextAnalyzer } from './analysis/model/model-text-analyzer.ts';
import { TextAnalysisService } from './analysis/text-analysis.ts';
import { TextAnalyzers } from './analysis/text-analyzer.ts';
import { BuiltInAnswerEngine, ModelAnswerEngine, OpenAnswerReader } from './chat/answer-engines.ts';
import { AnswerGenerator } from './chat/answer-generator.ts';
import { ChatService, ChatSessionService } from './chat/chat.ts';
import { PromptBuilder } from './chat/prompt-builder.ts';

/** Analyzes open answers, finds insights in figures, and answers questions about a survey's data. */
export function aiServices(
  shared: SharedServices,
  { figures, crosstabs }: { figures: FigureService; crosstabs: CrosstabService },
) {
  const { store, access, ids, credits, datasets, dataChanges, clock, jobs, languageModel, words } = shared;
  const runs = new AnalysisRuns(store, credits);
  const builtIn = new BuiltInTextAnalyzer(words);
  const analysts = new TextAnalyzers(builtIn, languageModel && new ModelTextAnalyzer(languageModel));
  const sources = { datasets, figures, crosstabs };
  const answerer =
    languageModel === null
      ? new BuiltInAnswerEngine(new OpenAnswerReader(sources, builtIn))
      : new ModelAnswerEngine(languageModel);
  const conversations = new PromptBuilder(store, access, sources);
  return {
    insights: new InsightService(new InsightDataLoader(store, datasets, clock), runs, analysts),
    analysisCacheCleanup: new AnalysisCacheCleanup(store),
    textAnalysis: new TextAnalysisService(
      datasets,
      runs,
      analysts,
      new CodedColumns(dataChanges, clock),
      jobs,
    ),
    chatSessions: new ChatSessionService(store, access, ids),
    chat: new ChatService(shared, conversations, new AnswerGenerator(store, credits, answerer)),
  };
}
