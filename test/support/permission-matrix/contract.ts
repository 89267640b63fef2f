import { Multipart, MultipartOrJson } from '../../../src/http/multipart.ts';
import { SignedBody } from '../../../src/http/define-route.ts';
import { form } from './survey-rows.ts';
import type { Changes, Operation, Reply } from './operation.ts';
import type { Ids, Fixtures } from './fixtures.ts';

/** A request by a permitted caller with one mistake. */
export interface ContractViolation {
  wrong: string;
  /** The status, the code and the fields that are named. */
  expected: string;
  changes?: Changes;
  /** In the place of who they are. */
  headers?: Record<string, string>;
  /** About these things. */
  ids?: Ids;
}

const UNAUTHENTICATED = '401 unauthenticated: Bearer';
const NOT_FOUND = '404 not_found: ';
const OTHER_TYPE = '415 unsupported_media_type: ';
const wrongField = (name: string) => `400 validation_failed: ${name}`;

/** In the words of `Try.expected`. */
export function outcomeOf({ status, text, headers }: Reply): string {
  const { code, details } = JSON.parse(text) as { code: string; details: { field: string }[] };
  const named =
    status === 401 ? headers.get('www-authenticate') : details.map(({ field }) => field).join(' ');
  return `${status} ${code}: ${named}`;
}

/** Returns everything that a route must refuse for any caller, derived from its declaration. `deletedIds`: a deleted survey, dashboard and report. */
export function listViolations(
  operation: Operation,
  fixtures: Fixtures,
  deletedIds: Ids,
): ContractViolation[] {
  return [
    ...credentialViolations(operation),
    { wrong: 'a query field', changes: { query: { nmae: '1' } }, expected: wrongField('nmae') },
    ...pathViolations(operation, fixtures.unchanged.shared),
    ...workspaceViolations(operation, fixtures),
    ...bodyViolations(operation, fixtures.unchanged.shared),
    ...deletedObjectViolations(operation, deletedIds),
  ];
}

/** Operations on an object do not find it once it is deleted, wherever they name it. */
const DELETED_OBJECTS: readonly (readonly [type: string, resource: RegExp, path: RegExp | null])[] = [
  ['survey', /^survey:/, null],
  ['dashboard', /(^|; )dashboard: /, /^\/api\/public\/d\//],
  ['report', /^report:/, null],
];

function deletedObjectViolations({ route }: Operation, deletedIds: Ids): ContractViolation[] {
  return DELETED_OBJECTS.filter(
    ([, resource, path]) => resource.test(route.access.resource ?? '') || path?.test(route.path),
  ).map(([type]) => ({ wrong: `a deleted ${type}`, ids: deletedIds, expected: NOT_FOUND }));
}

function credentialViolations({ route }: Operation): ContractViolation[] {
  if (route.access.credential === 'none' || route.access.credential === 'optional') return [];
  return [
    { wrong: 'no credential', headers: {}, expected: UNAUTHENTICATED },
    { wrong: 'a bad key', headers: { 'X-API-Key': `cvs_${'x'.repeat(48)}` }, expected: UNAUTHENTICATED },
    { wrong: 'a bad token', headers: { Authorization: 'Bearer nonsense' }, expected: UNAUTHENTICATED },
  ];
}

/** Invalid ids; test/unit/http/paging.test.ts covers more. */
const INVALID_IDS = ['0', '-1', '1e3', '9007199254740993', 'abc', '%00'];
const INVALID_TOKENS = ['1', '-', '%00'];
/** Column codes and slugs accept any other text and give 404 for an unused one. */
const INVALID_CODES = ['%00'];
const acceptsAnyText = (name: string) => name === 'columnCode' || name.endsWith('Slug');

function pathViolations(operation: Operation, ids: Ids): ContractViolation[] {
  return [...operation.params(ids)].flatMap(([name, right]) => {
    const none =
      typeof right === 'number' ? INVALID_IDS : acceptsAnyText(name) ? INVALID_CODES : INVALID_TOKENS;
    return [
      ...none.map((value) => [value, name] as const),
      // The refusal cannot name the parameter if the value is not text.
      ['%ff', 'path'] as const,
    ].map(([value, description]) => ({
      wrong: `${value} as :${name}`,
      changes: { params: { [name]: value } },
      expected: wrongField(description),
    }));
  });
}

/** workspace_id is accepted in the query and in the body. */
function workspaceViolations(operation: Operation, fixtures: Fixtures): ContractViolation[] {
  const { route, row } = operation;
  if (!('workspace_id' in route.query.shape)) return [];
  const { workspaceId } = fixtures.foreign;
  const tries: ContractViolation[] = [
    {
      wrong: '1.5 as workspace',
      changes: { query: { workspace_id: '1.5' } },
      expected: wrongField('workspace_id'),
    },
    {
      wrong: 'a workspace of others',
      changes: { query: { workspace_id: String(workspaceId) } },
      expected: NOT_FOUND,
    },
  ];
  const body = operation.body(fixtures.unchanged.shared);
  if (takesJson(operation) && !(body instanceof FormData) && row.exception?.workspaceInBodyIsIgnored !== true)
    tries.push({
      wrong: 'a workspace of others in the body',
      changes: { query: { workspace_id: null }, body: { ...body, workspace_id: workspaceId } },
      expected: NOT_FOUND,
    });
  return tries;
}

/** In the place of an object. */
const NON_OBJECTS = ['null', '1', '"text"', '[]', '[{}]', '{"a":'];

const takesBody = ({ route }: Operation) => ['post', 'put', 'patch'].includes(route.method);
const takesJson = (operation: Operation) =>
  takesBody(operation) &&
  !(operation.route.body instanceof Multipart || operation.route.body instanceof SignedBody);

function bodyViolations(operation: Operation, ids: Ids): ContractViolation[] {
  if (!takesBody(operation)) return [];
  const { route, row } = operation;
  const text = {
    wrong: 'a body of text',
    changes: { body: '{}', contentType: 'text/plain' },
    expected: OTHER_TYPE,
  };
  if (route.body instanceof SignedBody) {
    const unsigned = {
      wrong: 'a body that nobody signed',
      changes: { body: '{}' },
      expected: '400 invalid_signature: ',
    };
    return [text, unsigned];
  }
  const json = { wrong: 'a body in JSON', changes: { body: '{}' }, expected: OTHER_TYPE };
  if (!takesJson(operation)) return [text, json, unknownInForm(operation)];

  const given = operation.body(ids);
  const object = given instanceof FormData ? {} : given;
  const under = row.exception?.fieldsUnder ?? '';
  return [
    text,
    ...(route.body instanceof MultipartOrJson ? [unknownInForm(operation)] : []),
    {
      wrong: 'an unknown field',
      changes: { body: { ...object, nmae: 1 } },
      expected: wrongField(`${under}nmae`),
    },
    ...NON_OBJECTS.map((body) => ({
      wrong: `${body} as body`,
      changes: { body },
      expected: wrongField(''),
    })),
    {
      wrong: 'a prototype',
      changes: { body: '{"__proto__":{"a":1}}' },
      expected: wrongField('__proto__'),
    },
  ];
}

const unknownInForm = ({ route }: Operation): ContractViolation => {
  const { fileField } =
    route.body instanceof MultipartOrJson ? route.body.form : (route.body as Multipart<never>);
  return {
    wrong: 'an unknown field of the form',
    changes: { body: form('a', 'a.csv', { nmae: '1' }, fileField) },
    expected: wrongField('nmae'),
  };
};
