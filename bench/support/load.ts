import autocannon from 'autocannon';
import type { Child } from './child.ts';

const CONNECTIONS = 64;

export interface Load {
  server: Child;
  path: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** `[<id>]` in it is another text in every request. */
  body?: string;
  seconds: number;
}

export interface Reached {
  perSecond: number;
  /** Of the server's process, all its threads. */
  cpuMicroseconds: number;
}

/** What was answered with 2xx; anything else is an error, for a refusal is no work. */
export async function underLoad(load: Load): Promise<Reached> {
  const { server, path, method, headers, body, seconds } = load;
  const url = server.url + path;
  const before = await server.ask<NodeJS.CpuUsage>('cpu');
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
  const after = await server.ask<NodeJS.CpuUsage>('cpu');
  const used = after.user + after.system - before.user - before.system;
  return { perSecond: result['2xx'] / result.duration, cpuMicroseconds: used / result['2xx'] };
}
