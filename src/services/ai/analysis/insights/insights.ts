import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { Engine, TokenUsage } from '../../../../domain/credits/prices.ts';
import type { CountedResponses } from '../../../../domain/dataset/filter/select-rows.ts';
import { findAnomalies } from '../../../../domain/insights/anomalies.ts';
import { completionFinding, findInsights, type TestResults } from '../../../../domain/insights/insights.ts';
import {
  FALSE_DISCOVERY_RATE,
  type Finding,
  formatCount,
  MIN_BASE,
  pluralize,
} from '../../../../domain/insights/finding.ts';
import { countCountedResponses } from '../../../../domain/insights/analysis-input.ts';
import { rankFindings } from '../../../../domain/insights/rank-findings.ts';
import type { AnalysisRuns, BilledResult } from '../analysis-runs.ts';
import type { TextAnalyzer, Wording } from '../text-analyzer.ts';
import type { TextAnalyzers } from '../text-analyzers.ts';
import { DATASET_CHANGED, runWhileUnchanged } from './run-while-unchanged.ts';
import type { InsightDataLoader, InsightRequest, InsightData } from './insight-data.ts';
import { toFact, type FindingReply, toFindingReply } from './finding-reply.ts';

/** How often a computation restarts because responses changed during it. */
const MAX_RESTARTS = 2;

type Operation = 'insights' | 'anomalies';

export interface InsightReply {
  engine: Engine;
  model: string;
  method: string;
  results: FindingReply[];
  /** A sentence about the data and tests that the results are based on. */
  basis: string;
  counted: CountedResponses;
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
  counted: CountedResponses;
}

const METHODS: Readonly<Record<Operation, string>> = {
  insights:
    'Choices by segments with the chi-square test (with a weight its correction by Rao and Scott), means with Welch’s t test, relations with the ' +
    `key measure by correlation, neighbouring waves alike; groups of at least ${MIN_BASE}; the false discovery rate over all of these tests is at most ${FALSE_DISCOVERY_RATE} (Benjamini and Hochberg), and ` +
    'effects below Cohen’s threshold for small effects are omitted. Descriptive findings have 95 % intervals.',
  anomalies:
    'Values and durations by the modified z score and Tukey’s outer fences, days by a Poisson distribution around the median day, links and ' +
    'changes in time with the chi-square test; the false discovery rate over all of these tests is at most ' +
    `${FALSE_DISCOVERY_RATE} (Benjamini and Hochberg). Speeders and straightliners by the survey’s own settings of quality.`,
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
  async find(
    operation: Operation,
    scope: SurveyScope,
    request: InsightRequest,
    signal: AbortSignal,
  ): Promise<InsightReply> {
    const computation = await this.compute(operation, scope, request, signal);
    const analyst = this.analyzers.forEngine(request.engine);
    const { engine, model } = analyst;
    const { findings, tested, responses, questions } = computation;
    const wording = await this.wordFindings(operation, scope, analyst, findings, signal);
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

  private async compute(
    operation: Operation,
    scope: SurveyScope,
    request: InsightRequest,
    signal: AbortSignal,
  ): Promise<Computation> {
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
  private wordFindings(
    operation: Operation,
    scope: SurveyScope,
    analyst: TextAnalyzer,
    findings: readonly Finding[],
    signal: AbortSignal,
  ): Promise<BilledResult<Wording[]>> {
    const { engine, model } = analyst;
    const run = { scope, operation, worker: { engine, model }, options: {}, signal };
    if (findings.length === 0) return this.runs.withoutCharge(run, []);
    const facts = findings.map(toFact);
    const mostTokens = analyst.maxTokens(
      { operation },
      facts.map(({ statement }) => statement),
    );
    return this.runs.runOnAll(run, facts, mostTokens, (reservation) =>
      analyst.wordFacts(reservation, facts, signal),
    );
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
