import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { formatErrorForLog, fromHttpError, fromZodError, STATUS_OF } from '../../../src/http/problem.ts';
import { AppError, invalidFields } from '../../../src/lib/errors.ts';
import { schemaWording } from '../../../src/lib/schema-problems.ts';

const option = z.strictObject({ option_value: z.string() });
const schema = z.strictObject({
  name: z.string(),
  options: z.array(option).optional(),
  shape: z
    .union([
      z.number(),
      z.strictObject({ kind: z.literal('circle'), radius: z.number() }),
      z.array(z.string()),
    ])
    .optional(),
});

function details(input: unknown) {
  const result = schema.safeParse(input, { error: schemaWording });
  return result.success ? [] : fromZodError(result.error).details;
}

describe('a zod error', () => {
  it('is reported at its path', () => {
    expect(details({ name: 'x', options: [{ option_value: 'a' }, {}] })).toEqual([
      { field: 'options[1].option_value', message: 'is required' },
    ]);
  });

  it('reports unknown fields one by one', () => {
    expect(details({ name: 'x', nmae: 1, other: 2, options: [{ option_value: 'a', extra: 1 }] })).toEqual([
      { field: 'options[0].extra', message: 'is not a known field' },
      { field: 'nmae', message: 'is not a known field' },
      { field: 'other', message: 'is not a known field' },
    ]);
  });

  it('describes the intended form of a union', () => {
    const found = details({ name: 'x', shape: { kind: 'circle', radius: 'big' } });
    expect(found).toEqual([{ field: 'shape.radius', message: 'must be a number, not "big"' }]);
  });

  it('names the part of the request for a root error', () => {
    const problemsOf = (whole?: string) => {
      const result = schema.safeParse([], { error: schemaWording });
      return result.success ? [] : fromZodError(result.error, whole).details;
    };
    expect(problemsOf()).toEqual([{ field: '', message: 'The body must be an object, not a list' }]);
    expect(problemsOf('The query')).toEqual([
      { field: '', message: 'The query must be an object, not a list' },
    ]);
  });

  it('has a message with the first problem and the number of others', () => {
    const error = invalidFields([
      { field: 'a', message: 'is required' },
      { field: 'b', message: 'is required' },
    ]);
    expect(error.message).toBe('a: is required (and 1 more problem)');
    expect(invalidFields([{ field: '', message: 'No body' }]).message).toBe('No body');
  });
});

describe('errors of Express and its parsers', () => {
  it.each([
    [new URIError('URI malformed'), 'invalid'],
    [Object.assign(new Error('Range Not Satisfiable'), { status: 416 }), 'invalid'],
    [Object.assign(new Error('Precondition Failed'), { status: 412 }), 'invalid'],
    [Object.assign(new Error('Not Found'), { status: 404 }), 'not_found'],
  ])('%s is a client error: %s', (error, kind) => {
    expect(fromHttpError(error)?.kind).toBe(kind);
  });

  it.each([[new Error('bug')], [null], [undefined], ['text'], [{ status: 500 }], [{ status: '400' }]])(
    '%s is an internal error',
    (error) => {
      expect(fromHttpError(error)).toBeNull();
    },
  );
});

it('every kind of error has its own 4xx or 5xx status', () => {
  const statuses = Object.values(STATUS_OF);
  expect(new Set(statuses).size).toBe(statuses.length);
  expect(statuses.every((status) => status >= 400 && status < 600 && status !== 500)).toBe(true);
});

it('logs the message and stack of an error without row data quoted by the database', () => {
  const error = Object.assign(new Error('violates a constraint'), {
    code: '23514',
    detail: 'Failing row contains (secret).',
    where: 'secret',
  });
  const logged = formatErrorForLog(error);
  expect(logged).toMatchObject({ type: 'Error', message: 'violates a constraint', code: '23514' });
  expect(JSON.stringify(logged)).not.toContain('secret');
  expect(formatErrorForLog('secret')).toEqual({ type: 'string' });
  expect(formatErrorForLog(new AppError('gone', 'gone', 'Gone'))).toMatchObject({
    type: 'AppError',
    code: 'gone',
  });
});
