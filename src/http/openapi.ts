import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { jobStartedReply, PREFER_HEADER } from '../middleware/respond-async.ts';
import { type Route, SignedBody } from './define-route.ts';
import { type DocumentedHeader, listMeta, REPLY_HEADERS, type ReplySpec } from './reply.ts';
import { Multipart, MultipartOrJson } from './multipart.ts';
import { describeDefaults, nameInlineObjects } from './name-schemas.ts';
import { permissionText } from './reference-tables.ts';

const errorSchema = z
  .object({
    error: z.literal(1),
    message: z.string().describe('Message for users, in English'),
    code: z.string().describe('Stable error code for programs, see docs/reference/error-codes.md'),
    details: z.array(
      z.object({
        field: z
          .string()
          .describe('Path of the field, such as `questions[0].question_text`; empty for the whole request'),
        message: z.string().describe('What is wrong with the field, and what is accepted'),
        position: z
          .int()
          .optional()
          .describe('Offset in a parsed text such as an expression, in characters from 0'),
        length: z.int().optional().describe('Length of the invalid part, in characters'),
      }),
    ),
    request_id: z.string().describe('Id of the request in the server log'),
  })
  .meta({ id: 'ErrorResponse', description: 'Every error has this form' });

/** Documents a request schema as another, more exact one, which needs an id. */
export function withDocumentedSchema<S extends z.ZodType>(schema: S, documented: z.ZodType): S {
  const copy = schema.clone();
  documentedSchemas.set(copy, documented);
  return copy;
}

const documentedSchemas = new WeakMap<z.core.$ZodType, z.ZodType>();

const idOf = (schema: z.core.$ZodType): string | undefined => z.globalRegistry.get(schema)?.id;
function withId(schema: z.ZodType, id: string): z.ZodType {
  const shown = documentedSchemas.get(schema) ?? schema;
  return idOf(shown) === undefined ? shown.meta({ id }) : shown;
}
const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const problem = (description: string): ZodOpenApiResponseObject => ({
  description,
  content: json(errorSchema),
});

/** A tag of the document and the operations that have it. */
export interface OperationTag<Services> {
  name: string;
  description: string;
  routes: readonly Route<Services>[];
}

/** Builds the OpenAPI 3.1 document from the route declarations. Tags, and the operations of a tag, keep their order. */
export function openApiDocument<Services>(tags: readonly OperationTag<Services>[], version: string) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { name, routes } of tags) {
    for (const route of routes) {
      const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}');
      (paths[path] ??= {})[route.method] = operation(route, name);
    }
  }
  // Replacement schemas are found while the document is created, and may contain further ones.
  const extraSchemas = new Map<string, z.ZodType>();
  for (;;) {
    const sizeBefore = extraSchemas.size;
    const document = createWithSchemas({ paths, tags, version, extraSchemas });
    if (extraSchemas.size === sizeBefore) {
      delete document.paths?.[PLACEHOLDER_PATH];
      const schemas = (document.components?.schemas ?? {}) as Record<string, Record<string, unknown>>;
      describePathParameters(document.paths ?? {});
      describeDefaults(schemas);
      nameInlineObjects(schemas);
      return document;
    }
  }
}

/** A temporary path that makes zod-openapi write request schemas to which no operation refers directly. */
const PLACEHOLDER_PATH = '/shown';

function operationReferringTo(shown: ReadonlyMap<string, z.ZodType>): ZodOpenApiOperationObject {
  const content = Object.fromEntries([...shown].map(([id, schema]) => [`application/x-${id}`, { schema }]));
  return { requestBody: { content }, responses: {} };
}

interface DocumentParts {
  paths: Record<string, Record<string, ZodOpenApiOperationObject>>;
  tags: readonly { name: string; description: string }[];
  version: string;
  /** Schemas that are used only by replacement schemas. */
  extraSchemas: Map<string, z.ZodType>;
}

function createWithSchemas({ paths, tags, version, extraSchemas }: DocumentParts) {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Canvass',
        version,
        description:
          'REST API of the Canvass survey research platform.\n\n' +
          '**Replies**: a success is `{"success":1,"data":…}`; lists add `meta`. An error is `{"error":1,"code":…,"message":…,"details":…}`.\n\n' +
          '**Authentication**: send an API key as `X-API-Key` or `Authorization: Bearer`, or sign in with `POST /api/auth`.\n\n' +
          '**Paging**: lists take `limit` and `cursor`; pass `meta.next_cursor` of one reply as `cursor` of the next request.\n\n' +
          '**Workspace**: objects are created and listed in the workspace `workspace_id`, otherwise in the current workspace.\n\n' +
          '**Retries**: send an `Idempotency-Key` with a write; a repeated request with the same key changes nothing and gets the stored reply. ' +
          '429 and 503 have `Retry-After`.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'Canvass' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: tags.map(({ name, description }) => ({ name, description })),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, or the access token of a login',
          },
          cookie: { type: 'apiKey', in: 'cookie', name: 'auth_token' },
        },
        headers: REPLY_HEADERS,
      },
      paths: { ...paths, [PLACEHOLDER_PATH]: { post: operationReferringTo(extraSchemas) } },
    },
    {
      override: ({ zodSchema, jsonSchema }) => {
        const replacement = documentedSchemas.get(zodSchema);
        if (replacement === undefined) return applySchemaOverride(zodSchema, jsonSchema);
        const id = idOf(replacement);
        if (id === undefined) throw new Error('A schema that replaces another one needs an id');
        extraSchemas.set(id, replacement);
        for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword as keyof typeof jsonSchema];
        Object.assign(jsonSchema, { $ref: `#/components/schemas/${id}` });
      },
    },
  );
}

const DESCRIBED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'uuid']);

/** Applies the `override` of a schema and removes the bounds of JavaScript numbers. */
function applySchemaOverride(schema: z.core.$ZodType, output: Record<string, unknown>): void {
  const override = z.globalRegistry.get(schema)?.override;
  if (typeof override === 'object') {
    // Constraints of the text do not apply to the parsed value.
    for (const keyword of ['pattern', 'enum', 'minLength', 'maxLength']) delete output[keyword];
    Object.assign(output, override);
  }
  if (output.maximum === Number.MAX_SAFE_INTEGER) delete output.maximum;
  if (output.minimum === Number.MIN_SAFE_INTEGER) delete output.minimum;
  // The format says the same as the very long pattern of zod.
  if (typeof output.format === 'string' && DESCRIBED_FORMATS.has(output.format)) delete output.pattern;
  // The replies show the example of their schema.
  if (z.globalRegistry.get(schema)?.id !== undefined) delete output.examples;
  delete output.override;
}

const hasBodyMethod = ({ method }: Pick<Route, 'method'>): boolean =>
  method === 'post' || method === 'put' || method === 'patch';

function operation<Services>(route: Route<Services>, tag: string): ZodOpenApiOperationObject {
  const { credential } = route.access;
  const hasBody = hasBodyMethod(route);
  const hasFields = !(route.body instanceof z.ZodObject) || Object.keys(route.body.shape).length > 0;
  const schemes = [{ bearer: [] }, { cookie: [] }];
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, `**Access**: ${permissionText(route)}`].filter(Boolean).join('\n\n'),
    tags: [tag],
    security:
      credential === 'none'
        ? []
        : credential === 'session'
          ? schemes
          : [{ apiKey: [] }, ...schemes].concat(credential === 'optional' ? [{} as never] : []),
    requestParams: {
      path: route.params,
      query: route.query,
      ...requestHeaders(route),
    },
    ...(hasBody && hasFields
      ? {
          requestBody: {
            required: !isOptional(route.body),
            content: bodyContent(route.body, schemaName(route), route.examples),
          },
        }
      : {}),
    responses: responses(route),
  };
}

function requestHeaders<Services>(route: Route<Services>): { header?: z.ZodObject } {
  const headers: Record<string, z.ZodType> = {};
  if (route.body instanceof SignedBody)
    headers[route.body.header] = z.string().describe('Signature of the raw body');
  if (route.background !== undefined) headers['Prefer'] = PREFER_HEADER;
  if (isIdempotent(route))
    headers['Idempotency-Key'] = z
      .string()
      .max(255)
      .optional()
      .describe(
        'Unique key of the request, such as a UUID. Repeating the request with the same key within 24 hours returns the ' +
          'first reply and changes nothing',
      );
  if (route.ifMatch !== undefined)
    headers['If-Match'] = z
      .string()
      .optional()
      .describe(
        'The `etag` that the client read. The change is refused with 412 if the object has another one by now; without the header it is ' +
          'always applied',
      );
  if (route.replyHeaders.includes('ETag'))
    headers['If-None-Match'] = z
      .string()
      .optional()
      .describe('ETag of an earlier reply; if unchanged, the reply is 304');
  return Object.keys(headers).length === 0 ? {} : { header: z.object(headers) };
}

const isIdempotent = <Services>(route: Route<Services>): boolean =>
  route.idempotent && route.access.credential !== 'none';

/** Whether a request may leave the body out: none of its fields is required. */
function isOptional(body: Route['body']): boolean {
  return body instanceof z.ZodType && body.safeParse({}).success;
}

/** `createSurvey` names its schemas `CreateSurveyRequest` and `CreateSurveyResponse`. */
const schemaName = ({ operationId }: Pick<Route, 'operationId'>): string =>
  operationId.charAt(0).toUpperCase() + operationId.slice(1);

function bodyContent(
  body: Route['body'],
  name: string,
  examples: Route['examples'],
): NonNullable<ZodOpenApiOperationObject['requestBody']>['content'] {
  if (body instanceof MultipartOrJson)
    return { ...bodyContent(body.form, name, {}), ...bodyContent(body.json, name, examples) };
  if (body instanceof SignedBody) {
    const schema = z.looseObject({}).meta({ id: `${name}Request` });
    return { 'application/json': { schema, example: body.example } };
  }
  if (!(body instanceof Multipart)) {
    const schema = withId(body, `${name}Request`);
    return { 'application/json': { schema, ...documentedExamples(examples) } };
  }
  const file = z.string().meta({ override: { type: 'string', format: 'binary' } });
  // The fields must precede the file.
  const schema = z.strictObject({ ...body.fields.shape, [body.fileField]: file });
  const { fields, fileName } = body.example;
  const example = { ...fields, [body.fileField]: fileName };
  return { 'multipart/form-data': { schema: schema.meta({ id: `${name}Upload` }), example } };
}

/** Description of 503, which every route can return. */
const UNAVAILABLE =
  '`database_unavailable`: the database does not respond; `storage_full`: no disk space, nothing was saved; ' +
  '`try_again`: concurrent changes to the same data. Retry after `Retry-After` seconds';

/** A single example, without a name, as `example`; else all as `examples`. */
function documentedExamples(examples: Route['examples']): object {
  const entries = Object.entries(examples);
  const [first] = entries;
  if (first === undefined) return {};
  if (entries.length === 1 && first[0] === '') return { example: first[1] };
  return {
    examples: Object.fromEntries(entries.map(([name, value]) => [name === '' ? 'default' : name, { value }])),
  };
}

function responses<Services>(route: Route<Services>): ZodOpenApiOperationObject['responses'] {
  const { credential, resource, roles } = route.access;
  const successResponse = withExample(success(route.reply, schemaName(route)), route);
  const all: Record<string, ZodOpenApiResponseObject> = {
    [route.status]: successResponse,
    '400': problem('The request is invalid; `details` lists the fields'),
    '429': problem('Too many requests; retry after `Retry-After` seconds'),
    '503': problem(UNAVAILABLE),
  };
  for (const [status, description = ''] of Object.entries(route.alternateStatuses))
    all[status] = status === '204' ? { description } : { ...successResponse, description };
  if (credential !== 'none' && credential !== 'optional')
    all['401'] = problem('The credential is missing, invalid, expired or revoked');
  if (roles !== null || resource !== null)
    all['403'] = problem(
      'The role of the caller does not allow the operation, or the caller can view the object but lacks the permission',
    );
  else if (credential !== 'none' && route.method !== 'get')
    all['403'] = problem('`cross_site_request`: the request with the cookie comes from another site');
  if (resource !== null || route.path.includes(':'))
    all['404'] = problem('The object does not exist or is not visible to the caller');
  if (hasBodyMethod(route)) {
    all['413'] = problem(`The body is larger than ${route.maxBodyBytes} bytes`);
    all['415'] = problem('The content type is not supported, or the body is compressed');
  }
  if (isIdempotent(route))
    all['409'] = problem(
      '`idempotency_clash`: the Idempotency-Key was used with another body; `idempotency_in_progress`: the first request with this key is still running',
    );
  if (route.ifMatch !== undefined)
    all['412'] = {
      description:
        '`precondition_failed`: the object is not in the version of `If-Match`; `current` is the object as it is now',
      content: json(
        errorSchema.extend({ current: withId(route.ifMatch, `${schemaName(route)}Current`) }).meta({
          id: `${schemaName(route)}Conflict`,
          description: 'The error with the current object',
        }),
      ),
    };
  if (route.replyHeaders.includes('ETag')) all['304'] = { description: 'Not modified since the ETag' };
  if (route.background !== undefined) all['202'] = jobStartedResponse;
  if (route.needsFreeDisk !== undefined || route.background !== undefined)
    all['503'] = problem(`\`storage_low\`: the server is low on disk space; ${UNAVAILABLE}`);
  for (const [status, description = ''] of Object.entries(route.errors)) {
    const general = all[status]?.description;
    all[status] = problem(general === undefined ? description : `${description}; ${general}`);
  }
  return Object.fromEntries(
    Object.entries(all).map(([status, response]) => [status, withHeaders(route, status, response)]),
  );
}

function withHeaders<Services>(
  route: Route<Services>,
  status: string,
  response: ZodOpenApiResponseObject,
): ZodOpenApiResponseObject {
  const names: DocumentedHeader[] = [
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'RateLimit-Policy',
  ];
  if (status === '429' || status === '503') names.push('Retry-After');
  if (status === '202' && route.background !== undefined) names.push('Location', 'Preference-Applied');
  if (status === String(route.status) || status === '304') {
    if (route.reply.kind === 'file' && status !== '304') names.push('Content-Disposition');
    names.push(...route.replyHeaders);
  }
  const headers: [string, { $ref: `#/components/headers/${string}` }][] = names.map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]);
  if (route.hasObjectVersion && status === String(route.status))
    headers.push(['ETag', { $ref: '#/components/headers/Object-ETag' }]);
  return { ...response, headers: Object.fromEntries(headers) };
}

const jobStartedResponse: ZodOpenApiResponseObject = {
  description: 'A background job was started, because of the `Prefer` header or the amount of work',
  content: json(
    z.object({ success: z.literal(1), data: jobStartedReply.schema }).meta({ id: 'JobStartedResponse' }),
  ),
};

/** With the `replyExample` of the route, in its envelope. */
function withExample<Services>(
  response: ZodOpenApiResponseObject,
  { reply, replyExample }: Route<Services>,
): ZodOpenApiResponseObject {
  if (replyExample === undefined) return response;
  const example =
    reply.kind === 'events'
      ? replyExample
      : reply.kind === 'list'
        ? { success: 1, data: [replyExample], meta: { limit: 50, next_cursor: null, total: 1 } }
        : { success: 1, data: replyExample };
  return {
    ...response,
    content: Object.fromEntries(
      Object.entries(response.content ?? {}).map(([type, content]) => [type, { ...content, example }]),
    ),
  };
}

function success(reply: ReplySpec, name: string): ZodOpenApiResponseObject {
  switch (reply.kind) {
    case 'empty':
      return { description: 'Success; the body is empty' };
    case 'file':
      return {
        description: 'The file, streamed',
        content: Object.fromEntries(
          reply.contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      };
    case 'events':
      return {
        description: 'Server-sent events; the data of each event is this object as JSON',
        content: { 'text/event-stream': { schema: withId(reply.schema, `${name}Event`) } },
      };
    case 'list':
      return {
        description: 'Success; one page of the list',
        content: json(
          z
            .object({
              success: z.literal(1),
              data: z.array(withId(reply.schema, `${name}Item`)),
              meta: listMeta,
            })
            .meta({ id: `${name}Response` }),
        ),
      };
    case 'rows':
      return {
        description: 'Success; `rows` is streamed',
        content: json(
          z
            .object({
              success: z.literal(1),
              data: withId(reply.schema, `${name}Data`),
              meta: listMeta.optional(),
            })
            .meta({ id: `${name}Response` }),
        ),
      };
    default:
      return {
        description: 'Success',
        content: json(
          z
            .object({ success: z.literal(1), data: withId(reply.schema, `${name}Data`) })
            .meta({ id: `${name}Response` }),
        ),
      };
  }
}

/** The part of an operation of an OpenAPI document that this file changes. */
interface DocumentedOperation {
  parameters?: unknown[];
}

interface DocumentedParameter {
  name?: string;
  in?: string;
  description?: string;
}

/** Descriptions of path parameters that are not plain ids. */
const PARAMETER_DESCRIPTIONS: Readonly<Record<string, string>> = {
  columnCode: 'Code of the column, such as Q1 or Q3_2',
  token: 'Token of the link: the last segment of its URL',
  responseToken: '`response_token` of the response, returned when it was started',
  orgSlug: 'Slug of the organization',
  dashboardSlug: 'Slug of the dashboard',
  uuid: '`session_id` of the chat session',
  apiKeyId: 'Id of the API key',
};

/** Adds a description to each path parameter of an OpenAPI document that has none. Changes the document. */
function describePathParameters(paths: Readonly<Record<string, object>>): void {
  for (const [path, operations] of Object.entries(paths)) {
    for (const { parameters } of Object.values(operations) as DocumentedOperation[]) {
      for (const parameter of (parameters ?? []) as DocumentedParameter[]) {
        if (parameter.in !== 'path' || parameter.name === undefined) continue;
        parameter.description ??=
          PARAMETER_DESCRIPTIONS[parameter.name] ?? `Id of the ${objectOfParameter(parameter.name, path)}`;
      }
    }
  }
}

/** `surveyId` is the id of a survey; `id` of the object that the path segment before it names. */
function objectOfParameter(name: string, path: string): string {
  if (name !== 'id') return name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const segments = path.slice(0, path.indexOf('/{id}')).split('/');
  const segment = segments.filter((part) => part !== 'current').at(-1) ?? '';
  return segment.replace(/s$/, '').replace('-', ' ').replace('api key', 'API key');
}
