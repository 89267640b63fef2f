import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../../../domain/dataset/columns/column-catalog.ts';
import type { CompiledFilter } from '../../../../domain/dataset/filter/filter.ts';
import { type InclusionCounts, selectAndCountRows } from '../../../../domain/dataset/filter/select-rows.ts';
import {
  type AnalysisInput,
  loadCodesOfVariables,
  selectVariables,
  type Variables,
} from '../../../../domain/insights/variables.ts';
import { findBatteryColumns } from '../../../../domain/quality/straightlining.ts';
import {
  type QualitySettings,
  qualitySettingsOf,
} from '../../../../domain/survey/settings/quality-settings.ts';
import { unknownObject } from '../../../../lib/error-messages.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { invalidFields, notFound } from '../../../../lib/errors.ts';
import type { Store } from '../../../../repositories/store.ts';
import type { DatasetService, OpenDataset } from '../../../datasets/datasets.ts';
import {
  compileFilter,
  collectLoadCodes,
  type ResponseSelection,
  requireWeightColumn,
  readWeights,
} from '../../../datasets/requested-columns.ts';

/** The responses to analyze, and the options of the analysis. */
export interface InsightRequest extends ResponseSelection {
  /** null: every question. */
  questionIds: readonly number[] | null;
  weightColumn: string | null;
  /** null: a language model if one is configured. */
  engine: 'built-in' | null;
}

/** The loaded data that insights and anomalies are computed from. */
export interface InsightData extends OpenDataset {
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
      : [{ field: `question_ids[${index}]`, message: unknownObject('question', id, 'in this survey') }],
  );
  if (problems.length > 0) throw invalidFields(problems);
}
