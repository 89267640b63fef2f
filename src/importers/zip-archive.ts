import yauzl from 'yauzl';
import { sizeAtMost } from '../lib/error-messages.ts';
import { tooLarge } from '../lib/errors.ts';

export interface ZipEntryInfo {
  name: string;
  packedBytes: number;
  unpackedBytes: number;
  isEncrypted: boolean;
}

/** A ZIP archive on disk, read part by part, in any order. */
export class ZipArchive {
  private constructor(
    private readonly zip: yauzl.ZipFile,
    private readonly byName: ReadonlyMap<string, yauzl.Entry>,
  ) {}

  /** Fails where it is no archive, or not a whole one: its directory is at its end. 413 with more than `maxEntries`. */
  static async open(path: string, maxEntries = Infinity): Promise<ZipArchive> {
    const zip = await yauzl.openPromise(path, { autoClose: false });
    try {
      if (zip.entryCount > maxEntries) throw tooLarge(`file: ${sizeAtMost(maxEntries, 'file')}`);
      const byName = new Map<string, yauzl.Entry>();
      for await (const entry of zip.eachEntry()) byName.set(entry.fileName, entry);
      return new ZipArchive(zip, byName);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.byName.keys()];
  }

  /** Entries of the central directory; `read` fails if an entry has another size. */
  get entries(): ZipEntryInfo[] {
    return [...this.byName.values()].map(infoOf);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  entry(name: string): ZipEntryInfo | undefined {
    const entry = this.byName.get(name);
    return entry === undefined ? undefined : infoOf(entry);
  }

  /** The bytes of an entry; null if it does not exist. */
  async read(name: string): Promise<AsyncIterable<Buffer> | null> {
    const entry = this.byName.get(name);
    if (entry === undefined) return null;
    return (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  }

  close(): void {
    this.zip.close();
  }
}

function infoOf(entry: yauzl.Entry): ZipEntryInfo {
  return {
    name: entry.fileName,
    packedBytes: entry.compressedSize,
    unpackedBytes: entry.uncompressedSize,
    isEncrypted: entry.isEncrypted(),
  };
}
