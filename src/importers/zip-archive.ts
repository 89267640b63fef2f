import yauzl from 'yauzl';

/** A ZIP archive on disk, read part by part. */
export class ZipArchive {
  private readonly zip: yauzl.ZipFile;
  private readonly entries: Map<string, yauzl.Entry>;

  private constructor(zip: yauzl.ZipFile, entries: Map<string, yauzl.Entry>) {
    this.zip = zip;
    this.entries = entries;
  }

  /** Fails where it is no archive, or not a whole one: the list of its parts is at its end. */
  static async open(path: string): Promise<ZipArchive> {
    const zip = await yauzl.openPromise(path, { autoClose: false });
    const entries = new Map<string, yauzl.Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return new ZipArchive(zip, entries);
  }

  /** The names of its parts. */
  get names(): string[] {
    return [...this.entries.keys()];
  }

  /** A part's bytes; null where there is no such part. */
  async read(name: string): Promise<AsyncIterable<Buffer> | null> {
    const entry = this.entries.get(name);
    if (entry === undefined) return null;
    return (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
  }

  close(): void {
    this.zip.close();
  }
}
