import { createHash } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { coalesceCalls } from '../../lib/concurrency.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { requireItem } from '../../lib/require-value.ts';
import { isValidSignature, signText } from '../../lib/secrets.ts';
import { isSlug } from '../../lib/slugs.ts';
import { TextCache } from '../../lib/text-cache.ts';
import type { OpenDashboardRow } from '../../repositories/dashboard-shares.ts';
import type { DashboardChartRow } from '../../repositories/dashboards.ts';
import type { Store } from '../../repositories/store.ts';
import { VERSION } from '../../version.ts';
import type { GuessLimits } from '../auth/guess-limits.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { type ChartFigureService, toChartError } from './chart-figures.ts';
import {
  type ChartQuery,
  type DashboardContent,
  type DashboardContentReader,
  type FilterColumns,
  findElement,
  mergeFilters,
  publicViewer,
  restrictedFilters,
  surveyDeletedError,
  type SurveyFilters,
  takesFilters,
  toChartRequest,
} from './dashboard-content.ts';
import type { ChosenValues } from './resolve-chart.ts';

/** Limits of the caches of figures, views and dashboards. */
const MAX_CACHED_CHARACTERS = 64_000_000;
const MAX_CACHED_BYTES = 64_000_000;
const MAX_CACHED_DASHBOARDS = 200;

interface DashboardAddress {
  orgSlug: string;
  slug: string;
}

/** A dashboard that the viewer may see. */
export interface OpenDashboard {
  row: OpenDashboardRow;
  /** Password protected: shared caches must not store the reply. */
  isLocked: boolean;
}

/** The content of a dashboard at one version. */
interface DashboardAtVersion {
  content: DashboardContent;
  columns: FilterColumns;
  /** When this version was first read. */
  asOf: Date;
}

/** Serializes a dashboard. `figures`: JSON texts parallel to its elements; null if not requested. */
export type WriteView = (
  shown: { organizationName: string; content: DashboardContent; asOf: Date },
  figures: readonly string[] | null,
) => string;

/**
 * Public dashboards, without authentication. Replies contain only the elements of the dashboard, through its own filters. One query, shared
 * by concurrent requests, finds the dashboard and its version; results are cached by version, so that many viewers cost little more than
 * one.
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

  constructor(dependencies: {
    store: Store;
    passwords: PasswordHasher;
    tokens: UnlockTokens;
    guessLimits: GuessLimits;
    contents: DashboardContentReader;
    figures: ChartFigureService;
    clock: Clock;
  }) {
    this.passwords = dependencies.passwords;
    this.tokens = dependencies.tokens;
    this.guessLimits = dependencies.guessLimits;
    this.contents = dependencies.contents;
    this.figures = dependencies.figures;
    this.clock = dependencies.clock;
    // At most one query runs at a time: later requests share the next one, which reduces the load on the database.
    const { store } = dependencies;
    this.open = coalesceCalls(
      (addresses) => store.detached(() => store.read.dashboardShares.findOpen(addresses)),
      {
        maxRunning: 1,
      },
    );
  }

  /** Throws 404 if no public dashboard has this address, 401 `password_required` without a valid token. */
  async openDashboard(address: DashboardAddress, token: string | null): Promise<OpenDashboard> {
    const row = await this.findByAddress(address);
    if (row.password_hash === null) return { row, isLocked: false };
    const lock = { shareId: row.share_id, passwordHash: row.password_hash };
    if (token === null || !this.tokens.isValid(token, lock)) throw passwordRequiredError();
    return { row, isLocked: true };
  }

  /** Returns a token for the correct password; null if the dashboard has no password. Throws 401 for a wrong one. */
  async unlock(
    address: DashboardAddress,
    password: string,
    clientAddress: string,
  ): Promise<{ token: string; maxAgeSeconds: number } | null> {
    const { share_id: shareId, password_hash: passwordHash } = await this.findByAddress(address);
    if (passwordHash === null) return null;
    const attempt = { target: `dashboard ${shareId}`, address: clientAddress, knownClient: null };
    const token = await this.guessLimits.attempt(attempt, async () =>
      (await this.passwords.matches(password, passwordHash))
        ? this.tokens.issue({ shareId, passwordHash })
        : null,
    );
    if (token === null) throw new AppError('unauthenticated', 'wrong_password', 'The password is incorrect');
    return token;
  }

  /** Changes whenever the page or one of its figures changes. */
  etagOf({ row }: OpenDashboard, filters: ChosenValues | undefined, withFigures: boolean): string {
    const parts = [VERSION, row.version, withFigures, filtersKey(filters)];
    return `"${createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 22)}"`;
  }

  /** The dashboard as JSON bytes, with the figures of all elements if requested. */
  async renderView({
    openDashboard: { row },
    filters,
    withFigures,
    write,
  }: {
    openDashboard: OpenDashboard;
    filters: ChosenValues | undefined;
    withFigures: boolean;
    write: WriteView;
  }): Promise<Buffer> {
    const key = `${row.version} view ${withFigures} ${filtersKey(filters)}`;
    return this.viewCache.getOrCreate(key, async () => {
      const shown = await this.loadAtVersion(row);
      restrictedFilters(filters, shown.columns);
      const { content, asOf } = shown;
      const organizationName = row.organization_name;
      const figures = withFigures
        ? await this.cachedFigures({
            row,
            dashboardAtVersion: shown,
            elements: content.charts.map((element) => ({ element, filters })),
          })
        : null;
      return Buffer.from(write({ organizationName, content, asOf }, figures));
    });
  }

  /** The figures of one element as JSON. */
  async figureJson({ row }: OpenDashboard, query: ChartQuery): Promise<string> {
    const shown = await this.loadAtVersion(row);
    const element = requireElement(shown, query);
    const { request, key } = publicRequest(row, element, restrictedFilters(query.filters, shown.columns));
    return this.figureCache.getOrCreate(`${key} alone`, async () => {
      return JSON.stringify(await this.figures.computeOne(request(), publicViewer(shown.content)));
    });
  }

  /** The figures of several elements as a JSON list; errors take the place of the figures. `filters` apply to all of them. */
  async figuresJson(
    { row }: OpenDashboard,
    requests: readonly ChartQuery[],
    filters: ChosenValues | undefined,
  ): Promise<string> {
    const shown = await this.loadAtVersion(row);
    restrictedFilters(filters, shown.columns);
    const texts: string[] = [];
    const resolved: (FilteredElement & { position: number })[] = [];
    for (const [position, query] of requests.entries()) {
      try {
        restrictedFilters(query.filters, shown.columns);
        const mergedFilters = mergeFilters(filters, query.filters) as ChosenValues | undefined;
        resolved.push({ element: requireElement(shown, query), filters: mergedFilters, position });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        texts[position] = JSON.stringify(toChartError(error));
      }
    }
    const figures = await this.cachedFigures({
      row,
      dashboardAtVersion: shown,
      elements: resolved,
    });
    for (const [index, { position }] of resolved.entries())
      texts[position] = requireItem(figures, index, 'figure');
    return `[${texts.join(',')}]`;
  }

  private async findByAddress({ orgSlug, slug }: DashboardAddress): Promise<OpenDashboardRow> {
    const isAddress = isSlug(slug) && !orgSlug.includes('\0');
    const row = isAddress ? await this.open(`${orgSlug}/${slug}`) : undefined;
    if (row === undefined) throw notFound('dashboard');
    return row;
  }

  /** Cached by version: the content is of that version or newer. */
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

  /** JSON texts parallel to the elements. Figures that are not cached are computed together. */
  private cachedFigures({
    row,
    dashboardAtVersion: { content, columns },
    elements,
  }: {
    row: OpenDashboardRow;
    dashboardAtVersion: DashboardAtVersion;
    elements: readonly FilteredElement[];
  }): Promise<string[]> {
    const elementRequests = elements.map(({ element, filters }) => ({
      ...publicRequest(row, element, restrictedFilters(filters, columns)),
      isSurveyDeleted: element.survey_gone,
    }));
    const keys = elementRequests.map(({ key }) => key);
    return this.figureCache.getOrCreateMany(keys, async (indices) => {
      const uncached = indices.map((index) => requireItem(elementRequests, index, 'request'));
      const existing = uncached.filter(({ isSurveyDeleted }) => !isSurveyDeleted);
      const replies = await this.figures.computeBatch(
        existing.map(({ request }) => request()),
        publicViewer(content),
      );
      const replyOf = new Map(existing.map((one, index) => [one, requireItem(replies, index, 'reply')]));
      return uncached.map((one) => JSON.stringify(replyOf.get(one) ?? toChartError(surveyDeletedError())));
    });
  }
}

/** An element with the values that the viewer chose in its filters. */
interface FilteredElement {
  element: DashboardChartRow;
  filters: ChosenValues | undefined;
}

/** Only elements of the dashboard can be requested. */
function requireElement({ content }: DashboardAtVersion, query: ChartQuery): DashboardChartRow {
  const element = findElement(content.charts, query);
  if (element === null) throw notFound('chart');
  return element;
}

/** The chart request of an element with these filters, and its cache key. */
function publicRequest({ version }: OpenDashboardRow, element: DashboardChartRow, filters: SurveyFilters) {
  const { survey_id: surveyId, chart_id: chartId, chart_type: type } = element;
  const own = surveyId === null || !takesFilters(type) ? undefined : filters(surveyId);
  return { key: `${version} ${chartId} ${filtersKey(own)}`, request: () => toChartRequest(element, own) };
}

/** Equal choices give the same text in any order. */
function filtersKey(filters: unknown): string {
  const choices = Object.entries((filters ?? {}) as ChosenValues).map(
    ([code, values]) => [code.toLowerCase(), [values].flat().map(String).sort()] as const,
  );
  return JSON.stringify(choices.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

const passwordRequiredError = () =>
  new AppError('unauthenticated', 'password_required', 'This dashboard requires a password: POST …/unlock');

/** Cookie that stores an unlock token; limited to the paths of its dashboard. */
export const UNLOCK_COOKIE = 'dashboard_token';

const PURPOSE = 'dashboard-unlock';
const TTL_SECONDS = 8 * 60 * 60;
const FORM = /^(([1-9]\d{0,15})-(\d{10,12}))-([A-Za-z0-9_-]{22})$/;

/** A password share at the time of the request. */
interface Lock {
  shareId: number;
  passwordHash: string;
}

/**
 * Stateless tokens issued for the correct dashboard password: `<share>-<expiry>-<signature>`. The signature covers the share and its
 * password hash, so a token is valid for one share only and until its password is changed or the share is deleted.
 */
export class UnlockTokens {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  issue({ shareId, passwordHash }: Lock): { token: string; maxAgeSeconds: number } {
    const text = `${shareId}-${Math.floor(this.clock.now().getTime() / 1000) + TTL_SECONDS}`;
    const signature = signText(this.secret, PURPOSE, `${text} ${passwordHash}`);
    return { token: `${text}-${signature}`, maxAgeSeconds: TTL_SECONDS };
  }

  isValid(token: string, { shareId, passwordHash }: Lock): boolean {
    const [, text, share, until, signature] = FORM.exec(token) ?? [];
    if (text === undefined || Number(share) !== shareId) return false;
    if (this.clock.now().getTime() >= Number(until) * 1000) return false;
    return isValidSignature(signature ?? '', {
      secret: this.secret,
      purpose: PURPOSE,
      text: `${text} ${passwordHash}`,
    });
  }
}
