import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFullLog } from '../../lib/storage-full.ts';
import type { Launch, Postmaster, PostmasterSpec } from './postmaster.ts';
import { launchPostmaster } from './postmaster.ts';

const firstDelayMs = 100;
const longestDelayMs = 2_000;
/** After this uptime the delays start again from the shortest. */
const stableMs = 10_000;

/** Restarts the server on the same port whenever it ends unexpectedly, until stopped. */
export function keepRunning(
  spec: PostmasterSpec,
  first: Postmaster,
  report: (message: string) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current: Postmaster | null = first;

  const watch = async (): Promise<void> => {
    let delayMs = firstDelayMs;
    let hasReported = false;
    while (!stopping.signal.aborted) {
      if (current) {
        const startedAt = Date.now();
        await current.exited;
        current = null;
        if (stopping.signal.aborted) return;
        if (Date.now() - startedAt > stableMs) delayMs = firstDelayMs;
        hasReported = false;
        report('The embedded database ended unexpectedly; it is being started again');
      }
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      const launch = await launchPostmaster(spec, first.port, stopping.signal).catch(
        (error: unknown): Launch => ({ kind: 'failed', log: String(error) }),
      );
      if (launch.kind === 'ready') {
        current = launch.postmaster;
      } else if (launch.kind !== 'occupied' && !hasReported && !stopping.signal.aborted) {
        const reason = isDiskFullLog(launch.log) ? `the disk of ${spec.clusterDir} is full` : launch.log;
        report(`The embedded database does not start and is tried again: ${reason}`);
        hasReported = true;
      }
    }
    // The server became ready while stopping.
    await current?.stop();
  };
  const watcher = watch();

  return {
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await watcher;
    },
  };
}
