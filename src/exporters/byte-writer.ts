/** Longer texts are encoded faster by one call of the runtime than character by character. */
const MAX_LOOP_CHARACTERS = 64;
const FIRST_NON_ASCII = 0x80;
/** UTF-8 bytes of one UTF-16 unit, at most. */
const MAX_UNIT_BYTES = 3;

/** Collects texts as UTF-8 in one growing buffer, so that the many small parts of a file cause no allocations. */
export class ByteWriter {
  private bytes = Buffer.allocUnsafe(64 * 1024);
  private end = 0;

  add(text: string): void {
    const { length } = text;
    if (this.end + length * MAX_UNIT_BYTES > this.bytes.length) this.grow(length * MAX_UNIT_BYTES);
    if (length > MAX_LOOP_CHARACTERS) {
      this.end += this.bytes.write(text, this.end);
      return;
    }
    const { bytes, end } = this;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= FIRST_NON_ASCII) {
        this.end += bytes.write(text, end);
        return;
      }
      bytes[end + index] = code;
    }
    this.end = end + length;
  }

  /** Returns the bytes so far and starts again. */
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.end));
    this.end = 0;
    return taken;
  }

  private grow(neededBytes: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.end + neededBytes));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}
