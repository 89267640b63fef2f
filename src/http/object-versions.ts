import { createHash } from 'node:crypto';
import { canonicalJson } from '../lib/canonical-json.ts';
import { type Precondition, preconditionFailed } from '../lib/errors.ts';
import type { RequestMetadata } from './define-route.ts';

const TAG_CHARACTERS = 20;

/**
 * Returns the `etag` of an object: a hash of the content that clients can change. Equal content has an equal tag, so a change that is
 * taken back brings the earlier tag back.
 */
export function etagOf(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('base64url').slice(0, TAG_CHARACTERS);
}

/** The headers of a reply about one object. */
export const etagHeaders = ({ etag }: { etag: string }): { ETag: string } => ({ ETag: `"${etag}"` });

/**
 * Returns the check of the header If-Match; undefined without it. `present` returns the object as clients read it, for the error. Weak
 * tags count as strong ones, because proxies that compress replies weaken them.
 */
export function ifMatch<T>(
  { ifMatch: header }: Pick<RequestMetadata, 'ifMatch'>,
  present: (current: T) => { etag: string },
): Precondition<T> | undefined {
  if (header === null) return undefined;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'));
  return (current) => {
    const presented = present(current);
    if (!tags.includes('*') && !tags.includes(presented.etag)) throw preconditionFailed(presented);
  };
}
