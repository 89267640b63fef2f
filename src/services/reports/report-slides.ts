import { isDeepStrictEqual } from 'node:util';
import type { ReportScope } from '../../domain/access/scopes.ts';
import { isRecord } from '../../domain/questions/answers/read-answer.ts';
import { type ChartType, chartTypeOf } from '../../domain/charts/registry.ts';
import {
  type SlideContent,
  slideContentSchema,
  type SlideElement,
  type SlideTable,
} from '../../domain/reports/slide-content.ts';
import type { SlideType } from '../../domain/charts/slide-type.ts';
import {
  limitReached,
  requiredField,
  sizeAtMost,
  unknownObject,
  unknownOrHiddenObject,
} from '../../lib/error-messages.ts';
import { AppError, conflict, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import { refuseIncompleteOrder } from '../../lib/item-order.ts';
import { requireItem, requireValue } from '../../lib/require-value.ts';
import { schemaProblems, schemaWording } from '../../lib/schema-problems.ts';
import { catalogOf } from '../../repositories/derived-columns.ts';
import type { ReportSlideRow } from '../../repositories/reports.ts';
import type { Repositories } from '../../repositories/repositories.ts';
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
import { type CrosstabRequest, resolveCrosstab } from '../figures/crosstabs.ts';
import { reportObject } from './reports.ts';

const MAX_SLIDES = 500;

interface NewSlide {
  type: SlideType;
  title: string | null;
  content: unknown;
  /** From 1; null: at the end. */
  position: number | null;
}

/** Absent members stay unchanged. Content replaces the whole previous content. */
type SlideChanges = { [K in keyof NewSlide]?: NewSlide[K] | undefined };

/** The slides of a report. Reading them requires access to the report only. */
export class ReportSlideService {
  constructor(
    private readonly store: Store,
    private readonly check: SlideValidator,
  ) {}

  /** Inserts the slide at its position and moves the following ones. */
  async create(by: Author, scope: ReportScope, slide: NewSlide): Promise<ReportSlideRow> {
    const content = await this.check.validate({
      by,
      scope,
      type: slide.type,
      input: slide.content,
      before: null,
    });
    return reportObject.change(this.store, scope, async (repositories) => {
      const count = await refuseTooManySlides(repositories, scope, 1);
      const index = clampPosition(slide.position, count + 1);
      const fields = { slide_type: slide.type, slide_title: slide.title, slide_content: content };
      const slideIds = await repositories.reports.insertSlide(scope, index, [fields]);
      const slideId = requireItem(slideIds, 0, 'new slide');
      const result = { ...fields, slide_id: slideId, slide_order: index };
      return { result, action: 'slide_created', details: { slide_id: slideId } };
    });
  }

  async update({
    by,
    scope,
    slideId,
    changes,
  }: {
    by: Author;
    scope: ReportScope;
    slideId: number;
    changes: SlideChanges;
  }): Promise<ReportSlideRow> {
    const now = await this.store.read.reports.findSlide(scope, slideId);
    if (now === null) throw notFound('slide');
    const type = changes.type ?? now.slide_type;
    if (type !== now.slide_type && changes.content === undefined)
      throw invalid('slide_content', requiredField(`if slide_type changes: the content of a ${type} slide`));
    const isOther =
      type !== now.slide_type ||
      (changes.content !== undefined && !isDeepStrictEqual(changes.content, now.slide_content));
    const content = isOther
      ? await this.check.validate({ by, scope, type, input: changes.content, before: now.slide_content })
      : null;
    return reportObject.change(this.store, scope, async ({ reports }) => {
      const slides = await reports.listSlides(scope);
      const before = requireSlide(slides, slideId);
      const after = {
        ...before,
        slide_order: clampPosition(changes.position ?? before.slide_order, slides.length),
        slide_title: changes.title === undefined ? before.slide_title : changes.title,
        ...(content && { slide_type: type, slide_content: content }),
      };
      if (isDeepStrictEqual(after, before)) return { result: before, action: null };
      await reports.updateSlide(scope, slideId, after);
      if (after.slide_order !== before.slide_order) {
        const ids = slides.map(({ slide_id }) => slide_id).filter((id) => id !== slideId);
        ids.splice(after.slide_order - 1, 0, slideId);
        await reports.setSlideOrder(scope, ids);
      }
      return { result: after, action: 'slide_updated', details: { slide_id: slideId } };
    });
  }

  delete(scope: ReportScope, slideId: number): Promise<void> {
    return reportObject.change(this.store, scope, async ({ reports }) => {
      await reports.removeSlide(scope, requireSlide(await reports.listSlides(scope), slideId));
      return { result: undefined, action: 'slide_deleted', details: { slide_id: slideId } };
    });
  }

  /** Inserts a copy after the slide. */
  duplicate(scope: ReportScope, slideId: number): Promise<ReportSlideRow> {
    return reportObject.change(this.store, scope, async (repositories) => {
      const { reports } = repositories;
      const from = requireSlide(await reports.listSlides(scope), slideId);
      await refuseTooManySlides(repositories, scope, 1);
      const index = from.slide_order + 1;
      const copyId = requireItem(await reports.insertSlide(scope, index, [from]), 0, 'new slide');
      const result = { ...from, slide_id: copyId, slide_order: index };
      return { result, action: 'slide_created', details: { slide_id: copyId, copy_of: slideId } };
    });
  }

  /** `slideIds` must contain every slide once, in the new order. */
  async reorder(scope: ReportScope, slideIds: readonly number[]): Promise<void> {
    await reportObject.change(this.store, scope, async ({ reports }) => {
      const slides = await reports.listSlides(scope);
      const existingIds = slides.map((slide) => slide.slide_id);
      refuseIncompleteOrder({ field: 'slide_ids', given: slideIds, existingIds, kind: 'slide' });
      await reports.setSlideOrder(scope, slideIds);
      return { result: undefined, action: 'slides_reordered' };
    });
  }
}

function requireSlide(slides: readonly ReportSlideRow[], slideId: number): ReportSlideRow {
  const slide = slides.find((one) => one.slide_id === slideId);
  if (slide === undefined) throw notFound('slide');
  return slide;
}

/** Returns the number of slides. Throws 409 if `more` slides would exceed the limit. */
export async function refuseTooManySlides(
  { reports }: Repositories,
  scope: Pick<ReportScope, 'organizationId' | 'reportId'>,
  more: number,
): Promise<number> {
  const count = await reports.countSlides(scope);
  if (count + more > MAX_SLIDES)
    throw conflict('too_many_slides', limitReached({ owner: 'A report', max: MAX_SLIDES, unit: 'slide' }));
  return count;
}

/** Positions beyond the end mean the last one. */
const clampPosition = (position: number | null, last: number): number => Math.min(position ?? last, last);

/** Columns with fewer respondents are not compared. */
const MIN_COMPARED_BASE = 30;

/** The crosstab request of a slide's table: complete responses, with the same defaults for test and flagged responses as other figures. */
export function toCrosstabRequest(table: SlideTable): CrosstabRequest {
  return {
    rows: table.rows,
    columns: table.columns,
    nets: table.nets.map(({ column_code, label, values }) => ({ columnCode: column_code, label, values })),
    weightColumn: table.weight_column ?? null,
    filter: table.filter,
    status: ['complete'],
    includeTest: table.include_test,
    includeConfirmed: table.quality === 'include_all',
    base: table.base ?? 'answering',
    statistics: new Set([
      'column_percent',
      'row_percent',
      ...(table.means === false ? [] : (['means'] as const)),
      ...(table.letters ? (['letters'] as const) : []),
    ]),
    minBase: MIN_COMPARED_BASE,
    correction: 'none',
  };
}

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
  async validate({
    by,
    scope,
    type,
    input,
    before,
  }: {
    by: Author;
    scope: ReportScope;
    type: SlideType;
    input: unknown;
    before: Record<string, unknown> | null;
  }): Promise<Record<string, unknown>> {
    if (type === 'image') refuseImageUrl(input, scope);
    const content = readContent(type, input);
    if ('charts' in content)
      return {
        ...content,
        charts: await this.validateParts({ by, scope, type, list: 'charts', content, before }),
      };
    if ('figures' in content)
      return {
        ...content,
        figures: await this.validateParts({ by, scope, type, list: 'figures', content, before }),
      };
    if ('rows' in content) await this.validateTable(by, content, before);
    if ('image_id' in content) await this.validateImage(scope, content.image_id);
    if ('survey_ids' in content) await this.validateSurveys(by, content.survey_ids ?? [], before);
    return content;
  }

  private validateParts({
    by,
    scope,
    type,
    list,
    content,
    before,
  }: {
    by: Author;
    scope: ReportScope;
    type: SlideType;
    list: 'charts' | 'figures';
    content: { charts?: SlideElement[]; figures?: SlideElement[] };
    before: Record<string, unknown> | null;
  }): Promise<SlideElement[]> {
    const known = (before?.[list] ?? []) as SlideElement[];
    return Promise.all(
      (content[list] ?? []).map(async (part, index) => {
        if (known.some((one) => isDeepStrictEqual(one, part))) return part;
        const field = `${FIELD}.${list}[${index}]`;
        if (!('chart_id' in part)) return this.validateOwnChart({ by, reportScope: scope, part, at: field });
        await this.validateElement({ by, chartId: part.chart_id, type, field: `${field}.chart_id` });
        return part;
      }),
    );
  }

  private async validateOwnChart({
    by,
    reportScope: { organizationId },
    part,
    at,
  }: {
    by: Author;
    reportScope: ReportScope;
    part: Exclude<SlideElement, { chart_id: number }>;
    at: string;
  }): Promise<SlideElement> {
    const field = `${at}.chart_config`;
    const config = readChartConfig(part.chart_type, part.chart_config, field);
    const canSee = (surveyId: number) => canSeeSurvey(this.access, by, surveyId);
    const source = await resolveSource({
      repositories: this.store.read,
      organizationId,
      type: part.chart_type,
      config,
      canSee,
      field,
    });
    const surveyId = requireValue(source.surveyId, 'survey of the chart');
    await refuseHiddenSurvey({ access: this.access, by, surveyId, field: `${field}.survey_id` });
    const complete = await prefixErrorFields(field, () =>
      this.charts.validate(surveyId, part.chart_type, source.config),
    );
    // The validated configuration is JSON with expanded short forms.
    return { ...part, chart_config: complete };
  }

  private async validateElement({
    by,
    chartId,
    type,
    field,
  }: {
    by: Author;
    chartId: number;
    type: SlideType;
    field: string;
  }): Promise<void> {
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
      await this.access.dashboard({ caller: by, dashboardId, need: 'view' });
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
    await refuseHiddenSurvey({ access: this.access, by, surveyId, field: `${FIELD}.survey_id` });
    const { definitions, derivedColumns } = this.store.read;
    const catalog = catalogOf(
      await definitions.loadDraft(surveyId),
      await derivedColumns.loadCurrent(surveyId),
    );
    await prefixErrorFields(FIELD, () =>
      resolveCrosstab(toCrosstabRequest(content), catalog, 'weight_column'),
    );
  }

  private async validateImage(scope: ReportScope, imageId: number): Promise<void> {
    const images = await this.store.read.reports.listImages(scope);
    if (!images.some(({ image_id }) => image_id === imageId))
      throw invalid(
        `${FIELD}.image_id`,
        `${unknownObject({ kind: 'picture', idOrCode: imageId, scope: 'in this report' })}; ${uploadHint(scope)}`,
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
        await refuseHiddenSurvey({
          access: this.access,
          by,
          surveyId,
          field: `${FIELD}.survey_ids[${index}]`,
        });
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
