import { z } from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import type { Access } from './access.ts';
import type { DocumentedHeader, HandlerResult, ReplySpec } from './reply.ts';
import { Multipart, MultipartOrJson, type Upload } from './multipart.ts';

/**
 * Declares a JSON body that is signed. The handler gets its bytes as they were sent, because the signature covers them, and nothing of
 * the body may be used before the signature is verified.
 */
export class SignedBody {
  constructor(
    /** Name of the header that carries the signature. */
    readonly header: string,
    /** A body for the API document. */
    readonly example: Readonly<Record<string, unknown>>,
  ) {}
}

export const signedBody = (header: string, example: Readonly<Record<string, unknown>>): SignedBody =>
  new SignedBody(header, example);

/** A signed body, of which only the size is checked. */
export interface SignedBytes {
  bytes: Buffer;
  /** null: the header is missing. */
  signature: string | null;
}

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

/** The context of handlers and access checks. */
interface RequestContext<Services, P, Q, B> {
  services: Services;
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  request: RequestMetadata;
}

/** Work that may take long and can run as a job. */
interface Background<Context> {
  /**
   * Validates the request like the handler. Returns whether the work is so long that it becomes a job, unless the client sends
   * `Prefer: wait`.
   */
  isLong(context: Context): Promise<boolean> | boolean;
  /** Enqueues the job and returns its id. */
  start(context: Context): Promise<number>;
}

/** Properties of the request besides its validated input. */
export interface RequestMetadata {
  id: string;
  address: string;
  userAgent: string | null;
  /** scheme://host of the server's pages and links. */
  baseUrl: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** The header If-None-Match: ETags that the client has. */
  ifNoneMatch: string | null;
  /** The header If-Match: the version that the client changes. */
  ifMatch: string | null;
  /** The header Last-Event-ID: the last event that the client of an interrupted stream received. */
  lastEventId: string | null;
  cookie(name: string): string | null;
}

/** Examples may be constants of another file. */
type Constant<T> = T extends object ? { readonly [Key in keyof T]: Constant<T[Key]> } : T;

type ExampleBody<B> = B extends z.ZodType
  ? Constant<z.input<B>>
  : B extends MultipartOrJson<ObjectSchema, infer Json>
    ? Constant<z.input<Json>>
    : never;

interface RouteDeclaration<
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
  /** Mandatory, for public operations too. */
  access: Access<Services, Parsed<P>, Parsed<Q>, Parsed<B>, Who, Scope>;
  params?: P;
  query?: Q;
  body?: B;
  /** A valid body for the API document, with example ids. */
  example?: ExampleBody<B>;
  /** Instead of one example several, by name: for bodies of several forms. */
  examples?: Readonly<Record<string, ExampleBody<B>>>;
  reply: R;
  /**
   * The `data` of a reply, or of an event; for a list, one item. Default: the first of the `examples` in the metadata of the reply schema,
   * which all routes with this schema share.
   */
  replyExample?: R extends { schema: infer S extends z.ZodType } ? Constant<z.input<S>> : never;
  /** Headers of a success besides those of every reply. */
  replyHeaders?: readonly DocumentedHeader[];
  /** The reply has the header ETag with the `etag` of the object, for If-Match. */
  hasObjectVersion?: boolean;
  /** If-Match is supported; the schema of `current` in the error 412. */
  ifMatch?: z.ZodType;
  /** Default: 204 for an empty reply, otherwise 200. */
  status?: 200 | 201 | 202;
  /** Other success statuses with their meaning. */
  alternateStatuses?: Partial<Record<200 | 201 | 204, string>>;
  /** Default: general. */
  rateLimit?: RateLimitClass;
  /** Counts the request under a second key, limited by `RATE_LIMIT_AUTH`, against guessing; null: not counted. */
  extraRateLimitKey?: (
    body: Parsed<B>,
    caller: Who,
    from: { params: Parsed<P>; address: string },
  ) => string | null;
  /** Refused with 503 `storage_low` while the disk is too full for it, before the body is read. */
  needsFreeDisk?: DiskUse;
  /** Default: 1 MB. The JSON body of a public operation has at most 256 KB, regardless of this value. */
  maxBodyBytes?: number;
  /** Whether Idempotency-Key is supported. Default: for every POST with a JSON body and a JSON reply. */
  idempotent?: boolean;
  /** Further error statuses to document, with their meaning. */
  errors?: Partial<Record<401 | 402 | 403 | 404 | 409 | 410 | 412 | 413 | 422 | 502 | 503 | 507, string>>;
  /** Runs the operation as a job (202) if the client prefers it (`Prefer: respond-async`) or the work is long. */
  background?: Background<RequestContext<Services, P, Q, B> & { caller: Who; scope: Scope }>;
  handler(
    context: RequestContext<Services, P, Q, B> & { caller: Who; scope: Scope },
  ): Promise<HandlerResult<R>> | HandlerResult<R>;
}

/** The context of a handler, without its type parameters. */
export interface HandlerContext<Services> {
  services: Services;
  caller: Caller | null;
  scope: unknown;
  params: unknown;
  query: unknown;
  body: unknown;
  request: RequestMetadata;
}

/** A declaration without its type parameters, for the router, the API document and the reference tables. */
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
  readonly hasObjectVersion: boolean;
  readonly ifMatch: z.ZodType | undefined;
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

/** Returns the example in the metadata of the schema; undefined if it has none. */
function exampleOfSchema(reply: ReplySpec): unknown {
  if (!('schema' in reply)) return undefined;
  const examples = z.globalRegistry.get(reply.schema)?.examples;
  return Array.isArray(examples) ? (examples[0] as unknown) : undefined;
}

const noFields = z.strictObject({});
const DEFAULT_MAX_BODY_BYTES = 1_000_000;
/** Limit for JSON bodies of public operations. */
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
      replyHeaders: [],
      hasObjectVersion: false,
      ifMatch: undefined,
      background: undefined,
      ...declaration,
      examples: examplesOf(declaration),
      replyExample: declaration.replyExample ?? exampleOfSchema(declaration.reply),
      status: declaration.status ?? (declaration.reply.kind === 'empty' ? 204 : 200),
      rateLimit: declaration.rateLimit ?? 'general',
      maxBodyBytes: isPublic ? PUBLIC_MAX_BODY_BYTES : (declaration.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES),
      idempotent:
        declaration.idempotent ?? (declaration.method === 'post' && isJson && isJsonBody(declaration.body)),
      errors: declaration.errors ?? {},
      // Sound, because validation parses with the schemas that the types are derived from.
    } as unknown as Route<Services>;
  };
}
