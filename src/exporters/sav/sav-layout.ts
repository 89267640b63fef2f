import { requireItem } from '../../lib/require-value.ts';
import { truncateUtf8, utf8, fitLabels } from './sav-text.ts';
import { trimCharactersEnd } from '../../lib/trim-characters.ts';

export const MAX_FILE_LABEL_BYTES = 64;
export const MAX_VARIABLE_LABEL_BYTES = 255;
export const MAX_VALUE_LABEL_BYTES = 120;
/** Values that count as missing, of one variable. */
export const MAX_MISSING_VALUES = 3;
/** Labels and missing values of wider strings are in separate records. */
export const SHORT_STRING_BYTES = 8;

/** The widest string of SPSS. */
export const MAX_STRING_BYTES = 32_767;

/** Few steps, so that one longer answer seldom changes the layout of the next file. */
const WIDTHS_BYTES = [16, 64, 255, 1024, 4096, MAX_STRING_BYTES];

/** The width in bytes of a variable whose longest text has so many bytes of UTF-8. */
export function stringWidth(longestBytes: number): number {
  return WIDTHS_BYTES.find((width) => width >= longestBytes) ?? MAX_STRING_BYTES;
}

type Measure = 'nominal' | 'ordinal' | 'scale';

interface VariableDescription {
  /** The requested name; the name in the file follows the rules of SPSS (`assignVariableNames`). Weight and sets refer to the requested name. */
  name: string;
  label: string | null;
  /** The end of the label, kept when the label is truncated, so that variables of one question stay distinguishable. */
  labelEnding?: string | undefined;
  measure: Measure;
  /** The display format by its SPSS number; absent: the default of the type. */
  format?: { type: number; width: number; decimals: number };
}

/** Cells are numbers, or texts of dates and times: `YYYY-MM`, `YYYY-MM-DD`, `YYYY-MM-DDTHH:mm[:ss]`, `HH:mm[:ss]`. */
export interface NumericVariable extends VariableDescription {
  type: 'number' | 'month' | 'date' | 'datetime' | 'time';
  /** For numbers: digits after the point that are shown, 0 to 16; the stored value is never rounded. */
  decimals?: number;
  /** For numbers: characters shown, at most 40. */
  widthCharacters?: number;
  valueLabels?: readonly (readonly [value: number, label: string])[];
  /** Values that count as missing: three at most, one at most beside a range. */
  missing?: readonly number[];
  /** Both ends included. */
  missingRange?: { low: number; high: number };
}

interface StringVariable extends VariableDescription {
  type: 'string';
  /** Bytes of UTF-8, 1 to 32,767. */
  widthBytes: number;
  valueLabels?: readonly (readonly [value: string, label: string])[];
  /** Three at most, of eight bytes at most. */
  missing?: readonly string[];
}

export type SavVariable = NumericVariable | StringVariable;

/** null is missing: system-missing for numbers, the empty string for strings. */
export type SavCell = string | number | null;

export interface ResponseSet {
  /** Without the `$` that SPSS puts before it. */
  name: string;
  label: string;
  /** The end of the label, kept when the label is truncated. */
  labelEnding?: string | undefined;
  variables: readonly string[];
  /** The value that means "chosen"; null: a set of categories, each variable naming one. */
  countedValue: number | null;
}

export interface SavFile {
  variables: readonly SavVariable[];
  fileLabel: string;
  createdAt: Date;
  /** null: unknown until all rows are read; readers then read to the end of the file. */
  caseCount: number | null;
  weight: string | null;
  responseSets: readonly ResponseSet[];
  /** IANA name of the time zone of the moments, which the format has no place for: an attribute of the file names it. */
  timeZone?: string;
  /** Notes on the whole file for the document record, one line each. */
  documents?: readonly string[];
}

export type SavLoss =
  | 'name_changed'
  | 'file_label_cut'
  | 'variable_label_cut'
  | 'value_label_cut'
  | 'set_label_cut'
  | 'labelled_value_cut'
  | 'missing_value_cut'
  | 'text_cut'
  /** SPSS strings have at most 32,767 bytes. */
  | 'texts_too_long'
  /** SPSS allows three per variable. */
  | 'missing_value_left_out'
  /** SPSS requires at least two variables. */
  | 'set_left_out'
  /** A cell that is not a number or a date where one is required: written as missing. */
  | 'cell_unreadable';

interface SavReportLine {
  loss: SavLoss;
  /** The requested name of the variable or set; empty for the file. */
  name: string;
  count: number;
}

/** Collects the data that the format cannot hold. Complete when the stream of the file has ended. */
export class SavReport {
  private readonly linesByKey = new Map<string, SavReportLine>();

  add(loss: SavLoss, name: string, count = 1): void {
    const key = `${loss} ${name}`;
    const line = this.linesByKey.get(key);
    if (line === undefined) this.linesByKey.set(key, { loss, name, count });
    else line.count += count;
  }

  listLines(): SavReportLine[] {
    return [...this.linesByKey.values()];
  }
}

/** The unit of data: a number, or eight bytes of a string. */
export const ELEMENT_BYTES = 8;
/** A string up to this width is one variable record; a wider one is stored in several segments. */
export const SEGMENT_BYTES = 255;
/** The bytes per segment that determine the number of segments, although all but the last hold 255 bytes. */
const SEGMENT_SHARE_BYTES = 252;

interface Segment {
  shortName: string;
  /** 0: a number. */
  widthBytes: number;
  elements: number;
}

export interface VariableLayout {
  variable: SavVariable;
  name: string;
  /** null: none. */
  label: Buffer | null;
  /** 0: a number. */
  widthBytes: number;
  segments: Segment[];
  /** Position of its first element in a case, from 1: the variable index of the records. */
  index: number;
}

export interface Layout {
  file: SavFile;
  variables: VariableLayout[];
  /** Of one case. */
  elements: number;
  /** 0: unweighted. */
  weightIndex: number;
  sets: SetLayout[];
}

interface SetLayout {
  name: string;
  label: Buffer;
  set: ResponseSet;
  members: VariableLayout[];
}

/** Assigns names and positions. Throws if the weight or a set refers to an unknown variable, or if the weight is a string. */
export function createLayout(file: SavFile, report: SavReport): Layout {
  const names = assignVariableNames(file.variables.map(({ name }) => name));
  const shortNames = new ShortNames(names);
  const labels = fitLabels(
    file.variables.map(({ label, labelEnding }, i) => ({
      text: label ?? '',
      ending: labelEnding,
      name: requireItem(names, i),
    })),
    MAX_VARIABLE_LABEL_BYTES,
    (i) => report.add('variable_label_cut', requireItem(file.variables, i).name),
  );
  let index = 1;
  const variables = file.variables.map((variable, i): VariableLayout => {
    const name = requireItem(names, i);
    if (name !== variable.name) report.add('name_changed', variable.name);
    if (variable.type === 'string' && variable.widthBytes > MAX_STRING_BYTES) {
      report.add('texts_too_long', variable.name);
    }
    const widthBytes =
      variable.type === 'string' ? Math.min(MAX_STRING_BYTES, Math.max(1, variable.widthBytes)) : 0;
    const segments = segmentWidths(widthBytes).map((width, segment): Segment => ({
      shortName: segment === 0 ? shortNames.assign(name) : shortNames.free(),
      widthBytes: width,
      elements: Math.max(1, Math.ceil(width / ELEMENT_BYTES)),
    }));
    const label = requireItem(labels, i);
    const variableLayout = {
      variable,
      name,
      label: label.length === 0 ? null : label,
      widthBytes,
      segments,
      index,
    };
    for (const { elements } of segments) index += elements;
    return variableLayout;
  });
  const byRequestedName = new Map(
    variables.map((variableLayout) => [variableLayout.variable.name, variableLayout]),
  );
  const findVariable = (requestedName: string): VariableLayout => {
    const variableLayout = byRequestedName.get(requestedName);
    if (variableLayout === undefined) throw new Error(`no variable ${requestedName} in the file`);
    return variableLayout;
  };
  const weight = file.weight === null ? null : findVariable(file.weight);
  if (weight?.variable.type === 'string') throw new Error(`the weight ${weight.name} is a string`);
  return {
    file,
    variables,
    elements: index - 1,
    weightIndex: weight?.index ?? 0,
    sets: layoutSets(file.responseSets, findVariable, report),
  };
}

/** Segments of a very long string: one per 252 bytes of its width, each 255 bytes wide except the last. */
function segmentWidths(widthBytes: number): number[] {
  if (widthBytes <= SEGMENT_BYTES) return [widthBytes];
  const count = Math.ceil(widthBytes / SEGMENT_SHARE_BYTES);
  const last = widthBytes - (count - 1) * SEGMENT_SHARE_BYTES;
  return [...Array<number>(count - 1).fill(SEGMENT_BYTES), last];
}

function layoutSets(
  sets: readonly ResponseSet[],
  findVariable: (requestedName: string) => VariableLayout,
  report: SavReport,
): SetLayout[] {
  const included = sets.filter(({ name, variables }) => {
    if (variables.length < 2) report.add('set_left_out', name);
    return variables.length >= 2;
  });
  // A set's name follows the rules of a variable's; the $ before it takes one of the bytes.
  const names = assignVariableNames(
    included.map(({ name }) => name),
    MAX_NAME_BYTES - 1,
  );
  included.forEach(({ name }, i) => {
    if (names[i] !== name) report.add('name_changed', name);
  });
  const labels = fitLabels(
    included.map(({ label, labelEnding }, i) => ({
      text: label,
      ending: labelEnding,
      name: requireItem(names, i),
    })),
    MAX_VARIABLE_LABEL_BYTES,
    (i) => report.add('set_label_cut', requireItem(included, i).name),
  );
  return included.map((set, i) => ({
    name: requireItem(names, i),
    label: requireItem(labels, i),
    set,
    members: set.variables.map(findVariable),
  }));
}

const MAX_NAME_BYTES = 64;
const RESERVED = new Set(['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with']);
const INVALID_CHARACTERS = /[^\p{L}\p{M}\p{N}._$#@]/gu;
const NAME_START = /^[\p{L}@]/u;

/** SPSS ignores case in names. Both steps are needed, so that ß matches SS. */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/**
 * Returns a valid name for each requested name, in order: within the bytes allowed, a letter or @ first, then letters, digits and . _ $ # @, no dot at the
 * end, no reserved word, unique ignoring case. Valid requested names are assigned before names that must change.
 */
export function assignVariableNames(requestedNames: readonly string[], maxBytes = MAX_NAME_BYTES): string[] {
  const taken = new Set<string>();
  const validNames = requestedNames.map((requestedName) => {
    const folded = foldName(requestedName);
    if (toValidName(requestedName, maxBytes) !== requestedName || taken.has(folded)) return null;
    taken.add(folded);
    return requestedName;
  });
  return validNames.map(
    (name, i) => name ?? toUniqueName(toValidName(requireItem(requestedNames, i), maxBytes), taken, maxBytes),
  );
}

function toValidName(requestedName: string, maxBytes: number): string {
  const characters = requestedName.normalize('NFC').replace(INVALID_CHARACTERS, '_');
  const prefixed = NAME_START.test(characters) ? characters : `V${characters}`;
  const name = trimCharactersEnd(truncateToBytes(prefixed, maxBytes), /\./);
  return RESERVED.has(foldName(name)) ? `${name}_1` : name;
}

function toUniqueName(name: string, taken: Set<string>, maxBytes: number): string {
  let free = name;
  for (let n = 2; taken.has(foldName(free)); n += 1) {
    const suffix = `_${n}`;
    free = truncateToBytes(name, maxBytes - suffix.length) + suffix;
  }
  taken.add(foldName(free));
  return free;
}

function truncateToBytes(text: string, maxBytes: number): string {
  return truncateUtf8(utf8(text), maxBytes).toString('utf8');
}

const SHORT_NAME = /^[A-Z@][A-Z0-9._$#@]{0,7}$/;

/**
 * Assigns the short names of variable records: at most eight ASCII capitals. No short name may be the long name of
 * another variable: PSPP first calls every variable by its short name, and then refuses the long one as a duplicate.
 */
export class ShortNames {
  private readonly taken: Set<string>;
  private counter = 0;

  constructor(longNames: readonly string[]) {
    this.taken = new Set(longNames.map(foldName));
  }

  assign(longName: string): string {
    const upper = longName.toUpperCase();
    return SHORT_NAME.test(upper) && foldName(upper) === longName.toLowerCase() ? upper : this.free();
  }

  free(): string {
    let name: string;
    do {
      this.counter += 1;
      name = `V${this.counter.toString(36).toUpperCase()}`;
    } while (this.taken.has(foldName(name)));
    this.taken.add(foldName(name));
    return name;
  }
}
