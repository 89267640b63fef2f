import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { Engine, TokenUsage } from '../../../domain/credits/credits.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import type { CompiledFilter } from '../../../domain/dataset/filter/filter.ts';
import { type InclusionCounts, selectAndCountRows } from '../../../domain/dataset/filter/select-rows.ts';
import { findAnomalies } from '../../../domain/insights/anomalies.ts';
import {
  type Effect,
  FALSE_DISCOVERY_RATE,
  type Finding,
  formatCount,
  MIN_BASE,
  pluralize,
} from '../../../domain/insights/finding.ts';
import {
  completionFinding,
  findInsights,
  rankFindings,
  type TestResults,
} from '../../../domain/insights/insights.ts';
import {
  type AnalysisInput,
  countCountedResponses,
  loadCodesOfVariables,
  selectVariables,
  type Variables,
} from '../../../domain/insights/variables.ts';
import { findBatteryColumns } from '../../../domain/quality/straightlining.ts';
import { type QualitySettings, qualitySettingsOf } from '../../../domain/survey/quality-settings.ts';
import type { Clock } from '../../../lib/clock.ts';
import { unknownObject } from '../../../lib/error-messages.ts';
import { invalidFields, notFound } from '../../../lib/errors.ts';
import type { Store } from '../../../repositories/store.ts';
import type { DatasetService, OpenDataset } from '../../datasets/datasets.ts';
import {
  collectLoadCodes,
  compileFilter,
  readWeights,
  requireWeightColumn,
  type ResponseSelection,
} from '../../datasets/requested-columns.ts';
import type { AnalysisRuns, BilledResult } from './analysis-runs.ts';
import type { FindingFact, TextAnalyzer, TextAnalyzers, Wording } from './text-analyzer.ts';

/** The responses to analyze, and the options of the analysis. */
export interface InsightRequest extends ResponseSelection {
  /** null: every question. */
  questionIds: readonly number[] | null;
  weightColumn: string | null;
  /** null: a language model if one is configured. */
  engine: 'built-in' | null;
}

/** The loaded data that insights and anomalies are computed from. */
interface InsightData extends OpenDataset {
  input: AnalysisInput;
  variables: Variables;
  batteries: CatalogColumn[][];
  quality: QualitySettings;
  counted: InclusionCounts;
  /** Rows of the request with this status, regardless of the statuses that it selects. */
  rowsOf: (status: 'complete' | 'partial') => Uint8Array;
}

/** Metadata columns that every request loads besides the questions. */
const METADATA_CODES = ['started_at', 'duration_seconds', 'last_page_id'];

/** Loads a survey's data for insights. Throws 400 that names unknown questions and columns and invalid filters. */
export class InsightDataLoader {
  constructor(
    private readonly store: Store,
    private readonly datasets: DatasetService,
    private readonly clock: Clock,
  ) {}

  async open(scope: SurveyScope, request: InsightRequest): Promise<InsightData> {
    const key = `${scope.organizationId}:${scope.surveyId}`;
    const shown = (await this.store.read.surveys.findByKeys([key])).get(key);
    if (shown === undefined) throw notFound('survey');
    const quality = qualitySettingsOf(shown.quality_settings);
    const links = await this.store.read.links.listBySurvey(scope, this.clock.now());
    const open = await this.datasets.openFor(scope.surveyId, (catalog) =>
      resolveRequest(catalog, request, quality),
    );
    const { filter, weight, variables, batteries } = open.resolved;
    const { dataset, catalog } = open;
    const { includeTest, includeConfirmed } = request;
    const select = (status: ResponseSelection['status']) =>
      selectAndCountRows(dataset, { status, includeTest, includeConfirmed, filter });
    const { mask, counted } = select(request.status);
    const input: AnalysisInput = {
      dataset,
      catalog,
      rows: { mask, weights: readWeights(open, weight) },
      linkNames: new Map(links.map(({ link_id: id, link_name: name }) => [String(id), name])),
    };
    return {
      ...open,
      input,
      variables,
      batteries,
      quality,
      counted,
      rowsOf: (status) => select([status]).mask,
    };
  }
}

interface ResolvedRequest {
  filter: CompiledFilter;
  weight: CatalogColumn | null;
  variables: Variables;
  batteries: CatalogColumn[][];
  loadCodes: string[];
}

function resolveRequest(
  catalog: ColumnCatalog,
  request: InsightRequest,
  quality: QualitySettings,
): ResolvedRequest {
  refuseUnknownQuestions(catalog, request.questionIds ?? []);
  const filter = compileFilter(request.filter, catalog);
  const weight = request.weightColumn === null ? null : requireWeightColumn(catalog, request.weightColumn);
  const requestedIds = request.questionIds === null ? null : new Set(request.questionIds);
  const variables = selectVariables(catalog, requestedIds, weight);
  const batteries = findBatteryColumns(catalog, quality.straightliner);
  const loadCodes = [
    ...METADATA_CODES,
    ...loadCodesOfVariables(variables),
    ...collectLoadCodes([weight, ...batteries.flat()], filter),
  ];
  return { filter, weight, variables, batteries, loadCodes };
}

function refuseUnknownQuestions(catalog: ColumnCatalog, questionIds: readonly number[]): void {
  const known = new Set(catalog.columns.map(({ spec }) => spec.questionId));
  const problems = questionIds.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            field: `question_ids[${index}]`,
            message: unknownObject({ kind: 'question', idOrCode: id, scope: 'in this survey' }),
          },
        ],
  );
  if (problems.length > 0) throw invalidFields(problems);
}

/** Longest time that the event loop is blocked, apart from a single scan of the responses. */
const MAX_BLOCKING_MS = 15;

/** Returned if the responses changed during the computation. */
const DATASET_CHANGED = Symbol('changed');

/**
 * Runs a generator to completion and yields to the event loop in between. Throws when the signal aborts; with `stopOnChange` returns
 * `DATASET_CHANGED` as soon as responses change.
 */
async function runWhileUnchanged<T>(
  work: Generator<unknown, T>,
  { dataset, stopOnChange, signal }: { dataset: Dataset; stopOnChange: boolean; signal: AbortSignal },
): Promise<T | typeof DATASET_CHANGED> {
  const { revision } = dataset;
  let turnBegan = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - turnBegan < MAX_BLOCKING_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    if (stopOnChange && dataset.revision !== revision) return DATASET_CHANGED;
    turnBegan = performance.now();
  }
}

/** A finding as replies show it. */
interface FindingReply {
  id: string;
  kind: Finding['kind'];
  headline: string;
  explanation: string;
  suggestion: string | null;
  statement: string;
  figures: Record<string, string | number | null>;
  evidence: {
    question_ids: number[];
    response_ids: number[] | null;
    response_count: number | null;
    base: number;
    p_value: number | null;
    q_value: number | null;
    effect: Effect | null;
  };
}

const toFact = ({ id, kind, statement, figures }: Finding): FindingFact => {
  return { id, kind, statement, figures };
};

/** Default suggestions, used if the analyzer gives none. */
const SUGGESTIONS: Partial<Record<Finding['kind'], string>> = {
  difference: 'Find out what differs between the two groups before you act on both alike.',
  driver: 'Work on this first to change the key measure, and test its effect in an experiment.',
  trend_break: 'Look at what changed between these two waves, in the field and in the questionnaire.',
  completion: 'Look at that page: how long it is, what it requires, how it looks on a phone.',
  outliers: 'Look at these answers one by one: typing errors and other units are common.',
  unusual_durations: 'Look at these responses one by one before you keep or exclude them.',
  speeders: 'Review these responses in the quality check before you report figures.',
  straightliners: 'Review these responses in the quality check before you report figures.',
  unlikely_responses: 'Look at these responses one by one before you keep or exclude them.',
  sudden_day: 'Compare with what was sent out or published that day, and by which link these responses came.',
  source_differs:
    'Look at who was reached by this link before its responses are put together with the others.',
  change_point: 'Compare with what changed that day: the questionnaire, a mailing, an event.',
};

/** Statements and figures come from the statistics; headline, explanation and suggestion from the analyzer. */
function toFindingReply(finding: Finding, wording: Wording | undefined): FindingReply {
  const { id, kind, headline, statement, figures, evidence } = finding;
  const isOwn = wording === undefined || wording.headline === statement;
  return {
    id,
    kind,
    headline: isOwn ? headline : wording.headline,
    explanation: isOwn ? statement : wording.explanation,
    suggestion: isOwn ? (SUGGESTIONS[kind] ?? null) : wording.suggestion,
    statement,
    figures: { ...figures },
    evidence: {
      question_ids: [...evidence.questionIds],
      response_ids: evidence.responseIds === null ? null : [...evidence.responseIds],
      response_count: evidence.responseCount,
      base: evidence.base,
      p_value: evidence.pValue,
      q_value: evidence.qValue,
      effect: evidence.effect,
    },
  };
}

/** How often a computation restarts because responses changed during it. */
const MAX_RESTARTS = 2;

type Operation = 'insights' | 'anomalies';

interface InsightReply {
  engine: Engine;
  model: string;
  method: string;
  results: FindingReply[];
  /** A sentence about the data and tests that the results are based on. */
  basis: string;
  counted: InclusionCounts;
  tested: {
    responses: number;
    questions: number;
    pairs: number;
    of: number;
    tests: number;
    false_discovery_rate: number;
    min_base: number;
  };
  usage: TokenUsage;
  credits_used: number;
  credits_remaining: number;
}

interface Computation {
  findings: Finding[];
  tested: TestResults['tested'];
  responses: number;
  questions: number;
  counted: InclusionCounts;
}

const METHODS: Readonly<Record<Operation, string>> = {
  insights:
    'Choices by segments with the chi-square test (with a weight its correction by Rao and Scott), means with Welch’s t test, relations with the ' +
    `key measure by correlation, consecutive waves with the same tests; groups of at least ${MIN_BASE}; the false discovery rate over all of these tests is at most ${FALSE_DISCOVERY_RATE} (Benjamini and Hochberg), and ` +
    'effects below Cohen’s threshold for small effects are omitted. Descriptive findings have 95 % intervals.',
  anomalies:
    'Values and durations by the modified z score and Tukey’s outer fences, days by a Poisson distribution around the median day, links and ' +
    'changes in time with the chi-square test; the false discovery rate over all of these tests is at most ' +
    `${FALSE_DISCOVERY_RATE} (Benjamini and Hochberg). Speeders and straightliners by the quality settings of the survey.`,
};

/** Finds notable results in a survey's data. Statistics compute them; an analyzer only words them and adds none. */
export class InsightService {
  private readonly analyzers: TextAnalyzers;

  constructor(
    private readonly loader: InsightDataLoader,
    private readonly runs: AnalysisRuns,
    analysts: TextAnalyzers,
  ) {
    this.analyzers = analysts;
  }

  /** Stops when the signal aborts. */
  async find({
    operation,
    scope,
    request,
    signal,
  }: {
    operation: Operation;
    scope: SurveyScope;
    request: InsightRequest;
    signal: AbortSignal;
  }): Promise<InsightReply> {
    const erasures = await this.runs.countErasures(scope);
    const computation = await this.compute({ operation, scope, request, signal });
    const analyst = this.analyzers.forEngine(request.engine);
    const { engine, model } = analyst;
    const { findings, tested, responses, questions } = computation;
    const wording = await this.wordFindings({ operation, scope, analyst, findings, erasures, signal });
    return {
      engine,
      model,
      method: `${METHODS[operation]} ${analyst.describeMethod(operation)}`,
      results: findings.map((finding, index) => toFindingReply(finding, wording.result[index])),
      basis: describeBasis(computation),
      counted: computation.counted,
      tested: {
        responses,
        questions,
        ...tested,
        false_discovery_rate: FALSE_DISCOVERY_RATE,
        min_base: MIN_BASE,
      },
      usage: wording.usage,
      credits_used: wording.creditsUsed,
      credits_remaining: wording.creditsRemaining,
    };
  }

  private async compute({
    operation,
    scope,
    request,
    signal,
  }: {
    operation: Operation;
    scope: SurveyScope;
    request: InsightRequest;
    signal: AbortSignal;
  }): Promise<Computation> {
    for (let attempt = 0; ; attempt++) {
      const open = await this.loader.open(scope, request);
      signal.throwIfAborted();
      const { input, variables, dataset } = open;
      const work = operation === 'insights' ? computeInsights(open, request) : computeAnomalies(open);
      const stopOnChange = attempt < MAX_RESTARTS;
      const responses = countCountedResponses(input);
      const found = await runWhileUnchanged(work, { dataset, stopOnChange, signal });
      if (found === DATASET_CHANGED) continue;
      const questions = new Set(variables.outcomes.map(({ questionId }) => questionId)).size;
      return { ...found, responses, questions, counted: open.counted };
    }
  }

  /** Charged once for the same facts; without facts neither the engine is called nor credits are charged. */
  private wordFindings({
    operation,
    scope,
    analyst,
    findings,
    erasures,
    signal,
  }: {
    operation: Operation;
    scope: SurveyScope;
    analyst: TextAnalyzer;
    findings: readonly Finding[];
    erasures: number;
    signal: AbortSignal;
  }): Promise<BilledResult<Wording[]>> {
    const { engine, model } = analyst;
    const run = { scope, operation, worker: { engine, model }, options: {}, erasures, signal };
    if (findings.length === 0) return this.runs.withoutCharge(run, []);
    const facts = findings.map(toFact);
    const mostTokens = analyst.maxTokens(
      { operation },
      facts.map(({ statement }) => statement),
    );
    return this.runs.runOnAll({
      run,
      input: facts,
      mostTokens,
      work: (reservation) => analyst.phraseFacts({ reservation, facts, signal }),
    });
  }
}

type ComputedFindings = Pick<Computation, 'findings' | 'tested'>;

function* computeInsights(
  open: InsightData,
  { questionIds }: InsightRequest,
): Generator<void, ComputedFindings> {
  const { input, variables, definition, dataset, rowsOf } = open;
  const tests = yield* findInsights(input, variables);
  const findings = rankFindings(tests);
  yield;
  if (questionIds !== null) return { findings, tested: tests.tested };
  const completion = completionFinding(definition, {
    complete: rowsOf('complete'),
    partial: rowsOf('partial'),
    lastPage: dataset.column('last_page_id'),
  });
  return { findings: completion === null ? findings : [...findings, completion], tested: tests.tested };
}

function* computeAnomalies({
  input,
  variables,
  batteries,
  quality,
  rowsOf,
}: InsightData): Generator<void, ComputedFindings> {
  const plan = { variables, batteries, quality, completes: rowsOf('complete') };
  const tests = yield* findAnomalies(input, plan);
  return { findings: rankFindings(tests), tested: tests.tested };
}

function describeBasis({
  responses,
  questions,
  tested: { pairs, of, tests },
  findings,
}: Computation): string {
  if (responses === 0) return 'No responses are selected, so nothing was tested.';
  const computation = `${pluralize(responses, 'response')} and ${pluralize(questions, 'closed question')} were analyzed`;
  if (questions === 0 && tests === 0) return `${computation}: there is nothing to compare.`;
  const sampled =
    pairs < of ? `, ${formatCount(pairs)} of ${formatCount(of)} pairs of them, spread evenly,` : '';
  const rate = `a false discovery rate of ${FALSE_DISCOVERY_RATE}`;
  const significant = findings.filter(({ evidence }) => evidence.qValue !== null).length;
  const outcome =
    significant === 0
      ? `nothing is significant at ${rate}`
      : `the reported findings are significant at ${rate}`;
  if (tests === 0) return `${computation}; no groups are large enough to be tested.`;
  return `${computation}${sampled} with ${pluralize(tests, 'test')}: ${outcome}, apart from descriptive findings without a test.`;
}
