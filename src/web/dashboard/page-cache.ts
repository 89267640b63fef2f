import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RenderedPage } from './render/shell.ts';

/** A rendered page with its compressed form. */
export interface CachedPage {
  plain: Buffer;
  gzip: Buffer;
  policy: string;
}

const MAX_BYTES = 64_000_000;

/** Caches rendered pages; the key contains everything a page depends on. Evicts the least recently used pages. */
export class PageCache {
  private readonly pages = new Map<string, Promise<CachedPage>>();
  private bytes = 0;

  /** Returns the page of a key, rendered once for concurrent requests. A failure is not cached. */
  getOrRender(key: string, render: () => Promise<RenderedPage>): Promise<CachedPage> {
    const cached = this.pages.get(key);
    if (cached !== undefined) {
      this.pages.delete(key);
      this.pages.set(key, cached);
      return cached;
    }
    const rendering = render().then(compressPage);
    this.pages.set(key, rendering);
    rendering.then(
      (page) => this.addBytes(page),
      () => this.pages.delete(key),
    );
    return rendering;
  }

  private async addBytes(page: CachedPage): Promise<void> {
    this.bytes += sizeOf(page);
    for (const [oldest, pending] of this.pages) {
      if (this.bytes <= MAX_BYTES) return;
      const evicted = await pending.catch(() => null);
      if (evicted === null || !this.pages.delete(oldest)) continue;
      this.bytes -= sizeOf(evicted);
    }
  }
}

const sizeOf = ({ plain, gzip: zipped }: CachedPage) => plain.length + zipped.length;

export async function compressPage({ text, policy }: RenderedPage): Promise<CachedPage> {
  const plain = Buffer.from(text);
  return { plain, gzip: await promisify(gzip)(plain, { level: 6 }), policy };
}
