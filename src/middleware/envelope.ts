import type { Request, RequestHandler, Response } from 'express';
import { checkReply } from '../http/check-reply.ts';
import { type Authenticate, callerOf } from '../http/credential.ts';
import type { Route } from '../http/define-route.ts';
import {
  type EventsReply,
  type FileReply,
  JsonText,
  NOT_MODIFIED,
  type RowsReply,
  WithReplyOptions,
} from '../http/reply.ts';
import { type Recheck, sendEvents } from '../http/send-events.ts';
import { applyOptions, envelopeOf, sendFile, sendJson, sendJsonText, sendRows } from '../http/send-reply.ts';
import { unauthenticated } from '../lib/errors.ts';
import { handlerContext } from './locals.ts';
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
      run: () => recheckAccess(declared, options, request, response),
    };
    await send(route.reply, response, reply, recheck, options.streamTimeoutMs);
  };
}

async function send(
  spec: Route['reply'],
  response: Response,
  { status, result }: Reply,
  recheck: Recheck,
  streamTimeoutMs: number,
): Promise<void> {
  if (status === NOT_MODIFIED) {
    response.status(status).end();
    return;
  }
  switch (spec.kind) {
    case 'empty':
      response.status(status).end();
      return;
    case 'file':
      return sendFile(response, status, result as FileReply, streamTimeoutMs);
    case 'rows':
      return sendRows(response, status, result as RowsReply, streamTimeoutMs);
    case 'events': {
      const { signal } = response.locals.facts;
      return sendEvents(response, status, result as EventsReply, { signal: signal, recheck });
    }
    default:
      if (result instanceof JsonText) sendJsonText(response, status, result);
      else sendJson(response, status, envelopeOf(spec, result));
  }
}

/** Throws if the same request would be refused now, because a session ended or access was withdrawn. */
async function recheckAccess<Services>(
  { access }: Route<Services>,
  { services, authenticate }: EnvelopeOptions<Services>,
  request: Request,
  { locals }: Response,
): Promise<void> {
  const caller = access.credential === 'none' ? null : await callerOf(request, locals.facts, authenticate);
  if (caller === null && locals.caller !== null) throw unauthenticated();
  checkRole(access, caller);
  await access.authorize({ ...handlerContext(services, locals), caller });
}
