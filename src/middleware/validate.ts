import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import type { Route } from '../http/define-route.ts';
import { checkText } from '../http/parse-json.ts';
import { fromZodError } from '../http/problem.ts';
import { invalid } from '../lib/errors.ts';
import { schemaWording } from '../lib/schema-problems.ts';

/** Validates path parameters and query. */
export function validatePathAndQuery({ params, query }: Pick<Route, 'params' | 'query'>): RequestHandler {
  const takesQuery = Object.keys(query.shape).length > 0;
  return (request, response, next) => {
    checkUrlText(request);
    response.locals.params = parse(params, request.params, 'The path');
    // Frequent requests have no query; parsing the URL a second time and validating nothing is not free.
    const isEmpty = !takesQuery && !request.originalUrl.includes('?');
    response.locals.query = isEmpty ? {} : parse(query, request.query, 'The query');
    next();
  };
}

/** Validates the JSON body. */
export function validateBody(schema: z.ZodType): RequestHandler {
  return (_request, response, next) => {
    response.locals.body = parse(schema, response.locals.body, 'The body');
    next();
  };
}

function parse(schema: z.ZodType, input: unknown, whole: string): unknown {
  const result = schema.safeParse(input, { error: schemaWording });
  if (!result.success) throw fromZodError(result.error, whole);
  return result.data;
}

/**
 * Refuses a path or query with NUL, or with percent-encoding that is not UTF-8. (The query parser would put replacement characters in
 * its place, and so answer a different question.)
 */
function checkUrlText(request: Request): void {
  const url = request.originalUrl;
  // Only an escape can encode the refused characters, and most URLs have none.
  if (!url.includes('%')) return;
  const start = url.indexOf('?');
  if (start >= 0) {
    try {
      decodeURIComponent(url.slice(start + 1));
    } catch {
      throw invalid('query', 'is not valid percent-encoded UTF-8');
    }
  }
  for (const [name, value] of [...Object.entries(request.params), ...Object.entries(request.query)]) {
    checkText(name, 'query');
    for (const text of [value].flat()) if (typeof text === 'string') checkText(text, name);
  }
}
