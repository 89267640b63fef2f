import path from 'node:path';
import yauzl from 'yauzl';
import { sizeAtMost } from '../lib/error-messages.ts';
import { tooLarge } from '../lib/errors.ts';

export interface ZipEntryInfo {
  name: string;
  packedBytes: number;
  unpackedBytes: number;
  isEncrypted: boolean;
}

/** A ZIP archive on disk, read part by part, in any order. Names of entries are relative paths with slashes, without `..`. */
export class ZipArchive {
  private constructor(
    private readonly zip: yauzl.ZipFile,
    private readonly byName: ReadonlyMap<string, yauzl.Entry>,
  ) {}

  /** Fails where it is no archive, or not a whole one: its directory is at its end. 413 with more than `maxEntries`. */
  static async open(file: string, maxEntries = Infinity): Promise<ZipArchive> {
    // yauzl refuses absolute names, which some programs write, when it decodes them.
    const zip = await yauzl.openPromise(file, { autoClose: false, decodeStrings: false });
    try {
      if (zip.entryCount > maxEntries) throw tooLarge(`file: ${sizeAtMost(maxEntries, 'file')}`);
      const byName = new Map<string, yauzl.Entry>();
      for await (const entry of zip.eachEntry()) byName.set(nameOf(entry), entry);
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
    return [...this.byName].map(([name, entry]) => infoOf(name, entry));
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  entry(name: string): ZipEntryInfo | undefined {
    const entry = this.byName.get(name);
    return entry === undefined ? undefined : infoOf(name, entry);
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

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: yauzl.Entry): string {
  const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  return path.posix.resolve('/', name.replace(/^[a-z]:/i, '')).slice(1);
}

function infoOf(name: string, entry: yauzl.Entry): ZipEntryInfo {
  return {
    name,
    packedBytes: entry.compressedSize,
    unpackedBytes: entry.uncompressedSize,
    isEncrypted: entry.isEncrypted(),
  };
}
