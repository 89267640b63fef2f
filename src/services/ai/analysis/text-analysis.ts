import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { Engine, TokenUsage } from '../../../domain/credits/prices.ts';
import type { CountedResponses } from '../../../domain/dataset/filter/select-rows.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import type { GeneratedFile } from '../../jobs/job-files.ts';
import type { JobService } from '../../jobs/jobs.ts';
import type { AnalysisRuns, AnalysisRun } from './analysis-runs.ts';
import type { TextAnalyzers } from './text-analyzers.ts';
import type { CodedColumns, SavedColumn } from './coded-columns.ts';
import { gatherTexts } from './gather-texts.ts';
import { classify, type ClassifyMembers } from './operations/classify.ts';
import type { OperationResult, TextOperationHandler, AnalysisTask } from './operations/operation.ts';
import { sentiment, type SentimentMembers } from './operations/sentiment.ts';
import { suggestCategories, type SuggestionMembers } from './operations/suggest-categories.ts';
import { summarize, type SummaryMembers } from './operations/summarize.ts';
import { themes, type ThemesMembers } from './operations/themes.ts';
import { translate, type TranslateMembers } from './operations/translate.ts';
import { ANALYSIS_JOB, type TextOperation, type TextRequest } from './text-request.ts';

interface ReplyMembers {
  sentiment: SentimentMembers;
  themes: ThemesMembers;
  classify: ClassifyMembers;
  'suggest-categories': SuggestionMembers;
  summarize: SummaryMembers;
  translate: TranslateMembers;
}

const OPERATIONS: { [O in TextOperation]: TextOperationHandler<ReplyMembers[O]> } = {
  sentiment,
  themes,
  classify,
  'suggest-categories': suggestCategories,
  summarize,
  translate,
};

/** Operations whose results can be saved as a column, with the suffix of its name. */
const SAVED_AS: Partial<
  Record<TextOperation, { operation: 'sentiment' | 'themes' | 'classify'; nameSuffix: string }>
> = {
  sentiment: { operation: 'sentiment', nameSuffix: 'sentiment' },
  classify: { operation: 'classify', nameSuffix: 'category' },
  themes: { operation: 'themes', nameSuffix: 'main theme' },
};

/** More uncached texts than that run as a job. */
const MAX_TEXTS_INLINE = { openai: 2_000, 'built-in': 20_000 } as const;
const MAX_NAME = 200;
const ITEMS_AT_ONCE = 1_000;

/** Members of every reply, as JSON. */
interface CommonReply {
  engine: Engine;
  model: string;
  method: string;
  question_id: number;
  texts: { read: number; of: number; blank: number };
  counted: CountedResponses;
  saved_as: SavedColumn | null;
  usage: TokenUsage;
  credits_used: number;
  credits_remaining: number;
}

export type TextReply<O extends TextOperation> = CommonReply & ReplyMembers[O];

/** Analyzes the answers to open questions. */
export class TextAnalysisService {
  private readonly analyzers: TextAnalyzers;

  constructor(
    private readonly datasets: DatasetService,
    private readonly runs: AnalysisRuns,
    analysts: TextAnalyzers,
    private readonly columns: CodedColumns,
    private readonly jobs: JobService,
  ) {
    this.analyzers = analysts;
  }

  /** Stops when the signal aborts; texts analyzed until then stay cached. */
  async run<O extends TextOperation>(
    operation: O,
    scope: SurveyScope,
    request: TextRequest,
    how: Pick<AnalysisRun, 'signal' | 'onProgress'>,
  ): Promise<TextReply<O>> {
    const task = await this.createTask(operation, scope, request, how);
    const { members, read, coding, ...billing } = await OPERATIONS[operation].perform(task);
    const { analyst, textData } = task;
    how.signal.throwIfAborted();
    const common = {
      engine: analyst.engine,
      model: analyst.model,
      method: analyst.describeMethod(operation),
      question_id: textData.question.id,
      texts: { read, of: textData.texts.length, blank: textData.blank },
      counted: textData.counted,
      saved_as: await this.saveColumn(operation, task, scope, request, coding),
      usage: billing.usage,
      credits_used: billing.creditsUsed,
      credits_remaining: billing.creditsRemaining,
    };
    return { ...common, ...members };
  }

  /** Whether the request should run as a job. Throws the errors of the request. */
  async needsJob(operation: TextOperation, scope: SurveyScope, request: TextRequest): Promise<boolean> {
    const task = await this.createTask(operation, scope, request, { signal: new AbortController().signal });
    const limit = MAX_TEXTS_INLINE[task.analyst.engine];
    return task.textData.texts.length > limit && (await OPERATIONS[operation].countUncached(task)) > limit;
  }

  /** Returns the job id. */
  startJob(scope: SurveyScope, request: TextRequest, requestId: string): Promise<number> {
    const { organizationId, userId, surveyId } = scope;
    return this.jobs.start({
      organizationId,
      userId,
      surveyId,
      kind: ANALYSIS_JOB,
      payload: request,
      requestId,
    });
  }

  /** The whole reply as a file, and the summary that the job result includes. */
  async runToFile(
    scope: SurveyScope,
    request: TextRequest,
    how: Pick<AnalysisRun, 'signal' | 'onProgress'>,
  ): Promise<{ file: GeneratedFile; result: Record<string, unknown> }> {
    return this.runOperationToFile(request.operation, scope, request, how);
  }

  private async runOperationToFile<O extends TextOperation>(
    operation: O,
    scope: SurveyScope,
    request: TextRequest,
    how: Pick<AnalysisRun, 'signal' | 'onProgress'>,
  ) {
    const reply = await this.run(operation, scope, request, how);
    const { engine, model, method, question_id, texts, counted, saved_as } = reply;
    const { usage, credits_used, credits_remaining } = reply;
    const common: CommonReply = {
      ...{ engine, model, method, question_id, texts, counted, saved_as },
      ...{ usage, credits_used, credits_remaining },
    };
    return {
      file: {
        fileName: `survey-${scope.surveyId}-${operation}.json`,
        contentType: 'application/json; charset=utf-8',
        chunks: streamJson(reply),
      },
      result: { operation, ...OPERATIONS[operation].summarizeForJob(reply), ...common },
    };
  }

  private async createTask(
    operation: TextOperation,
    scope: SurveyScope,
    request: TextRequest,
    how: Pick<AnalysisRun, 'signal' | 'onProgress'>,
  ): Promise<AnalysisTask> {
    const { saveAs } = request;
    const saving = SAVED_AS[operation];
    const textData = await gatherTexts(this.datasets, scope, request, (texts, catalog) => {
      if (saveAs !== null && saving !== undefined)
        this.columns.refuseUnsavable(scope, saveAs, { operation: saving.operation, texts }, catalog);
    });
    const analyst = this.analyzers.forEngine(request.engine);
    const { engine, model } = analyst;
    const run = { scope, worker: { engine, model }, ...how };
    const task = { runs: this.runs, analyst, textData, request, run };
    OPERATIONS[operation].refuseUnsupported?.(task);
    return task;
  }

  private async saveColumn(
    operation: TextOperation,
    { textData, run }: AnalysisTask,
    scope: SurveyScope,
    { saveAs }: TextRequest,
    coding: OperationResult<unknown>['coding'],
  ): Promise<SavedColumn | null> {
    const saving = SAVED_AS[operation];
    if (saveAs === null || saving === undefined || coding === null) return null;
    const { question, columnCode, responseIds } = textData;
    return this.columns.save(scope, saveAs, {
      ...coding,
      operation: saving.operation,
      texts: columnCode,
      worker: run.worker,
      name: `${question.text.slice(0, MAX_NAME)} – ${saving.nameSuffix}`,
      responseIds,
    });
  }
}

/** Serializes in chunks and yields to the event loop in between. */
async function* streamJson(reply: object): AsyncGenerator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(reply) as [string, unknown][]) {
    yield `${before}${JSON.stringify(name)}:`;
    before = ',\n';
    if (!Array.isArray(value)) {
      yield JSON.stringify(value);
      continue;
    }
    let start = 0;
    yield '[';
    for (; start < value.length; start += ITEMS_AT_ONCE) {
      const items = value.slice(start, start + ITEMS_AT_ONCE).map((item) => JSON.stringify(item));
      yield (start === 0 ? '\n' : ',\n') + items.join(',\n');
      await nextTurn();
    }
    yield ']';
  }
  yield '}\n';
}
