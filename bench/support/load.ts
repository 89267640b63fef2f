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
  /** 304 where the client says that it has it already. Default: 2xx. */
  status?: 304;
  /** Default: 64. */
  connections?: number;
  /** So many requests, evenly, and no more. Default: as many as are answered. */
  perSecond?: number;
  /** From a thread of its own, so that whatever else is measured here at the same time is not held up by it. */
  apart?: boolean;
}

export interface LoadResult {
  perSecond: number;
  /** Of the server's process, all its threads. */
  cpuMicroseconds: number;
}

/** What was answered as it should be; anything else is an error, for a refusal is no work. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { server, path, method, headers, body, seconds, status } = load;
  const url = server.url + path;
  const before = await server.ask<NodeJS.CpuUsage>('cpu');
  const result = await autocannon({
    url,
    method,
    connections: load.connections ?? CONNECTIONS,
    duration: seconds,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body, idReplacement: true }),
    ...(load.perSecond === undefined ? {} : { overallRate: Math.round(load.perSecond) }),
    ...(load.apart === true ? { workers: 1 } : {}),
  });
  const answered = status === undefined ? result['2xx'] : (result.statusCodeStats?.[`${status}`]?.count ?? 0);
  const others = result['2xx'] + result.non2xx - answered;
  if (answered === 0 || others > 0 || result.errors > 0 || result.timeouts > 0) {
    throw new Error(
      `${method} ${url}: ${others} replies were not ${status ?? '2xx'}, ${result.errors} errors, ${result.timeouts} timeouts`,
    );
  }
  const after = await server.ask<NodeJS.CpuUsage>('cpu');
  const used = after.user + after.system - before.user - before.system;
  return { perSecond: answered / result.duration, cpuMicroseconds: used / answered };
}
