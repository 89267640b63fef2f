import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a process serves requests that need the database. Returns the milliseconds, or throws. */
export async function waitUntilServing(api: { url: string }, withinMs: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const isServed = await fetch(`${api.url}/api/health`, { signal: AbortSignal.timeout(withinMs) }).then(
      async (reply) => {
        await reply.text();
        return reply.ok;
      },
      () => false,
    );
    const elapsedMs = performance.now() - began;
    if (isServed) return elapsedMs;
    if (elapsedMs > withinMs) throw new Error(`${api.url} does not serve after ${Math.round(elapsedMs)} ms`);
    await sleep(20);
  }
}
