import { createHash } from 'node:crypto';
import { SLUG_PATTERN } from '../../domain/charts/dashboard-slug.ts';
import type { Clock } from '../../lib/clock.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { TextCache } from '../../lib/text-cache.ts';
import type { DashboardChartRow } from '../../repositories/dashboard-charts.ts';
import type { OpenDashboardRow } from '../../repositories/dashboard-versions.ts';
import type { Store } from '../../repositories/store.ts';
import { VERSION } from '../../version.ts';
import type { GuessLimits } from '../auth/guess-limits.ts';
import type { PasswordHasher } from '../auth/password-hasher.ts';
import { findElement, type ChartQuery, toChartRequest, surveyDeletedError } from './chart-query.ts';
import { restrictedFilters, type SurveyFilters, mergeFilters } from './viewer-filters.ts';
import type { ChosenValues } from './chart-request.ts';
import { toChartError } from './chart-error.ts';
import type { ChartFigureService } from './chart-figures.ts';
import {
  type DashboardContent,
  type DashboardContentReader,
  type FilterColumns,
  publicViewer,
} from './dashboard-content.ts';
import type { UnlockTokens } from './unlock-tokens.ts';

/** Of all figures and of all views that are kept for those who come next. */
const MAX_CACHED_CHARACTERS = 64_000_000;
const MAX_CACHED_BYTES = 64_000_000;
const MAX_CACHED_DASHBOARDS = 200;

export interface DashboardAddress {
  orgSlug: string;
  slug: string;
}

/** A dashboard that somebody may look at now. */
export interface OpenDashboard {
  row: OpenDashboardRow;
  /** Only for whoever knew the password: no cache between us and them may keep it. */
  isLocked: boolean;
}

/** What is on a dashboard at one version of it. */
interface DashboardAtVersion {
  content: DashboardContent;
  columns: FilterColumns;
  /** When this was first seen to be so. */
  asOf: Date;
}

/** What is to be shown of a dashboard as JSON. `figures`: JSON texts, parallel to its elements; null: none are wanted. */
export type WriteView = (
  shown: { organizationName: string; content: DashboardContent; asOf: Date },
  figures: readonly string[] | null,
) => string;

/**
 * Dashboards for everybody who has their address, without an account. They answer with what is on the dashboard, through its own
 * filters. Whether it is open, and at which version everything behind it is, one query says for all who ask at once; what
 * was made for a version is kept, so that many viewers cost little more than one.
 */
export class PublicDashboardService {
  private readonly passwords: PasswordHasher;
  private readonly tokens: UnlockTokens;
  private readonly guessLimits: GuessLimits;
  private readonly contents: DashboardContentReader;
  private readonly figures: ChartFigureService;
  private readonly clock: Clock;
  private readonly open: (address: string) => Promise<OpenDashboardRow | undefined>;
  private readonly figureCache = new TextCache(MAX_CACHED_CHARACTERS);
  private readonly viewCache = new TextCache<Buffer>(MAX_CACHED_BYTES);
  private readonly dashboardCache = new Map<string, Promise<DashboardAtVersion>>();

  constructor(made: {
    store: Store;
    passwords: PasswordHasher;
    tokens: UnlockTokens;
    guessLimits: GuessLimits;
    contents: DashboardContentReader;
    figures: ChartFigureService;
    clock: Clock;
  }) {
    this.passwords = made.passwords;
    this.tokens = made.tokens;
    this.guessLimits = made.guessLimits;
    this.contents = made.contents;
    this.figures = made.figures;
    this.clock = made.clock;
    // The next round waits for the last one: then it answers more, and the database has far less to do.
    const { store } = made;
    this.open = coalesce((addresses) => store.detached(() => store.read.dashboardVersions.open(addresses)), {
      maxRunning: 1,
    });
  }

  /** 404 where nothing is shared at that address; 401 `password_required` without the token of its password. */
  async openDashboard(address: DashboardAddress, token: string | null): Promise<OpenDashboard> {
    const row = await this.findByAddress(address);
    if (row.password_hash === null) return { row, isLocked: false };
    const lock = { shareId: row.share_id, passwordHash: row.password_hash };
    if (token === null || !this.tokens.isValid(token, lock)) throw passwordRequiredError();
    return { row, isLocked: true };
  }

  /** A token for whoever knows the password; null where none is needed. 401 for a wrong one. */
  async unlock(
    address: DashboardAddress,
    password: string,
    clientAddress: string,
  ): Promise<{ token: string; maxAgeSeconds: number } | null> {
    const { share_id: shareId, password_hash: passwordHash } = await this.findByAddress(address);
    if (passwordHash === null) return null;
    const guess = { target: `dashboard ${shareId}`, address: clientAddress, knownClient: null };
    const token = await this.guessLimits.attempt(guess, async () =>
      (await this.passwords.matches(password, passwordHash))
        ? this.tokens.issue({ shareId, passwordHash })
        : null,
    );
    if (token === null) throw new AppError('unauthenticated', 'wrong_password', 'The password is not right');
    return token;
  }

  /** Differs whenever the page or a figure on it does. */
  etagOf({ row }: OpenDashboard, filters: ChosenValues | undefined, withFigures: boolean): string {
    const parts = [VERSION, row.version, withFigures, filtersKey(filters)];
    return `"${createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)}"`;
  }

  /** The dashboard as the bytes of its JSON, with the figures of all its elements where they are wanted. */
  async renderView(
    { row }: OpenDashboard,
    filters: ChosenValues | undefined,
    withFigures: boolean,
    write: WriteView,
  ): Promise<Buffer> {
    const key = `${row.version} view ${withFigures} ${filtersKey(filters)}`;
    return this.viewCache.getOrCreate(key, async () => {
      const shown = await this.loadAtVersion(row);
      restrictedFilters(filters, shown.columns);
      const { content, asOf } = shown;
      const organizationName = row.organization_name;
      const figures = withFigures
        ? await this.cachedFigures(row, shown, content.charts, () => filters)
        : null;
      return Buffer.from(write({ organizationName, content, asOf }, figures));
    });
  }

  /** The figures of one element as JSON. */
  async figureJson({ row }: OpenDashboard, ask: ChartQuery): Promise<string> {
    const shown = await this.loadAtVersion(row);
    const element = requireElement(shown, ask);
    const { request, key } = publicRequest(row, element, restrictedFilters(ask.filters, shown.columns));
    return this.figureCache.getOrCreate(`${key} alone`, async () => {
      return JSON.stringify(await this.figures.computeOne(request(), publicViewer(shown.content)));
    });
  }

  /** The figures of several as a JSON list, errors in their place. `filters` hold for all of them. */
  async figuresJson(
    { row }: OpenDashboard,
    asks: readonly ChartQuery[],
    filters: ChosenValues | undefined,
  ): Promise<string> {
    const shown = await this.loadAtVersion(row);
    restrictedFilters(filters, shown.columns);
    const texts: string[] = [];
    const found: { element: DashboardChartRow; filters: ChosenValues | undefined; place: number }[] = [];
    for (const [place, ask] of asks.entries()) {
      try {
        restrictedFilters(ask.filters, shown.columns);
        const joined = mergeFilters(filters, ask.filters) as ChosenValues | undefined;
        found.push({ element: requireElement(shown, ask), filters: joined, place });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        texts[place] = JSON.stringify(toChartError(error));
      }
    }
    const elements = found.map(({ element }) => element);
    const made = await this.cachedFigures(row, shown, elements, (index) => found[index]!.filters);
    found.forEach(({ place }, index) => (texts[place] = made[index]!));
    return `[${texts.join(',')}]`;
  }

  private async findByAddress({ orgSlug, slug }: DashboardAddress): Promise<OpenDashboardRow> {
    const isAddress = SLUG_PATTERN.test(slug) && !orgSlug.includes('\0');
    const row = isAddress ? await this.open(`${orgSlug}/${slug}`) : undefined;
    if (row === undefined) throw notFound('dashboard');
    return row;
  }

  /** Kept by version: everything that it says was so at that version, or is newer. */
  private async loadAtVersion(row: OpenDashboardRow): Promise<DashboardAtVersion> {
    const known = this.dashboardCache.get(row.version);
    if (known !== undefined) return known;
    const reading = this.readCurrent(row);
    this.dashboardCache.set(row.version, reading);
    reading.catch(() => this.dashboardCache.delete(row.version));
    for (const oldest of this.dashboardCache.keys()) {
      if (this.dashboardCache.size <= MAX_CACHED_DASHBOARDS) break;
      this.dashboardCache.delete(oldest);
    }
    return reading;
  }

  private async readCurrent({
    organization_id,
    dashboard_id,
  }: OpenDashboardRow): Promise<DashboardAtVersion> {
    const asOf = this.clock.now();
    const content = await this.contents.read({ organizationId: organization_id, dashboardId: dashboard_id });
    if (content === null) throw notFound('dashboard');
    return { content, columns: await this.contents.listFilterColumns(content), asOf };
  }

  /** JSON texts, parallel to the elements; those that are not kept are made together. */
  private cachedFigures(
    row: OpenDashboardRow,
    { content, columns }: DashboardAtVersion,
    elements: readonly DashboardChartRow[],
    filtersFor: (index: number) => ChosenValues | undefined,
  ): Promise<string[]> {
    const wanted = elements.map((element, index) =>
      publicRequest(row, element, restrictedFilters(filtersFor(index), columns)),
    );
    const keys = wanted.map(({ key }) => key);
    return this.figureCache.getOrCreateMany(keys, async (places) => {
      const there = places.filter((place) => !elements[place]!.survey_gone);
      const replies = await this.figures.computeBatch(
        there.map((place) => wanted[place]!.request()),
        publicViewer(content),
      );
      const byPlace = new Map(there.map((place, index) => [place, replies[index]!]));
      return places.map((place) => JSON.stringify(byPlace.get(place) ?? toChartError(surveyDeletedError())));
    });
  }
}

/** Only what is on the dashboard can be asked for. */
function requireElement({ content }: DashboardAtVersion, ask: ChartQuery): DashboardChartRow {
  const element = findElement(content.charts, ask);
  if (element === null) throw notFound('chart');
  return element;
}

/** What an element shows with these filters, and what its figures are kept under. */
function publicRequest({ version }: OpenDashboardRow, element: DashboardChartRow, filters: SurveyFilters) {
  const { survey_id: surveyId, chart_id: chartId, chart_type: type } = element;
  const own = surveyId === null || type === 'filter' ? undefined : filters(surveyId);
  return { key: `${version} ${chartId} ${filtersKey(own)}`, request: () => toChartRequest(element, own) };
}

/** The same text for the same choices, in whichever order they were made. */
function filtersKey(filters: unknown): string {
  const chosen = Object.entries((filters ?? {}) as ChosenValues).map(
    ([code, values]) => [code.toLowerCase(), [values].flat().map(String).sort()] as const,
  );
  return JSON.stringify(chosen.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

const passwordRequiredError = () =>
  new AppError('unauthenticated', 'password_required', 'This dashboard needs its password: POST …/unlock');
