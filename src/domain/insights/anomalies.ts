import { DURATION_COLUMN } from '../dataset/columns/metadata-columns.ts';
import { createSpeederCheck, createStraightlinerCheck } from '../quality/row-checks.ts';
import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import type { QualitySettings } from '../survey/settings/quality-settings.ts';
import { isMeasure } from '../statistics/crosstab/variable-axis.ts';
import { ImprobabilityScore, lowQualityResponses } from './unlikely-responses.ts';
import { findChangePoint, countDays, formatDay, findUnusualDays } from './days.ts';
import { testShares, countShareTable, type ShareTable } from './difference.ts';
import { differenceFinding } from './difference-findings.ts';
import { type Candidate, MIN_BASE } from './finding.ts';
import {
  groupByColumn,
  groupBySegment,
  type Grouping,
  type Outcome,
  readNumericAnswers,
  type SegmentColumn,
  type Variables,
} from './variables.ts';
import type { TestResults } from './insights.ts';
import type { AnalysisInput } from './analysis-input.ts';
import { type OutlierInput, findOutliers } from './outliers.ts';

/** The input for anomaly detection. */
export interface AnomalyPlan {
  variables: Variables;
  batteries: readonly CatalogColumn[][];
  quality: QualitySettings;
  /** Mask of complete responses, whose median duration is the reference for speeders. */
  completes: Uint8Array;
}

/** With more links than this, sources are not compared. */
const MAX_SOURCES = 40;

/** Finds anomalies in values and durations, whole responses, days, sources and trends. Yields after each test. Columns must be loaded. */
export function* findAnomalies(input: AnalysisInput, plan: AnomalyPlan): Generator<void, TestResults> {
  const { dataset, rows } = input;
  const { mask } = rows;
  const { responseIds } = dataset;
  const { outcomes, segments } = plan.variables;
  const tests: TestResults = { candidates: [], pValues: [], tested: { pairs: 0, of: 0, tests: 0 } };
  const add = (found: { pValue: number; candidate: Candidate | null } | null) => {
    if (found === null) return;
    const test = tests.pValues.push(found.pValue) - 1;
    if (found.candidate !== null) tests.candidates.push({ candidate: found.candidate, test });
  };
  const describe = (finding: Candidate['finding'] | null) => {
    if (finding === null) return;
    // Equal to a medium effect at a share of 10 %.
    const strength = Math.min(2, 10 * (finding.evidence.effect?.value ?? 0));
    tests.candidates.push({ candidate: { finding, topic: finding.id, strength }, test: null });
  };

  for (const amounts of outlierInputs(input, outcomes)) {
    add(findOutliers(amounts(), mask, responseIds));
    yield;
  }
  const { speeder, straightliner } = plan.quality;
  if (speeder.enabled)
    describe(
      yield* lowQualityResponses(createSpeederCheck(dataset, plan.completes, speeder), mask, responseIds),
    );
  if (straightliner.enabled && plan.batteries.length > 0) {
    const check = createStraightlinerCheck(dataset, plan.batteries, straightliner);
    describe(yield* lowQualityResponses(check, mask, responseIds));
  }
  const startedAt = dataset.column('started_at');
  const { spec } = input.catalog.find('started_at')!;
  const days = startedAt.kind === 'date' ? countDays(spec, startedAt.values, mask) : null;
  yield;
  if (days !== null) findUnusualDays(days, mask, responseIds).forEach(add);
  const sources = groupByLink(input, segments);
  const surprise = new ImprobabilityScore(rows);
  for (const outcome of outcomes) {
    if (outcome.measured === 'mean' && !outcome.isScale) continue;
    const answers = groupByColumn(dataset, outcome.entry, mask);
    if (answers === null) continue;
    yield;
    surprise.add(answers);
    yield;
    if (days !== null) {
      const groups = {
        coding: days.coding,
        categories: Array.from(days.counts, (_, day) => ({
          label: formatDay(days, day),
          slot: day + 1,
          code: null,
        })),
      };
      add(findChangePoint(outcome, tableOf(outcome, answers, groups), days));
      yield;
    }
    if (sources !== null) {
      const table = tableOf(outcome, answers, sources);
      table.groups.forEach((_, source) => add(testSource(outcome, table, source)));
      tests.tested.pairs += 1;
      yield;
    }
  }
  add(surprise.findOutliers(responseIds));
  tests.tested.of = tests.tested.pairs;
  tests.tested.tests = tests.pValues.length;
  return tests;

  function tableOf(outcome: Outcome, answers: Grouping, groups: Grouping): ShareTable {
    const table = countShareTable(answers, groups, rows);
    const names = table.answers.map((label, answerIndex) => (answerIndex === 0 ? null : label));
    return outcome.measured === 'yes' ? { ...table, answers: names } : table;
  }
}

/** Lazily, because each may be large. */
function outlierInputs(
  { dataset, rows }: AnalysisInput,
  outcomes: readonly Outcome[],
): (() => OutlierInput)[] {
  const numbers = outcomes.filter(({ entry }) => isMeasure(entry));
  const createInputs = numbers.map(({ entry, questionId }) => (): OutlierInput => {
    const { columnCode, label } = entry.spec;
    const values = readNumericAnswers(dataset, { entry }, rows.mask.length);
    return {
      kind: 'outliers',
      columnCode,
      label,
      questionIds: [questionId],
      values,
      logarithm: 'where_skewed',
    };
  });
  const durations = dataset.column(DURATION_COLUMN);
  if (durations.kind !== 'numeric') return createInputs;
  return [
    ...createInputs,
    () => {
      const { columnCode, label } = durations.spec;
      const { values } = durations;
      return { kind: 'unusual_durations', columnCode, label, questionIds: [], values, logarithm: 'always' };
    },
  ];
}

/** Returns null if there is one link only, or too many to compare. */
function groupByLink(
  { dataset, rows, linkNames }: AnalysisInput,
  segments: readonly SegmentColumn[],
): Grouping | null {
  const link = segments.find(({ kind }) => kind === 'link');
  const groups = link === undefined ? null : groupBySegment(dataset, link, rows.mask, linkNames);
  if (groups === null || groups.categories.length < 2 || groups.categories.length > MAX_SOURCES) return null;
  return groups;
}

/** Tests whether respondents of one link answer differently from all others. */
function testSource(outcome: Outcome, { answers, groups, cells, designSize }: ShareTable, source: number) {
  const others = cells.map((line) =>
    line.reduce(
      (sum, cell, groupIndex) =>
        groupIndex === source
          ? sum
          : {
              count: sum.count + cell.count,
              weight: sum.weight + cell.weight,
              squaredWeight: sum.squaredWeight + cell.squaredWeight,
            },
      { count: 0, weight: 0, squaredWeight: 0 },
    ),
  );
  const base = cells.reduce((sum, line) => sum + line[source]!.count, 0);
  const name = groups[source]!;
  const test =
    base < MIN_BASE
      ? null
      : testShares({
          answers,
          groups: [`from the link “${name}”`, 'from other links'],
          cells: cells.map((line, answer) => [line[source]!, others[answer]!]),
          designSize,
        });
  if (test === null) return null;
  const candidate = differenceFinding({ kind: 'source_differs', outcome, segment: null, part: name }, test);
  return { pValue: test.pValue, candidate };
}
