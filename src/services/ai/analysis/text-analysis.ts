import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { Engine, TokenUsage } from '../../../domain/credits/credits.ts';
import type { InclusionCounts } from '../../../domain/dataset/filter/select-rows.ts';
import { unavailable } from '../../../lib/errors.ts';
import { requireItem, requireValue } from '../../../lib/require-value.ts';
import type { DatasetService } from '../../datasets/datasets.ts';
import type { GeneratedFile, JobService } from '../../jobs.ts';
import type { AnalysisRun, AnalysisRuns } from './analysis-runs.ts';
import type { CodedColumns, SavedColumn } from './coded-columns.ts';
import {
  ANALYSIS_JOB,
  collectEvidence,
  type Evidence,
  type Example,
  gatherTexts,
  type TextOperation,
  type TextRequest,
} from './analyzed-texts.ts';
import {
  type AnalysisTask,
  type ClassifyMembers,
  classifyOperation,
  createRun,
  MAX_PROPOSED,
  normalizeThemes,
  type OperationResult,
  sampleTexts,
  type SentimentMembers,
  sentimentOperation,
  type TextOperationHandler,
  type ThemesMembers,
  themesOperation,
} from './text-operations.ts';
import type { ProposedTheme, Summary, TextAnalyzers, TextTranslation } from './text-analyzer.ts';

interface SuggestionMembers {
  categories: { category: string; description: string; examples: Example[] }[];
}

const createProposalRun = (task: AnalysisTask) =>
  createRun(task, 'suggest-categories', { most: MAX_PROPOSED });

const suggestCategories: TextOperationHandler<SuggestionMembers> = {
  async countUncached(task) {
    const { texts } = sampleTexts(task);
    return (await task.runs.findCached(createProposalRun(task), texts)) === undefined ? texts.length : 0;
  },

  async perform(task) {
    const { runs, analyst, textData } = task;
    const { texts, indices } = sampleTexts(task);
    const run = createProposalRun(task);
    const mostTokens = analyst.maxTokens({ operation: run.operation }, texts);
    const { result, ...billing } =
      texts.length === 0
        ? await runs.withoutCharge<ProposedTheme[]>(run, [])
        : await runs.runOnAll<ProposedTheme[]>({
            run,
            input: texts,
            mostTokens,
            work: async (reservation) =>
              normalizeThemes(
                await analyst.proposeCategories({
                  reservation,
                  texts,
                  limit: MAX_PROPOSED,
                  signal: run.signal,
                }),
              ),
          });
    return {
      ...billing,
      read: texts.length,
      members: {
        categories: result.map(({ name, description, examples }) => {
          const cited = examples.flatMap((example) => indices[example] ?? []);
          return { category: name, description, examples: collectEvidence(textData, cited).examples };
        }),
      },
      coding: null,
    };
  },

  summarizeForJob: ({ categories }) => ({
    categories: categories.map(({ category, description }) => ({ category, description })),
  }),
};

interface SummaryMembers {
  /** null without texts. */
  summary: string | null;
  points: ({ text: string } & Evidence)[];
  /** A sentence about the texts that the summary is based on. */
  basis: string;
}

const summarize: TextOperationHandler<SummaryMembers> = {
  async countUncached(task) {
    const { texts } = sampleTexts(task);
    return (await task.runs.findCached(createRun(task, 'summarize'), texts)) === undefined ? texts.length : 0;
  },

  async perform(task) {
    const { runs, analyst, textData } = task;
    const { texts, indices } = sampleTexts(task);
    const run = createRun(task, 'summarize');
    const empty: Summary = { summary: '', points: [] };
    const mostTokens = analyst.maxTokens({ operation: 'summarize' }, texts);
    const { result, ...billing } =
      texts.length === 0
        ? await runs.withoutCharge(run, empty)
        : await runs.runOnAll<Summary>({
            run,
            input: texts,
            mostTokens,
            work: (reservation) => analyst.summarize({ reservation, texts, signal: run.signal }),
          });
    const points = result.points.map((point) => {
      const cited = [...new Set(point.texts)].flatMap((index) => indices[index] ?? []);
      return { text: point.text, ...collectEvidence(textData, cited) };
    });
    return {
      ...billing,
      read: texts.length,
      members: {
        summary: texts.length === 0 ? null : result.summary,
        // Drops points without supporting texts.
        points: points.filter(({ count }) => count > 0),
        basis: describeBasis(texts.length, textData.texts.length),
      },
      coding: null,
    };
  },

  summarizeForJob: ({ summary, basis }) => ({ summary, basis }),
};

function describeBasis(read: number, of: number): string {
  if (of === 0) return 'No text: none of the selected responses has one.';
  if (read === of) return `All ${of} texts of the selected responses.`;
  return `${read} of ${of} texts, spread evenly over the selected responses.`;
}

interface TranslateMembers {
  target_language: string;
  /** Detected languages, most common first; null: unknown. */
  languages: { language: string | null; count: number }[];
  results: { response_id: number; translation: string; detected_language: string | null }[];
}

const RETRY_AFTER_SECONDS = 3_600;

const targetLanguageOf = ({ request }: AnalysisTask): string =>
  requireValue(request.targetLanguage, 'target language');

const translateOperation: TextOperationHandler<TranslateMembers> = {
  refuseUnsupported({ analyst }) {
    if (analyst.engine !== 'built-in') return;
    const message = 'Translation needs a language model; the built-in analysis cannot translate';
    throw unavailable(message, RETRY_AFTER_SECONDS, 'ai_provider_required');
  },

  async countUncached(task) {
    const run = createRun(task, 'translate', { into: targetLanguageOf(task) });
    return (await task.runs.listUncached(run, task.textData.texts)).length;
  },

  async perform(task) {
    const { runs, analyst, textData } = task;
    const { texts, responseIds } = textData;
    const target = targetLanguageOf(task);
    const run = createRun(task, 'translate', { into: target });
    const { result, ...billing } = await runs.runPerText<TextTranslation>(run, texts, {
      limits: analyst.batchLimits,
      maxTokens: (texts) => analyst.maxTokens({ operation: 'translate', names: [target] }, texts),
      analyze: (reservation, texts) =>
        analyst.translate({ reservation, texts, targetLanguage: target, signal: run.signal }),
      isCacheable: ({ translation }) => translation !== '',
    });
    const counts = new Map<string | null, number>();
    for (const { detectedLanguage: language } of result)
      counts.set(language, (counts.get(language) ?? 0) + 1);
    return {
      ...billing,
      read: texts.length,
      members: {
        target_language: target,
        languages: [...counts]
          .map(([language, count]) => ({ language, count }))
          .sort((a, b) => b.count - a.count),
        results: result.map(({ translation, detectedLanguage }, index) => ({
          response_id: requireItem(responseIds, index, 'response id'),
          translation,
          detected_language: detectedLanguage,
        })),
      },
      coding: null,
    };
  },

  summarizeForJob: ({ target_language, languages }) => ({ target_language, languages }),
};

interface ReplyMembers {
  sentiment: SentimentMembers;
  themes: ThemesMembers;
  classify: ClassifyMembers;
  'suggest-categories': SuggestionMembers;
  summarize: SummaryMembers;
  translate: TranslateMembers;
}

const OPERATIONS: { [O in TextOperation]: TextOperationHandler<ReplyMembers[O]> } = {
  sentiment: sentimentOperation,
  themes: themesOperation,
  classify: classifyOperation,
  'suggest-categories': suggestCategories,
  summarize,
  translate: translateOperation,
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
  counted: InclusionCounts;
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
  async run<O extends TextOperation>({
    operation,
    scope,
    request,
    how,
  }: {
    operation: O;
    scope: SurveyScope;
    request: TextRequest;
    how: Pick<AnalysisRun, 'signal' | 'onProgress'>;
  }): Promise<TextReply<O>> {
    const task = await this.createTask({ operation, scope, request, how });
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
      saved_as: await this.saveColumn({ operation, analysisTask: task, scope, textRequest: request, coding }),
      usage: billing.usage,
      credits_used: billing.creditsUsed,
      credits_remaining: billing.creditsRemaining,
    };
    return { ...common, ...members };
  }

  /** Whether the request should run as a job. Throws the errors of the request. */
  async needsJob(operation: TextOperation, scope: SurveyScope, request: TextRequest): Promise<boolean> {
    const task = await this.createTask({
      operation,
      scope,
      request,
      how: { signal: new AbortController().signal },
    });
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
    return this.runOperationToFile({ operation: request.operation, scope, request, how });
  }

  private async runOperationToFile<O extends TextOperation>({
    operation,
    scope,
    request,
    how,
  }: {
    operation: O;
    scope: SurveyScope;
    request: TextRequest;
    how: Pick<AnalysisRun, 'signal' | 'onProgress'>;
  }) {
    const reply = await this.run({ operation, scope, request, how });
    const { engine, model, method, question_id, texts, counted, saved_as } = reply;
    const { usage, credits_used, credits_remaining } = reply;
    const common: CommonReply = {
      engine,
      model,
      method,
      question_id,
      texts,
      counted,
      saved_as,
      usage,
      credits_used,
      credits_remaining,
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

  private async createTask({
    operation,
    scope,
    request,
    how,
  }: {
    operation: TextOperation;
    scope: SurveyScope;
    request: TextRequest;
    how: Pick<AnalysisRun, 'signal' | 'onProgress'>;
  }): Promise<AnalysisTask> {
    const { saveAs } = request;
    const saving = SAVED_AS[operation];
    const erasures = await this.runs.countErasures(scope);
    const textData = await gatherTexts({
      datasets: this.datasets,
      scope,
      responseSelection: request,
      check: (texts, catalog) => {
        if (saveAs !== null && saving !== undefined)
          this.columns.refuseUnsavable({
            scope,
            columnToSave: saveAs,
            coding: { operation: saving.operation, texts },
            catalog,
          });
      },
    });
    const analyst = this.analyzers.forEngine(request.engine);
    const { engine, model } = analyst;
    const run = { scope, worker: { engine, model }, erasures, ...how };
    const task = { runs: this.runs, analyst, textData, request, run };
    OPERATIONS[operation].refuseUnsupported?.(task);
    return task;
  }

  private async saveColumn({
    operation,
    analysisTask: { textData, run },
    scope,
    textRequest: { saveAs },
    coding,
  }: {
    operation: TextOperation;
    analysisTask: AnalysisTask;
    scope: SurveyScope;
    textRequest: TextRequest;
    coding: OperationResult<unknown>['coding'];
  }): Promise<SavedColumn | null> {
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
