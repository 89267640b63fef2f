import { z } from 'zod';
import { jobStartedReply } from '../../src/middleware/respond-async.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { STATUS_OF } from '../../src/http/problem.ts';
import { NOT_MODIFIED } from '../../src/http/reply.ts';
import type { Route } from '../../src/http/define-route.ts';
import { tags } from '../../src/routes/index.ts';
import type { Services } from '../../src/services/services.ts';
import { type Draft, serializeDraft } from '../requests/draft.ts';
import type { WireReply } from '../support/send.ts';

type AnyRoute = Route<Services>;

const errorEnvelope = z.strictObject({
  error: z.literal(1),
  message: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  details: z.array(
    z.strictObject({
      field: z.string(),
      message: z.string().min(1),
      position: z.int().optional(),
      length: z.int().optional(),
    }),
  ),
  request_id: z.string().min(1),
});
type Problem = z.output<typeof errorEnvelope>;

const listMeta = z.strictObject({ limit: z.int(), next_cursor: z.string().nullable(), total: z.int() });

/** Replies must not disclose statements, files or libraries. */
const LEAKS =
  /\b(select|insert into|update) .{0,40}\b(from|values|set)\b|syntax error at|node_modules|\.ts:\d|at .+\.js:\d|ECONN|Cannot read prop|is not a function|Invalid (input|option)|expected .* received|Too (small|big):|Unrecognized key/i;

/** Of HTTP rather than of a route: unchanged, too slow, an address or headers too long. */
const ANYWHERE: ReadonlySet<number> = new Set([NOT_MODIFIED, 408, 431]);

let documented: Map<string, ReadonlySet<number>> | null = null;

/** The documented replies by operation. */
function statusesOf(operationId: string): ReadonlySet<number> {
  if (documented === null) {
    const { paths } = openApiDocument(tags, '0');
    documented = new Map();
    for (const path of Object.values(paths ?? {}))
      for (const operation of Object.values(
        path as Record<string, { operationId?: string; responses?: object }>,
      ))
        if (operation.operationId !== undefined)
          documented.set(operation.operationId, new Set(Object.keys(operation.responses ?? {}).map(Number)));
  }
  return documented.get(operationId) ?? new Set();
}

/** Returns all problems of a reply. */
export function findReplyProblems(draft: Draft, reply: WireReply): string[] {
  const { route } = draft;
  if (draft.method !== undefined) return findMethodProblems(draft.method, reply);
  const found: string[] = [];
  if (!statusesOf(route.operationId).has(reply.status) && !ANYWHERE.has(reply.status))
    found.push(`status ${reply.status} is not documented${codeOf(reply)}`);
  if (reply.status < 400) found.push(...wrongWithSuccess(route, reply));
  else found.push(...wrongWithRefusal(draft, reply));
  return found;
}

const textOf = ({ body }: WireReply) => body.toString('utf8');
const codeOf = (reply: WireReply): string => {
  const code = /"code":"(\w+)"/.exec(textOf(reply))?.[1];
  return code === undefined ? '' : ` (${code})`;
};

function parsed(reply: WireReply): unknown {
  try {
    return JSON.parse(textOf(reply));
  } catch {
    return undefined;
  }
}

const against = (schema: z.ZodType, value: unknown, what: string): string[] => {
  const checked = schema.safeParse(value);
  return checked.success
    ? []
    : [`${what} breaks its schema: ${z.prettifyError(checked.error).slice(0, 300)}`];
};

/** Undocumented methods are answered or refused in the envelope. A reply to HEAD has no body. */
function findMethodProblems(method: string, reply: WireReply): string[] {
  if (reply.status >= 500) return [`${method} makes ${reply.status}`];
  if (method === 'HEAD') return reply.body.length === 0 ? [] : ['HEAD has a body'];
  return reply.status < 400 ? [] : against(errorEnvelope, parsed(reply), `the refusal of ${method}`);
}

function wrongWithSuccess(route: AnyRoute, reply: WireReply): string[] {
  if (reply.status === NOT_MODIFIED) return reply.body.length === 0 ? [] : ['304 with a body'];
  const type = String(reply.headers['content-type'] ?? '');
  const spec = reply.status === 202 && route.background !== undefined ? jobStartedReply : route.reply;
  const json = (schema: z.ZodType) =>
    type.startsWith('application/json')
      ? against(schema, parsed(reply), 'the reply')
      : [`the reply is ${type || 'of no type'}, not JSON`];
  switch (spec.kind) {
    case 'data':
      return json(z.strictObject({ success: z.literal(1), data: spec.schema }));
    case 'list':
      return json(z.strictObject({ success: z.literal(1), data: z.array(spec.schema), meta: listMeta }));
    case 'rows':
      return json(z.object({ success: z.literal(1), data: spec.schema }));
    case 'empty':
      return reply.body.length === 0 ? [] : ['an empty reply has a body'];
    case 'file':
      return wrongWithFile(spec.contentTypes, type, reply);
    case 'events':
      return wrongWithEvents(spec.schema, type, reply);
  }
}

function wrongWithFile(types: readonly string[], type: string, { headers }: WireReply): string[] {
  const found: string[] = [];
  if (!types.some((one) => one === '*/*' || type.split(';')[0] === one.split(';')[0]))
    found.push(`a file of the type ${type}`);
  if (!/^(attachment|inline); filename="/.test(String(headers['content-disposition'])))
    found.push('a file without a name');
  if (headers['x-content-type-options'] !== 'nosniff') found.push('a file without nosniff');
  return found;
}

function wrongWithEvents(schema: z.ZodType, type: string, reply: WireReply): string[] {
  if (!type.startsWith('text/event-stream')) return [`events as ${type}`];
  const whole = textOf(reply).split('\n\n').slice(0, -1);
  return whole.flatMap((event) => {
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (data === undefined) return [];
    return /^event: error$/m.test(event)
      ? against(errorEnvelope.partial(), JSON.parse(data), 'an event of an error')
      : against(schema, JSON.parse(data), 'an event');
  });
}

function wrongWithRefusal(draft: Draft, reply: WireReply): string[] {
  const checked = errorEnvelope.safeParse(parsed(reply));
  if (!checked.success) return [`the error is not in its envelope: ${textOf(reply).slice(0, 200)}`];
  const problem = checked.data;
  const found: string[] = [];
  if (problem.code === 'internal_error')
    found.push(`an internal error (${reply.status}), ${problem.request_id}`);
  else if (reply.status >= 500 && draft.route.errors[reply.status] === undefined)
    found.push(`${reply.status} ${problem.code}, which is not documented`);
  if (reply.status === 503 && reply.headers['retry-after'] === undefined)
    found.push('503 without Retry-After');
  if (
    reply.status === STATUS_OF.unauthenticated &&
    reply.headers['www-authenticate'] === undefined &&
    problem.code === 'unauthenticated'
  )
    found.push('401 without WWW-Authenticate');
  for (const text of [problem.message, ...problem.details.map(({ message }) => message)])
    if (LEAKS.test(withoutQuotes(text))) found.push(`says too much: ${text.slice(0, 200)}`);
  if (reply.status === STATUS_OF.invalid) found.push(...strangeFields(draft, problem));
  return found;
}

/** Removes quoted input. */
const withoutQuotes = (text: string): string => text.replace(/"[^"]*"/g, '""').replace(/“[^”]*”|…/g, '');

/** Every field that is complained of is one that the request has, or that the route would take. */
function strangeFields(draft: Draft, { details }: Problem): string[] {
  // Of a body that may have members of any name.
  if (draft.route.body instanceof z.ZodRecord) return [];
  const known = fieldsOf(draft);
  return details
    .map(({ field }) => field)
    .filter((field) => !known.has(rootOf(field)))
    .map((field) => `names an unknown field: ${JSON.stringify(field.slice(0, 80))}`);
}

const rootOf = (field: string): string => /^[^.[]*/.exec(field)![0].replace(/…$/, '').slice(0, 60);

/** Names for the parts of a request that are no fields. */
const PARTS = ['', 'path', 'query', 'Idempotency-Key', 'Prefer', 'Last-Event-ID', 'cursor', 'page'];

function fieldsOf(draft: Draft): Set<string> {
  const { route, body } = draft;
  const names = [
    ...PARTS,
    ...Object.keys(draft.params),
    ...Object.keys(route.params.shape),
    ...Object.keys(route.query.shape),
  ];
  for (const pair of draft.query) names.push(decoded(pair.split('=')[0]!));
  names.push(...namesOfSchema(route.body));
  const sent = body.kind === 'json' ? body.value : body.kind === 'bytes' ? lenient(body.bytes) : null;
  if (typeof sent === 'object' && sent !== null) names.push(...Object.keys(sent));
  if (body.kind === 'bytes')
    names.push(...[...body.bytes.toString().matchAll(/ name="([^"]*)"/g)].map(([, name]) => name!));
  if (body.kind === 'form')
    names.push(...body.fields.map(([name]) => name), ...body.files.map(({ field }) => field));
  // The bytes as sent, for problems of raw bytes.
  if (serializeDraft(draft).body === null) names.push('body');
  return new Set(names.map(rootOf));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

function lenient(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/** The top-level members of all variants of a body. */
function namesOfSchema(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { shape, options, form, json, fields, fileField } = body as Record<string, unknown>;
  const names = typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
  if (typeof fileField === 'string') names.push(fileField);
  const inner = [
    ...(Array.isArray(options) ? (options as unknown[]) : []),
    form,
    json,
    fields,
    (body as { _zod?: { def: { in?: unknown; out?: unknown } } })._zod?.def.in,
  ];
  return [...names, ...inner.flatMap((each) => (each === undefined ? [] : namesOfSchema(each)))];
}
