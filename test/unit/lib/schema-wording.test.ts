import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { schemaProblems, schemaWording } from '../../../src/lib/schema-problems.ts';

/** What is said of `value` in a field of the name. */
function messagesOf(schema: z.ZodType, value: unknown, name = 'value'): string[] {
  const result = z.object({ [name]: schema }).safeParse({ [name]: value }, { error: schemaWording });
  if (result.success) throw new Error('The value was taken');
  return schemaProblems(result.error).map(({ field, message }) => `${field} ${message}`);
}

type Case = [what: string, schema: z.ZodType, value: unknown, message: string];

describe('an error message quotes the value and describes accepted ones', () => {
  test.each<Case>([
    ['absent', z.string(), undefined, 'is required'],
    ['a number instead of a text', z.string(), 5, 'must be a text, not 5'],
    ['null instead of a text', z.string(), null, 'must be a text, not null'],
    ['a text instead of a number', z.number(), 'abc', 'must be a number, not "abc"'],
    ['a text instead of an integer', z.int(), 'abc', 'must be a whole number, not "abc"'],
    ['a fraction', z.int(), 1.5, 'must be a whole number, not 1.5'],
    ['a fraction with an int check', z.number().int(), 1.5, 'must be a whole number, not 1.5'],
    ['an infinite number', z.number(), Infinity, 'must be a finite number, not Infinity'],
    [
      'a value that cannot be converted to text',
      z.number(),
      { toString: 1 },
      'must be a number, not an object',
    ],
    ['NaN', z.number(), NaN, 'must be a number, not NaN'],
    ['a text instead of a boolean', z.boolean(), 'yes', 'must be true or false, not "yes"'],
    ['an object instead of a list', z.array(z.string()), {}, 'must be a list, not an object'],
    ['an object instead of a tuple', z.tuple([z.string()]), {}, 'must be a list, not an object'],
    ['a list instead of an object', z.object({}), [], 'must be an object, not a list'],
    ['a text instead of a record', z.record(z.string(), z.number()), 'x', 'must be an object, not "x"'],
    ['a text instead of a date', z.date(), 'x', 'must be a date, not "x"'],
    ['a text instead of a map', z.map(z.string(), z.number()), 'x', 'must be an object, not "x"'],
    ['a value instead of null', z.null(), 1, 'must be null, not 1'],
    ['a field that is not accepted', z.never(), 1, 'is not allowed here'],
  ])('of the wrong type: %s', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([`value ${message}`]);
  });

  test.each<Case>([
    ['one of three', z.enum(['csv', 'xlsx', 'spss']), 'pdf', 'must be one of csv, xlsx, spss, not "pdf"'],
    ['one of two', z.enum(['and', 'or']), 'xor', 'must be "and" or "or", not "xor"'],
    ['one only', z.literal('login'), 'logon', 'must be "login", not "logon"'],
    ['one of some numbers', z.literal([1, 2, 3]), '1', 'must be one of 1, 2, 3, not "1"'],
    ['numeric texts', z.enum(['1', '2', '3']), 1, 'must be one of "1", "2", "3", not 1'],
    ['signs', z.enum([',', ';', '\t']), '|', 'must be one of ",", ";", "\\t", not "|"'],
    ['absent', z.enum(['csv', 'xlsx', 'spss']), undefined, 'is required'],
    [
      'of another type',
      z.enum(['csv', 'xlsx', 'spss']),
      ['csv'],
      'must be one of csv, xlsx, spss, not a list',
    ],
  ])('not an allowed value: %s', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([`value ${message}`]);
  });

  it('lists only forty of many values', () => {
    const [message] = messagesOf(z.enum(Array.from({ length: 60 }, (_, index) => `v${index}`)), 'x');
    expect(message).toMatch(/v39, …, not "x"$/);
  });

  test.each<Case>([
    ['an empty list', z.array(z.number()).min(1), [], 'must not be empty'],
    ['a short list', z.array(z.number()).min(3), [1], 'must have at least 3 items, not 1'],
    ['a short tuple', z.tuple([z.any(), z.any()]), [1], 'must have at least 2 items, not 1'],
    ['an empty text', z.string().trim().min(1), '  ', 'must not be empty'],
    ['a text of the wrong length', z.string().length(2), 'x', 'must have exactly 2 characters, not 1'],
    ['a small set', z.set(z.number()).min(2), new Set([1]), 'must have at least 2 items, not 1'],
    ['a small map', z.map(z.any(), z.any()).min(1), new Map(), 'must not be empty'],
    ['a small file', z.file().min(2), new File(['a'], 'a'), 'must have at least 2 bytes, not 1'],
    ['a small number', z.number().min(1), 0, 'must be at least 1, not 0'],
    ['a number at its exclusive bound', z.number().positive(), 0, 'must be more than 0, not 0'],
    [
      'an integer beyond exact precision',
      z.int(),
      -1e300,
      `must be at least ${Number.MIN_SAFE_INTEGER}, not -1e+300`,
    ],
    [
      'an early date',
      z.date().min(new Date(1e12)),
      new Date(0),
      'must be at least 2001-09-09T01:46:40.000Z, not "1970-01-01T00:00:00.000Z"',
    ],
  ])('too small: %s', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([`value ${message}`]);
  });

  test.each<Case>([
    ['a long text', z.string().max(200), 'x'.repeat(512), 'must have at most 200 characters, not 512'],
    ['a long list', z.array(z.number()).max(1), [1, 2], 'must have at most 1 item, not 2'],
    ['a long tuple', z.tuple([z.any()]), [1, 2], 'must have at most 1 item, not 2'],
    ['a large number', z.number().max(10), 10.5, 'must be at most 10, not 10.5'],
    ['a number at its exclusive bound', z.number().lt(10), 10, 'must be less than 10, not 10'],
    ['an integer beyond 32 bits', z.int32(), 2 ** 31, 'must be at most 2147483647, not 2147483648'],
    ['a large bigint', z.bigint().max(1n), 2n, 'must be at most 1, not 2'],
  ])('too big: %s', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([`value ${message}`]);
  });

  test.each<Case>([
    ['email', z.email(), 'ada', 'must be an email address such as ada@example.org, not "ada"'],
    ['address', z.url(), 'x', 'must be a web address such as https://www.example.org, not "x"'],
    ['UUID', z.uuid(), 'x', 'must be a UUID such as 123e4567-e89b-42d3-a456-426614174000, not "x"'],
    [
      'UUID of a version',
      z.uuidv7(),
      'x',
      'must be a UUID such as 123e4567-e89b-42d3-a456-426614174000, not "x"',
    ],
    ['time', z.iso.datetime(), 'now', 'must be an ISO 8601 time such as 2026-03-01T09:30:00Z, not "now"'],
    ['date', z.iso.date(), '2026-02-30', 'must be a date such as 2026-03-01, not "2026-02-30"'],
    ['beginning', z.string().startsWith('ab'), 'x', 'must begin with "ab", not "x"'],
    ['end', z.string().endsWith('ab'), 'x', 'must end with "ab", not "x"'],
    ['part', z.string().includes('ab'), 'x', 'must contain "ab", not "x"'],
    ['pattern', z.string().regex(/^\d+$/), 'x', 'must match /^\\d+$/, not "x"'],
    ['case', z.string().lowercase(), 'X', 'must be in lower case, not "X"'],
    ['an unnamed format', z.nanoid(), 'x', 'must be of the form nanoid, not "x"'],
  ])('of the wrong format: %s', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([`value ${message}`]);
  });

  test.each<Case>([
    ['not a multiple', z.number().multipleOf(5), 7, 'must be a multiple of 5, not 7'],
    ['not a multiple of 1', z.number().multipleOf(1), 1.5, 'must be a whole number, not 1.5'],
    ['a refinement without a message', z.string().refine(() => false), 'x', 'is not an allowed value: "x"'],
    ['a refinement with a message', z.string().refine(() => false, 'must be nice'), 'x', 'must be nice'],
    ['an own class', z.instanceof(Map), 'x', 'must be Map, not "x"'],
  ])('%s', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([`value ${message}`]);
  });

  it('names each unknown field, even with a long name', () => {
    const found = messagesOf(z.strictObject({ a: z.number().optional() }), { b: 1, ['x'.repeat(100)]: 1 });
    expect(found).toEqual(['value.b is not a known field', `value.${'x'.repeat(60)}… is not a known field`]);
    const raw = z.strictObject({}).safeParse({ b: 1, c: 2 }, { error: schemaWording });
    expect(raw.error?.issues[0]?.message).toBe('has unknown fields: "b", "c"');
  });

  it('quotes the name of an invalid entry once', () => {
    const language = z.string().regex(/^[a-z]{2}$/, 'must be a language');
    expect(messagesOf(z.record(language, z.any()), { xyz: 1 })).toEqual([
      'value.xyz "xyz" must be a language',
    ]);
    expect(messagesOf(z.record(z.email(), z.any()), { ada: 1 })).toEqual([
      'value.ada the name must be an email address such as ada@example.org, not "ada"',
    ]);
    expect(messagesOf(z.map(z.object({}), z.any()), new Map([[[], 1]]))).toEqual([
      'value the name must be an object, not a list',
    ]);
  });

  it('names the invalid entry', () => {
    expect(messagesOf(z.map(z.object({}), z.number()), new Map([[{}, 'x']]))).toEqual([
      'value has an entry, an object, that must be a number, not "x"',
    ]);
  });

  it('truncates a long value', () => {
    expect(messagesOf(z.number(), 'x'.repeat(20_000))).toEqual([
      `value must be a number, not "${'x'.repeat(60)}…"`,
    ]);
  });
});

describe('a union', () => {
  const comparison = z.strictObject({ left: z.string(), operator: z.enum(['is', 'has', 'lacks']) });
  type Tree = z.infer<typeof comparison> | { conditions: Tree[] };
  const tree: z.ZodType<Tree> = z.lazy(() =>
    z.union([comparison, z.strictObject({ conditions: z.array(tree) })]),
  );
  const scalar = z.union([z.string().min(1), z.int(), z.boolean()]);
  const from = z.union([z.array(scalar), z.strictObject({ min: z.number() }), z.enum(['missing', 'else'])]);

  test.each<Case>([
    ['with no matching type', scalar, [], 'must be a text, a whole number, true or false, not a list'],
    [
      'with no matching type but allowed values',
      from,
      'x',
      'must be a list, an object, "missing" or "else", not "x"',
    ],
    ['literals', z.union([z.literal(1), z.literal(2), z.literal(3)]), 4, 'must be 1, 2 or 3, not 4'],
    [
      'with null as an option',
      z.union([z.iso.date(), z.number().nullable()]),
      {},
      'must be a date such as 2026-03-01, a number or null, not an object',
    ],
    [
      'nested',
      z.union([scalar, z.array(scalar).optional()]),
      {},
      'must be a text, a whole number, true, false or a list, not an object',
    ],
    ['absent', from, undefined, 'is required'],
    ['with a matching type but an invalid value', scalar, '', 'must not be empty'],
    ['with its own message', z.union([z.string(), z.number()], 'must be nice'), [], 'must be nice'],
    [
      'with several matching options',
      z.xor([z.string(), z.string().min(1)]),
      'x',
      'matches more than one of the accepted forms: "x"',
    ],
    [
      'with unnamed options',
      z.union([z.custom(() => false), z.instanceof(Map)]),
      'x',
      'is not an allowed value: "x"',
    ],
  ])('%s', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([`value ${message}`]);
  });

  test.each<[string, z.ZodType, unknown, string[]]>([
    ['an element', from, [1, null], ['value[1] must be a text, a whole number, true or false, not null']],
    ['a field', from, { min: 'x' }, ['value.min must be a number, not "x"']],
    ['an unknown field', from, { min: 1, max: 2 }, ['value.max is not a known field']],
    [
      'a comparison',
      tree,
      { left: 'a', operator: 'x' },
      ['value.operator must be one of is, has, lacks, not "x"'],
    ],
    [
      'many comparisons in a group, whose number does not select the option',
      tree,
      { conditions: Array.from({ length: 5 }, () => ({ left: 1, operator: 'is' })) },
      [0, 1, 2, 3, 4].map((index) => `value.conditions[${index}].left must be a text, not 1`),
    ],
  ])('reports the error within the intended option: %s', (_, schema, value, problems) => {
    expect(messagesOf(schema, value)).toEqual(problems);
  });

  test('with a discriminator names the discriminator field', () => {
    const schema = z.discriminatedUnion('action', [
      z.object({ action: z.literal('login') }),
      z.object({ action: z.literal('logout') }),
    ]);
    expect(messagesOf(schema, { action: 'x' })).toEqual([
      'value.action must be "login" or "logout", not "x"',
    ]);
    expect(messagesOf(schema, {})).toEqual(['value.action is required']);
    expect(messagesOf(schema, 'x')).toEqual(['value must be an object, not "x"']);
  });
});

describe('a secret value is not repeated', () => {
  const names = [
    'password',
    'new_password',
    'linkToken',
    'access_token',
    'client_secret',
    'key',
    'api_key',
    'secrets',
  ];

  test.each(names)('%s', (name) => {
    const pin = 'hunter2';
    const schemas = [
      z.number(),
      z.email(),
      z.enum(['a', 'b']),
      z.string().startsWith('cvs_'),
      z.string().min(20),
    ];
    const unions = [z.union([z.number(), z.null()]), z.union([z.email(), z.url()])];
    for (const schema of [...schemas, ...unions, z.string().refine(() => false)]) {
      expect(messagesOf(schema, pin, name).join()).not.toMatch(/hunter2|it has/);
      expect(messagesOf(z.array(schema), [pin], name).join()).not.toMatch(/hunter2|it has/);
    }
    expect(
      messagesOf(z.union([z.strictObject({ a: z.number() }), z.null()]), { a: pin }, name).join(),
    ).not.toContain(pin);
  });

  test.each(['max_keyboard_share', 'monkey', 'passenger'])('%s is not secret', (name) => {
    expect(messagesOf(z.number(), 'x', name)).toEqual([`${name} must be a number, not "x"`]);
  });
});
