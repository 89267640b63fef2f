import type { SourceSet } from '../../domain/import/source-file.ts';

/**
 * Multiple-response sets from records 7 and 19, a line each: `$name=C <label> <names>`, `$name=D<value> <label> <names>`, or
 * `$name=E <flag> <value> <label> <names>`; value and label with their lengths in bytes before them. Lines that are none are left out.
 */
export function readSets(
  record: Buffer,
  decode: (bytes: Buffer) => string,
  nameOf: (shortName: string) => string | undefined,
): SourceSet[] {
  return splitLines(record).flatMap((line) => {
    const set = readSet(line, decode, nameOf);
    return set === null ? [] : [set];
  });
}

/** Labels may hold line ends, but a set begins with $ after one. */
function splitLines(record: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = record.indexOf('\n'); at >= 0; at = record.indexOf('\n', at + 1)) {
    if (at + 1 < record.length && record[at + 1] !== 0x24) continue;
    lines.push(record.subarray(start, at));
    start = at + 1;
  }
  if (start < record.length) lines.push(record.subarray(start));
  return lines;
}

function readSet(
  line: Buffer,
  decode: (bytes: Buffer) => string,
  nameOf: (shortName: string) => string | undefined,
): SourceSet | null {
  const equals = line.indexOf('=');
  if (line[0] !== 0x24 || equals < 2) return null;
  const name = decode(line.subarray(1, equals));
  const kind = String.fromCharCode(line[equals + 1] ?? 0);
  let at = equals + 2;
  const readCountedText = (): string | null => {
    const [all, digits] = /^ ?(\d{1,9}) /.exec(line.subarray(at, at + 12).toString('latin1')) ?? [];
    if (all === undefined) return null;
    const from = at + all.length;
    at = from + Number(digits);
    return at > line.length ? null : decode(line.subarray(from, at));
  };
  let countedValue: string | null = null;
  if (kind === 'E') {
    const flag = /^ \d{1,3}(?= )/.exec(line.subarray(at, at + 5).toString('latin1'));
    if (flag === null) return null;
    at += flag[0].length;
  } else if (kind !== 'C' && kind !== 'D') return null;
  if (kind !== 'C') {
    countedValue = readCountedText();
    if (countedValue === null) return null;
  }
  const label = readCountedText();
  if (label === null) return null;
  const variables = decode(line.subarray(at))
    .split(/[ \0\r]+/)
    .filter((short) => short !== '')
    .flatMap((short) => nameOf(short) ?? []);
  return { name, label, variables: [...new Set(variables)], countedValue: countedValue?.trim() ?? null };
}
