import { describe, expect, it } from 'vitest';
import type { DeckHeader, DeckSlide } from '../../../../src/domain/reports/deck.ts';
import { WriterThreads } from '../../../../src/services/reports/report-writer.ts';

const threads = new WriterThreads();
const never = new AbortController().signal;

const head: DeckHeader = {
  title: 'A report',
  description: null,
  organization: 'Ours',
  author: 'Ada',
  createdAt: new Date('2026-01-02T03:04:05Z'),
  style: { page_size: '16:9', color: null, colors: [], font: null, logo: null, footer: null, language: 'en' },
};
const section = (title: string): DeckSlide => ({
  type: 'section',
  title,
  subtitle: null,
  part: null,
  notes: '',
});

/** Slides, and what became of them. */
function deckOf(slides: readonly DeckSlide[]) {
  const progress = { handedOut: 0, ended: false };
  async function* handOut() {
    try {
      for (const slide of slides) {
        progress.handedOut += 1;
        yield await Promise.resolve(slide);
      }
    } finally {
      progress.ended = true;
    }
  }
  return { progress, open: () => Promise.resolve({ head, slides: handOut() }) };
}

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;

describe('files written on threads', () => {
  it('are complete, one after another or concurrently, in any number', async () => {
    const sizes = [1, 2, 3, 40];
    const files = await Promise.all(
      sizes.map((size) =>
        bytesOf(
          threads.write(
            'pdf',
            deckOf(Array.from({ length: size }, (_, n) => section(`Section ${n}`))).open,
            never,
          ),
        ),
      ),
    );
    expect(files.map(pagesOf)).toEqual(sizes);
  });

  it('do not wait for slides that are not needed yet, or generate many in advance', async () => {
    const { progress, open } = deckOf(Array.from({ length: 2_000 }, (_, n) => section(`Section ${n}`)));
    const chunks = threads.write('pdf', open, never);
    await chunks.next();
    const soFar = progress.handedOut;
    expect(soFar).toBeLessThan(1_000);
    await chunks.return(undefined);
    expect(progress).toEqual({ handedOut: soFar, ended: true });
  });

  it('end with their signal, and release their resources', async () => {
    const over = new AbortController();
    const { progress, open } = deckOf(Array.from({ length: 2_000 }, (_, n) => section(`Section ${n}`)));
    const chunks = threads.write('pdf', open, over.signal);
    await chunks.next();
    over.abort();
    await expect(bytesOf(chunks)).rejects.toThrow(/abort/i);
    expect(progress.ended).toBe(true);
    await expect(bytesOf(threads.write('pdf', deckOf([]).open, over.signal))).rejects.toThrow(/abort/i);
  });

  it('report where the writer failed, and the next files are written', async () => {
    const broken = { ...section('x'), type: 'chart', charts: null } as unknown as DeckSlide;
    const failed = await bytesOf(threads.write('pdf', deckOf([broken]).open, never)).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(TypeError);
    expect((failed as TypeError).stack).toMatch(/at drawCharts .*\n +at drawSlide /);
    expect(pagesOf(await bytesOf(threads.write('pdf', deckOf([section('y')]).open, never)))).toBe(1);
  });

  it('report a failure of their slides', async () => {
    async function* slides(): AsyncGenerator<DeckSlide> {
      yield await Promise.resolve(section('x'));
      throw new Error('The database is away');
    }
    const chunks = threads.write('pdf', () => Promise.resolve({ head, slides: slides() }), never);
    await expect(bytesOf(chunks)).rejects.toThrow('The database is away');
  });
});
