import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Multipart, MultipartOrJson } from '../../../src/http/multipart.ts';
import { SignedBody } from '../../../src/http/define-route.ts';
import { routes } from '../../../src/routes/index.ts';
import { useApp } from '../../support/app.ts';
import { newOrganization, requestTo, signIn } from '../../support/actors.ts';
import { choice, multiple, number, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

/** Sends invalid input to every declared operation as a permitted caller: no reply is a 500. */
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

/**
 * Without a body only path and query differ, and ids are tried one by one in contract.test.ts. `npm run test:explore` sends more: with a
 * fixed seed, every run sends the same requests.
 */
const RUNS =
  process.env.PROPERTY_SEED === undefined
    ? { withBody: 12, withoutBody: 5 }
    : { withBody: 25, withoutBody: 10 };

/** Things that have broken servers before. */
const nasty = fc.constantFrom<unknown>(
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
const anything = fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }));

/** A path parameter: sometimes one that leads to a real object, so that the request goes further in. */
function pathValue(name: string, path: string): fc.Arbitrary<string> {
  const real =
    name === 'token'
      ? survey.linkToken
      : path.startsWith('/api/workspaces')
        ? String(workspaceId)
        : realId(name);
  const wrong = [
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
    { weight: 3, arbitrary: fc.constant(real) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

function realId(name: string): string {
  if (name === 'columnCode') return 'Q1';
  if (name === 'pageId') return String(survey.pageIds[0]);
  if (name === 'questionId') return String(survey.questionIds.Q1);
  return String(survey.surveyId);
}

/** Values for the fields that the schema names, and for one that it does not. */
function fieldsOf(schema: z.ZodType): string[] {
  const options = schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema];
  const names = options.flatMap((option) => (option instanceof z.ZodObject ? Object.keys(option.shape) : []));
  return [...new Set([...names, 'surprise'])];
}

const bodies = (schema: z.ZodType): fc.Arbitrary<unknown> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.dictionary(fc.constantFrom(...fieldsOf(schema)), anything, { noNullPrototype: true }),
    },
    { weight: 1, arbitrary: anything },
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

/** Every complaint of a schema is in the words of lib/schema-wording.ts, which quote what was given. */
const ZODS_OWN_WORDS =
  /Invalid (input|option|string|number|key|value|element|discriminator|[A-Z])|Too (small|big)|Unrecognized key|expected .* received/;

/** What a body in JSON should be; of a form, as near as JSON comes to it. */
function jsonOf(body: (typeof routes)[number]['body']): z.ZodType {
  if (body instanceof SignedBody) return z.looseObject({});
  return body instanceof Multipart ? body.fields : body instanceof MultipartOrJson ? body.json : body;
}

const takesBody = (method: string): boolean => method !== 'get' && method !== 'delete';

// What ends the actor's own session or survey would make the rest of the run meaningless. A stream of changes does not end.
const ENDS_THE_RUN = new Set(['deleteSurvey', 'deleteWorkspace', 'watchSurvey']);

describe('an invalid request never returns 500', () => {
  test.each(
    routes
      .filter((route) => !ENDS_THE_RUN.has(route.operationId))
      .map((route) => [route.operationId, route] as const),
  )('%s', async (_, route) => {
    const names = [...route.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]!);
    const request = fc.record({
      path: fc.tuple(...names.map((name) => pathValue(name, route.path))),
      query: queries(route.query),
      body: bodies(jsonOf(route.body)),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query, body }) => {
        let address = route.path;
        names.forEach((name, index) => (address = address.replace(`:${name}`, path[index]!)));
        const url = `${address}${query === '' ? '' : `?${query}`}`;
        const sent = requestTo(app, route.method, url).set('Authorization', `Bearer ${token}`);
        const reply = takesBody(route.method)
          ? await sent.set('Content-Type', 'application/json').send(JSON.stringify(body))
          : await sent;
        expect(reply.status).toBeLessThan(500);
        if (reply.status >= 400) {
          expect(reply.body).toMatchObject({
            error: 1,
            message: expect.any(String),
            request_id: expect.any(String),
          });
          expect(reply.body.message).not.toMatch(/select |insert |update .* set|syntax error|at .*\.ts:/i);
          const texts = [reply.body, ...(reply.body.details ?? [])].map(({ message }) => String(message));
          for (const message of texts) expect(message).not.toMatch(ZODS_OWN_WORDS);
        }
      }),
      { numRuns: takesBody(route.method) ? RUNS.withBody : RUNS.withoutBody },
    );
  });
});
