import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PageText } from './render/shell.ts';

/** A page, ready to be sent to many. */
export interface KeptPage {
  plain: Buffer;
  gzip: Buffer;
  policy: string;
}

const MAX_BYTES = 64_000_000;

/** Pages by a key that says all that they depend on; those that nobody asked for longest go first. */
export class KeptPages {
  private readonly kept = new Map<string, Promise<KeptPage>>();
  private bytes = 0;

  /** Whoever asks while it is made waits for the same one; a failure is not kept. */
  one(key: string, make: () => Promise<PageText>): Promise<KeptPage> {
    const known = this.kept.get(key);
    if (known !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const making = make().then(packed);
    this.kept.set(key, making);
    making.then(
      (page) => this.count(page),
      () => this.kept.delete(key),
    );
    return making;
  }

  private async count(page: KeptPage): Promise<void> {
    this.bytes += sizeOf(page);
    for (const [oldest, waiting] of this.kept) {
      if (this.bytes <= MAX_BYTES) return;
      const gone = await waiting.catch(() => null);
      if (gone === null || !this.kept.delete(oldest)) continue;
      this.bytes -= sizeOf(gone);
    }
  }
}

const sizeOf = ({ plain, gzip: zipped }: KeptPage) => plain.length + zipped.length;

export async function packed({ text, policy }: PageText): Promise<KeptPage> {
  const plain = Buffer.from(text);
  return { plain, gzip: await promisify(gzip)(plain, { level: 6 }), policy };
}
