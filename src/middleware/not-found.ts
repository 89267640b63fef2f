import type { RequestHandler } from 'express';
import { AppError, notFound as notFoundError } from '../lib/errors.ts';

/** For paths that nothing serves. */
export const notFound: RequestHandler = () => {
  throw notFoundError('address');
};

/** For other methods of a path that serves `methods`, in capitals: 405 with the header Allow. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].join(', ');
  return () => {
    throw new AppError('method_not_allowed', 'method_not_allowed', `Allowed here: ${allow}`, [], {
      Allow: allow,
    });
  };
}
