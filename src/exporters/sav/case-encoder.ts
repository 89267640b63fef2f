import { SPACE } from './bytes.ts';
import { COMPRESSION_BIAS } from './dictionary-records.ts';
import { ELEMENT_BYTES } from './layout.ts';

/** Bytecode of an element: 1 to 251 encode a whole number plus the bias. */
const CODE = { ignored: 0, largest: 251, literal: 253, spaces: 254, systemMissing: 255 } as const;
const CODES_PER_BLOCK = 8;
const BLOCK_BYTES = CODES_PER_BLOCK + CODES_PER_BLOCK * ELEMENT_BYTES;

/**
 * Bytecode compression: blocks of eight codes, one per element, followed by the literal elements.
 * Blocks are written in place, so that cells cause no allocations.
 */
export class CaseEncoder {
  private bytes = Buffer.alloc(64 * 1024);
  private blockStart = 0;
  private codes = 0;
  private end = CODES_PER_BLOCK;

  addNumber(value: number): void {
    const code = value + COMPRESSION_BIAS;
    // The code has no sign for zero.
    if (Number.isInteger(value) && code > CODE.ignored && code <= CODE.largest && !Object.is(value, -0)) {
      this.addCode(code);
    } else {
      this.addCode(CODE.literal);
      this.bytes.writeDoubleLE(value, this.end);
      this.end += ELEMENT_BYTES;
    }
    this.closeFullBlock();
  }

  addSystemMissing(): void {
    this.addCode(CODE.systemMissing);
    this.closeFullBlock();
  }

  /** Adds the element of a text that starts at `from`; bytes after `to` are spaces. */
  addCharacters(text: Buffer, from: number, to: number): void {
    const stop = Math.min(to, from + ELEMENT_BYTES);
    let at = from;
    while (at < stop && text[at] === SPACE) at += 1;
    if (at >= stop) this.addCode(CODE.spaces);
    else {
      this.addCode(CODE.literal);
      this.bytes.fill(SPACE, this.end, this.end + ELEMENT_BYTES);
      text.copy(this.bytes, this.end, from, stop);
      this.end += ELEMENT_BYTES;
    }
    this.closeFullBlock();
  }

  /** Returns the full blocks and keeps the incomplete one. */
  takeFullBlocks(): Buffer {
    const full = Buffer.from(this.bytes.subarray(0, this.blockStart));
    this.bytes.copy(this.bytes, 0, this.blockStart, this.end);
    this.end -= this.blockStart;
    this.blockStart = 0;
    return full;
  }

  /** Returns the incomplete block, padded with ignored codes. */
  finish(): Buffer {
    if (this.codes === 0) return Buffer.alloc(0);
    this.bytes.fill(CODE.ignored, this.blockStart + this.codes, this.blockStart + CODES_PER_BLOCK);
    return Buffer.from(this.bytes.subarray(this.blockStart, this.end));
  }

  private addCode(code: number): void {
    if (this.codes === 0 && this.end + BLOCK_BYTES > this.bytes.length) this.grow();
    this.bytes[this.blockStart + this.codes] = code;
    this.codes += 1;
  }

  private closeFullBlock(): void {
    if (this.codes < CODES_PER_BLOCK) return;
    this.codes = 0;
    this.blockStart = this.end;
    this.end += CODES_PER_BLOCK;
  }

  private grow(): void {
    const larger = Buffer.alloc(this.bytes.length * 2);
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}
