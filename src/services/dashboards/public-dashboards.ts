import { createHash } from 'node:crypto';
import { SLUG_FORM } from '../../domain/charts/dashboard-slug.ts';
import type { Clock } from '../../lib/clock.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { TextCache } from '../../lib/text-cache.ts';
import type { DashboardChartRow } from '../../repositories/dashboard-charts.ts';
import type { OpenDashboardRow } from '../../repositories/dashboard-versions.ts';
import type { Store } from '../../repositories/store.ts';
import { VERSION } from '../../version.ts';
import type { GuessLimits } from '../auth/guess-limits.ts';
import type { Passwords } from '../auth/passwords.ts';
import { askedElement, type ChartAsk, elementRequest, surveyDeleted } from './asked-elements.ts';
import { boundFilters, type FiltersOfSurvey, joinedFilters } from './bound-filters.ts';
import type { ChosenValues } from './chart-request.ts';
import { chartFailure } from './chart-failure.ts';
import type { ChartFigureService } from './chart-figures.ts';
import {
  type DashboardContent,
  type DashboardContents,
  type FilterColumns,
  publicViewing,
} from './dashboard-contents.ts';
import type { UnlockTokens } from './unlock-tokens.ts';

/** Of all figures and of all views that are kept for those who come next. */
const MAX_KEPT_CHARACTERS = 64_000_000;
const MAX_KEPT_BYTES = 64_000_000;
const MAX_KEPT_CONTENTS = 200;

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
interface Shown {
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
  private readonly passwords: Passwords;
  private readonly tokens: UnlockTokens;
  private readonly guessLimits: GuessLimits;
  private readonly contents: DashboardContents;
  private readonly figures: ChartFigureService;
  private readonly clock: Clock;
  private readonly open: (address: string) => Promise<OpenDashboardRow | undefined>;
  private readonly texts = new TextCache(MAX_KEPT_CHARACTERS);
  private readonly views = new TextCache<Buffer>(MAX_KEPT_BYTES);
  private readonly shown = new Map<string, Promise<Shown>>();

  constructor(made: {
    store: Store;
    passwords: Passwords;
    tokens: UnlockTokens;
    guessLimits: GuessLimits;
    contents: DashboardContents;
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
  async enter(address: DashboardAddress, token: string | null): Promise<OpenDashboard> {
    const row = await this.at(address);
    if (row.password_hash === null) return { row, isLocked: false };
    const lock = { shareId: row.share_id, passwordHash: row.password_hash };
    if (token === null || !this.tokens.opens(token, lock)) throw passwordRequired();
    return { row, isLocked: true };
  }

  /** A token for whoever knows the password; null where none is needed. 401 for a wrong one. */
  async unlock(
    address: DashboardAddress,
    password: string,
    clientAddress: string,
  ): Promise<{ token: string; maxAgeSeconds: number } | null> {
    const { share_id: shareId, password_hash: passwordHash } = await this.at(address);
    if (passwordHash === null) return null;
    const guess = { target: `dashboard ${shareId}`, address: clientAddress, knownClient: null };
    const token = await this.guessLimits.attempt(guess, async () =>
      (await this.passwords.matches(password, passwordHash))
        ? this.tokens.make({ shareId, passwordHash })
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
  async view(
    { row }: OpenDashboard,
    filters: ChosenValues | undefined,
    withFigures: boolean,
    write: WriteView,
  ): Promise<Buffer> {
    const key = `${row.version} view ${withFigures} ${filtersKey(filters)}`;
    return this.views.getOrCreate(key, async () => {
      const shown = await this.shownOf(row);
      boundFilters(filters, shown.columns);
      const { content, asOf } = shown;
      const organizationName = row.organization_name;
      const figures = withFigures ? await this.figuresOf(row, shown, content.charts, () => filters) : null;
      return Buffer.from(write({ organizationName, content, asOf }, figures));
    });
  }

  /** The figures of one element as JSON. */
  async one({ row }: OpenDashboard, ask: ChartAsk): Promise<string> {
    const shown = await this.shownOf(row);
    const element = elementOf(shown, ask);
    const { request, key } = publicRequest(row, element, boundFilters(ask.filters, shown.columns));
    return this.texts.getOrCreate(`${key} alone`, async () => {
      return JSON.stringify(await this.figures.one(request(), publicViewing(shown.content)));
    });
  }

  /** The figures of several as a JSON list, errors in their place. `filters` hold for all of them. */
  async batch(
    { row }: OpenDashboard,
    asks: readonly ChartAsk[],
    filters: ChosenValues | undefined,
  ): Promise<string> {
    const shown = await this.shownOf(row);
    boundFilters(filters, shown.columns);
    const texts: string[] = [];
    const found: { element: DashboardChartRow; filters: ChosenValues | undefined; place: number }[] = [];
    for (const [place, ask] of asks.entries()) {
      try {
        boundFilters(ask.filters, shown.columns);
        const joined = joinedFilters(filters, ask.filters) as ChosenValues | undefined;
        found.push({ element: elementOf(shown, ask), filters: joined, place });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        texts[place] = JSON.stringify(chartFailure(error));
      }
    }
    const elements = found.map(({ element }) => element);
    const made = await this.figuresOf(row, shown, elements, (index) => found[index]!.filters);
    found.forEach(({ place }, index) => (texts[place] = made[index]!));
    return `[${texts.join(',')}]`;
  }

  private async at({ orgSlug, slug }: DashboardAddress): Promise<OpenDashboardRow> {
    const isAddress = SLUG_FORM.test(slug) && !orgSlug.includes('\0');
    const row = isAddress ? await this.open(`${orgSlug}/${slug}`) : undefined;
    if (row === undefined) throw notFound('dashboard');
    return row;
  }

  /** Kept by version: everything that it says was so at that version, or is newer. */
  private async shownOf(row: OpenDashboardRow): Promise<Shown> {
    const known = this.shown.get(row.version);
    if (known !== undefined) return known;
    const reading = this.readShown(row);
    this.shown.set(row.version, reading);
    reading.catch(() => this.shown.delete(row.version));
    for (const oldest of this.shown.keys()) {
      if (this.shown.size <= MAX_KEPT_CONTENTS) break;
      this.shown.delete(oldest);
    }
    return reading;
  }

  private async readShown({ organization_id, dashboard_id }: OpenDashboardRow): Promise<Shown> {
    const asOf = this.clock.now();
    const content = await this.contents.read({ organizationId: organization_id, dashboardId: dashboard_id });
    if (content === null) throw notFound('dashboard');
    return { content, columns: await this.contents.filterColumns(content), asOf };
  }

  /** JSON texts, parallel to the elements; those that are not kept are made together. */
  private figuresOf(
    row: OpenDashboardRow,
    { content, columns }: Shown,
    elements: readonly DashboardChartRow[],
    filtersFor: (index: number) => ChosenValues | undefined,
  ): Promise<string[]> {
    const wanted = elements.map((element, index) =>
      publicRequest(row, element, boundFilters(filtersFor(index), columns)),
    );
    const keys = wanted.map(({ key }) => key);
    return this.texts.getOrCreateMany(keys, async (places) => {
      const there = places.filter((place) => !elements[place]!.survey_gone);
      const replies = await this.figures.batch(
        there.map((place) => wanted[place]!.request()),
        publicViewing(content),
      );
      const byPlace = new Map(there.map((place, index) => [place, replies[index]!]));
      return places.map((place) => JSON.stringify(byPlace.get(place) ?? chartFailure(surveyDeleted())));
    });
  }
}

/** Only what is on the dashboard can be asked for. */
function elementOf({ content }: Shown, ask: ChartAsk): DashboardChartRow {
  const element = askedElement(content.charts, ask);
  if (element === null) throw notFound('chart');
  return element;
}

/** What an element shows with these filters, and what its figures are kept under. */
function publicRequest({ version }: OpenDashboardRow, element: DashboardChartRow, filters: FiltersOfSurvey) {
  const { survey_id: surveyId, chart_id: chartId, chart_type: type } = element;
  const own = surveyId === null || type === 'filter' ? undefined : filters(surveyId);
  return { key: `${version} ${chartId} ${filtersKey(own)}`, request: () => elementRequest(element, own) };
}

/** The same text for the same choices, in whichever order they were made. */
function filtersKey(filters: unknown): string {
  const chosen = Object.entries((filters ?? {}) as ChosenValues).map(
    ([code, values]) => [code.toLowerCase(), [values].flat().map(String).sort()] as const,
  );
  return JSON.stringify(chosen.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

const passwordRequired = () =>
  new AppError('unauthenticated', 'password_required', 'This dashboard needs its password: POST …/unlock');
