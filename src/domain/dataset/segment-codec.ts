import { PRESENT, SKIPPED, type StoredColumn } from '../columns/columns.ts';

/** Increment when cells are encoded, or derived from answers, differently. */
const FORMAT = 2;
const HEADER_BYTES = 8;

/** Thrown when a segment does not decode to what was encoded. */
export class MalformedSegment extends Error {}

/** Identifies the layout of these columns; a segment can only be decoded with the layout it was encoded with. */
export function columnLayout(columns: readonly StoredColumn[]): string {
  return JSON.stringify([
    FORMAT,
    columns.map(({ kind, spec }) => [kind, spec.type, spec.precision, spec.values.map(({ value }) => value)]),
  ]);
}

/** Encodes rows [from, to) of some columns, one column after the other. Numbers are little-endian. */
export function encodeColumns(columns: readonly StoredColumn[], from: number, to: number): Uint8Array {
  return joinParts(columns.flatMap((column) => encodeColumn(column, from, to)));
}

/** Decodes `count` rows into the same columns from row `at` on. Throws MalformedSegment; the columns are then unusable. */
export function decodeColumns(
  columns: readonly StoredColumn[],
  at: number,
  count: number,
  bytes: Uint8Array,
): void {
  const parts = new PartReader(bytes);
  for (const column of columns) decodeColumn(column, at, count, parts);
  parts.end();
}

/** Encodes ascending ids as the first one and the differences. */
export function encodeIds(ids: Float64Array): Uint8Array {
  const differences = ids.subarray(1).map((id, row) => id - ids[row]!);
  return joinParts([bytesOf(ids.slice(0, 1)), encodeNumbers(differences)]);
}

/** Decodes ids into an array of the right length. Throws MalformedSegment. */
export function decodeIds(bytes: Uint8Array, ids: Float64Array): void {
  const parts = new PartReader(bytes);
  const count = ids.length;
  ids.set(copyNumbers(Float64Array, parts.next(Math.min(count, 1) * Float64Array.BYTES_PER_ELEMENT)));
  const differences = decodeNumbers(parts.next(), Math.max(count - 1, 0));
  parts.end();
  let id = ids[0]!;
  for (let row = 1; row < count; row += 1) {
    id += differences[row - 1]!;
    ids[row] = id;
  }
}

/** Encodes row states, see response-row.ts. */
export const encodeStates = (states: Uint8Array): Uint8Array => joinParts([encodeNumbers(states)]);

/** Decodes row states. Throws MalformedSegment. */
export function decodeStates(bytes: Uint8Array, states: Uint8Array): void {
  const parts = new PartReader(bytes);
  states.set(decodeNumbers(parts.next(), states.length));
  parts.end();
}

function encodeColumn(column: StoredColumn, from: number, to: number): Uint8Array[] {
  switch (column.kind) {
    case 'categorical':
      return [encodeNumbers(column.indices.subarray(from, to))];
    case 'multiple': {
      const words = column.words.subarray(from * column.wordsPerRow, to * column.wordsPerRow);
      return [column.states.subarray(from, to), bytesOf(words)];
    }
    case 'numeric':
    case 'date':
      // Missing values are written as 0, which keeps the numbers narrow.
      return [
        column.states.subarray(from, to),
        encodeNumbers(column.values.subarray(from, to).map((value) => (Number.isNaN(value) ? 0 : value))),
      ];
    case 'text': {
      const texts = Array.from({ length: to - from }, (_, row) => column.texts[from + row] ?? null);
      return [column.states.subarray(from, to), new TextEncoder().encode(JSON.stringify(texts))];
    }
  }
}

function decodeColumn(column: StoredColumn, at: number, count: number, parts: PartReader): void {
  if (column.kind === 'categorical') {
    column.indices.set(decodeNumbers(parts.next(), count), at);
    return;
  }
  const states = parts.next(count);
  switch (column.kind) {
    case 'multiple': {
      const words = parts.next(count * column.wordsPerRow * 4);
      column.words.set(copyNumbers(Uint32Array, words), at * column.wordsPerRow);
      break;
    }
    case 'numeric':
    case 'date': {
      const { values } = column;
      values.set(decodeNumbers(parts.next(), count), at);
      for (let row = 0; row < count; row += 1) if (states[row] !== PRESENT) values[at + row] = NaN;
      break;
    }
    case 'text': {
      const texts = JSON.parse(new TextDecoder().decode(parts.next())) as (string | null)[];
      if (texts.length !== count) throw new MalformedSegment(`${texts.length} texts for ${count} rows`);
      texts.forEach((text, row) => {
        // The states hold the actual reason.
        if (text === null) column.setMissing(at + row, SKIPPED);
        else column.set(at + row, text);
      });
      break;
    }
  }
  column.states.set(states, at);
}

const WIDTHS = [Int8Array, Int16Array, Int32Array, Float64Array] as const;
const BOUNDS = [2 ** 7, 2 ** 15, 2 ** 31];
/** Marks a constant sequence: one number for all rows. */
const CONSTANT = 4;

/** Encodes numbers in the narrowest lossless type; the first byte names the type. */
function encodeNumbers(numbers: ArrayLike<number>): Uint8Array {
  const [first = 0] = [numbers[0]];
  let same = 0;
  while (same < numbers.length && Object.is(numbers[same], first)) same += 1;
  if (same === numbers.length) return prefixWidth(CONSTANT, bytesOf(Float64Array.of(first)));
  let width = 0;
  for (let row = 0; row < numbers.length && width < 3; row += 1) {
    const value = numbers[row]!;
    if (!Number.isInteger(value) || Object.is(value, -0)) width = 3;
    else while (width < 3 && (value >= BOUNDS[width]! || value < -BOUNDS[width]!)) width += 1;
  }
  return prefixWidth(width, bytesOf(WIDTHS[width]!.from(numbers)));
}

function prefixWidth(width: number, values: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(values.length + 1);
  bytes[0] = width;
  bytes.set(values, 1);
  return bytes;
}

function decodeNumbers(bytes: Uint8Array, count: number): Numbers {
  if (bytes[0] === CONSTANT && bytes.length === 9) {
    const same = copyNumbers(Float64Array, bytes.subarray(1))[0]!;
    const isSmall =
      Number.isInteger(same) && same >= -BOUNDS[0]! && same < BOUNDS[0]! && !Object.is(same, -0);
    return new (isSmall ? Int8Array : Float64Array)(count).fill(same);
  }
  const width = WIDTHS[bytes[0]!];
  if (width === undefined || bytes.length !== 1 + count * width.BYTES_PER_ELEMENT)
    throw new MalformedSegment(`${bytes.length} bytes for ${count} numbers`);
  return copyNumbers<Numbers>(width, bytes.subarray(1));
}

type Numbers = Int8Array | Int16Array | Int32Array | Uint32Array | Float64Array;

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Copies the bytes, because typed arrays need aligned offsets. (Buffer.slice would not copy.) */
function copyNumbers<N extends Numbers>(ArrayType: new (buffer: ArrayBuffer) => N, bytes: Uint8Array): N {
  return new ArrayType(new Uint8Array(bytes).buffer);
}

/** Joins parts, each preceded by its length as a float64. */
function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + HEADER_BYTES + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    view.setFloat64(at, part.length, true);
    bytes.set(part, at + HEADER_BYTES);
    at += HEADER_BYTES + part.length;
  }
  return bytes;
}

class PartReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  next(expected?: number): Uint8Array {
    const { bytes, at } = this;
    if (at + HEADER_BYTES > bytes.length) throw new MalformedSegment('a part is missing');
    const length = new DataView(bytes.buffer, bytes.byteOffset + at).getFloat64(0, true);
    const start = at + HEADER_BYTES;
    if (!Number.isInteger(length) || length < 0 || start + length > bytes.length)
      throw new MalformedSegment('a part is longer than the segment');
    if (expected !== undefined && length !== expected)
      throw new MalformedSegment(`a part has ${length} bytes instead of ${expected}`);
    this.at = start + length;
    return bytes.subarray(start, this.at);
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new MalformedSegment('the segment has trailing bytes');
  }
}
