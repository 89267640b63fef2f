import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/lib/log.ts';

const diskFull = (statement: string): Error =>
  Object.assign(new Error(`${statement} - could not extend file "base/1/2": No space left on device`), {
    code: '53100',
  });

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

afterEach(() => vi.restoreAllMocks());

describe('a full disk', () => {
  test('logs one short line in ten seconds with the number of others', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(100_000);
    const lines = logged((log) => {
      for (let count = 0; count < 500; count += 1) {
        log.error({ err: diskFull('insert into "responses"') }, 'jobs cannot be taken');
        log.error({ error: { code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' } }, 'failed');
      }
      now.mockReturnValue(110_001);
      log.error({ err: diskFull('insert into "jobs"') }, 'jobs cannot be taken');
    });
    expect(lines).toEqual([
      {
        level: 'error',
        time: expect.any(String) as string,
        code: '53100',
        reason: 'could not extend file "base/1/2": No space left on device',
        omitted: 0,
        msg: 'storage is full',
      },
      expect.objectContaining({ msg: 'storage is full', omitted: 999 }),
    ]);
  });

  test('does not hide other lines', () => {
    const lines = logged((log) => {
      log.error({ err: diskFull('insert') }, 'failed');
      log.error({ err: new Error('another') }, 'failed');
      log.info('hello');
    });
    expect(lines.map(({ msg }) => msg)).toEqual(['storage is full', 'failed', 'hello']);
  });
});
