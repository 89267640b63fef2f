import type { ByteFile } from '../byte-file.ts';
import { unreadableFile } from '../unreadable.ts';

const WINDOW_BYTES = 64 * 1024;

const incompleteFile = () => unreadableFile('the .sav file ends in the middle: it is not complete');

/** Reads the dictionary of a system file from its beginning to the first case, in the byte order of the file. */
export class SavReader {
  isLittleEndian = true;
  /** In the file, of the next byte. */
  position = 0;
  private window: Buffer = Buffer.alloc(0);
  private windowStart = 0;

  constructor(private readonly file: ByteFile) {}

  async readBytes(lengthBytes: number): Promise<Buffer> {
    if (lengthBytes < 0 || this.position + lengthBytes > this.file.sizeBytes) throw incompleteFile();
    let from = this.position - this.windowStart;
    if (from + lengthBytes > this.window.length) {
      this.window = await this.file.read(this.position, Math.max(WINDOW_BYTES, lengthBytes));
      this.windowStart = this.position;
      from = 0;
      if (this.window.length < lengthBytes) throw incompleteFile();
    }
    this.position += lengthBytes;
    return this.window.subarray(from, from + lengthBytes);
  }

  async readInt(): Promise<number> {
    return this.intIn(await this.readBytes(4), 0);
  }

  async readDouble(): Promise<number> {
    return this.doubleIn(await this.readBytes(8), 0);
  }

  intIn(bytes: Buffer, at: number): number {
    return this.isLittleEndian ? bytes.readInt32LE(at) : bytes.readInt32BE(at);
  }

  doubleIn(bytes: Buffer, at: number): number {
    return this.isLittleEndian ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at);
  }
}

/** Reads the data of an extension record. */
export class RecordDataReader {
  private at = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly order: SavReader,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  readBytes(lengthBytes: number): Buffer {
    if (lengthBytes < 0 || this.at + lengthBytes > this.bytes.length)
      throw unreadableFile('a record of the .sav file is shorter than it says');
    this.at += lengthBytes;
    return this.bytes.subarray(this.at - lengthBytes, this.at);
  }

  readInt(): number {
    return this.order.intIn(this.readBytes(4), 0);
  }
}
