import type { Redis } from 'ioredis';
import type { WindowCount, WindowCounter, WindowCounters } from '../lib/window-counter.ts';

/** Maximum wait of a request for its count. */
const COMMAND_TIMEOUT_MS = 1_000;
/** Maximum delay between reconnection attempts. */
const MAX_RECONNECT_DELAY_MS = 2_000;

/** Increments the count and opens a window if none is open, atomically. Returns the count and the remaining milliseconds. */
const INCREMENT_SCRIPT = `
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {hits, left}`;

/** Decrements a positive count. */
const DECREMENT_SCRIPT = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

interface CountingRedis extends Redis {
  canvassCount(key: string, windowMs: number): Promise<[number, number]>;
  canvassUncount(key: string): Promise<number>;
}

/** Connects with a package that only servers with Redis load. Resolves once the first connection is ready or has failed. */
async function connectRedis(url: string): Promise<CountingRedis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    // Commands that fail are counted locally, so they must not be queued.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
  }) as CountingRedis;
  redis.defineCommand('canvassCount', { numberOfKeys: 1, lua: INCREMENT_SCRIPT });
  redis.defineCommand('canvassUncount', { numberOfKeys: 1, lua: DECREMENT_SCRIPT });
  // ioredis prints errors without a listener.
  redis.on('error', () => undefined);
  await new Promise((resolve) => redis.once('ready', resolve).once('close', resolve));
  return redis;
}

/** Counters in Redis that all processes share. While Redis is unreachable, each process counts locally. */
export class RedisCounters {
  /** Fulfilled once the first connection is ready or has failed. */
  private readonly redis: Promise<CountingRedis>;
  private isUnreachable = false;

  /** `report`: called once when Redis becomes unreachable, and once when it is reachable again. */
  constructor(
    url: string,
    private readonly fallback: WindowCounters,
    private readonly report: (isUnreachable: boolean, error: Error | null) => void,
  ) {
    this.redis = connectRedis(url);
  }

  readonly counters: WindowCounters = (name, windowMs) => {
    const local = this.fallback(name, windowMs);
    const redisKey = (key: string) => `canvass:${name}:${key}`;
    return {
      increment: (key) => this.increment({ redisKey: redisKey(key), windowMs, local, key }),
      decrement: (key) => this.decrement(redisKey(key), local, key),
      reset: (key) => this.reset(redisKey(key), local, key),
    };
  };

  close(): void {
    void this.redis.then((redis) => redis.disconnect());
  }

  private async increment({
    redisKey,
    windowMs,
    local,
    key,
  }: {
    redisKey: string;
    windowMs: number;
    local: WindowCounter;
    key: string;
  }): Promise<WindowCount> {
    const reply = await this.runOrNull((redis) => redis.canvassCount(redisKey, windowMs));
    if (reply === null) return local.increment(key);
    const [totalHits, remainingMs] = reply;
    return { totalHits, endsAtMs: performance.now() + remainingMs };
  }

  private async decrement(redisKey: string, local: WindowCounter, key: string): Promise<void> {
    if ((await this.runOrNull((redis) => redis.canvassUncount(redisKey))) === null)
      await local.decrement(key);
  }

  private async reset(redisKey: string, local: WindowCounter, key: string): Promise<void> {
    await this.runOrNull((redis) => redis.del(redisKey));
    await local.reset(key);
  }

  /** Returns null if Redis is unreachable, so that this process counts locally. */
  private async runOrNull<T>(command: (redis: CountingRedis) => Promise<T>): Promise<T | null> {
    const redis = await this.redis;
    try {
      const result = await command(redis);
      this.reportChange(false, null);
      return result;
    } catch (error) {
      this.reportChange(true, error as Error);
      return null;
    }
  }

  private reportChange(isUnreachable: boolean, error: Error | null): void {
    if (isUnreachable === this.isUnreachable) return;
    this.isUnreachable = isUnreachable;
    this.report(isUnreachable, error);
  }
}
