import type { Caller } from '../../domain/access/caller.ts';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import type { Audience } from '../../domain/charts/protection.ts';
import { surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import { findElement, type ChartQuery, buildConfig, takesFilters, toChartRequest } from './chart-query.ts';
import { restrictedFilters, unrestrictedFilters, mergeFilters } from './viewer-filters.ts';
import type { ChartFigureService, ChartReply, ChartRequest } from './chart-figures.ts';
import { readChartConfig, resolveSource } from './chart-source.ts';
import { type ChartError, toChartError } from './chart-error.ts';
import type { DashboardContent, DashboardContentReader, FilterColumns } from './dashboard-content.ts';

interface ResolvedQuery {
  request: ChartRequest;
  audience: Exclude<Audience, 'public'>;
}

/**
 * Figures for authenticated callers. Callers who can see a survey may query anything in it; others, such as clients, get only the elements
 * of the dashboard through its filters.
 */
export class DashboardFigureService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly contents: DashboardContentReader,
    private readonly figures: ChartFigureService,
  ) {}

  async computeOne(by: Caller, scope: DashboardScope, query: ChartQuery): Promise<ChartReply> {
    const { content, resolve } = await this.prepareResolver(by, scope, undefined, isPresent(query.filters));
    const { request, audience } = await resolve(query);
    const settings = await this.loadSettings(content, [request]);
    return this.figures.computeOne(request, {
      audience,
      settings,
      isPublishedWording: audience === 'client',
    });
  }

  /** Returns results in the order of the queries; errors take the place of the chart. `filters` apply to all of them. */
  async computeBatch(
    by: Caller,
    scope: DashboardScope,
    queries: readonly ChartQuery[],
    filters: unknown,
  ): Promise<(ChartReply | ChartError)[]> {
    const filtered = isPresent(filters) || queries.some((query) => isPresent(query.filters));
    const { content, resolve } = await this.prepareResolver(by, scope, filters, filtered);
    const results: (ChartReply | ChartError)[] = [];
    const resolved: (ResolvedQuery & { index: number })[] = [];
    for (const [place, query] of queries.entries()) {
      try {
        resolved.push({ ...(await resolve(query)), index: place });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        results[place] = toChartError(error);
      }
    }
    const requests = resolved.map(({ request }) => request);
    const settings = await this.loadSettings(content, requests);
    for (const audience of ['member', 'client'] as const) {
      const ofAudience = resolved.filter((one) => one.audience === audience);
      const replies = await this.figures.computeBatch(
        ofAudience.map(({ request }) => request),
        { audience, settings, isPublishedWording: audience === 'client' },
      );
      ofAudience.forEach(({ index: place }, index) => (results[place] = replies[index]!));
    }
    return results;
  }

  private async prepareResolver(by: Caller, scope: DashboardScope, filters: unknown, filtered: boolean) {
    const content = await this.contents.read(scope);
    if (content === null) throw notFound('dashboard');
    const columns: FilterColumns = filtered ? await this.contents.listFilterColumns(content) : new Map();
    const seen = new Map<number, Promise<boolean>>();
    const canSee = (surveyId: number): Promise<boolean> => {
      const known = seen.get(surveyId) ?? this.canSee(by, scope, surveyId);
      seen.set(surveyId, known);
      return known;
    };
    // An invalid filter of a viewer fails the whole request.
    if (scope.role === null) restrictedFilters(filters, columns);
    const resolve = (query: ChartQuery): Promise<ResolvedQuery> =>
      this.resolve(content, columns, canSee, scope, query, filters);
    return { content, resolve };
  }

  private async resolve(
    content: DashboardContent,
    columns: FilterColumns,
    canSee: (surveyId: number) => Promise<boolean>,
    scope: DashboardScope,
    query: ChartQuery,
    common: unknown,
  ): Promise<ResolvedQuery> {
    const element = findElement(content.charts, query);
    const filtersFor = (surveyId: number, isMember: boolean): unknown => {
      const read = isMember ? unrestrictedFilters : restrictedFilters;
      return mergeFilters(read(common, columns)(surveyId), read(query.filters, columns)(surveyId));
    };
    if (element !== null) {
      const { survey_id: surveyId } = element;
      if (surveyId === null) return { request: toChartRequest(element, undefined), audience: 'member' };
      const isMember = await canSee(surveyId);
      const request = toChartRequest(element, filtersFor(surveyId, isMember));
      return { request, audience: isMember ? 'member' : 'client' };
    }
    if (scope.role === null) throw notFound('chart');
    const { type, input } = buildConfig(query);
    const { config, surveyId } = await resolveSource(
      this.store.read,
      scope.organizationId,
      type,
      readChartConfig(type, input, ''),
      canSee,
      '',
    );
    if (surveyId !== null && !(await canSee(surveyId))) throw notFound('chart');
    const filters = surveyId === null || !takesFilters(type) ? undefined : filtersFor(surveyId, true);
    return { request: { chartType: type, config, surveyId, filters }, audience: 'member' };
  }

  private async canSee(by: Caller, scope: DashboardScope, surveyId: number): Promise<boolean> {
    if (scope.role === null) return false;
    try {
      await this.access.survey(by, surveyId, 'view');
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Adds the settings of queried surveys that are not on the dashboard. */
  private async loadSettings({ settings }: DashboardContent, requests: readonly ChartRequest[]) {
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

const isPresent = (filters: unknown): boolean => filters !== undefined && filters !== null;
