import type { Route } from '../../../src/http/define-route.ts';
import { routes } from '../../../src/routes/index.ts';
import type { Services } from '../../../src/services/services.ts';
import type { Actor } from '../actors.ts';
import { MISSING_ID } from '../refusals.ts';
import {
  dependsOnVisibility,
  type Kind,
  KINDS,
  type Visibility,
  VISIBILITIES,
  type ExpectedResult,
  expectedResult,
} from './callers.ts';
import type { Row, Rows } from './row.ts';
import { type Ids, type CredentialKind, CREDENTIALS, type Fixtures } from './fixtures.ts';

export interface Cell {
  kind: Kind;
  credential: CredentialKind;
  visibility: Visibility;
  expected: ExpectedResult;
}
export interface Reply {
  status: number;
  text: string;
  headers: Headers;
}

/** Differences from a request that succeeds. */
export interface Changes {
  params?: Readonly<Record<string, string | number>>;
  /** null: omitted. */
  query?: Readonly<Record<string, string | null>>;
  /** Text is sent unchanged. */
  body?: object | FormData | string;
  contentType?: string;
}

const MISSING_UUID = '00000000-0000-4000-8000-000000000000';
export const missingId = (id: string | number | undefined): string | number =>
  typeof id === 'string' ? MISSING_UUID : MISSING_ID;

/** The meaning of `:id`, by the start of the path. */
const IDS: readonly [string, keyof Ids][] = [
  ['/api/workspaces/', 'workspaceId'],
  ['/api/surveys/', 'surveyId'],
  ['/api/dashboards/', 'dashboardId'],
  ['/api/users/', 'userId'],
  ['/api/jobs/', 'jobId'],
  ['/api/api-keys/', 'apiKeyId'],
  ['/api/sessions/', 'sessionId'],
  ['/api/invite-links/', 'inviteId'],
  ['/api/organizations/', 'organizationId'],
];

let calls = 0;

/** One kind of request to one route. */
export class Operation {
  readonly route: Route<Services>;
  readonly row: Row;
  /** The parameters of the path. */
  readonly names: readonly string[];

  constructor(route: Route<Services>, row: Row) {
    this.route = route;
    this.row = row;
    this.names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  }

  /** Every kind of caller in every visibility that makes a difference; with a session too, in one of them. */
  cells(): Cell[] {
    const visibilities = dependsOnVisibility(this.route)
      ? (Object.keys(VISIBILITIES) as Visibility[])
      : (['shared'] as const);
    const isOpen = this.route.access.credential === 'none';
    return visibilities.flatMap((visibility) =>
      KINDS.flatMap((kind) =>
        CREDENTIALS.filter(
          (credential) =>
            credential === 'key' || (visibility === 'shared' && kind !== 'anonymous' && !isOpen),
        ).map((credential) => ({
          kind,
          credential,
          visibility,
          expected: expectedResult(this.route, kind, credential, visibility),
        })),
      ),
    );
  }

  /** A permitted caller in a shared workspace. */
  allowedCaller({ callers }: Fixtures): Actor {
    const cell = this.cells().find(
      ({ visibility, expected }) => visibility === 'shared' && expected === 'allowed',
    );
    if (cell === undefined) throw new Error(`${this.route.operationId} has no permitted caller`);
    return callers[cell.kind][cell.credential];
  }

  /** Whether calls at the same time are as good as one after another. */
  canRunConcurrently(): boolean {
    return this.row.isIndependent === true || (this.route.method === 'get' && this.row.fresh === undefined);
  }

  fresh = (fixtures: Fixtures, ids: Ids, cell: Cell) => this.row.fresh?.(fixtures, ids, cell);

  /** The parameters of the path that are ids, by name. */
  params(ids: Ids): Map<string, string | number> {
    const [, idName] = IDS.find(([start]) => this.route.path.startsWith(start)) ?? [];
    const overrides = this.row.path?.(ids) ?? {};
    return new Map(
      this.names.map((name) => {
        const value = overrides[name] ?? ids[name === 'id' ? idName! : (name as keyof Ids)];
        if (value === undefined) throw new Error(`${this.route.operationId}: what is :${name}?`);
        return [name, value];
      }),
    );
  }

  /** A valid body; undefined for operations without a body. */
  body(ids: Ids): object | FormData | undefined {
    const { method } = this.route;
    return method === 'get' || method === 'delete' ? undefined : this.row.body?.(ids, (calls += 1));
  }

  /** The same request about something that never was. */
  sendAboutMissing(origin: string, actor: Actor, ids: Ids): Promise<Reply> {
    const [first] = this.params(ids);
    if (first !== undefined)
      return this.send(origin, credentialHeaders(actor), ids, {
        params: { [first[0]]: missingId(first[1]) },
      });
    return this.send(origin, credentialHeaders(actor), {
      ...ids,
      workspaceId: MISSING_ID,
      surveyId: MISSING_ID,
      dashboardId: MISSING_ID,
    });
  }

  async send(
    origin: string,
    headers: Record<string, string>,
    ids: Ids,
    changes: Changes = {},
  ): Promise<Reply> {
    const { method, path, access } = this.route;
    const params = this.params(ids);
    const address = path.replace(/:(\w+)/g, (_, name: string) =>
      String(changes.params?.[name] ?? params.get(name)),
    );
    const query = new URLSearchParams(this.row.query);
    if (access.resource?.startsWith('workspace:') && this.names.length === 0)
      query.set('workspace_id', String(ids.workspaceId));
    for (const [name, value] of Object.entries(changes.query ?? {})) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    const body = changes.body ?? this.body(ids);
    const contentType =
      changes.contentType ??
      (body === undefined || body instanceof FormData ? undefined : 'application/json');
    const sent = body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body);
    const extraHeaders =
      changes.body === undefined && typeof sent === 'string' ? this.row.headers?.(sent) : {};
    const reply = await fetch(`${origin}${address}?${query.toString()}`, {
      method: method.toUpperCase(),
      headers: {
        ...headers,
        ...extraHeaders,
        ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      },
      ...(body === undefined ? {} : { body: sent }),
    });
    return { status: reply.status, text: await readText(reply), headers: reply.headers };
  }
}

/** Of a stream of events only the beginning: it may go on until the client leaves. */
async function readText(reply: Response): Promise<string> {
  if (reply.headers.get('Content-Type')?.startsWith('text/event-stream') !== true) return reply.text();
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of reply.body!) {
    text += decoder.decode(part, { stream: true });
    if (/^data:.*\n/m.test(text)) break;
  }
  return text;
}

/** The headers with the caller's credential. */
export function credentialHeaders(actor: Actor): Record<string, string> {
  const token = (actor as { token?: string }).token;
  if (token !== undefined) return { Authorization: `Bearer ${token}` };
  return actor.apiKey === null ? {} : { 'X-API-Key': actor.apiKey };
}

/** The declared routes that have a row here. */
export function operationsOf(rows: Rows): Operation[] {
  return routes
    .filter(({ operationId }) => Object.hasOwn(rows, operationId))
    .map((route) => new Operation(route, rows[route.operationId]!));
}

/** For `it.each`: with its method and path as the title. */
export const withTitle = (operation: Operation) =>
  [`${operation.route.method.toUpperCase()} ${operation.route.path}`, operation] as const;
