import type { Caller } from '../../domain/access/caller.ts';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import type { Audience } from '../../domain/charts/protection.ts';
import { surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import { askedElement, type ChartAsk, configOf, elementRequest } from './asked-elements.ts';
import { boundFilters, freeFilters, joinedFilters } from './bound-filters.ts';
import type { ChartError, ChartFigureService, ChartReply, ChartRequest } from './chart-figures.ts';
import { readChartConfig, sourceOf } from './chart-source.ts';
import { chartFailure } from './chart-failure.ts';
import type { DashboardContent, DashboardContents, FilterColumns } from './dashboard-contents.ts';

interface Resolved {
  request: ChartRequest;
  audience: Exclude<Audience, 'public'>;
}

/**
 * Figures for whoever is signed in. Whoever may see a survey asks whatever they like of it; everybody else, clients above all, gets
 * what is on the dashboard, through its filters.
 */
export class DashboardFigureService {
  private readonly store: Store;
  private readonly access: AccessService;
  private readonly contents: DashboardContents;
  private readonly figures: ChartFigureService;

  constructor(store: Store, access: AccessService, contents: DashboardContents, figures: ChartFigureService) {
    this.store = store;
    this.access = access;
    this.contents = contents;
    this.figures = figures;
  }

  async one(by: Caller, scope: DashboardScope, ask: ChartAsk): Promise<ChartReply> {
    const { content, resolve } = await this.asking(by, scope, undefined, isGiven(ask.filters));
    const { request, audience } = await resolve(ask);
    const settings = await this.settingsFor(content, [request]);
    return this.figures.one(request, { audience, settings, isPublishedWording: audience === 'client' });
  }

  /** In the order of what is asked, errors in their place. `filters` hold for all of them. */
  async batch(
    by: Caller,
    scope: DashboardScope,
    asks: readonly ChartAsk[],
    filters: unknown,
  ): Promise<(ChartReply | ChartError)[]> {
    const filtered = isGiven(filters) || asks.some((ask) => isGiven(ask.filters));
    const { content, resolve } = await this.asking(by, scope, filters, filtered);
    const found: (ChartReply | ChartError)[] = [];
    const resolved: (Resolved & { place: number })[] = [];
    for (const [place, ask] of asks.entries()) {
      try {
        resolved.push({ ...(await resolve(ask)), place });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        found[place] = chartFailure(error);
      }
    }
    const requests = resolved.map(({ request }) => request);
    const settings = await this.settingsFor(content, requests);
    for (const audience of ['member', 'client'] as const) {
      const theirs = resolved.filter((one) => one.audience === audience);
      const replies = await this.figures.batch(
        theirs.map(({ request }) => request),
        { audience, settings, isPublishedWording: audience === 'client' },
      );
      theirs.forEach(({ place }, index) => (found[place] = replies[index]!));
    }
    return found;
  }

  private async asking(by: Caller, scope: DashboardScope, filters: unknown, filtered: boolean) {
    const content = await this.contents.read(scope);
    if (content === null) throw notFound('dashboard');
    const columns: FilterColumns = filtered ? await this.contents.filterColumns(content) : new Map();
    const seen = new Map<number, Promise<boolean>>();
    const sees = (surveyId: number): Promise<boolean> => {
      const known = seen.get(surveyId) ?? this.sees(by, scope, surveyId);
      seen.set(surveyId, known);
      return known;
    };
    // What is wrong for everybody who looks at the dashboard only is wrong of the whole request.
    if (scope.role === null) boundFilters(filters, columns);
    const resolve = (ask: ChartAsk): Promise<Resolved> =>
      this.resolve(content, columns, sees, scope, ask, filters);
    return { content, resolve };
  }

  private async resolve(
    content: DashboardContent,
    columns: FilterColumns,
    sees: (surveyId: number) => Promise<boolean>,
    scope: DashboardScope,
    ask: ChartAsk,
    common: unknown,
  ): Promise<Resolved> {
    const element = askedElement(content.charts, ask);
    const filtersFor = (surveyId: number, isMember: boolean): unknown => {
      const read = isMember ? freeFilters : boundFilters;
      return joinedFilters(read(common, columns)(surveyId), read(ask.filters, columns)(surveyId));
    };
    if (element !== null) {
      const { survey_id: surveyId } = element;
      if (surveyId === null) return { request: elementRequest(element, undefined), audience: 'member' };
      const isMember = await sees(surveyId);
      const request = elementRequest(element, filtersFor(surveyId, isMember));
      return { request, audience: isMember ? 'member' : 'client' };
    }
    if (scope.role === null) throw notFound('chart');
    const { type, input } = configOf(ask);
    const { config, surveyId } = await sourceOf(
      this.store.read,
      scope.organizationId,
      readChartConfig(type, input, ''),
      sees,
      '',
    );
    if (surveyId !== null && !(await sees(surveyId))) throw notFound('chart');
    const filters = surveyId === null || type === 'filter' ? undefined : filtersFor(surveyId, true);
    return { request: { chartType: type, config, surveyId, filters }, audience: 'member' };
  }

  private async sees(by: Caller, scope: DashboardScope, surveyId: number): Promise<boolean> {
    if (scope.role === null) return false;
    try {
      await this.access.survey(by, surveyId, 'view');
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Those of the dashboard's surveys, and of others that are asked for beside them. */
  private async settingsFor({ settings }: DashboardContent, requests: readonly ChartRequest[]) {
    const others = requests.flatMap(({ surveyId }) =>
      surveyId === null || settings.has(surveyId) ? [] : [surveyId],
    );
    if (others.length === 0) return settings;
    const states = await this.store.read.surveys.findStates([...new Set(others)]);
    const more = [...states].map(
      ([surveyId, state]) => [surveyId, surveySettingsOf(state.survey_settings)] as const,
    );
    return new Map([...settings, ...more]);
  }
}

const isGiven = (filters: unknown): boolean => filters !== undefined && filters !== null;
