import type { RequestHandler } from 'express';
import { AppError } from '../lib/errors.ts';

/** A name, an IPv4 address or a bracketed IPv6 address, with or without a port. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * Refuses requests with two Host headers (RFC 9112, section 3.2) or with one that is not a host: a proxy may read one of two while this
 * server reads the other, and without PUBLIC_URL the host becomes part of the links in replies. An empty or absent one passes.
 */
export function requireOneHost(): RequestHandler {
  return (request, _response, next) => {
    const { host } = request.headers;
    if (host !== undefined && host !== '' && !HOST.test(host))
      throw refused('The Host header is not a host name with an optional port');
    if (countHosts(request.rawHeaders) > 1) throw refused('The request has more than one Host header');
    next();
  };
}

/** `rawHeaders`: names and values in turn. Node's own object keeps only the first of several. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const refused = (message: string) => new AppError('invalid', 'invalid_host', message);
