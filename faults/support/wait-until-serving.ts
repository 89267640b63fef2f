import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a process serves what needs the database; gives the milliseconds that it took, or throws. */
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
    const taken = performance.now() - began;
    if (isServed) return taken;
    if (taken > withinMs) throw new Error(`${api.url} does not serve after ${Math.round(taken)} ms`);
    await sleep(20);
  }
}
