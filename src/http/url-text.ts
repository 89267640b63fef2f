import type { Request } from 'express';
import { invalid } from '../lib/errors.ts';
import { checkText } from './json-body.ts';

/**
 * Refuses a path or query with NUL, or with percent-encoding that is not UTF-8. (The query parser would put
 * replacement characters there, and so answer another question than was asked.)
 */
export function checkUrlText(request: Request): void {
  const url = request.originalUrl;
  // Only an escape can bring in what is checked here, and most addresses have none.
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
