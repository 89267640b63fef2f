/** Builds SPSS system files of every kind that writers other than Canvass write. */
interface BuiltVariable {
  /** At most eight bytes. */
  name: string;
  longName?: string;
  /** Bytes of a string, at most 255; absent: a number. */
  width?: number;
  /** Number, width and decimals; default F8.2, or A. */
  format?: [type: number, width: number, decimals: number];
  label?: string;
  missing?: (number | string)[];
  missingRange?: [low: number, high: number];
  labels?: (readonly [value: number | string, label: string])[];
}

interface BuiltSav {
  variables: BuiltVariable[];
  rows: (number | string | null)[][];
  compression?: 'none' | 'bytecode';
  bias?: number;
  bigEndian?: boolean;
  /** Encodes all texts; default UTF-8. */
  encode?: (text: string) => Buffer;
  /** Name in record 20; null: without the record. Default UTF-8. */
  encoding?: string | null;
  /** In the machine record; null: without the record. Default 65001. */
  codePage?: number | null;
  /** Further records: subtype and data, in units of one byte. */
  extensions?: [subtype: number, data: Buffer | string][];
  documents?: string[];
  /** Position of the weight among the variables, from 0. */
  weight?: number;
  caseCount?: number;
}

const SYSTEM_MISSING = -Number.MAX_VALUE;

export function buildSav({
  variables,
  rows,
  compression = 'none',
  bias = 100,
  bigEndian = false,
  encode = (text) => Buffer.from(text, 'utf8'),
  encoding = 'UTF-8',
  codePage = 65_001,
  extensions = [],
  documents = [],
  weight,
  caseCount = rows.length,
}: BuiltSav): Buffer {
  const int = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((value, i) =>
      bigEndian ? bytes.writeInt32BE(value, 4 * i) : bytes.writeInt32LE(value, 4 * i),
    );
    return bytes;
  };
  const double = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    if (bigEndian) bytes.writeDoubleBE(value);
    else bytes.writeDoubleLE(value);
    return bytes;
  };
  const padded = (text: string | Buffer, length: number): Buffer => {
    const bytes = Buffer.isBuffer(text) ? text : encode(text);
    return Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), ' ')], length);
  };
  const toMultiple = (bytes: Buffer, unit: number): Buffer =>
    padded(bytes, Math.ceil(bytes.length / unit) * unit);
  const elementsOf = ({ width = 0 }: BuiltVariable): number => Math.max(1, Math.ceil(width / 8));
  const valueBytes = (value: number | string): Buffer =>
    typeof value === 'number' ? double(value) : padded(value, 8);
  const extension = (subtype: number, data: Buffer, unit = 1): Buffer =>
    Buffer.concat([int(7, subtype, unit, data.length / unit), data]);

  const positions: number[] = [];
  let elements = 0;
  for (const variable of variables) {
    positions.push(elements + 1);
    elements += elementsOf(variable);
  }
  const codes = { none: 0, bytecode: 1 };
  const parts: Buffer[] = [
    Buffer.from('$FL2'),
    padded('@(#) SPSS DATA FILE', 60),
    int(2, elements, codes[compression], weight === undefined ? 0 : positions[weight]!, caseCount),
    double(bias),
    Buffer.from('01 Jan 2612:00:00'),
    padded('', 64),
    Buffer.alloc(3),
  ];
  for (const variable of variables) {
    const { name, width = 0, label, missing = [], missingRange } = variable;
    const [type, characters, decimals] = variable.format ?? (width > 0 ? [1, width, 0] : [5, 8, 2]);
    const packed = (type << 16) | (characters << 8) | decimals;
    const count = missingRange === undefined ? missing.length : -(2 + missing.length);
    parts.push(
      int(2, width, label === undefined ? 0 : 1, count, packed, packed),
      padded(name.toUpperCase(), 8),
    );
    if (label !== undefined) parts.push(int(encode(label).length), toMultiple(encode(label), 4));
    for (const value of [...(missingRange ?? []), ...missing]) parts.push(valueBytes(value));
    for (let i = 1; i < elementsOf(variable); i += 1) parts.push(int(2, -1, 0, 0, 0, 0), padded('', 8));
  }
  variables.forEach(({ labels = [] }, i) => {
    if (labels.length === 0) return;
    parts.push(int(3, labels.length));
    for (const [value, label] of labels) {
      const bytes = encode(label);
      parts.push(valueBytes(value), toMultiple(Buffer.concat([Buffer.from([bytes.length]), bytes]), 8));
    }
    parts.push(int(4, 1, positions[i]!));
  });
  if (documents.length > 0)
    parts.push(int(6, documents.length), ...documents.map((line) => padded(line, 80)));
  if (codePage !== null) parts.push(extension(3, int(1, 0, 0, -1, 1, 1, bigEndian ? 1 : 2, codePage), 4));
  const long = variables.filter(({ longName }) => longName !== undefined);
  if (long.length > 0)
    parts.push(extension(13, encode(long.map((v) => `${v.name.toUpperCase()}=${v.longName!}`).join('\t'))));
  for (const [subtype, data] of extensions)
    parts.push(extension(subtype, Buffer.isBuffer(data) ? data : encode(data)));
  if (encoding !== null) parts.push(extension(20, Buffer.from(encoding, 'latin1')));
  parts.push(int(999, 0));

  const cells = rows.flatMap((row) =>
    variables.flatMap((variable, i): Buffer[] => {
      const cell = row[i] ?? null;
      if (variable.width === undefined) return [double(cell === null ? SYSTEM_MISSING : Number(cell))];
      const bytes = padded(String(cell ?? ''), 8 * elementsOf(variable));
      return Array.from({ length: elementsOf(variable) }, (_, at) => bytes.subarray(8 * at, 8 * at + 8));
    }),
  );
  if (compression === 'none') return Buffer.concat([...parts, ...cells]);
  const isNumber = rows.flatMap(() =>
    variables.flatMap((variable) =>
      Array.from({ length: elementsOf(variable) }, () => variable.width === undefined),
    ),
  );
  for (let start = 0; start < cells.length; start += 8) {
    const block = cells.slice(start, start + 8);
    const literals: Buffer[] = [];
    const opcodes = block.map((cell, i) => {
      if (!isNumber[start + i]) {
        if (cell.equals(Buffer.alloc(8, ' '))) return 254;
      } else {
        const value = bigEndian ? cell.readDoubleBE() : cell.readDoubleLE();
        if (value === SYSTEM_MISSING) return 255;
        const code = value + bias;
        if (Number.isInteger(code) && code >= 1 && code <= 251) return code;
      }
      literals.push(cell);
      return 253;
    });
    while (opcodes.length < 8) opcodes.push(252);
    parts.push(Buffer.from(opcodes), ...literals);
  }
  return Buffer.concat(parts);
}

/** A record 21 or 22 writes lengths in front of its texts; little-endian. */
export function withLengths(...items: (string | Buffer | number)[]): Buffer {
  return Buffer.concat(
    items.map((item) => {
      const length = Buffer.alloc(4);
      if (typeof item === 'number') {
        length.writeInt32LE(item);
        return length;
      }
      const bytes = Buffer.from(item as string, 'utf8');
      length.writeInt32LE(bytes.length);
      return Buffer.concat([length, bytes]);
    }),
  );
}

/** Seconds as SPSS counts them, of a time in UTC. */
export const spssSeconds = (iso: string): number => Date.parse(iso) / 1000 + 12_219_379_200;
