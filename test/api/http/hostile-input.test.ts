import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Multipart, MultipartOrJson } from '../../../src/http/multipart.ts';
import { SignedBody } from '../../../src/http/signed-body.ts';
import { routes } from '../../../src/routes/index.ts';
import { useApp } from '../../support/app.ts';
import { newOrganization, requestTo, signIn } from '../../support/actors.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

/** Calls every declared operation with random input as an authorized caller. */
const app = useApp();
let token: string;
let survey: PublishedSurvey;
let workspaceId: number;

beforeAll(async () => {
  const organization = await newOrganization(app);
  workspaceId = organization.workspaceId;
  ({ token } = await signIn(app, organization.admin));
  survey = await publishedSurvey(organization.admin, [
    [choice('Q1'), number('Q2'), multiple('Q3'), text('Q4')],
  ]);
});

/** Without a body only path and query vary; contract.test.ts covers invalid ids. */
const RUNS = { withBody: 25, withoutBody: 10 };

/** Values that commonly break servers. */
const hostileValue = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  '\u202e',
  "'; DROP TABLE users; --",
  'constructor',
  '__proto__x',
  -1,
  0,
  1.5,
  Number('9007199254740993'),
  1e308,
  'infinity',
  '2026-02-30',
  'tomorrow',
  true,
  [],
  {},
  [[[]]],
  { $ne: 1 },
  { toString: 1 },
  { length: 1e9 },
  'x'.repeat(20_000),
);
const anyValue = fc.oneof(hostileValue, fc.jsonValue({ maxDepth: 3 }));

/** A path parameter, in part of the runs the id of a real object, so that the request passes the lookup. */
function pathValue(name: string, path: string): fc.Arbitrary<string> {
  const existing =
    name === 'token'
      ? survey.linkToken
      : path.startsWith('/api/workspaces')
        ? String(workspaceId)
        : realId(name);
  const invalid = [
    '0',
    '-1',
    '1.5',
    '0x1',
    '99999999999999',
    '9007199254740993',
    '%00',
    '%F0%9F',
    'null',
    "1'--",
    'constructor',
    '..%2f..',
  ];
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(existing) },
    { weight: 1, arbitrary: fc.constantFrom(...invalid) },
  );
}

function realId(name: string): string {
  if (name === 'columnCode') return 'Q1';
  if (name === 'pageId') return String(survey.pageIds[0]);
  if (name === 'questionId') return String(survey.questionIds.Q1);
  return String(survey.surveyId);
}

/** The fields of the schema and one unknown field. */
function fieldsOf(schema: z.ZodType): string[] {
  const options = schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema];
  const names = options.flatMap((option) => (option instanceof z.ZodObject ? Object.keys(option.shape) : []));
  return [...new Set([...names, 'surprise'])];
}

const bodies = (schema: z.ZodType): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.dictionary(fc.constantFrom(...fieldsOf(schema)), anyValue, { noNullPrototype: true }),
    },
    { weight: 1, arbitrary: anyValue },
  );

const queries = (schema: z.ZodType): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...fieldsOf(schema)),
        fc.oneof(fc.string(), fc.constantFrom('1', 'Q1', '{"Q1":["1"]}', '[', '%00', '\0')),
      ),
      { maxLength: 3 },
    )
    .map((pairs) =>
      pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
    );

/** Matches default messages of Zod; lib/schema-wording.ts must replace all of them. */
const ZOD_DEFAULT_MESSAGE =
  /Invalid (input|option|string|number|key|value|element|discriminator|[A-Z])|Too (small|big)|Unrecognized key|expected .* received/;

/** The schema of the body as JSON; for a form, of its fields. */
function bodySchema(body: (typeof routes)[number]['body']): z.ZodType {
  if (body instanceof SignedBody) return z.looseObject({});
  return body instanceof Multipart ? body.fields : body instanceof MultipartOrJson ? body.json : body;
}

const takesBody = (method: string): boolean => method !== 'get' && method !== 'delete';

// Deleting the survey or workspace of the run would make later requests meaningless.
const EXCLUDED = new Set(['deleteSurvey', 'deleteWorkspace']);

describe('random input never causes a 500', () => {
  test.each(
    routes
      .filter((route) => !EXCLUDED.has(route.operationId))
      .map((route) => [route.operationId, route] as const),
  )('%s', async (_, route) => {
    const names = [...route.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]!);
    const request = fc.record({
      path: fc.tuple(...names.map((name) => pathValue(name, route.path))),
      query: queries(route.query),
      body: bodies(bodySchema(route.body)),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query, body }) => {
        let address = route.path;
        names.forEach((name, index) => (address = address.replace(`:${name}`, path[index]!)));
        const url = `${address}${query === '' ? '' : `?${query}`}`;
        const pending = requestTo(app, route.method, url).set('Authorization', `Bearer ${token}`);
        const reply = takesBody(route.method)
          ? await pending.set('Content-Type', 'application/json').send(JSON.stringify(body))
          : await pending;
        expect(reply.status).toBeLessThan(500);
        if (reply.status >= 400) {
          expect(reply.body).toMatchObject({
            error: 1,
            message: expect.any(String),
            request_id: expect.any(String),
          });
          expect(reply.body.message).not.toMatch(/select |insert |update .* set|syntax error|at .*\.ts:/i);
          const messages = [reply.body, ...(reply.body.details ?? [])].map(({ message }) => String(message));
          for (const message of messages) expect(message).not.toMatch(ZOD_DEFAULT_MESSAGE);
        }
      }),
      { numRuns: takesBody(route.method) ? RUNS.withBody : RUNS.withoutBody },
    );
  });
});
