import autocannon from 'autocannon';

const CONNECTIONS = 64;

export interface Load {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** `[<id>]` in it is another text in every request. */
  body?: string;
  seconds: number;
}

/** Requests per second that were answered with 2xx; anything else is an error, for a refusal is no work. */
export async function requestsPerSecond(load: Load): Promise<number> {
  const { url, method, headers, body, seconds } = load;
  const result = await autocannon({
    url,
    method,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body, idReplacement: true }),
  });
  if (result.non2xx > 0 || result.errors > 0 || result.timeouts > 0) {
    throw new Error(
      `${method} ${url}: ${result.non2xx} replies were not 2xx, ${result.errors} errors, ${result.timeouts} timeouts`,
    );
  }
  return result['2xx'] / result.duration;
}
