import type { SourceColumn, SourceSet } from '../../domain/import/source-file.ts';

interface TextDecoders {
  decode: (bytes: Buffer) => string;
  /** Without notes. */
  decodeShortName: (bytes: Buffer) => string;
}

type SetColumn = Pick<SourceColumn, 'header' | 'label'>;

/**
 * Reads multiple-response sets from records 7 and 19, one per line: `$name=C <label> <names>`, `$name=D<value> <label> <names>`, or
 * `$name=E <flag> <value> <label> <names>`, whose options are labeled by the counted value of each variable; flag 11 takes the label of the
 * set from its first variable. Value and label are preceded by their lengths in bytes. Other lines are skipped.
 */
export function readSets(
  record: Buffer,
  decoders: TextDecoders,
  columnOf: (name: string) => SetColumn | undefined,
): SourceSet[] {
  return splitLines(record).flatMap((line) => {
    const set = readSet(line, decoders, columnOf);
    return set === null ? [] : [set];
  });
}

/** Labels may contain line ends; a set begins with $. */
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

const LABEL_OF_VARIABLE = '11';

function readSet(
  line: Buffer,
  { decode, decodeShortName }: TextDecoders,
  columnOf: (name: string) => SetColumn | undefined,
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
  let takesVariableLabel = false;
  if (kind === 'E') {
    const flag = /^ \d{1,3}(?= )/.exec(line.subarray(at, at + 5).toString('latin1'));
    if (flag === null) return null;
    at += flag[0].length;
    takesVariableLabel = flag[0].trim() === LABEL_OF_VARIABLE;
  } else if (kind !== 'C' && kind !== 'D') return null;
  if (kind !== 'C') {
    countedValue = readCountedText();
    if (countedValue === null) return null;
  }
  const label = readCountedText();
  if (label === null) return null;
  // Split before they are decoded, because a name may end within a character.
  const columns = line
    .subarray(at)
    .toString('latin1')
    .split(/[ \0\r]+/)
    .filter((member) => member !== '')
    .flatMap((member) => columnOf(decodeShortName(Buffer.from(member, 'latin1'))) ?? []);
  return {
    name,
    label: label.trim() === '' && takesVariableLabel ? (columns[0]?.label ?? '') : label,
    variables: [...new Set(columns.map(({ header }) => header))],
    countedValue: countedValue?.trim() ?? null,
    labelsAre: kind === 'E' ? 'counted_values' : 'variables',
  };
}
