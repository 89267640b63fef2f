import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../domain/answers/read-result.ts';
import { type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
import type { ReportScope } from '../../domain/access/scopes.ts';
import {
  type SlideContent,
  slideContentSchema,
  type SlideElement,
} from '../../domain/reports/slide-content.ts';
import type { SlideType } from '../../domain/reports/slide-types.ts';
import { sizeAtMost, unknownObject, unknownOrHiddenObject } from '../../lib/error-messages.ts';
import { AppError, invalid, invalidFields } from '../../lib/errors.ts';
import { schemaProblems, schemaWording } from '../../lib/schema-problems.ts';
import { catalogOf } from '../../repositories/derived-columns.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import {
  type Author,
  canSeeSurvey,
  type ChartConfigValidator,
  prefixErrorFields,
  readChartConfig,
  refuseHiddenSurvey,
  resolveSource,
} from '../dashboards/chart-source.ts';
import { resolveCrosstab } from '../figures/resolve-crosstab.ts';
import { toCrosstabRequest } from './crosstab-request.ts';

const FIELD = 'slide_content';
/** Characters of JSON. */
const MAX_CHARACTERS = 200_000;
/** Fields that clients use to send a URL instead of a file. */
const URL_FIELDS = ['image_url', 'url', 'src', 'image'];

/** Validates that the content of a slide exists and that the author may show it. */
export class SlideValidator {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly charts: ChartConfigValidator,
  ) {}

  /**
   * Returns the content with its short forms expanded. Throws 400 or 422 with the wrong field, starting with `slide_content`. Parts
   * unchanged from `before` are accepted even if the author cannot see their survey.
   */
  async validate(
    by: Author,
    scope: ReportScope,
    type: SlideType,
    input: unknown,
    before: Record<string, unknown> | null,
  ): Promise<Record<string, unknown>> {
    if (type === 'image') refuseImageUrl(input, scope);
    const content = readContent(type, input);
    if ('charts' in content)
      return { ...content, charts: await this.validateParts(by, scope, type, 'charts', content, before) };
    if ('figures' in content)
      return { ...content, figures: await this.validateParts(by, scope, type, 'figures', content, before) };
    if ('rows' in content) await this.validateTable(by, content, before);
    if ('image_id' in content) await this.validateImage(scope, content.image_id);
    if ('survey_ids' in content) await this.validateSurveys(by, content.survey_ids ?? [], before);
    return content;
  }

  private validateParts(
    by: Author,
    scope: ReportScope,
    type: SlideType,
    list: 'charts' | 'figures',
    content: { charts?: SlideElement[]; figures?: SlideElement[] },
    before: Record<string, unknown> | null,
  ): Promise<SlideElement[]> {
    const known = (before?.[list] ?? []) as SlideElement[];
    return Promise.all(
      (content[list] ?? []).map(async (part, index) => {
        if (known.some((one) => isDeepStrictEqual(one, part))) return part;
        const field = `${FIELD}.${list}[${index}]`;
        if (!('chart_id' in part)) return this.validateOwnChart(by, scope, part, field);
        await this.validateElement(by, part.chart_id, type, `${field}.chart_id`);
        return part;
      }),
    );
  }

  private async validateOwnChart(
    by: Author,
    { organizationId }: ReportScope,
    part: Exclude<SlideElement, { chart_id: number }>,
    at: string,
  ): Promise<SlideElement> {
    const field = `${at}.chart_config`;
    const config = readChartConfig(part.chart_type, part.chart_config, field);
    const canSee = (surveyId: number) => canSeeSurvey(this.access, by, surveyId);
    const source = await resolveSource(
      this.store.read,
      organizationId,
      part.chart_type,
      config,
      canSee,
      field,
    );
    const surveyId = source.surveyId!;
    await refuseHiddenSurvey(this.access, by, surveyId, `${field}.survey_id`);
    const complete = await prefixErrorFields(field, () =>
      this.charts.validate(surveyId, part.chart_type, source.config),
    );
    // The validated configuration is JSON with expanded short forms.
    return { ...part, chart_config: complete };
  }

  private async validateElement(by: Author, chartId: number, type: SlideType, field: string): Promise<void> {
    const element = (await this.store.read.dashboards.findCharts(by.organizationId, [chartId])).get(chartId);
    if (element === undefined || !(await this.canSeeDashboard(by, element.dashboard_id)))
      throw invalid(field, unknownOrHiddenObject('dashboard element', chartId));
    if (!chartTypeOf(element.chart_type).slides.includes(type))
      throw invalid(
        field,
        `element ${chartId} is of type ${element.chart_type}, which is allowed on ${allowedSlides(element.chart_type)}`,
      );
  }

  private async canSeeDashboard(by: Author, dashboardId: number): Promise<boolean> {
    try {
      await this.access.dashboard(by, dashboardId, 'view');
      return true;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return false;
      throw error;
    }
  }

  private async validateTable(
    by: Author,
    content: SlideContent<'table'>,
    before: Record<string, unknown> | null,
  ): Promise<void> {
    if (isDeepStrictEqual({ ...content, notes: null }, { ...before, notes: null })) return;
    const { survey_id: surveyId } = content;
    await refuseHiddenSurvey(this.access, by, surveyId, `${FIELD}.survey_id`);
    const { definitions, derivedColumns } = this.store.read;
    const catalog = catalogOf(await definitions.draft(surveyId), await derivedColumns.current(surveyId));
    await prefixErrorFields(FIELD, () =>
      resolveCrosstab(toCrosstabRequest(content), catalog, 'weight_column'),
    );
  }

  private async validateImage(scope: ReportScope, imageId: number): Promise<void> {
    const images = await this.store.read.reports.listImages(scope);
    if (!images.some(({ image_id }) => image_id === imageId))
      throw invalid(
        `${FIELD}.image_id`,
        `${unknownObject('picture', imageId, 'in this report')}; ${uploadHint(scope)}`,
      );
  }

  private async validateSurveys(
    by: Author,
    surveyIds: readonly number[],
    before: Record<string, unknown> | null,
  ): Promise<void> {
    const known = (before?.['survey_ids'] ?? []) as number[];
    for (const [index, surveyId] of surveyIds.entries())
      if (!known.includes(surveyId))
        await refuseHiddenSurvey(this.access, by, surveyId, `${FIELD}.survey_ids[${index}]`);
  }
}

function readContent(type: SlideType, input: unknown): SlideContent {
  const parsed = slideContentSchema(type).safeParse(input, { error: schemaWording });
  if (!parsed.success) throw invalidFields(schemaProblems(parsed.error, FIELD));
  const size = JSON.stringify(parsed.data).length;
  if (size > MAX_CHARACTERS) throw invalid(FIELD, sizeAtMost(MAX_CHARACTERS, 'character of JSON', size));
  return parsed.data;
}

const uploadHint = ({ reportId }: ReportScope) =>
  `upload the file with POST /api/reports/${reportId}/images and send its image_id`;

/** Pictures are never fetched from a URL; they must be uploaded. */
function refuseImageUrl(input: unknown, scope: ReportScope): void {
  if (!isRecord(input)) return;
  const field = URL_FIELDS.find((name) => Object.hasOwn(input, name)) ?? null;
  const isAddress = typeof input['image_id'] === 'string' && /^(data|https?|file):/i.test(input['image_id']);
  if (field === null && !isAddress) return;
  throw invalid(`${FIELD}.${field ?? 'image_id'}`, `pictures must be uploaded: ${uploadHint(scope)}`);
}

/** `a slide of type chart`; a text is copied, because an element of text cannot be linked. */
function allowedSlides(type: ChartType): string {
  const { slides, columnField } = chartTypeOf(type);
  if (slides.length === 0) return 'no slide';
  return `a slide of type ${slides.join(' or ')}${columnField === null ? ', with its words' : ''}`;
}
