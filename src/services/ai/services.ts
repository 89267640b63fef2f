import type { CrosstabService } from '../figures/crosstabs.ts';
import type { FigureService } from '../figures/figures.ts';
import type { Foundations } from '../foundations.ts';
import { AnalysisRuns } from './analysis/analysis-runs.ts';
import { AnalysisSweep } from './analysis/analysis-sweep.ts';
import { Analysts } from './analysis/analysts.ts';
import { BuiltInAnalyst } from './analysis/built-in-analyst.ts';
import { CodedColumns } from './analysis/coded-columns.ts';
import { Looks } from './analysis/insights/asked-look.ts';
import { InsightService } from './analysis/insights/insights.ts';
import { ModelAnalyst } from './analysis/model-analyst.ts';
import { TextAnalysis } from './analysis/text-analysis.ts';
import { AnswerMaker } from './chat/answer-maker.ts';
import { BuiltInAnswerer } from './chat/built-in-answerer.ts';
import { ChatSessionService } from './chat/chat-sessions.ts';
import { ChatService } from './chat/chat.ts';
import { Conversations } from './chat/conversations.ts';
import { ModelAnswerer } from './chat/model-answerer.ts';
import { TextReader } from './chat/text-reader.ts';

/** Analyses open answers, finds insights in figures, and answers questions about a survey's data. */
export function aiServices(
  foundations: Foundations,
  { figures, crosstabs }: { figures: FigureService; crosstabs: CrosstabService },
) {
  const { store, access, ids, credits, datasets, dataChanges, clock, jobs, languageModel, words } =
    foundations;
  const runs = new AnalysisRuns(store, credits);
  const builtIn = new BuiltInAnalyst(words);
  const analysts = new Analysts(builtIn, languageModel && new ModelAnalyst(languageModel));
  const sources = { datasets, figures, crosstabs };
  const answerer =
    languageModel === null
      ? new BuiltInAnswerer(new TextReader(sources, builtIn))
      : new ModelAnswerer(languageModel);
  const conversations = new Conversations(store, access, sources);
  return {
    insights: new InsightService(new Looks(store, datasets, clock), runs, analysts),
    analysisSweep: new AnalysisSweep(store),
    textAnalysis: new TextAnalysis(datasets, runs, analysts, new CodedColumns(dataChanges, clock), jobs),
    chatSessions: new ChatSessionService(store, access, ids),
    chat: new ChatService(foundations, conversations, new AnswerMaker(store, credits, answerer)),
  };
}
