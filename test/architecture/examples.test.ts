import { expect, it } from 'vitest';
import { z } from 'zod';
import { SignedBody } from '../../src/http/define-route.ts';
import { Multipart, MultipartOrJson } from '../../src/http/multipart.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { routes, tags } from '../../src/routes/index.ts';
import { VERSION } from '../../src/version.ts';

type Route = (typeof routes)[number];
type Schema = Record<string, unknown>;

const document = openApiDocument(tags, VERSION) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
interface Operation {
  parameters?: { name: string; description?: string; schema?: { description?: string } }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Content {
  content?: Record<
    string,
    { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >;
}

/** The schema that reads a JSON body; null: the route takes none. */
function bodySchemaOf({ body, method }: Route): z.ZodType | null {
  if (!['post', 'put', 'patch'].includes(method)) return null;
  if (body instanceof MultipartOrJson) return body.json;
  if (!(body instanceof z.ZodType)) return null;
  return body instanceof z.ZodObject && Object.keys(body.shape).length === 0 ? null : body;
}

const operationOf = ({ method, path }: Route) =>
  document.paths[path.replace(/:([A-Za-z]+)/g, '{$1}')]![method]!;

/** As JSON text that Zod reads. Zod compiles patterns without the flag that Unicode classes need, so these are left out. */
const textOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    key === 'pattern' && /\\p\{/i.test(String(value)) ? undefined : value,
  ).replaceAll('#/components/schemas/', '#/$defs/');
const componentTexts = new Map(
  Object.entries(document.components.schemas).map(([name, schema]) => [name, textOf(schema)]),
);

/** A schema of the document as Zod reads it, with the components that it refers to. */
const documented = (schema: Schema): z.ZodType => {
  const text = textOf(schema);
  const components = new Map<string, unknown>();
  const addReferenced = (from: string) => {
    for (const [, name] of from.matchAll(/"#\/\$defs\/([^"/]+)"/g)) {
      if (components.has(name!)) continue;
      const component = componentTexts.get(name!);
      if (component === undefined) throw new Error(`The document has no schema ${name}`);
      components.set(name!, JSON.parse(component));
      addReferenced(component);
    }
  };
  addReferenced(text);
  const whole = { ...(JSON.parse(text) as Schema), $defs: Object.fromEntries(components) };
  return z.fromJSONSchema(whole as never);
};

const problemsOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

/** The form that reads an upload; null: the route takes none. */
const formOf = ({ body }: Route): Multipart<z.ZodObject> | null =>
  body instanceof MultipartOrJson ? body.form : body instanceof Multipart ? body : null;

const withBody = routes.filter((route) => bodySchemaOf(route) !== null);

it('every JSON body with fields has an example', () => {
  const without = withBody.filter(({ examples }) => Object.keys(examples).length === 0);
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

it('examples are valid input of their route', () => {
  for (const route of withBody)
    for (const [name, example] of Object.entries(route.examples))
      expect(problemsOf(bodySchemaOf(route)!, example), `${route.operationId} ${name}`).toEqual([]);
});

it('examples are in the document and match its schemas', () => {
  for (const route of withBody) {
    const { schema, example, examples } = operationOf(route).requestBody!.content!['application/json']!;
    const shown = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
    expect(shown, route.operationId).toEqual(Object.values(route.examples));
    const readable = documented(schema);
    for (const value of shown) expect.soft(problemsOf(readable, value), route.operationId).toEqual([]);
  }
  // It compiles the schemas of all operations.
}, 120_000);

it('reply examples match the reply schemas', () => {
  const exemplary = routes.filter(({ replyExample }) => replyExample !== undefined);
  expect(exemplary.length).toBeGreaterThan(0);
  for (const route of exemplary) {
    const { schema } = route.reply as { schema: z.ZodType };
    expect(problemsOf(schema, route.replyExample), route.operationId).toEqual([]);
    const content = Object.values(operationOf(route).responses[route.status]!.content!)[0]!;
    expect(content.example, route.operationId).toBeDefined();
    expect(problemsOf(documented(content.schema), content.example), route.operationId).toEqual([]);
  }
});

it('uploads and signed bodies have an example that is valid', () => {
  const uploads = routes.filter((route) => formOf(route) !== null);
  expect(uploads.length).toBeGreaterThan(0);
  for (const route of uploads) {
    const { example, fields } = formOf(route)!;
    expect(problemsOf(fields, example.fields), route.operationId).toEqual([]);
    const { schema, example: shown } = operationOf(route).requestBody!.content!['multipart/form-data']!;
    expect(Object.values(shown as object), route.operationId).toContain(example.fileName);
    expect(problemsOf(documented(schema), shown), route.operationId).toEqual([]);
  }
  for (const route of routes.filter(({ body }) => body instanceof SignedBody)) {
    const { example } = operationOf(route).requestBody!.content!['application/json']!;
    expect(example, route.operationId).toEqual((route.body as SignedBody).example);
  }
}, 120_000);

it('every parameter has a description', () => {
  const missing = Object.entries(document.paths).flatMap(([address, operations]) =>
    Object.values(operations).flatMap(({ parameters = [] }) =>
      parameters
        .filter(({ description, schema }) => (description ?? schema?.description) === undefined)
        .map(({ name }) => `${name} of ${address}`),
    ),
  );
  expect(missing).toEqual([]);
});
