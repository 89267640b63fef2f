import type { Caller } from '../../domain/access/caller.ts';
import type { ColumnChoice } from '../../domain/charts/chart-config.ts';
import {
  type ChartConfig,
  chartConfigSchema,
  type ChartType,
  chartTypeOf,
} from '../../domain/charts/registry.ts';
import { sizeAtMost, unknownOrHiddenObject } from '../../lib/error-messages.ts';
import { AppError, invalid, invalidFields } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import { schemaProblems, schemaWording } from '../../lib/schema-problems.ts';
import { catalogOf } from '../../repositories/derived-columns.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import { compileFilter, requireWeightColumn } from '../datasets/requested-columns.ts';

/** The caller properties that decide which surveys they can show. */
export type Author = Pick<Caller, 'userId' | 'organizationId' | 'role'>;

/** Characters of JSON. */
const MAX_CONFIG_CHARACTERS = 100_000;

/** A configuration with the survey that it shows; null if it shows no data. */
export interface ChartSource {
  config: ChartConfig;
  surveyId: number | null;
}

/** The members that name the survey and the column of an element. */
type DataConfig = { survey_id?: number } & { [Part in 'dimension' | 'filterElement']?: ColumnChoice };

/** Parses a configuration and expands its short forms. Throws 400 with the path of each error. */
export function readChartConfig(type: ChartType, input: unknown, field = 'chart_config'): ChartConfig {
  const parsed = chartConfigSchema(type).safeParse(input, { error: schemaWording });
  if (!parsed.success) throw invalidFields(schemaProblems(parsed.error, field));
  const size = JSON.stringify(parsed.data).length;
  if (size > MAX_CONFIG_CHARACTERS)
    throw invalid(field, sizeAtMost(MAX_CONFIG_CHARACTERS, 'character of JSON', size));
  return parsed.data;
}

/** Adds the survey id: that of the configuration or that of its question. Throws 400 if the caller can see no such question. */
export async function resolveSource({
  repositories: { dashboards },
  organizationId,
  type,
  config,
  canSee,
  field = 'chart_config',
}: {
  repositories: Pick<Repositories, 'dashboards'>;
  organizationId: number;
  type: ChartType;
  config: ChartConfig;
  canSee: (surveyId: number) => Promise<boolean>;
  field?: string | undefined;
}): Promise<ChartSource> {
  const part = chartTypeOf(type).columnField;
  if (part === null) return { config, surveyId: null };
  const { survey_id: given, [part]: column } = config as DataConfig;
  if (given !== undefined) return { config, surveyId: given };
  // The schema requires one of the two ids.
  const questionId = requireValue(column?.question_id, 'question_id');
  const surveyId = await dashboards.findSurveyOfQuestion(organizationId, questionId);
  if (surveyId === null || !(await canSee(surveyId)))
    throw invalid(`${fieldPrefix(field)}${part}.question_id`, unknownOrHiddenObject('question', questionId));
  return { config: { ...config, survey_id: surveyId }, surveyId };
}

/** Authors can only show surveys that they can see. A hidden survey gives the same error as a missing one. */
export async function refuseHiddenSurvey({
  access,
  by,
  surveyId,
  field = 'chart_config.survey_id',
}: {
  access: AccessService;
  by: Author;
  surveyId: number;
  field?: string | undefined;
}): Promise<void> {
  if (!(await canSeeSurvey(access, by, surveyId)))
    throw invalid(field, unknownOrHiddenObject('survey', surveyId));
}

export async function canSeeSurvey(access: AccessService, by: Author, surveyId: number): Promise<boolean> {
  try {
    await access.survey({ caller: by, surveyId, need: 'view' });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return false;
    throw error;
  }
}

/** Runs `work` and prefixes the field paths of its errors with `field`. */
export async function prefixErrorFields<T>(field: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.details.length === 0) throw error;
    const { kind, code, headers } = error;
    const details = error.details.map((detail) => ({ ...detail, field: fieldPrefix(field) + detail.field }));
    throw new AppError(kind, code, invalidFields(details).message, details, headers);
  }
}

const fieldPrefix = (field: string): string => (field === '' ? '' : `${field}.`);

/** Validates that a survey has the columns that a configuration names. Does not read responses. */
export class ChartConfigValidator {
  constructor(private readonly store: Store) {}

  /**
   * Returns the configuration with the question id of its column added. Throws 400 or 422 with the path of the wrong column, value or
   * filter, relative to the configuration.
   */
  async validate(surveyId: number, type: ChartType, config: ChartConfig): Promise<ChartConfig> {
    const chartType = chartTypeOf(type);
    if (chartType.columnField === null) return config;
    const { definitions, derivedColumns } = this.store.read;
    const catalog = catalogOf(
      await definitions.loadDraft(surveyId),
      await derivedColumns.loadCurrent(surveyId),
    );
    if ('weight_column' in config && config.weight_column !== undefined)
      requireWeightColumn(catalog, config.weight_column, 'weight_column');
    if ('filter' in config && config.filter !== undefined) compileFilter(config.filter, catalog);
    // The type adds members of its own configuration.
    return chartType.resolve(config, catalog).stored() as ChartConfig;
  }
}
