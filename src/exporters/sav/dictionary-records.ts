import { SPACE, fitText, float64, int32, padWithSpaces, padToMultiple, utf8 } from './bytes.ts';
import { ELEMENT_BYTES, SEGMENT_BYTES, type Layout, type VariableLayout } from './layout.ts';
import { MAX_FILE_LABEL_BYTES, SHORT_STRING_BYTES } from './limits.ts';
import { missingValues } from './missing-values.ts';
import type { SavReport } from './sav-report.ts';
import type { SavVariable } from './sav-variable.ts';
import { valueLabels } from './value-labels.ts';

const RECORD = { variable: 2, valueLabels: 3, labelledVariables: 4, end: 999 } as const;
const PRODUCT = '@(#) SPSS DATA FILE Canvass';
const LAYOUT_CODE = 2;
const BYTECODE_COMPRESSION = 1;
/** Added to a small whole number to make its bytecode. */
export const COMPRESSION_BIAS = 100;
const UNKNOWN_CASE_COUNT = -1;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `$FL2`, product (60), layout, elements of a case, compression, weight's index, cases, bias, date, time, label (64), 3 spare. */
export function fileHeader({ file, elements, weightIndex }: Layout, report: SavReport): Buffer {
  const { createdAt } = file;
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const date = [
    twoDigits(createdAt.getUTCDate()),
    MONTHS[createdAt.getUTCMonth()],
    twoDigits(createdAt.getUTCFullYear() % 100),
  ];
  const time = [createdAt.getUTCHours(), createdAt.getUTCMinutes(), createdAt.getUTCSeconds()].map(twoDigits);
  const label = fitText(file.fileLabel, MAX_FILE_LABEL_BYTES, () => report.add('file_label_cut', ''));
  return Buffer.concat([
    utf8('$FL2'),
    padWithSpaces(utf8(PRODUCT), 60),
    int32(LAYOUT_CODE, elements, BYTECODE_COMPRESSION, weightIndex, file.caseCount ?? UNKNOWN_CASE_COUNT),
    float64(COMPRESSION_BIAS),
    utf8(date.join(' ')),
    utf8(time.join(':')),
    padWithSpaces(label, MAX_FILE_LABEL_BYTES),
    Buffer.alloc(3),
  ]);
}

/**
 * For each segment: type 2, width, has a label, count of missing values, print and write format, short name (8); then the label
 * (its length, its bytes filled up to a multiple of 4) and the missing values. After it a dummy of width -1 for each further
 * element of a string.
 */
export function variableRecords(variableLayout: VariableLayout, report: SavReport): Buffer {
  const { variable, segments, widthBytes, label: variableLabel } = variableLayout;
  const none = { count: 0, values: [] };
  const missing = widthBytes > SHORT_STRING_BYTES ? none : missingValues(variableLayout, report);
  const parts: Buffer[] = [];
  segments.forEach(({ shortName, widthBytes: width, elements }, i) => {
    const label = i === 0 ? variableLabel : null;
    const segmentMissing = i === 0 ? missing : none;
    const format = packedFormat(variable, width);
    parts.push(
      int32(RECORD.variable, width, label === null ? 0 : 1, segmentMissing.count, format, format),
      padWithSpaces(utf8(shortName), 8),
    );
    if (label !== null) parts.push(int32(label.length), padToMultiple(label, 4));
    parts.push(...segmentMissing.values);
    for (let element = 1; element < elements; element += 1) {
      parts.push(int32(RECORD.variable, -1, 0, 0, 0, 0), Buffer.alloc(8, SPACE));
    }
  });
  return Buffer.concat(parts);
}

/** SPSS's numbers of display formats. */
const FORMAT = { A: 1, F: 5, DATE: 20, TIME: 21, DATETIME: 22, MOYR: 28 } as const;
const MAX_DECIMALS = 16;
const MAX_NUMBER_CHARACTERS = 40;
const DEFAULT_NUMBER_CHARACTERS = 8;

/** One integer: the format's number, characters, decimals. */
function packedFormat(variable: SavVariable, widthBytes: number): number {
  const packed = (format: number, characters: number, decimals = 0) =>
    (format << 16) | (characters << 8) | decimals;
  const { format } = variable;
  // The format of a string depends only on its width.
  if (format !== undefined && variable.type !== 'string')
    return packed(format.type, format.width, format.decimals);
  switch (variable.type) {
    case 'string':
      return packed(FORMAT.A, Math.min(widthBytes, SEGMENT_BYTES));
    case 'month':
      return packed(FORMAT.MOYR, 'mmm yyyy'.length);
    case 'date':
      return packed(FORMAT.DATE, 'dd-mmm-yyyy'.length);
    case 'datetime':
      return packed(FORMAT.DATETIME, 'dd-mmm-yyyy hh:mm:ss'.length);
    case 'time':
      return packed(FORMAT.TIME, 'hh:mm:ss'.length);
    case 'number': {
      const decimals = Math.min(MAX_DECIMALS, Math.max(0, variable.decimals ?? 0));
      // A point and a digit before it must fit as well.
      const minCharacters = decimals === 0 ? 1 : decimals + 2;
      const requestedCharacters = variable.widthCharacters ?? DEFAULT_NUMBER_CHARACTERS;
      return packed(
        FORMAT.F,
        Math.min(MAX_NUMBER_CHARACTERS, Math.max(minCharacters, requestedCharacters)),
        decimals,
      );
    }
  }
}

/**
 * For numbers and short strings. Type 3, count, and each value (8) with its label (a length byte and the text, together a multiple
 * of 8); then type 4, how many variables have them, and those variables' indexes.
 */
export function valueLabelRecords(variableLayout: VariableLayout, report: SavReport): Buffer {
  const labels = variableLayout.widthBytes > SHORT_STRING_BYTES ? [] : valueLabels(variableLayout, report);
  if (labels.length === 0) return Buffer.alloc(0);
  return Buffer.concat([
    int32(RECORD.valueLabels, labels.length),
    ...labels.flatMap(({ value, label }) => [
      padWithSpaces(value, ELEMENT_BYTES),
      padToMultiple(Buffer.concat([Buffer.from([label.length]), label]), 8),
    ]),
    int32(RECORD.labelledVariables, 1, variableLayout.index),
  ]);
}

export function endOfDictionary(): Buffer {
  return int32(RECORD.end, 0);
}
