import { unreadableFile } from '../unreadable.ts';

export const ELEMENT_BYTES = 8;
const SPACES = Buffer.alloc(ELEMENT_BYTES, ' ');
const SYSTEM_MISSING = -Number.MAX_VALUE;
const CODES_PER_BLOCK = 8;
const CODE = { ignored: 0, largest: 251, end: 252, literal: 253, spaces: 254, systemMissing: 255 } as const;

/** Decodes chunks of bytes to complete cases; a case is the concatenation of its elements. */
export interface CaseDecoder {
  /** The cases that are complete with these bytes. */
  add(bytes: Buffer): Buffer[];
  /** Throws if the last case is incomplete. */
  end(): void;
}

const incompleteCase = () => unreadableFile('the .sav file ends in the middle of a case: it is not complete');

/** Decodes uncompressed cases. */
export class UncompressedCaseDecoder implements CaseDecoder {
  private readonly caseBytes: number;
  private remainder: Buffer = Buffer.alloc(0);

  constructor(elements: number) {
    this.caseBytes = elements * ELEMENT_BYTES;
  }

  add(bytes: Buffer): Buffer[] {
    const all = this.remainder.length === 0 ? bytes : Buffer.concat([this.remainder, bytes]);
    const cases: Buffer[] = [];
    let at = 0;
    for (; at + this.caseBytes <= all.length; at += this.caseBytes)
      cases.push(all.subarray(at, at + this.caseBytes));
    this.remainder = Buffer.from(all.subarray(at));
    return cases;
  }

  end(): void {
    if (this.remainder.length > 0) throw incompleteCase();
  }
}

/** Decodes bytecode compression: blocks of eight codes, one per element, followed by the literal elements. */
export class BytecodeCaseDecoder implements CaseDecoder {
  private readonly caseBytes: number;
  private current: Buffer;
  private filled = 0;
  private remainder: Buffer = Buffer.alloc(0);
  private hasEnded = false;

  constructor(
    elements: number,
    private readonly bias: number,
    private readonly isLittleEndian: boolean,
  ) {
    this.caseBytes = elements * ELEMENT_BYTES;
    this.current = Buffer.alloc(this.caseBytes);
  }

  add(bytes: Buffer): Buffer[] {
    const all = this.remainder.length === 0 ? bytes : Buffer.concat([this.remainder, bytes]);
    const cases: Buffer[] = [];
    let at = 0;
    while (!this.hasEnded) {
      const next = at + blockBytes(all, at);
      if (next > all.length) break;
      this.decodeBlock(all, at, cases);
      at = next;
    }
    this.remainder = this.hasEnded ? Buffer.alloc(0) : Buffer.from(all.subarray(at));
    return cases;
  }

  end(): void {
    if (this.hasEnded) return;
    // Some writers omit the unused codes of the last block.
    if (this.remainder.length > 0 || this.filled > 0) throw incompleteCase();
  }

  private decodeBlock(all: Buffer, start: number, cases: Buffer[]): void {
    let literal = start + CODES_PER_BLOCK;
    for (let i = start; i < start + CODES_PER_BLOCK; i += 1) {
      const code = all[i]!;
      if (code === CODE.ignored) continue;
      if (code === CODE.end) {
        this.hasEnded = true;
        if (this.filled > 0) throw incompleteCase();
        return;
      }
      if (code === CODE.literal) {
        all.copy(this.current, this.filled, literal, literal + ELEMENT_BYTES);
        literal += ELEMENT_BYTES;
      } else if (code === CODE.spaces) SPACES.copy(this.current, this.filled);
      else this.addNumber(code === CODE.systemMissing ? SYSTEM_MISSING : code - this.bias);
      this.filled += ELEMENT_BYTES;
      if (this.filled < this.caseBytes) continue;
      cases.push(this.current);
      this.current = Buffer.allocUnsafe(this.caseBytes);
      this.filled = 0;
    }
  }

  private addNumber(value: number): void {
    if (this.isLittleEndian) this.current.writeDoubleLE(value, this.filled);
    else this.current.writeDoubleBE(value, this.filled);
  }
}

/** Size of the block at `at` with its literals; exceeds the buffer if the block is incomplete. */
function blockBytes(all: Buffer, at: number): number {
  if (at + CODES_PER_BLOCK > all.length) return Infinity;
  let literals = 0;
  for (let i = at; i < at + CODES_PER_BLOCK; i += 1) {
    if (all[i] === CODE.literal) literals += 1;
    else if (all[i] === CODE.end) break;
  }
  return CODES_PER_BLOCK + literals * ELEMENT_BYTES;
}
