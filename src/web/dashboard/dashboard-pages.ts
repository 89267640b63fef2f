import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Caller } from '../../domain/access/caller.ts';
import { resolveDashboardSettings } from '../../domain/dashboards/dashboard.ts';
import { loadChartRenderer } from '../../exporters/chart-svg.ts';
import { type Authenticate, callerOf } from '../../middleware/authenticate.ts';
import { createRequestFacts } from '../../middleware/request-context.ts';
import { sendEvents } from '../../http/send-events.ts';
import { AppError, unauthenticated } from '../../lib/errors.ts';
import type { DashboardView, ViewRequest } from '../../services/dashboards/dashboard-views.ts';
import { UNLOCK_COOKIE } from '../../services/dashboards/public-dashboards.ts';
import type { Services } from '../../services/services.ts';
import { loadPageFiles, type PageAssets } from '../shared/page-assets.ts';
import { addressKey, type PageAddress, parsePageAddress } from './page-address.ts';
import { renderDashboard, selectPages } from './render/dashboard.ts';
import type { Draw } from './render/figure.ts';
import type { RenderedPage } from './render/page.ts';
import type { Viewer } from './render/top-bar.ts';
import {
  invalidAddressPage,
  notFoundPage,
  passwordPage,
  signInPage,
  unavailablePage,
} from './render/status-pages.ts';

/** Longest delay until a viewer learns of a change. */
const POLL_EVERY_MS = 3_000;

/** Wakes all waiting streams at the same time, so that their queries are batched. */
class PollTimer {
  private waiters: (() => void)[] = [];
  private timer: NodeJS.Timeout | null = null;

  next(signal: AbortSignal): Promise<void> {
    this.timer ??= setTimeout(() => this.wake(), POLL_EVERY_MS).unref();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.waiters.push(wake);
    });
  }

  private wake(): void {
    this.timer = null;
    const wokenWaiters = this.waiters;
    this.waiters = [];
    for (const wake of wokenWaiters) wake();
  }
}

const pollTimer = new PollTimer();

/** Yields the version of a dashboard immediately and after each change. `readVersion` throws when access has ended. */
async function* watchVersion(
  readVersion: () => Promise<string>,
  signal: AbortSignal,
): AsyncGenerator<{ data: { version: string } }> {
  let last = '';
  while (!signal.aborted) {
    const version = await readVersion();
    if (version !== last) yield { data: { version } };
    last = version;
    await pollTimer.next(signal);
  }
}

/** A rendered page with its compressed form. */
interface CachedPage {
  plain: Buffer;
  gzip: Buffer;
  policy: string;
}

const MAX_BYTES = 64_000_000;

/** Caches rendered pages; the key contains everything a page depends on. Evicts the least recently used pages. */
class PageCache {
  private readonly pages = new Map<string, Promise<CachedPage>>();
  private bytes = 0;

  /** Returns the page of a key, rendered once for concurrent requests. A failure is not cached. */
  getOrRender(key: string, render: () => Promise<RenderedPage>): Promise<CachedPage> {
    const cached = this.pages.get(key);
    if (cached !== undefined) {
      this.pages.delete(key);
      this.pages.set(key, cached);
      return cached;
    }
    const rendering = render().then(compressPage);
    this.pages.set(key, rendering);
    rendering.then(
      (page) => this.addBytes(page),
      () => this.pages.delete(key),
    );
    return rendering;
  }

  private async addBytes(page: CachedPage): Promise<void> {
    this.bytes += sizeOf(page);
    for (const [oldest, pending] of this.pages) {
      if (this.bytes <= MAX_BYTES) return;
      const evicted = await pending.catch(() => null);
      if (evicted === null || !this.pages.delete(oldest)) continue;
      this.bytes -= sizeOf(evicted);
    }
  }
}

const sizeOf = ({ plain, gzip: zipped }: CachedPage) => plain.length + zipped.length;

async function compressPage({ text, policy }: RenderedPage): Promise<CachedPage> {
  const plain = Buffer.from(text);
  return { plain, gzip: await promisify(gzip)(plain, { level: 6 }), policy };
}

type PublicParams = { orgSlug: string; dashboardSlug: string };

interface DashboardPages {
  /** `/d/:orgSlug/:dashboardSlug`: public, or protected by a password. */
  publicPage: RequestHandler<PublicParams>;
  /** `/dashboards/:id`: for members, and for clients it is shared with. */
  memberPage: RequestHandler<{ id: string }>;
  /** `…/events` of both: server-sent events that announce changes. */
  publicChanges: RequestHandler<PublicParams>;
  memberChanges: RequestHandler<{ id: string }>;
  file: RequestHandler<{ file: string }>;
}

const NEVER_MS = 2 ** 31 - 1;

const files = loadPageFiles('dashboard');

/** Creates the handlers of dashboard pages. Pages contain their figures; a script keeps them up to date. `stopping` ends the event streams. */
export function createDashboardPages(
  services: Services,
  authenticate: Authenticate,
  shutdownSignal: AbortSignal,
): DashboardPages {
  const cache = new PageCache();

  const publicPage = async (request: Request<PublicParams>, response: Response): Promise<void> => {
    const open = await openPublic(request);
    const assets = files.assets();
    const draw = await loadChartRenderer();
    const address = parsePageAddress(request as Request);
    const { version } = open.row;
    const key = [
      version,
      addressKey(address),
      address.path,
      assets.script.fileName,
      assets.style.fileName,
    ].join(' ');
    if (sendNotModified(request as Request, response, { etag: createEtag(key), isPublic: !open.isLocked }))
      return;
    const page = await cache.getOrRender(key, async () => {
      const view = await services.dashboardViews.openPublic(open, toViewRequest(address));
      return renderDashboardPage(view, address, {
        version,
        viewer: null,
        editPath: null,
        assets,
        draw,
      });
    });
    sendCachedPage(request as Request, response, page);
  };

  const openPublic = ({ params: { orgSlug, dashboardSlug: slug }, cookies }: Request<PublicParams>) => {
    const token: unknown = (cookies as Record<string, unknown>)[UNLOCK_COOKIE];
    return services.publicDashboards.openDashboard(
      { orgSlug, slug },
      typeof token === 'string' ? token : null,
    );
  };

  const openForMember = async (request: Request<{ id: string }>, response: Response) => {
    const caller = await findCaller(request as Request, response);
    if (caller === null) throw unauthenticated();
    const id = /^[1-9]\d{0,8}$/.test(request.params.id) ? Number(request.params.id) : 0;
    return { caller, scope: await services.access.dashboard({ caller, dashboardId: id, need: 'view' }) };
  };

  const sendChanges = (
    request: Request,
    response: Response,
    readVersion: () => Promise<string>,
  ): Promise<void> => {
    const signal = AbortSignal.any([createRequestFacts(request, response, null).signal, shutdownSignal]);
    // Each poll checks access again, so no separate recheck is needed.
    const recheck = { everyMs: NEVER_MS, run: () => Promise.resolve() };
    return sendEvents({
      response,
      status: 200,
      reply: { events: watchVersion(readVersion, signal) },
      options: { signal, recheck },
    });
  };

  const publicChanges: DashboardPages['publicChanges'] = async (request, response) => {
    await openPublic(request);
    await sendChanges(request as Request, response, async () => (await openPublic(request)).row.version);
  };

  const memberChanges: DashboardPages['memberChanges'] = async (request, response) => {
    await openForMember(request, response);
    await sendChanges(request as Request, response, async () =>
      services.dashboardViews.findVersion((await openForMember(request, response)).scope),
    );
  };

  const memberPage = async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    const assets = files.assets();
    const draw = await loadChartRenderer();
    const { caller, scope } = await openForMember(request, response);
    const address = parsePageAddress(request as Request);
    const [version, viewer] = await Promise.all([
      services.dashboardViews.findVersion(scope),
      loadViewer(caller),
    ]);
    const etag = createEtag(
      [
        version,
        caller.userId,
        scope.role,
        JSON.stringify(viewer),
        addressKey(address),
        assets.script.fileName,
        assets.style.fileName,
      ].join(' '),
    );
    if (sendNotModified(request as Request, response, { etag, isPublic: false })) return;
    const view = await services.dashboardViews.openSignedIn(caller, scope, toViewRequest(address));
    const isEditor = scope.role !== null && scope.role !== 'viewer';
    const editPath = isEditor ? `${address.path}/edit` : null;
    const page = renderDashboardPage(view, address, { version, viewer, editPath, assets, draw });
    await sendPage(request as Request, response, { page, etag });
  };

  const loadViewer = async (caller: Caller): Promise<Viewer> => {
    const isClient = caller.role === 'client';
    const [{ user }, visible] = await Promise.all([
      services.users.getOwnAccount(caller),
      isClient ? [] : services.access.listVisibleWorkspaces(caller),
    ]);
    const { user_id: userId, user_name: userName, avatar_version: avatarVersion } = user;
    const workspaces = visible.map(({ row }) => ({
      workspaceId: row.workspace_id,
      name: row.workspace_name,
      color: row.workspace_color,
    }));
    const current =
      workspaces.find(({ workspaceId }) => workspaceId === caller.currentWorkspaceId) ?? workspaces[0];
    const avatarPath = avatarVersion === null ? null : `/api/users/${userId}/avatar?v=${avatarVersion}`;
    return {
      userId,
      userName,
      avatarPath,
      isClient,
      workspaces,
      currentWorkspaceId: current?.workspaceId ?? null,
    };
  };

  const findCaller = (request: Request, response: Response): Promise<Caller | null> =>
    callerOf(request, createRequestFacts(request, response, null), authenticate);

  /** Sends errors as pages. */
  const withErrorPages =
    <P>(show: (request: Request<P>, response: Response) => Promise<void>) =>
    async (request: Request<P>, response: Response, next: NextFunction): Promise<void> => {
      try {
        await show(request, response);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const errorPage = errorPageFor(error, request as Request, files.assets());
        if (errorPage === null) next(error);
        else {
          response.removeHeader('ETag');
          await sendPage(request as Request, response, errorPage);
        }
      }
    };

  return {
    publicPage: withErrorPages(publicPage),
    memberPage: withErrorPages(memberPage),
    publicChanges,
    memberChanges,
    file: files.send,
  };
}

function errorPageFor(
  error: AppError,
  request: Request,
  assets: PageAssets,
): { page: RenderedPage; status: number } | null {
  const path = request.baseUrl + request.path;
  if (error.code === 'password_required')
    return { page: passwordPage(`/api/public${path}/unlock`, assets), status: 401 };
  if (error.kind === 'unauthenticated') return { page: signInPage(assets), status: 401 };
  if (error.kind === 'not_found') return { page: notFoundPage(assets), status: 404 };
  if (error.kind === 'unavailable') return { page: unavailablePage(assets), status: 503 };
  if (error.kind === 'invalid')
    return { page: invalidAddressPage(describeProblem(error), path, assets), status: 400 };
  return null;
}

/** Returns the message of an error, without the field name of the API if the rest is a complete sentence. */
function describeProblem({ message }: AppError): string {
  const sentence = /^filters\.[^:]+: the (.+)$/s.exec(message)?.[1];
  return sentence === undefined ? message : `The ${sentence}.`;
}

const toViewRequest = (address: PageAddress): ViewRequest => ({
  pages: (all) => selectPages(all, address),
  filters:
    address.selection.size === 0
      ? undefined
      : Object.fromEntries([...address.selection].map(([code, values]) => [code, [...values]])),
});

function renderDashboardPage(
  { content, organizationName, figures, asOf }: DashboardView,
  address: PageAddress,
  {
    version,
    viewer,
    editPath,
    assets,
    draw,
  }: { version: string; viewer: Viewer | null; editPath: string | null; assets: PageAssets; draw: Draw },
): RenderedPage {
  const { dashboard, pages, charts } = content;
  const dashboardContent = {
    name: dashboard.dashboard_name,
    description: dashboard.dashboard_description,
    organizationName,
    settings: resolveDashboardSettings(dashboard.dashboard_settings),
    pages,
    elements: charts,
  };
  const eventsPath = `${address.path}/events`;
  return renderDashboard(
    { dashboard: dashboardContent, contents: figures, asOf, eventsPath, version, viewer, editPath },
    address,
    { draw, assets },
  );
}

const createEtag = (key: string): string =>
  `W/"${createHash('sha256').update(key).digest('base64url').slice(0, 22)}"`;

interface Caching {
  /** Allows conditional requests. */
  etag: string;
  /** Shared caches may store the page and have to revalidate it. */
  isPublic: boolean;
}

/** Sends 304 and returns true if the browser already has this version. */
function sendNotModified(request: Request, response: Response, caching: Caching): boolean {
  setCaching(response, caching);
  if (!request.fresh) return false;
  response.status(304).end();
  return true;
}

function sendCachedPage(request: Request, response: Response, page: CachedPage): void {
  const acceptsGzip = request.acceptsEncodings('gzip') !== false;
  response
    .setHeader('Content-Security-Policy', page.policy)
    .setHeader('Vary', 'Accept-Encoding')
    .type('html');
  if (acceptsGzip) response.setHeader('Content-Encoding', 'gzip');
  response.send(acceptsGzip ? page.gzip : page.plain);
}

/** Sends a page for one viewer. Without `etag` it is not cached. */
async function sendPage(
  request: Request,
  response: Response,
  { page, status = 200, etag }: { page: RenderedPage; status?: number; etag?: string },
): Promise<void> {
  if (etag === undefined) response.setHeader('Cache-Control', 'no-store');
  else setCaching(response, { etag, isPublic: false });
  response.status(status);
  sendCachedPage(request, response, await compressPage(page));
}

function setCaching(response: Response, { etag, isPublic }: Caching): void {
  response
    .setHeader('Cache-Control', isPublic ? 'public, no-cache' : 'private, no-cache')
    .setHeader('ETag', etag)
    .setHeader('Vary', isPublic ? 'Accept-Encoding' : 'Accept-Encoding, Cookie');
}
