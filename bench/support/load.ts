import autocannon from 'autocannon';
import type { Database } from '../../src/db/connect.ts';
import type { Child } from './child.ts';
import { postgresTime, walPosition } from './processor-time.ts';

const CONNECTIONS = 64;

export interface Load {
  server: Child;
  path: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** `[<id>]` in it is another text in every request. */
  body?: string;
  seconds: number;
  /** Expects 304, because the client has the ETag. Default: 2xx. */
  status?: 304;
  /** Default: 64. */
  connections?: number;
  /** Requests per second, evenly spread. Default: as many as possible. */
  perSecond?: number;
  /** Also measures the database of the server. */
  db?: Database;
  /** Runs on a separate thread, so that other measurements of this process do not slow it down. */
  apart?: boolean;
}

export interface LoadResult {
  perSecond: number;
  /** Processor time of the server process with all its threads. */
  cpuMicroseconds: number;
  /** The work of PostgreSQL per reply. Absent unless requested. */
  database?: {
    /** Of all its processes. null: the system does not report it. */
    cpuMicroseconds: number | null;
    /** Bytes of the write-ahead log. */
    walBytes: number;
  };
}

/** Counts expected replies; any other reply is an error, because a refusal costs no work. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { server, path, method, headers, body, seconds, status, db } = load;
  const url = server.url + path;
  const databaseBefore = db && (await databaseWork(db));
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
  const reached = { perSecond: answered / result.duration, cpuMicroseconds: used / answered };
  if (db === undefined || databaseBefore === undefined) return reached;
  const databaseAfter = await databaseWork(db);
  const cpu = databaseAfter.cpu === null ? null : databaseAfter.cpu - (databaseBefore.cpu ?? 0);
  const walBytes = (databaseAfter.walBytes - databaseBefore.walBytes) / answered;
  return { ...reached, database: { cpuMicroseconds: cpu === null ? null : cpu / answered, walBytes } };
}

const databaseWork = async (db: Database) => ({
  cpu: await postgresTime(db),
  walBytes: await walPosition(db),
});
