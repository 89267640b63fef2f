import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { clientAddress } from '../lib/address-network.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/ids.ts';
import type { RequesterLabels } from '../lib/requester-labels.ts';

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives every request an id: the X-Request-Id of the client if it has an accepted form, else a new UUID. */
export function requestId(ids: Ids): RequestHandler {
  return (request, response, next) => {
    const sent = request.headers['x-request-id'];
    const id = typeof sent === 'string' && ACCEPTED_ID.test(sent) ? sent : ids.uuid();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    next();
  };
}

/** The counters of each request besides the log line. */
export interface RequestObserver {
  observe(request: { method: string; route: string; status: number; seconds: number }): void;
}

/** Ordinary requests of a route that get a line in a second; the others are only counted. */
const MAX_LINES_PER_SECOND = 200;
const SECOND_MS = 1_000;
/** Requests that took this long always get a line. */
const SLOW_MS = 1_000;

/**
 * Writes one structured line per request: the declared path, never the address itself, so that no token or search text reaches the log;
 * no headers and no bodies. Network and user have the names of RequesterLabels. If a route has more than 200 ordinary requests in a second, the others of that second are counted in one
 * line, `requests omitted`. Errors, slow requests and interrupted replies always get a line.
 */
export class RequestLog {
  private readonly routes = new Map<string, RouteLog>();

  constructor(
    private readonly log: Logger,
    private readonly labels: RequesterLabels,
    private readonly clock: Clock,
  ) {}

  /** `address`: that of the sender, read while the connection was open. */
  write({ request, response, address }: ClosedRequest, milliseconds: number): void {
    const { method } = request;
    const route = pathOf(response);
    const key = `${method} ${route}`;
    let routeLog = this.routes.get(key);
    if (routeLog === undefined) {
      routeLog = new RouteLog(this.log.child({ method, route }));
      this.routes.set(key, routeLog);
    }
    routeLog.write(response, milliseconds, () => this.requesterOf(response, address));
  }

  private requesterOf({ locals }: Response, address: string): Requester {
    if (this.labels.mode === 'none') return {};
    const day = this.clock.now().toISOString().slice(0, 10);
    const userId = locals.caller?.userId;
    return {
      network: this.labels.network(address, day),
      ...(userId !== undefined && { user: this.labels.user(userId, day) }),
    };
  }

  /** Writes the counts of omitted lines so far. Call it after the last request. */
  writeOmitted(): void {
    for (const routeLog of this.routes.values()) routeLog.writeOmitted();
  }
}

interface ClosedRequest {
  request: Request;
  response: Response;
  address: string;
}

interface Requester {
  network?: string;
  user?: string;
}

const pathOf = ({ locals }: Response): string => locals.route?.path ?? 'unknown';

/** The lines of a route and method, which are serialized once. */
class RouteLog {
  private secondEndsAt = 0;
  private linesLeft = 0;
  private omitted = 0;

  constructor(private readonly log: Logger) {}

  write(response: Response, milliseconds: number, requester: () => Requester): void {
    const { locals, statusCode: status, writableFinished } = response;
    const isOrdinary = status < 400 && milliseconds < SLOW_MS && writableFinished && locals.cut === undefined;
    if (isOrdinary && !(this.log.isLevelEnabled('info') && this.hasLineLeft())) return;
    const line = {
      request_id: locals.requestId,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      ...requester(),
      aborted: writableFinished ? undefined : true,
      // Why the server ended the reply early (send-reply.ts).
      cut: locals.cut,
    };
    // A full disk is logged once, instead of once for each request.
    const isFault = status >= 500 && locals.errorCode !== 'storage_full';
    if (isFault) this.log.error(line, 'request failed');
    else this.log.info(line, 'request');
  }

  writeOmitted(): void {
    if (this.omitted > 0) this.log.info({ omitted: this.omitted }, 'requests omitted');
    this.omitted = 0;
  }

  /** If false, the request is counted for the line at the end of the second. */
  private hasLineLeft(): boolean {
    const nowMs = performance.now();
    if (nowMs >= this.secondEndsAt) {
      this.secondEndsAt = nowMs + SECOND_MS;
      this.linesLeft = MAX_LINES_PER_SECOND;
    }
    if (this.linesLeft > 0) {
      this.linesLeft -= 1;
      return true;
    }
    this.omitted += 1;
    if (this.omitted === 1) setTimeout(() => this.writeOmitted(), this.secondEndsAt - nowMs).unref();
    return false;
  }
}

/** Logs and counts each request when its reply has ended. */
export function logRequests(requestLog: RequestLog, observer: RequestObserver | null): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const address = clientAddress(request);
    response.on('close', () => {
      const milliseconds = performance.now() - startedAt;
      observer?.observe({
        method: request.method,
        route: pathOf(response),
        status: response.statusCode,
        seconds: milliseconds / 1000,
      });
      requestLog.write({ request, response, address }, milliseconds);
    });
    next();
  };
}
