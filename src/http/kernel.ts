import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../domain/access/caller.ts';
import { forbidden, unauthenticated } from '../lib/errors.ts';
import { type Authenticate, credentialOf } from './authentication.ts';
import { answeringRoute } from './background.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { IdempotencyStore } from '../lib/idempotency-store.ts';
import { withIdempotency } from './idempotency.ts';
import { readJsonBody } from './json-body.ts';
import { Multipart, MultipartOrJson, openUpload } from './multipart.ts';
import { schemaWording } from '../lib/schema-wording.ts';
import { fromZodError } from './problem.ts';
import type { RateLimits } from './rate-limits.ts';
import {
  type EventsReply,
  type FileReply,
  JsonText,
  NOT_MODIFIED,
  type ReplyOptions,
  type RowsReply,
  WithReplyOptions,
  listMeta,
} from './reply.ts';
import { requestFacts } from './request-facts.ts';
import type { DiskUse, RequestFacts, Route } from './route.ts';
import { readSignedBody, SignedBody } from './signed-body.ts';
import { applyOptions, envelopeOf, sendFile, sendJson, sendJsonText, sendRows } from './send-reply.ts';
import { type Recheck, sendEvents } from './send-events.ts';
import { checkUrlText } from './url-text.ts';
import { withWorkspaceOfBody } from './workspace-in-body.ts';

export interface KernelOptions<Services> {
  services: Services;
  authenticate: Authenticate;
  rateLimits: RateLimits;
  idempotency: IdempotencyStore;
  /** Throws 503 `storage_low` while the disk has too little free space for this. */
  checkFreeDisk: (use: DiskUse) => Promise<void>;
  /** scheme://host[:port] that browsers reach us at; null: from the request. */
  publicUrl: string | null;
  allowedOrigins: readonly string[];
  /** Tests hold every reply against its declared schema. */
  checkReplies: boolean;
  /** How often a stream that stays open asks again whether its listener still may listen. */
  recheckStreamsEveryMs: number;
  /** How long a client may take to read a reply that is made while it is sent. */
  streamTimeoutMs: number;
}

/**
 * Runs one route for one request, always in this order: who is it, how often, from where, may they at all,
 * what did they send, may they touch this, do it, answer. The reply is written after the handler returned,
 * which is after its transaction committed; with an Idempotency-Key, after it committed together with the reply.
 */
export async function handle<Services>(
  route: Route<Services>,
  options: KernelOptions<Services>,
  request: Request,
  response: Response,
): Promise<void> {
  response.locals.route = route;
  const facts = requestFacts(request, response, options.publicUrl);
  const caller = await identify(route, options, request, response, facts);
  if (caller !== null) response.setHeader('Cache-Control', 'no-store');
  if (caller?.viaCookie) refuseCrossSite(request, facts.baseUrl, options.allowedOrigins);
  refuseRole(route, caller);
  if (route.needsFreeDisk !== undefined) await options.checkFreeDisk(route.needsFreeDisk);

  const expected = route.body instanceof MultipartOrJson ? route.body.sentBy(request) : route.body;
  const hasBody = route.method === 'post' || route.method === 'put' || route.method === 'patch';
  // A browser's form post cannot set this header: asked of cookie callers even for an empty body, it closes that hole.
  const sent =
    hasBody && !(expected instanceof Multipart || expected instanceof SignedBody)
      ? await readJsonBody(request, route.maxBodyBytes, caller?.viaCookie ?? false)
      : undefined;
  checkUrlText(request);
  const params = parse(route.params, request.params, 'The path');
  const query = parse(route.query, request.query, 'The query');
  if (expected instanceof Multipart) {
    const { upload, close } = await openUpload(request, response, expected, route.maxBodyBytes);
    try {
      await respond(route, options, request, response, { caller, params, query, body: upload, facts });
    } finally {
      close();
    }
    return;
  }
  if (expected instanceof SignedBody) {
    const body = await readSignedBody(request, expected, route.maxBodyBytes);
    return respond(route, options, request, response, { caller, params, query, body, facts });
  }
  const narrowed = withWorkspaceOfBody(
    { query: route.query, body: expected },
    { query, body: sent === undefined ? {} : sent },
  );
  const body = hasBody ? parse(expected, narrowed.body, 'The body') : undefined;
  if (route.brake !== undefined) {
    const key = route.brake(body, caller, { params, address: facts.address });
    if (key !== null) await options.rateLimits.brake(key);
  }
  await respond(route, options, request, response, { caller, params, query: narrowed.query, body, facts });
}

interface ReadRequest {
  caller: Caller | null;
  params: unknown;
  query: unknown;
  body: unknown;
  facts: RequestFacts;
}

/** May they touch this; do it; answer. */
async function respond<Services>(
  declared: Route<Services>,
  options: KernelOptions<Services>,
  request: Request,
  response: Response,
  { caller, params, query, body, facts }: ReadRequest,
): Promise<void> {
  const access = { services: options.services, caller, params, query, body };
  const scope = await declared.access.authorize(access);
  const context = { ...access, scope, request: facts };
  const route = await answeringRoute(declared, context, request.headers.prefer);
  // A job keeps what it makes on the disk.
  if (route !== declared) await options.checkFreeDisk('files');
  const run = async (): Promise<WithReplyOptions<unknown>> => {
    const result = await route.handler(context);
    return result instanceof WithReplyOptions ? result : new WithReplyOptions(result, {});
  };

  const key = request.headers['idempotency-key'];
  // Nobody in particular has no keys of their own: one's first reply must not reach another.
  if (route.idempotent && key !== undefined && caller !== null) {
    // A superadmin's key may act elsewhere by now: what it did there is no reply here.
    const who = `${caller.credential} ${caller.credentialId} ${caller.organizationId}`;
    // request.path alone is relative to the family's router.
    const address = request.baseUrl + request.path;
    const replayed = await withIdempotency(
      options.idempotency,
      String(key),
      who,
      `POST ${address}`,
      { query, body },
      async () => {
        const { result, options: replyOptions } = await run();
        const { status } = prepare(route, options, response, result, replyOptions, facts);
        return { status, body: envelopeOf(route.reply, result) };
      },
    );
    sendJson(response, replayed.status, replayed.body);
    return;
  }
  const { result: answered, options: replyOptions } = await run();
  const { status, result } = prepare(route, options, response, answered, replyOptions, facts);
  const recheck = {
    everyMs: options.recheckStreamsEveryMs,
    run: () => mayStill(declared, options, request, access, facts),
  };
  await write(route, response, status, result, { facts, recheck, streamTimeoutMs: options.streamTimeoutMs });
}

/** Whoever was let in once: throws what a request of theirs would be told now. */
async function mayStill<Services>(
  route: Route<Services>,
  options: KernelOptions<Services>,
  request: Request,
  before: Parameters<Route<Services>['access']['authorize']>[0],
  facts: RequestFacts,
): Promise<void> {
  const caller = await callerOf(route, options, request, facts);
  if (caller === null && before.caller !== null) throw unauthenticated();
  refuseRole(route, caller);
  await route.access.authorize({ ...before, caller });
}

async function callerOf<Services>(
  route: Route<Services>,
  options: KernelOptions<Services>,
  request: Request,
  facts: RequestFacts,
): Promise<Caller | null> {
  const credential = route.access.credential === 'none' ? null : credentialOf(request);
  return credential === null ? null : options.authenticate(credential, facts);
}

/** Authenticates and counts; a request without a right credential counts against its address. */
async function identify<Services>(
  route: Route<Services>,
  options: KernelOptions<Services>,
  request: Request,
  response: Response,
  facts: RequestFacts,
): Promise<Caller | null> {
  const caller = await callerOf(route, options, request, facts);
  await options.rateLimits.count(route.rateLimit, request, response, caller);
  const optional = route.access.credential === 'none' || route.access.credential === 'optional';
  if (caller === null && !optional) throw unauthenticated();
  return caller;
}

function refuseRole<Services>(route: Route<Services>, caller: Caller | null): void {
  if (caller === null) return;
  if (route.access.credential === 'session' && caller.credential !== 'session') {
    throw forbidden('This needs a login; an API key cannot do it', 'session_required');
  }
  if (route.access.roles !== null && !route.access.roles.includes(caller.role)) throw forbidden();
}

function parse(schema: z.ZodType, input: unknown, whole: string): unknown {
  const result = schema.safeParse(input, { error: schemaWording });
  if (!result.success) throw fromZodError(result.error, whole);
  return result.data;
}

function prepare<Services>(
  route: Route<Services>,
  options: KernelOptions<Services>,
  response: Response,
  result: unknown,
  replyOptions: ReplyOptions,
  facts: RequestFacts,
): { status: number; result: unknown } {
  applyOptions(response, replyOptions, facts);
  const status = replyOptions.status ?? route.status;
  if (options.checkReplies && status !== NOT_MODIFIED) {
    if (status !== route.status && route.otherwise[status] === undefined)
      throw new Error(`${route.operationId} replied with the status ${status}, which it did not declare`);
    checkReply(route, result);
    if (route.reply.kind === 'rows') return { status, result: checkedRows(route, result as RowsReply) };
    if (route.reply.kind === 'events') return { status, result: checkedEvents(route, result as EventsReply) };
  }
  return { status, result };
}

/** The same rows; after the last one the whole reply is checked against its schema, and a reply that does not fit is cut off. */
function checkedRows<Services>(route: Route<Services>, reply: RowsReply): RowsReply {
  async function* checked(): AsyncGenerator<string> {
    const texts: string[] = [];
    for await (const text of reply.rows) {
      texts.push(text);
      yield text;
    }
    const rows = `[${texts.filter((text) => text !== '').join(',')}]`;
    const head = JSON.parse(JSON.stringify(reply.head)) as Record<string, unknown>;
    checkValue(route, { ...head, rows: JSON.parse(rows) as unknown });
    if (reply.meta === undefined) return;
    const meta = listMeta.safeParse(JSON.parse(JSON.stringify(reply.meta)));
    if (!meta.success) throw undeclared(route, meta.error);
  }
  return { ...reply, rows: checked() };
}

/** The same events, each checked against the schema before it is sent. */
function checkedEvents<Services>(route: Route<Services>, reply: EventsReply): EventsReply {
  async function* checked(): EventsReply['events'] {
    for await (const event of reply.events) {
      checkValue(route, event.data);
      yield event;
    }
  }
  return { ...reply, events: checked() };
}

async function write<Services>(
  route: Route<Services>,
  response: Response,
  status: number,
  result: unknown,
  { facts, recheck, streamTimeoutMs }: { facts: RequestFacts; recheck: Recheck; streamTimeoutMs: number },
): Promise<void> {
  if (status === NOT_MODIFIED) {
    response.status(status).end();
    return;
  }
  switch (route.reply.kind) {
    case 'empty':
      response.status(status).end();
      return;
    case 'file':
      return sendFile(response, status, result as FileReply, streamTimeoutMs);
    case 'rows':
      return sendRows(response, status, result as RowsReply, streamTimeoutMs);
    case 'events':
      return sendEvents(response, status, result as EventsReply, { left: facts.signal, recheck });
    default:
      if (result instanceof JsonText) sendJsonText(response, status, result);
      else sendJson(response, status, envelopeOf(route.reply, result));
  }
}

function checkReply<Services>(route: Route<Services>, result: unknown): void {
  if (route.reply.kind === 'file')
    checkFileType(route.operationId, route.reply.contentTypes, result as FileReply);
  if (route.reply.kind !== 'data' && route.reply.kind !== 'list') return;
  const values = route.reply.kind === 'list' ? (result as { items: unknown[] }).items : [result];
  for (const value of values) checkValue(route, value);
}

function checkValue<Services>(route: Route<Services>, value: unknown): void {
  if (!('schema' in route.reply)) return;
  // As it goes over the wire: dates are strings there, absent members absent.
  const checked = route.reply.schema.safeParse(JSON.parse(JSON.stringify(value)));
  if (!checked.success) throw undeclared(route, checked.error);
}

function undeclared<Services>({ operationId }: Route<Services>, error: z.ZodError): Error {
  return new Error(`${operationId} replied what it did not declare: ${error.message}`);
}

function checkFileType(operationId: string, declared: readonly string[], { contentType }: FileReply): void {
  const named = (type: string): string => type.split(';')[0]!;
  if (!declared.some((type) => type === '*/*' || named(type) === named(contentType)))
    throw new Error(
      `${operationId} replied with a file of the type ${contentType}, which it did not declare`,
    );
}
