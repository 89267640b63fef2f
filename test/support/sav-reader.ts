/** Reads the records of an SPSS system file, independently of the exporter. */
interface ReadVariable {
  name: string;
  shortName: string;
  /** 0: a number. */
  width: number;
  label: string | null;
  format: { type: number; width: number; decimals: number };
  measure: number;
  missing: { count: number; values: (number | string)[] };
  labels: [number | string, string][];
}

export interface ReadSav {
  product: string;
  elements: number;
  weightIndex: number;
  weight: string | null;
  caseCount: number;
  bias: number;
  date: string;
  time: string;
  fileLabel: string;
  /** Raw data of the extension records, by subtype. */
  extensions: Map<number, Buffer>;
  documents: string[];
  variables: ReadVariable[];
  rows: (number | string | null)[][];
}

interface Raw {
  shortName: string;
  width: number;
  label: string | null;
  format: number;
  missing: { count: number; values: Buffer[] };
  index: number;
  labels: [Buffer, string][];
}

class Cursor {
  at = 0;
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  take(count: number): Buffer {
    if (this.at + count > this.bytes.length) throw new Error('the file ends inside a record');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  int(): number {
    return this.take(4).readInt32LE();
  }
  double(): number {
    return this.take(8).readDoubleLE();
  }
  text(count: number): string {
    return this.take(count).toString('utf8');
  }
  get done(): boolean {
    return this.at >= this.bytes.length;
  }
}

export function readSav(bytes: Buffer): ReadSav {
  const cursor = new Cursor(bytes);
  if (cursor.text(4) !== '$FL2') throw new Error('no system file');
  const product = cursor.text(60).trimEnd();
  if (cursor.int() !== 2) throw new Error('not little-endian');
  const elements = cursor.int();
  if (cursor.int() !== 1) throw new Error('not compressed by bytecode');
  const [weightIndex, caseCount, bias] = [cursor.int(), cursor.int(), cursor.double()];
  const [date, time, fileLabel] = [cursor.text(9), cursor.text(8), cursor.text(64).trimEnd()];
  cursor.take(3);
  const { raws, extensions, documents } = readDictionary(cursor);
  const merged = mergeSegments(raws, extensions);
  const variables = merged.map(({ first, width, name, position }): ReadVariable => {
    const value = (buffer: Buffer) => (width === 0 ? buffer.readDoubleLE() : trimmed(buffer));
    const long = longRecords(extensions, name);
    return {
      name,
      shortName: first.shortName,
      width,
      label: first.label,
      format: { type: first.format >> 16, width: (first.format >> 8) & 255, decimals: first.format & 255 },
      measure: extensions.get(11)!.readInt32LE(12 * position),
      missing: long.missing ?? { count: first.missing.count, values: first.missing.values.map(value) },
      labels: long.labels ?? first.labels.map(([buffer, label]) => [value(buffer), label]),
    };
  });
  const cases = readCases(cursor, elements, bias);
  const rows = cases.map((cells) =>
    merged.map(({ segments, width }) => {
      if (width === 0) return number(cells[segments[0]!.index - 1]!);
      const parts = segments.map((segment) => {
        const count = Math.ceil(segment.width / 8);
        const all = Buffer.concat(cells.slice(segment.index - 1, segment.index - 1 + count).map(spaces));
        return all.subarray(0, segment.width);
      });
      return trimmed(Buffer.concat(parts).subarray(0, width));
    }),
  );
  const weight = merged.find(({ first }) => first.index === weightIndex)?.name ?? null;
  return {
    product,
    elements,
    weightIndex,
    weight,
    caseCount,
    bias,
    date,
    time,
    fileLabel,
    extensions,
    documents,
    variables,
    rows,
  };
}

interface Dictionary {
  raws: Raw[];
  extensions: Map<number, Buffer>;
  documents: string[];
}

function readDictionary(cursor: Cursor): Dictionary {
  const raws: Raw[] = [];
  const extensions = new Map<number, Buffer>();
  let documents: string[] = [];
  let index = 0;
  let labels: [Buffer, string][] = [];
  for (;;) {
    const type = cursor.int();
    if (type === 999) {
      cursor.int();
      return { raws, extensions, documents };
    } else if (type === 2) {
      index += 1;
      const [width, hasLabel, missingCount, format] = [
        cursor.int(),
        cursor.int(),
        cursor.int(),
        cursor.int(),
      ];
      cursor.int();
      const shortName = cursor.text(8).trimEnd();
      let label: string | null = null;
      if (hasLabel === 1) {
        const length = cursor.int();
        label = cursor.take(Math.ceil(length / 4) * 4).toString('utf8', 0, length);
      }
      const values = Array.from({ length: Math.abs(missingCount) }, () => cursor.take(8));
      const missing = { count: missingCount, values };
      if (width >= 0) raws.push({ shortName, width, label, format, missing, index, labels: [] });
    } else if (type === 3) {
      labels = Array.from({ length: cursor.int() }, () => {
        const value = cursor.take(8);
        const length = cursor.take(1)[0]!;
        return [value, cursor.take(Math.ceil((length + 1) / 8) * 8 - 1).toString('utf8', 0, length)];
      });
    } else if (type === 4) {
      const indexes = Array.from({ length: cursor.int() }, () => cursor.int());
      for (const raw of raws) if (indexes.includes(raw.index)) raw.labels = labels;
    } else if (type === 6) {
      documents = Array.from({ length: cursor.int() }, () => cursor.text(80).trimEnd());
    } else if (type === 7) {
      const subtype = cursor.int();
      const unit = cursor.int();
      extensions.set(subtype, cursor.take(unit * cursor.int()));
    } else throw new Error(`record type ${type} at ${cursor.at - 4}`);
  }
}

interface Merged {
  first: Raw;
  segments: Raw[];
  width: number;
  name: string;
  /** Among variable records that are no dummies. */
  position: number;
}

function mergeSegments(raws: Raw[], extensions: Map<number, Buffer>): Merged[] {
  const pairs = (subtype: number) =>
    new Map(
      (extensions.get(subtype)?.toString('utf8') ?? '')
        .replaceAll('\0', '')
        .split('\t')
        .filter((pair) => pair !== '')
        .map((pair) => pair.split('=') as [string, string]),
    );
  const names = pairs(13);
  const widths = pairs(14);
  const merged: Merged[] = [];
  for (let i = 0; i < raws.length;) {
    const first = raws[i]!;
    const width = Number(widths.get(first.shortName) ?? first.width);
    const count = width > 255 ? Math.ceil(width / 252) : 1;
    const name = names.get(first.shortName) ?? first.shortName;
    merged.push({ first, segments: raws.slice(i, i + count), width, name, position: i });
    i += count;
  }
  return merged;
}

function longRecords(extensions: Map<number, Buffer>, wanted: string) {
  const found: { labels?: [string, string][]; missing?: { count: number; values: string[] } } = {};
  const labels = new Cursor(extensions.get(21) ?? Buffer.alloc(0));
  while (!labels.done) {
    const name = labels.text(labels.int());
    labels.int();
    const pairs = Array.from({ length: labels.int() }, (): [string, string] => [
      trimmed(labels.take(labels.int())),
      labels.text(labels.int()),
    ]);
    if (name === wanted) found.labels = pairs;
  }
  const missing = new Cursor(extensions.get(22) ?? Buffer.alloc(0));
  while (!missing.done) {
    const name = missing.text(missing.int());
    const count = missing.take(1)[0]!;
    const bytes = missing.int();
    const values = Array.from({ length: count }, () => trimmed(missing.take(bytes)));
    if (name === wanted) found.missing = { count, values };
  }
  return found;
}

type Element = number | 'spaces' | 'missing' | Buffer;

function readCases(cursor: Cursor, elements: number, bias: number): Element[][] {
  const cells: Element[] = [];
  while (!cursor.done) {
    for (const code of cursor.take(8)) {
      if (code === 0) continue;
      if (code === 252) throw new Error('an end of file that we never write');
      if (code === 253) cells.push(cursor.take(8));
      else if (code === 254) cells.push('spaces');
      else cells.push(code === 255 ? 'missing' : code - bias);
    }
  }
  if (cells.length % elements !== 0) throw new Error('the last case is not whole');
  return Array.from({ length: cells.length / elements }, (_, i) =>
    cells.slice(i * elements, (i + 1) * elements),
  );
}

function number(element: Element): number | null {
  if (element === 'missing') return null;
  if (element === 'spaces') throw new Error('spaces where a number should be');
  return typeof element === 'number' ? element : element.readDoubleLE();
}

function spaces(element: Element): Buffer {
  if (element === 'spaces') return Buffer.alloc(8, ' ');
  if (!Buffer.isBuffer(element)) throw new Error('a number where a text should be');
  return element;
}

function trimmed(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/ +$/, '');
}
