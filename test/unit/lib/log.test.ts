import { afterEach, describe, expect, test, vi } from 'vitest';
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import pino from 'pino';
import { BufferedLines, createLog, flushLog, type LineSink } from '../../../src/lib/log.ts';

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

/** Keeps what is written, and reports that it is written when a test says so. */
class TestSink extends EventEmitter implements LineSink {
  readonly written: string[] = [];
  syncFlushes = 0;

  write(text: string): void {
    this.written.push(text);
  }

  flushSync(): void {
    this.syncFlushes += 1;
  }

  get messages(): string[][] {
    return this.written.map((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    );
  }
}

describe('buffered lines', () => {
  afterEach(() => vi.useRealTimers());

  function bufferedLog() {
    vi.useFakeTimers();
    const sink = new TestSink();
    const lines = new BufferedLines(sink);
    return { sink, lines, log: createLog('info', lines) };
  }

  test('are written together after 100 ms', () => {
    const { sink, log } = bufferedLog();
    log.info('one');
    log.info('two');
    vi.advanceTimersByTime(99);
    expect(sink.written).toEqual([]);
    vi.advanceTimersByTime(1);
    log.info('three');
    vi.advanceTimersByTime(100);
    expect(sink.messages).toEqual([['one', 'two'], ['three']]);
  });

  test('are written at once, in order, after a warning or an error', () => {
    const { sink, log } = bufferedLog();
    log.info('one');
    log.warn('two');
    log.error('three');
    log.info('four');
    expect(sink.messages).toEqual([['one', 'two'], ['three']]);
  });

  test('are written when many characters are waiting', () => {
    const { sink, log } = bufferedLog();
    for (let count = 0; count < 20; count += 1) log.info({ text: 'x'.repeat(1_000) }, `${count}`);
    expect(sink.messages).toHaveLength(1);
  });

  test('are written synchronously at exit', () => {
    const { sink, lines, log } = bufferedLog();
    log.info('last');
    lines.flushSync();
    expect(sink.messages).toEqual([['last']]);
    expect(sink.syncFlushes).toBe(1);
  });

  test('are written before a flush ends', async () => {
    const { sink, log } = bufferedLog();
    await flushLog(log);
    log.info('last');
    let isFlushed = false;
    const flushed = flushLog(log).then(() => (isFlushed = true));
    await Promise.resolve();
    expect(sink.messages).toEqual([['last']]);
    expect(isFlushed).toBe(false);
    sink.emit('drain');
    await flushed;
    expect(isFlushed).toBe(true);
  });

  test.each([
    ['a flush', 5_000, 'await flushLog(log); process.exit(0);'],
    ['the end of all work', 5_000, ''],
    ['an exit without a flush', 50, 'process.exit(3);'],
    ['an uncaught error', 50, `throw new Error('fatal');`],
  ])('are complete after %s', (_how, lines, end) => {
    const program = `import { createLog, flushLog } from './src/lib/log.ts';
      const log = createLog('info');
      for (let count = 0; count < ${lines}; count += 1) log.info({ count }, 'line');
      ${end}`;
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    );
    const counts = stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { count: number }).count);
    expect(counts).toEqual(Array.from({ length: lines }, (_, count) => count));
  });
});

test('pino names the level of the lines that it hands over', () => {
  const lines = new BufferedLines(new TestSink());
  pino({}, lines).error('failed');
  expect(lines.lastLevel).toBe(50);
});
