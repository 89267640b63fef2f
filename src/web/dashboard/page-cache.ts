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
  getOrRender(key: string, make: () => Promise<RenderedPage>): Promise<CachedPage> {
    const known = this.pages.get(key);
    if (known !== undefined) {
      this.pages.delete(key);
      this.pages.set(key, known);
      return known;
    }
    const making = make().then(compressPage);
    this.pages.set(key, making);
    making.then(
      (page) => this.addBytes(page),
      () => this.pages.delete(key),
    );
    return making;
  }

  private async addBytes(page: CachedPage): Promise<void> {
    this.bytes += sizeOf(page);
    for (const [oldest, waiting] of this.pages) {
      if (this.bytes <= MAX_BYTES) return;
      const gone = await waiting.catch(() => null);
      if (gone === null || !this.pages.delete(oldest)) continue;
      this.bytes -= sizeOf(gone);
    }
  }
}

const sizeOf = ({ plain, gzip: zipped }: CachedPage) => plain.length + zipped.length;

export async function compressPage({ text, policy }: RenderedPage): Promise<CachedPage> {
  const plain = Buffer.from(text);
  return { plain, gzip: await promisify(gzip)(plain, { level: 6 }), policy };
}
