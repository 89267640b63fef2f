import type { Caller } from '../../domain/access/caller.ts';
import { type ChartConfig, chartConfigSchema } from '../../domain/charts/chart-config.ts';
import type { ChartType } from '../../domain/charts/chart-types.ts';
import { AppError, invalid, invalidFields } from '../../lib/errors.ts';
import { schemaProblems } from '../../lib/schema-problems.ts';
import { schemaWording } from '../../lib/schema-wording.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { AccessService } from '../access.ts';

/** As much of somebody as decides which surveys they may show. */
export type Author = Pick<Caller, 'userId' | 'organizationId' | 'role'>;

/** Of JSON. */
const MAX_CONFIG_CHARACTERS = 100_000;

/** A configuration, and the survey that it is about; null: it shows no data. */
export interface ChartSource {
  config: ChartConfig;
  surveyId: number | null;
}

/** A configuration with its short forms written out; 400 with the path of whatever is wrong in it. */
export function readChartConfig(type: ChartType, input: unknown, field = 'chart_config'): ChartConfig {
  const parsed = chartConfigSchema(type).safeParse(input, { error: schemaWording });
  if (!parsed.success) throw invalidFields(schemaProblems(parsed.error, field));
  const size = JSON.stringify(parsed.data).length;
  if (size > MAX_CONFIG_CHARACTERS)
    throw invalid(field, `is ${size} characters of JSON; at most ${MAX_CONFIG_CHARACTERS} are allowed`);
  return parsed.data;
}

/**
 * The same with its survey named: its own, or that of its question. 400 where the organization has no such question; one of a survey
 * that the caller does not see is none.
 */
export async function resolveSource(
  { dashboardCharts }: Pick<Repositories, 'dashboardCharts'>,
  organizationId: number,
  config: ChartConfig,
  sees: (surveyId: number) => Promise<boolean>,
  field = 'chart_config',
): Promise<ChartSource> {
  if ('text' in config) return { config, surveyId: null };
  if (config.survey_id !== undefined) return { config, surveyId: config.survey_id };
  const part = 'filterElement' in config ? 'filterElement' : 'dimension';
  const questionId =
    'filterElement' in config ? config.filterElement.question_id : config.dimension.question_id;
  const surveyId = await dashboardCharts.surveyOfQuestion(organizationId, questionId!);
  if (surveyId === null || !(await sees(surveyId)))
    throw invalid(`${fieldPrefix(field)}${part}.question_id`, `no question ${questionId} that you can see`);
  return { config: { ...config, survey_id: surveyId }, surveyId };
}

/** Whoever shows a survey's figures to others must be able to see them; another survey is as good as missing. */
export async function refuseHiddenSurvey(
  access: AccessService,
  by: Author,
  surveyId: number,
  field = 'chart_config.survey_id',
): Promise<void> {
  if (!(await canSeeSurvey(access, by, surveyId)))
    throw invalid(field, `no survey ${surveyId} that you can see`);
}

export async function canSeeSurvey(access: AccessService, by: Author, surveyId: number): Promise<boolean> {
  try {
    await access.survey(by, surveyId, 'view');
    return true;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return false;
    throw error;
  }
}

/** What is wrong with a configuration's columns, at its path in the request. */
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
