import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { type Authenticate, callerOf } from './authenticate.ts';
import type { Route } from '../http/define-route.ts';
import {
  type EventsReply,
  type FileReply,
  JsonText,
  listMeta,
  NOT_MODIFIED,
  type RowsReply,
  WithReplyOptions,
} from '../http/reply.ts';
import { type Recheck, sendEvents } from '../http/send-events.ts';
import {
  applyOptions,
  envelopeOf,
  type ReplySpool,
  sendFile,
  sendJson,
  sendJsonText,
  sendRows,
} from '../http/send-reply.ts';
import { unauthenticated } from '../lib/errors.ts';
import { handlerContext } from './request-context.ts';
import { checkRole } from './require-role.ts';

export interface EnvelopeOptions<Services> {
  services: Services;
  authenticate: Authenticate;
  /** Holds every reply against its declared schema, for tests. */
  checkReplies: boolean;
  /** How often access is checked again while a stream of events is open. */
  recheckStreamsEveryMs: number;
  /** How long a client may take to read a reply that is made while it is sent. */
  streamTimeoutMs: number;
  /** Where such replies wait for clients that read slowly. */
  spool: ReplySpool;
}

interface Reply {
  status: number;
  result: unknown;
}

/**
 * Last step of every route: calls the handler and sends its result in the success envelope, or as a file or a stream. The reply is sent
 * after the handler returned, which is after its transaction committed; with an Idempotency-Key, after the handler's writes were
 * committed together with the reply.
 */
export function envelope<Services>(
  declared: Route<Services>,
  options: EnvelopeOptions<Services>,
): RequestHandler {
  return async (request, response) => {
    const { jobRoute, runOnce, facts } = response.locals;
    const route = (jobRoute as Route<Services> | undefined) ?? declared;
    const callHandler = async (): Promise<Reply> => {
      const returned = await route.handler(handlerContext(options.services, response.locals));
      const { result, options: replyOptions } =
        returned instanceof WithReplyOptions
          ? (returned as WithReplyOptions<unknown>)
          : new WithReplyOptions(returned, {});
      applyOptions(response, replyOptions, facts);
      const status = replyOptions.status ?? route.status;
      return { status, result: options.checkReplies ? checkReply(route, status, result) : result };
    };
    if (runOnce !== undefined) {
      const { status, body } = await runOnce(async () => {
        const reply = await callHandler();
        return { status: reply.status, body: envelopeOf(route.reply, reply.result) };
      });
      sendJson(response, status, body);
      return;
    }
    const reply = await callHandler();
    const recheck = {
      everyMs: options.recheckStreamsEveryMs,
      run: () => recheckAccess({ route: declared, envelopeOptions: options, request, response }),
    };
    await send({ spec: route.reply, response, reply, recheck, options });
  };
}

async function send({
  spec,
  response,
  reply: { status, result },
  recheck,
  options: { streamTimeoutMs, spool },
}: {
  spec: Route['reply'];
  response: Response;
  reply: Reply;
  recheck: Recheck;
  options: Pick<EnvelopeOptions<unknown>, 'streamTimeoutMs' | 'spool'>;
}): Promise<void> {
  if (status === NOT_MODIFIED) {
    // The tag as the client has it: that of a compressed reply is weak.
    const etag = response.getHeader('ETag');
    if (typeof etag === 'string' && response.req.get('If-None-Match')?.includes(`W/${etag}`) === true)
      response.setHeader('ETag', `W/${etag}`);
    response.vary('Accept-Encoding').status(status).end();
    return;
  }
  switch (spec.kind) {
    case 'empty':
      response.status(status).end();
      return;
    case 'file':
      return sendFile({ response, status, file: result as FileReply, timeoutMs: streamTimeoutMs, spool });
    case 'rows':
      return sendRows({ response, status, reply: result as RowsReply, timeoutMs: streamTimeoutMs, spool });
    case 'events': {
      const { signal } = response.locals.facts;
      return sendEvents({
        response,
        status,
        reply: result as EventsReply,
        options: { signal: signal, recheck },
      });
    }
    default:
      if (result instanceof JsonText) sendJsonText(response, status, result);
      else sendJson(response, status, envelopeOf(spec, result));
  }
}

/** Throws if the same request would be refused now, because a session ended or access was withdrawn. */
async function recheckAccess<Services>({
  route: { access },
  envelopeOptions: { services, authenticate },
  request,
  response: { locals },
}: {
  route: Route<Services>;
  envelopeOptions: EnvelopeOptions<Services>;
  request: Request;
  response: Response;
}): Promise<void> {
  const caller = access.credential === 'none' ? null : await callerOf(request, locals.facts, authenticate);
  if (caller === null && locals.caller !== null) throw unauthenticated();
  checkRole(access, caller);
  await access.authorize({ ...handlerContext(services, locals), caller });
}

type CheckedRoute = Pick<Route, 'operationId' | 'status' | 'alternateStatuses' | 'reply'>;

/**
 * Checks a reply against the declaration of its route, in tests. Returns the reply to send: rows and events are checked while they are
 * streamed. Throws for an undeclared reply.
 */
function checkReply(route: CheckedRoute, status: number, result: unknown): unknown {
  if (status === NOT_MODIFIED) return result;
  if (status !== route.status && route.alternateStatuses[status] === undefined)
    throw new Error(`${route.operationId} replied with the status ${status}, which it did not declare`);
  switch (route.reply.kind) {
    case 'empty':
      return result;
    case 'file':
      checkFileType(route.operationId, route.reply.contentTypes, result as FileReply);
      return result;
    case 'rows':
      return checkedRows(route, result as RowsReply);
    case 'events':
      return checkedEvents(route, result as EventsReply);
    case 'list':
      for (const item of (result as { items: unknown[] }).items) checkValue(route, item);
      return result;
    case 'data':
      checkValue(route, result);
      return result;
  }
}

/** Returns the same rows and checks the whole reply after the last row; a mismatch interrupts the reply. */
function checkedRows(route: CheckedRoute, reply: RowsReply): RowsReply {
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
function checkedEvents(route: CheckedRoute, reply: EventsReply): EventsReply {
  async function* checked(): EventsReply['events'] {
    for await (const event of reply.events) {
      checkValue(route, event.data);
      yield event;
    }
  }
  return { ...reply, events: checked() };
}

function checkValue(route: CheckedRoute, value: unknown): void {
  if (!('schema' in route.reply)) return;
  // Serialized first: dates become strings and undefined members disappear.
  const checked = route.reply.schema.safeParse(JSON.parse(JSON.stringify(value)));
  if (!checked.success) throw undeclared(route, checked.error);
}

function undeclared({ operationId }: CheckedRoute, error: z.ZodError): Error {
  return new Error(`${operationId} replied what it did not declare: ${error.message}`);
}

function checkFileType(operationId: string, declared: readonly string[], { contentType }: FileReply): void {
  const mediaTypeOf = (type: string): string => type.split(';', 1)[0] ?? '';
  if (!declared.some((type) => type === '*/*' || mediaTypeOf(type) === mediaTypeOf(contentType)))
    throw new Error(
      `${operationId} replied with a file of the type ${contentType}, which it did not declare`,
    );
}
