import { describe, expect, it } from 'vitest';
import type { DeckHeader, DeckSlide } from '../../../../src/domain/reports/deck.ts';
import { WriterThreads } from '../../../../src/services/reports/writer/writer-threads.ts';

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

/** A deck that counts the slides read from it and whether its generator has ended. */
function deckOf(slides: readonly DeckSlide[]) {
  const progress = { slidesRead: 0, hasEnded: false };
  async function* slideGenerator() {
    try {
      for (const slide of slides) {
        progress.slidesRead += 1;
        yield await Promise.resolve(slide);
      }
    } finally {
      progress.hasEnded = true;
    }
  }
  return { progress, open: () => Promise.resolve({ head, slides: slideGenerator() }) };
}

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;

describe('report files written on threads', () => {
  it('are complete when written concurrently, for any number of slides', async () => {
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

  it('do not read far more slides than needed', async () => {
    const { progress, open } = deckOf(Array.from({ length: 2_000 }, (_, n) => section(`Section ${n}`)));
    const chunks = threads.write('pdf', open, never);
    await chunks.next();
    const slidesRead = progress.slidesRead;
    expect(slidesRead).toBeLessThan(1_000);
    await chunks.return(undefined);
    expect(progress).toEqual({ slidesRead, hasEnded: true });
  });

  it('end with their signal, and end the slide generator', async () => {
    const abortController = new AbortController();
    const { progress, open } = deckOf(Array.from({ length: 2_000 }, (_, n) => section(`Section ${n}`)));
    const chunks = threads.write('pdf', open, abortController.signal);
    await chunks.next();
    abortController.abort();
    await expect(bytesOf(chunks)).rejects.toThrow(/abort/i);
    expect(progress.hasEnded).toBe(true);
    await expect(bytesOf(threads.write('pdf', deckOf([]).open, abortController.signal))).rejects.toThrow(
      /abort/i,
    );
  });

  it('report the stack of a failing writer without affecting later files', async () => {
    const brokenSlide = { ...section('x'), type: 'chart', charts: null } as unknown as DeckSlide;
    const error = await bytesOf(threads.write('pdf', deckOf([brokenSlide]).open, never)).catch(
      (error: unknown) => error,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).stack).toMatch(/exporters\/pdf/);
    expect(pagesOf(await bytesOf(threads.write('pdf', deckOf([section('y')]).open, never)))).toBe(1);
  });

  it('report the error of a failing slide generator', async () => {
    async function* slides(): AsyncGenerator<DeckSlide> {
      yield await Promise.resolve(section('x'));
      throw new Error('The database is unavailable');
    }
    const chunks = threads.write('pdf', () => Promise.resolve({ head, slides: slides() }), never);
    await expect(bytesOf(chunks)).rejects.toThrow('The database is unavailable');
  });
});
