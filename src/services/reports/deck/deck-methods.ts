import { derivedOf } from '../../../domain/derived/derived-column.ts';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnChoice } from '../../../domain/charts/chart-config.ts';
import type { ColumnCatalog } from '../../../domain/dataset/column-catalog.ts';
import { DURATION_COLUMN } from '../../../domain/responses/metadata-columns.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import { selectAndCountRows, selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../../../domain/responses/response-row.ts';
import type { MethodSection } from '../../../domain/reports/deck.ts';
import {
  fieldworkSections,
  questionsSection,
  type SampleFacts,
  sampleSection,
  type WeightFacts,
  weightingSection,
} from '../../../domain/reports/methods.ts';
import type { APPENDIX_PARTS } from '../../../domain/reports/slide-content.ts';
import { computeEffectiveBase } from '../../../domain/statistics/base.ts';
import { surveySettingsOf } from '../../../domain/survey/survey-settings.ts';
import { crossedValue, type WeightScheme } from '../../../domain/weighting/weighting-cells.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError, notFound } from '../../../lib/errors.ts';
import { requireItem } from '../../../lib/require-value.ts';
import type { Store } from '../../../repositories/store.ts';
import type { DatasetService, OpenDataset } from '../../datasets/datasets.ts';
import { readWeights } from '../../datasets/requested-columns.ts';
import type { CrosstabService } from '../../figures/crosstabs.ts';
import type { PublishedWordings } from '../../surveys/survey-definitions.ts';
import type { SurveyUsage } from './deck-plan.ts';

/** Limit for tracking studies; of more waves the newest are described. */
const MAX_WAVES = 100;

const COMPLETED = 'completed_at';
const LANGUAGE = 'language';
/** Columns read for every survey. */
export const METHOD_COLUMNS: readonly string[] = [LANGUAGE, COMPLETED, DURATION_COLUMN];

type Part = (typeof APPENDIX_PARTS)[number];

/** Describes how a survey was conducted, for the appendix of a report. */
export class MethodReader {
  private readonly store: Store;
  private readonly datasets: DatasetService;
  private readonly crosstabs: CrosstabService;
  private readonly clock: Clock;
  private readonly wordings: PublishedWordings;

  constructor(sections: {
    store: Store;
    datasets: DatasetService;
    crosstabs: CrosstabService;
    clock: Clock;
    wordings: PublishedWordings;
  }) {
    this.store = sections.store;
    this.datasets = sections.datasets;
    this.crosstabs = sections.crosstabs;
    this.clock = sections.clock;
    this.wordings = sections.wordings;
  }

  /** Sections in a fixed order. `shown`: what the report shows of the survey. */
  async readMethods(
    scope: SurveyScope,
    parts: readonly Part[],
    shown: SurveyUsage,
  ): Promise<{ survey: string; methods: MethodSection[] }> {
    const wording = await this.wordings.load(scope.surveyId);
    const open = await this.datasets.openFor(scope.surveyId, (catalog) => {
      const read = [...METHOD_COLUMNS, ...(parts.includes('weighting') ? shown.weights : [])];
      return { loadCodes: read.flatMap((code) => catalog.find(code)?.loadCodes ?? []) };
    });
    const sample = countSample(open.dataset);
    const weights = parts.includes('weighting')
      ? [...shown.weights].flatMap((code) => summarizeWeight(open, code) ?? [])
      : [];
    const definition = wording?.definitionOf(open.definition) ?? open.definition;
    // Responses may change from here on.
    const sections: MethodSection[] = [];
    if (parts.includes('sample')) sections.push(await this.describeSample(scope, sample));
    if (parts.includes('field')) sections.push(...(await this.describeField(scope)));
    for (const weight of weights) {
      const margins = await computeMargins(scope, weight, this.crosstabs);
      sections.push(weightingSection({ ...weight.facts, margins }));
    }
    const questions = parts.includes('questions')
      ? questionsSection(definition, collectQuestionIds(shown.columns, open.catalog))
      : null;
    const methods = questions === null ? sections : [...sections, questions];
    return { survey: definition.name, methods };
  }

  private async describeSample({ surveyId }: SurveyScope, sample: CountedSample): Promise<MethodSection> {
    const state = await this.store.read.surveys.findState(surveyId);
    if (state === null) throw notFound('survey');
    const { anonymous, confidential, timezone } = surveySettingsOf(state.survey_settings);
    return sampleSection({ ...sample, anonymous, confidential, timeZone: timezone });
  }

  private async describeField(scope: SurveyScope): Promise<MethodSection[]> {
    const search = { surveyId: scope.surveyId, status: null, now: this.clock.now() };
    const newest = await this.store.read.waves.listProgress(scope, search, {
      after: null,
      skip: 0,
      limit: MAX_WAVES,
    });
    const waves = newest.slice(0, MAX_WAVES).map((wave) => ({
      name: wave.wave_name,
      start: wave.wave_start_date,
      end: wave.wave_end_date,
      complete: wave.completed,
      target: wave.target,
      quotas: (wave.quotas ?? []).map(({ quota_name: name, cells }) => ({
        name,
        cells: cells.map(({ cell_label: label, target, completed }) => ({ label, target, completed })),
      })),
    }));
    const startOf = ({ start }: (typeof waves)[number]) => start?.getTime() ?? -Infinity;
    const inOrder = waves.reverse().sort((one, other) => Math.sign(startOf(one) - startOf(other)) || 0);
    return fieldworkSections(inOrder, await this.store.read.surveys.findTimeZone(scope.surveyId));
  }
}

type CountedSample = Omit<SampleFacts, 'anonymous' | 'confidential' | 'timeZone'>;

/** Runs without a pause, so that no response changes meanwhile. */
function countSample(dataset: Dataset): CountedSample {
  const count = (status: readonly ResponseStatus[]) => selectAndCountRows(dataset, { status }).counted;
  const all = count(RESPONSE_STATUSES);
  const mask = selectRows(dataset);
  const completed = dataset.column(COMPLETED);
  const duration = dataset.column(DURATION_COLUMN);
  const completedMs = completed.kind === 'date' ? completed.values : null;
  const durations = duration.kind === 'numeric' ? duration.values : null;
  const language = dataset.column(LANGUAGE);
  const languages = new Map<string, number>();
  const seconds: number[] = [];
  let [firstMs, lastMs] = [Infinity, -Infinity];
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 0) continue;
    const at = completedMs?.[row] ?? NaN;
    if (at < firstMs) firstMs = at;
    if (at > lastMs) lastMs = at;
    const durationSeconds = durations?.[row] ?? NaN;
    if (!Number.isNaN(durationSeconds)) seconds.push(durationSeconds);
    const tag = language.cell(row);
    if (typeof tag === 'string') languages.set(tag, (languages.get(tag) ?? 0) + 1);
  }
  const isKnown = firstMs <= lastMs;
  return {
    complete: count(['complete']).responses,
    partial: count(['partial']).responses,
    screenedOut: count(['screened_out']).responses,
    test: all.test_responses_included,
    testExcluded: all.test_responses_excluded,
    qualityExcluded: all.quality_excluded,
    firstAt: isKnown ? new Date(firstMs) : null,
    lastAt: isKnown ? new Date(lastMs) : null,
    medianSeconds: medianOf(Float64Array.from(seconds)),
    languages,
  };
}

function medianOf(values: Float64Array): number | null {
  values.sort();
  const middle = values.length / 2;
  const [lower, upper] = [values[Math.ceil(middle) - 1], values[Math.floor(middle)]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** Questions of the shown columns, including the sources of derived ones. */
function collectQuestionIds(columns: readonly ColumnChoice[], catalog: ColumnCatalog): Set<number> {
  const found = new Set<number>();
  const seen = new Set<string>();
  const add = (code: string): void => {
    if (seen.has(code)) return;
    seen.add(code);
    const entry = catalog.find(code);
    const id = entry?.spec.questionId ?? catalog.question(code)?.question.id;
    if (id !== undefined) found.add(id);
    if (entry?.origin.kind === 'derived') entry.origin.derived.sources.forEach(add);
  };
  for (const { question_id: id, column_code: code } of columns) {
    if (id !== undefined) found.add(id);
    if (code !== undefined) add(code);
  }
  return found;
}

/** A weight summarized over the counted responses, with its targets. */
interface WeightSummary {
  facts: Omit<WeightFacts, 'margins'>;
  columnCode: string;
  scheme: WeightScheme | null;
}

/** Runs without a pause, so that no response changes meanwhile. The column must be loaded. Returns null if it does not exist. */
function summarizeWeight(open: OpenDataset, columnCode: string): WeightSummary | null {
  const entry = open.catalog.find(columnCode) ?? null;
  const weights = readWeights(open, entry);
  if (entry === null || weights === null) return null;
  const mask = selectRows(open.dataset);
  const sums = { responses: 0, weight: 0, squares: 0, min: Infinity, max: 0 };
  for (let row = 0; row < mask.length; row++) {
    const weight = weights[row] ?? NaN;
    if (mask[row] === 0 || !(weight > 0)) continue;
    sums.responses++;
    sums.weight += weight;
    sums.squares += weight * weight;
    sums.min = Math.min(sums.min, weight);
    sums.max = Math.max(sums.max, weight);
  }
  const definition = derivedOf(entry)?.definition;
  const weightDefinition = definition?.kind === 'weight' ? definition : null;
  return {
    facts: {
      label: entry.spec.label,
      responses: sums.responses,
      effective: computeEffectiveBase(sums.weight, sums.squares),
      range: sums.responses === 0 ? null : { min: sums.min, max: sums.max },
      isRecalculated: weightDefinition?.autoRefresh ?? false,
    },
    columnCode: entry.spec.columnCode,
    scheme: weightDefinition?.scheme ?? null,
  };
}

/** The margins of each dimension of the scheme: target, unweighted, weighted. Empty if one of its columns was deleted. */
async function computeMargins(
  scope: SurveyScope,
  { scheme, columnCode: weightColumn }: WeightSummary,
  crosstabs: CrosstabService,
): Promise<WeightFacts['margins']> {
  if (scheme === null) return [];
  try {
    const { tables } = await crosstabs.compute(scope, {
      rows: scheme.dimensions.map(({ columnCode, crossedWith = [] }) => [columnCode, ...crossedWith]),
      columns: [],
      nets: [],
      weightColumn,
      filter: scheme.filter,
      status: scheme.status,
      includeTest: scheme.includeTest,
      includeConfirmed: scheme.includeConfirmed ?? true,
      base: 'answering',
      statistics: new Set(['column_percent']),
      minBase: 0,
      correction: 'none',
    });
    return tables.map(({ row, rows, base }, index) => {
      const { targets } = requireItem(scheme.dimensions, index, 'dimension');
      const totalTarget = targets.reduce((sum, { target }) => sum + target, 0);
      const shares = new Map(targets.map(({ value, target }) => [value, (100 * target) / totalTarget]));
      return {
        label: row.label,
        categories: rows.map(({ label, categories, total }) => ({
          label,
          target: shares.get(crossedValue(categories.map(({ value }) => value ?? ''))) ?? null,
          unweighted: base.unweighted > 0 ? (100 * total.count) / base.unweighted : null,
          weighted: total.column_percent ?? null,
        })),
      };
    });
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
