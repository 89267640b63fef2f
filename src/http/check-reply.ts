import type { z } from 'zod';
import type { Route } from './define-route.ts';
import { type EventsReply, type FileReply, listMeta, NOT_MODIFIED, type RowsReply } from './reply.ts';

type CheckedRoute = Pick<Route, 'operationId' | 'status' | 'alternateStatuses' | 'reply'>;

/**
 * Checks a reply against the declaration of its route, in tests. Returns the reply to send: rows and events are checked while they are
 * streamed. Throws for an undeclared reply.
 */
export function checkReply(route: CheckedRoute, status: number, result: unknown): unknown {
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
  const mediaTypeOf = (type: string): string => type.split(';')[0]!;
  if (!declared.some((type) => type === '*/*' || mediaTypeOf(type) === mediaTypeOf(contentType)))
    throw new Error(
      `${operationId} replied with a file of the type ${contentType}, which it did not declare`,
    );
}
