import { z } from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import type { Access } from './access.ts';
import { Multipart, MultipartOrJson, type Upload } from './multipart.ts';
import type { DocumentedHeader } from './documented-headers.ts';
import type { HandlerResult, ReplySpec } from './reply.ts';
import { SignedBody, type SignedBytes } from './signed-body.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type RateLimitClass = 'general' | 'auth' | 'public' | 'upload';

/** What a request writes to the disk: files and other large data, or a respondent's answers. */
export type DiskUse = 'files' | 'answers';

/** An object schema that refuses unknown fields by name. */
export type ObjectSchema = z.ZodObject;

/** What a body may be declared as: JSON by a schema, one file with fields, or either; or bytes that are signed. */
type BodySpec =
  z.ZodType | Multipart<ObjectSchema> | MultipartOrJson<ObjectSchema, ObjectSchema> | SignedBody;

type Parsed<S> =
  S extends MultipartOrJson<infer Fields extends ObjectSchema, infer Json extends ObjectSchema>
    ? Upload<z.output<Fields>> | z.output<Json>
    : S extends Multipart<infer Fields extends ObjectSchema>
      ? Upload<z.output<Fields>>
      : S extends SignedBody
        ? SignedBytes
        : S extends z.ZodType
          ? z.output<S>
          : undefined;

/** What a handler and an access check get to see. */
interface RequestContext<Services, P, Q, B> {
  services: Services;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  request: RequestFacts;
}

/** Work that may take long, and what it is when nobody waits for it. */
interface Background<Context> {
  /**
   * Finds what is wrong with the request, as the handler would. True: so much that it becomes a job by itself, unless the client
   * says `Prefer: wait`.
   */
  isLong(context: Context): Promise<boolean> | boolean;
  /** Puts the job on the queue; gives its id. */
  start(context: Context): Promise<number>;
}

/** What a handler may know of the request besides its validated input. */
export interface RequestFacts {
  id: string;
  address: string;
  userAgent: string | null;
  /** scheme://host of our own pages and links. */
  baseUrl: string;
  /** Fires when the client goes away. */
  signal: AbortSignal;
  /** What the client has already, as its ETag. */
  ifNoneMatch: string | null;
  /** The last event that the client of a broken stream got. */
  lastEventId: string | null;
  cookie(name: string): string | null;
}

type ExampleBody<B> = B extends z.ZodType
  ? z.input<B>
  : B extends MultipartOrJson<ObjectSchema, infer Json>
    ? z.input<Json>
    : never;

export interface RouteDeclaration<
  Services,
  P extends ObjectSchema | undefined,
  Q extends ObjectSchema | undefined,
  B extends BodySpec | undefined,
  R extends ReplySpec,
  Who extends Caller | null,
  Scope,
> {
  method: Method;
  /** As the specification writes it, `/api/surveys/:id`. */
  path: string;
  /** Unique; the name of the operation in the OpenAPI document. */
  operationId: string;
  summary: string;
  description?: string;
  /** Mandatory: who may call this, and on what. Public is written out. */
  access: Access<Services, Parsed<P>, Parsed<Q>, Parsed<B>, Who, Scope>;
  params?: P;
  query?: Q;
  body?: B;
  /** A body that works as it stands, for the API document; ids in it are examples. */
  example?: ExampleBody<B>;
  /** Instead of one example several, by name: for bodies of several forms. */
  examples?: Readonly<Record<string, ExampleBody<B>>>;
  reply: R;
  /** The `data` of a reply whose figures need an example to be understood, or of an event. */
  replyExample?: R extends { schema: infer S extends z.ZodType } ? z.input<S> : never;
  /** Headers of a success, beside those that every reply has. */
  replyHeaders?: readonly DocumentedHeader[];
  /** Default: 204 for an empty reply, else 200; a creation says 201. */
  status?: 200 | 201 | 202;
  /** Other statuses of success, with what they mean. */
  alternateStatuses?: Partial<Record<200 | 201 | 204, string>>;
  /** Default: general. */
  rateLimit?: RateLimitClass;
  /** Counts the request under this key too, `RATE_LIMIT_AUTH` times at most; null: not this request. For what could be guessed. */
  extraRateLimitKey?: (
    body: Parsed<B>,
    caller: Who,
    from: { params: Parsed<P>; address: string },
  ) => string | null;
  /** Refused with 503 `storage_low` while the disk is too full for it, before the body is read. */
  needsFreeDisk?: DiskUse;
  /** Default 1 MB. JSON that anyone may send has at most 256 KB, whatever is declared. */
  maxBodyBytes?: number;
  /** Whether Idempotency-Key is honoured; default: on every POST that takes and answers with JSON. */
  idempotent?: boolean;
  /** Further error statuses to document, with their meaning. */
  errors?: Partial<Record<401 | 402 | 403 | 404 | 409 | 410 | 413 | 422 | 502 | 503 | 507, string>>;
  /** Whether it is a job, 202, when the client prefers that (`Prefer: respond-async`) or it would take long. */
  background?: Background<RequestContext<Services, P, Q, B> & { caller: Who; scope: Scope }>;
  handler(
    context: RequestContext<Services, P, Q, B> & { caller: Who; scope: Scope },
  ): Promise<HandlerResult<R>> | HandlerResult<R>;
}

/** What a handler is called with, its types forgotten. */
export interface HandlerContext<Services> {
  services: Services;
  caller: Caller | null;
  scope: unknown;
  params: unknown;
  query: unknown;
  body: unknown;
  request: RequestFacts;
}

/** A declaration with its types forgotten: what the router, the document and the tables read. */
export interface Route<Services = never> {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly access: Access<Services, unknown, unknown, unknown, Caller | null, unknown>;
  readonly params: ObjectSchema;
  readonly query: ObjectSchema;
  readonly body: BodySpec;
  /** By name; of a single one the name is empty. */
  readonly examples: Readonly<Record<string, unknown>>;
  readonly replyExample: unknown;
  readonly replyHeaders: readonly DocumentedHeader[];
  readonly reply: ReplySpec;
  readonly status: number;
  readonly alternateStatuses: Partial<Record<number, string>>;
  readonly rateLimit: RateLimitClass;
  readonly extraRateLimitKey:
    | ((body: unknown, caller: Caller | null, from: { params: unknown; address: string }) => string | null)
    | undefined;
  readonly needsFreeDisk: DiskUse | undefined;
  readonly maxBodyBytes: number;
  readonly idempotent: boolean;
  readonly errors: Partial<Record<number, string>>;
  readonly background: Background<HandlerContext<Services>> | undefined;
  readonly handler: (context: HandlerContext<Services>) => unknown;
}

const isJsonBody = (body: BodySpec | undefined): boolean =>
  !(body instanceof Multipart || body instanceof MultipartOrJson || body instanceof SignedBody);

function examplesOf({
  example,
  examples = {},
}: {
  example?: unknown;
  examples?: Readonly<Record<string, unknown>> | undefined;
}): Readonly<Record<string, unknown>> {
  return example === undefined ? examples : { '': example, ...examples };
}

const noFields = z.strictObject({});
const DEFAULT_MAX_BODY_BYTES = 1_000_000;
/** JSON that anyone may send. */
const PUBLIC_MAX_BODY_BYTES = 256 * 1024;

/** `defineRoute` for one set of services. */
export function routeDefiner<Services>() {
  return function defineRoute<
    R extends ReplySpec,
    Who extends Caller | null,
    Scope,
    P extends ObjectSchema | undefined = undefined,
    Q extends ObjectSchema | undefined = undefined,
    B extends BodySpec | undefined = undefined,
  >(declaration: RouteDeclaration<Services, P, Q, B, R, Who, Scope>): Route<Services> {
    const isPublic =
      isJsonBody(declaration.body) &&
      (declaration.access.credential === 'none' || declaration.access.credential === 'optional');
    const isJson = declaration.reply.kind === 'data' || declaration.reply.kind === 'list';
    return {
      description: undefined,
      params: noFields,
      query: noFields,
      body: noFields,
      extraRateLimitKey: undefined,
      needsFreeDisk: undefined,
      alternateStatuses: {},
      replyExample: undefined,
      replyHeaders: [],
      background: undefined,
      ...declaration,
      examples: examplesOf(declaration),
      status: declaration.status ?? (declaration.reply.kind === 'empty' ? 204 : 200),
      rateLimit: declaration.rateLimit ?? 'general',
      maxBodyBytes: isPublic ? PUBLIC_MAX_BODY_BYTES : (declaration.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES),
      idempotent:
        declaration.idempotent ?? (declaration.method === 'post' && isJson && isJsonBody(declaration.body)),
      errors: declaration.errors ?? {},
      // Validation parses with the very schemas that the types come from, so forgetting them here is sound.
    } as unknown as Route<Services>;
  };
}
