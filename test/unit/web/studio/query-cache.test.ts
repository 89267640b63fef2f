import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';

interface QueryCache {
  read(address: string): { data: unknown; error: unknown; isLoading: boolean };
  subscribe(address: string, listener: () => void): () => void;
  load(address: string): Promise<void>;
  write(address: string, data: unknown): void;
  reload(...prefixes: string[]): Promise<void>;
  clear(): void;
}

// The page has another TypeScript configuration, so its types are not imported.
const { QueryCache } = (await import(path.resolve('src/web/studio/client/data/query-cache.ts'))) as {
  QueryCache: new (fetchData: (address: string) => Promise<unknown>) => QueryCache;
};

/** A server whose replies the test gives in any order. */
function createServer() {
  const requests: { address: string; reply: (data: unknown) => void; fail: (error: unknown) => void }[] = [];
  const cache = new QueryCache(
    (address) =>
      new Promise((reply, fail) => {
        requests.push({ address, reply, fail });
      }),
  );
  return { cache, requests };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the query cache', () => {
  it('requests an address once for all that show it, and tells them of the reply', async () => {
    const { cache, requests } = createServer();
    const listeners = [vi.fn(), vi.fn()];
    for (const listener of listeners) cache.subscribe('/a', listener);
    expect(requests).toHaveLength(1);
    expect(cache.read('/a')).toEqual({ data: undefined, error: null, isLoading: true });
    requests[0]!.reply(1);
    await settle();
    expect(cache.read('/a')).toEqual({ data: 1, error: null, isLoading: false });
    for (const listener of listeners) expect(listener).toHaveBeenCalled();
    cache.subscribe('/a', vi.fn());
    expect(requests).toHaveLength(1);
  });

  it('shows old data at once and requests them again when a page shows them again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { cache, requests } = createServer();
      cache.write('/a', 'old');
      cache.subscribe('/a', vi.fn())();
      expect(requests).toHaveLength(0);
      vi.advanceTimersByTime(60_000);
      cache.subscribe('/a', vi.fn());
      expect(cache.read('/a')).toEqual({ data: 'old', error: null, isLoading: true });
      // A second part of the same page needs no further request.
      cache.subscribe('/a', vi.fn());
      expect(requests).toHaveLength(1);
      requests[0]!.reply('new');
      await settle();
      expect(cache.read('/a').data).toBe('new');
      vi.advanceTimersByTime(60_000);
      cache.subscribe('/a', vi.fn());
      expect(requests).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps the data when reloading fails, and forgets the error after a success', async () => {
    const { cache, requests } = createServer();
    const offline = new Error('offline');
    cache.write('/a', 1);
    const loading = cache.load('/a');
    requests[0]!.fail(offline);
    await loading;
    expect(cache.read('/a')).toEqual({ data: 1, error: offline, isLoading: false });
    const again = cache.load('/a');
    requests[1]!.reply(2);
    await again;
    expect(cache.read('/a')).toEqual({ data: 2, error: null, isLoading: false });
  });

  it('ignores replies to requests from before a reload or a write', async () => {
    const { cache, requests } = createServer();
    cache.subscribe('/a', vi.fn());
    void cache.reload('/a');
    requests[1]!.reply('new');
    await settle();
    requests[0]!.reply('old');
    await settle();
    expect(cache.read('/a').data).toBe('new');
    void cache.load('/a');
    cache.write('/a', 'written');
    requests[2]!.reply('older than the write');
    await settle();
    expect(cache.read('/a').data).toBe('written');
  });

  it('reloads what is shown below a path, and the rest when it is shown', async () => {
    const { cache, requests } = createServer();
    for (const address of ['/a/1', '/a?b=1', '/ab', '/a']) cache.write(address, 0);
    cache.subscribe('/a?b=1', vi.fn());
    void cache.reload('/a');
    expect(requests.map(({ address }) => address)).toEqual(['/a?b=1']);
    cache.subscribe('/a/1', vi.fn());
    cache.subscribe('/ab', vi.fn());
    expect(requests.map(({ address }) => address)).toEqual(['/a?b=1', '/a/1']);
    await settle();
  });

  it('keeps a limited number of replies that are not shown', () => {
    const { cache } = createServer();
    const shown = cache.subscribe('/shown', vi.fn());
    for (let index = 0; index < 200; index += 1) cache.subscribe(`/${index}`, vi.fn())();
    const known = Array.from({ length: 200 }, (_, index) => cache.read(`/${index}`).isLoading);
    expect(known.filter(Boolean)).toHaveLength(100);
    expect(cache.read('/shown').isLoading).toBe(true);
    shown();
  });

  it('forgets everything for another user, also replies that are still on their way', async () => {
    const { cache, requests } = createServer();
    cache.subscribe('/a', vi.fn());
    cache.clear();
    requests[0]!.reply('of the previous user');
    await settle();
    expect(cache.read('/a').data).toBeUndefined();
  });
});
