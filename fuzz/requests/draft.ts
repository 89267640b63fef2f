import type { Route } from '../../src/http/define-route.ts';
import type { Services } from '../../src/services/services.ts';
import type { Fixtures } from '../../test/support/permission-matrix/fixtures.ts';
import { cloneJsonValue } from './clone-json-value.ts';
import { jsonText } from './json-text.ts';
import type { Random } from './random.ts';

/** Kinds of requests by how hostile they are. */
export const FAMILIES = ['valid', 'almost valid', 'hostile'] as const;
export type Family = (typeof FAMILIES)[number];

/** The sender: headers with credentials, and a name. */
export interface Sender {
  name: string;
  headers: Record<string, string>;
  /** The organization whose data the sender must not read; null: every organization. */
  mustNotRead: 'home' | 'foreign' | null;
}

/** A file in a form. */
interface FormFile {
  field: string;
  name: string;
  content: Buffer;
}

export type DraftBody =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: [name: string, value: string][]; files: FormFile[] }
  | { kind: 'bytes'; bytes: Buffer; contentType: string };

/** A request before serialization, so that parts of it can be changed. */
export interface Draft {
  route: Route<Services>;
  family: Family;
  /** Describes the mutation of the request. */
  what: string;
  sender: Sender;
  /** In the place of the route's. */
  method?: string;
  /** Values for the path, already escaped. */
  params: Record<string, string>;
  /** `name=value`, escaped already. */
  query: string[];
  body: DraftBody;
  headers: Record<string, string>;
}

/** Changes a request and returns a description of the change; null if the change does not apply to it. */
export type Change = (draft: Draft, random: Random, fixtures: Fixtures) => string | null;

/** Route and sender are the same, everything else is its own. */
export function cloneDraft(draft: Draft): Draft {
  const { body } = draft;
  return {
    ...draft,
    params: { ...draft.params },
    query: [...draft.query],
    headers: { ...draft.headers },
    body: body.kind === 'json' ? { kind: 'json', value: cloneJsonValue(body.value) } : body,
  };
}

/** As it goes over the wire. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const BOUNDARY = 'fuzz-boundary-7MA4YWxkTrZu0gW';

export function serializeDraft(draft: Draft): WireRequest {
  const { route, body } = draft;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => draft.params[name] ?? '');
  const query = draft.query.length === 0 ? '' : `?${draft.query.join('&')}`;
  const written = writtenBody(body);
  return {
    method: draft.method ?? route.method.toUpperCase(),
    path: path + query,
    headers: {
      ...(written === null ? {} : { 'Content-Type': written.contentType }),
      ...draft.sender.headers,
      ...draft.headers,
    },
    body: written === null ? null : written.bytes,
  };
}

function writtenBody(body: DraftBody): { bytes: Buffer; contentType: string } | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'json':
      return { bytes: Buffer.from(jsonText(body.value)), contentType: 'application/json' };
    case 'bytes':
      return { bytes: body.bytes, contentType: body.contentType };
    case 'form':
      return { bytes: formBytes(body), contentType: `multipart/form-data; boundary=${BOUNDARY}` };
  }
}

function formBytes({ fields, files }: Extract<DraftBody, { kind: 'form' }>): Buffer {
  const parts: Buffer[] = fields.map(([name, value]) =>
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${inQuotes(name)}"\r\n\r\n${value}\r\n`,
    ),
  );
  for (const { field, name, content } of files) {
    const head =
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${inQuotes(field)}"; filename="${inQuotes(name)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n';
    parts.push(Buffer.from(head), content, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const inQuotes = (text: string): string =>
  text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

/** For a shell: the request as a line that can be repeated. */
export function formatCurl({ method, path, headers, body }: WireRequest, origin: string): string {
  const quoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;
  const words = ['curl', '-sS', '--globoff', '--path-as-is', '-X', method, quoted(origin + path)];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quoted(`${name}: ${value}`));
  if (body === null) return words.join(' ');
  const isText = /^[\x20-\x7e\r\n]*$/.test(body.toString('latin1'));
  if (body.length > MAX_CURL_BYTES) return `${words.join(' ')} --data-binary @-   # ${body.length} bytes`;
  return isText
    ? `${words.join(' ')} --data-binary ${quoted(body.toString())}`
    : `printf %s ${body.toString('base64')} | base64 -d | ${words.join(' ')} --data-binary @-`;
}

const MAX_CURL_BYTES = 4_000;
