import { findSimilar, formatList, mustBe, quote, unknownValue } from '../../lib/error-messages.ts';
import {
  type Cell,
  type ColumnSpec,
  type ColumnValue,
  LIST_SEPARATOR,
  NONE_TICKED,
} from '../dataset/columns/column-spec.ts';
import { unescapeFormula } from './match-columns.ts';
import type { ColumnRole, SourceCell, SourceFormatName } from './source-file.ts';
import { readDateText } from '../questions/types/date.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../dataset/response-row.ts';
import { getTimeZone } from '../../lib/time-zone.ts';

/** How the file writes coded values: as option_value, as label, or either, values first. */
export type ValuesAs = 'code' | 'label' | 'auto';

type ReadCell = { ok: true; cell: Cell } | { ok: false; message: string };

const SEPARATORS = [LIST_SEPARATOR, ',', '|', '\n'];
const LISTED = 5;

const folded = (text: string) => text.trim().normalize('NFC').toLowerCase();

/** Maps cells to the categories of a column. */
class ChoiceCellReader {
  private readonly values: readonly ColumnValue[];
  private readonly byValue: Map<string, string>;
  private readonly byCode: Map<string, string>;
  /** null: the label is ambiguous. */
  private readonly byLabel = new Map<string, string | null>();

  /** `codesFirst`: numbers are option_codes, as in a statistics file. */
  constructor(
    { values }: Pick<ColumnSpec, 'values'>,
    private readonly valuesAs: ValuesAs,
    private readonly codesFirst: boolean,
  ) {
    this.values = values;
    this.byValue = new Map(values.map(({ value }) => [value.normalize('NFC'), value]));
    this.byCode = new Map(values.map(({ code, value }) => [String(code), value]));
    for (const { value, label } of values) {
      const key = folded(label);
      this.byLabel.set(key, this.byLabel.has(key) ? null : value);
    }
  }

  readOne(cell: string | number): ReadCell {
    const text = String(cell).trim();
    const value = this.find(text, typeof cell === 'number');
    if (typeof value === 'string') return { ok: true, cell: value };
    if (value === null)
      return { ok: false, message: `${quote(text)} is the label of several values; send a value` };
    return { ok: false, message: this.unknownValueMessage(text) };
  }

  /** Reads several values separated by semicolons, else commas, bars or newlines; values can contain the separator. `[]`: none ticked. */
  readSeveral(cell: string | number): ReadCell {
    const text = String(cell);
    if (text.trim() === NONE_TICKED) return { ok: true, cell: [] };
    const first = this.readSeparated(text, LIST_SEPARATOR, typeof cell === 'number');
    if (first.ok) return first;
    for (const separator of SEPARATORS.slice(1)) {
      const read = text.includes(separator) ? this.readSeparated(text, separator, false) : first;
      if (read.ok) return read;
    }
    return first;
  }

  private readSeparated(text: string, separator: string, isNumber: boolean): ReadCell {
    const parts = text.split(separator);
    const found: string[] = [];
    // Some tools add a trailing separator.
    while (parts.length > 1 && parts.at(-1)?.trim() === '') parts.pop();
    for (let from = 0; from < parts.length;) {
      let partCount = 0;
      for (let to = parts.length; to > from && partCount === 0; to -= 1) {
        const value = this.find(parts.slice(from, to).join(separator).trim(), isNumber);
        if (typeof value !== 'string') continue;
        found.push(value);
        partCount = to - from;
      }
      if (partCount === 0)
        return { ok: false, message: this.unknownValueMessage((parts[from] ?? '').trim()) };
      from += partCount;
    }
    return { ok: true, cell: found };
  }

  private find(text: string, isNumber: boolean): string | null | undefined {
    const value = this.byValue.get(text.normalize('NFC'));
    const code = this.byCode.get(text);
    const label = this.byLabel.get(folded(text));
    if (this.valuesAs === 'label') return label ?? (label === null ? null : undefined);
    const coded = this.codesFirst && isNumber ? (code ?? value) : (value ?? code);
    return coded ?? (this.valuesAs === 'auto' ? label : undefined);
  }

  private unknownValueMessage(text: string): string {
    const accepted = formatList(this.values, LISTED, ({ value, label }) =>
      value === label ? quote(value) : `${quote(value)} (${label.slice(0, 40)})`,
    );
    const similar = findSimilar(
      text.slice(0, 40),
      this.values.map(({ label }) => label.slice(0, 40)),
    );
    const kind = this.valuesAs === 'code' ? 'a value of this column' : 'a value or label of this column';
    return unknownValue(text, kind, { similar: similar.slice(0, 1), accepted });
  }
}

export interface CellOptions {
  values: ValuesAs;
  format: SourceFormatName;
  delimiter: string | null;
}

export type CellReader = (cell: SourceCell) => ReadCell;

const EMPTY: ReadCell = { ok: true, cell: null };
const failedCell = (message: string): ReadCell => ({ ok: false, message });

/**
 * Returns a reader that converts file cells to column cells; the question validates them further. `optionLabel`: label of a 0/1 column,
 * which some tools write if the option was chosen.
 */
export function createCellReader(spec: ColumnSpec, options: CellOptions, optionLabel?: string): CellReader {
  const read = createFilledReader(spec, options, optionLabel);
  const isCsv = options.format === 'csv';
  return (cell) => {
    if (cell === null || cell === '') return EMPTY;
    return read(isCsv && typeof cell === 'string' ? unescapeFormula(cell) : cell);
  };
}

type FilledReader = (cell: string | number) => ReadCell;

function createFilledReader(spec: ColumnSpec, options: CellOptions, optionLabel?: string): FilledReader {
  const { values, format, delimiter } = options;
  switch (spec.type) {
    case 'categorical':
    case 'multiple': {
      const choices = new ChoiceCellReader(spec, values, format === 'sav');
      return spec.type === 'multiple' ? (cell) => choices.readSeveral(cell) : (cell) => choices.readOne(cell);
    }
    case 'binary':
      return flagReader(spec, values, optionLabel);
    case 'rank':
    case 'number':
      return numberReader(spec, values, usesDecimalComma(format, delimiter));
    case 'date':
      return (cell) => dateCell(cell, spec.precision ?? 'date');
    case 'text':
    case 'file':
      return (cell) => ({ ok: true, cell: String(cell) });
  }
}

const FLAGS = new Map<string, number>([
  ['1', 1],
  ['0', 0],
  ['true', 1],
  ['false', 0],
  ['y', 1],
  ['n', 0],
]);

function flagReader(spec: ColumnSpec, valuesAs: ValuesAs, optionLabel?: string): FilledReader {
  const chosen = optionLabel?.trim().toLowerCase();
  const labels = new Map(spec.values.map(({ code, label }) => [label.toLowerCase(), code]));
  return (cell) => {
    const text = String(cell).trim().toLowerCase();
    const flag =
      (valuesAs === 'label' ? undefined : FLAGS.get(text)) ??
      (valuesAs === 'code' ? undefined : (labels.get(text) ?? (text === chosen ? 1 : undefined)));
    return flag === undefined ? failedCell(mustBe('1 or 0 (Yes or No)', cell)) : { ok: true, cell: flag };
  };
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;
/** Excludes 1,500, which may mean 1500. */
const COMMA_NUMBER = /^[+-]?\d+,(\d{1,2}|\d{4,})$/;

/** If the delimiter is not a comma, spreadsheets in many locales use it as the decimal separator. */
function usesDecimalComma(format: SourceFormatName, delimiter: string | null): boolean {
  return format === 'csv' && delimiter !== ',';
}

/** Parses an unambiguous number, or returns null. */
export function parseNumber(cell: string | number, comma: boolean): number | null {
  if (typeof cell === 'number') return cell;
  const text = cell.trim();
  const value = NUMBER.test(text)
    ? Number(text)
    : comma && COMMA_NUMBER.test(text)
      ? Number(text.replace(',', '.'))
      : NaN;
  return Number.isFinite(value) ? value : null;
}

/** Scale points can be labeled. */
function numberReader(spec: ColumnSpec, valuesAs: ValuesAs, comma: boolean): FilledReader {
  const points = new Map(spec.values.map(({ code, label }) => [label.trim().toLowerCase(), code]));
  return (cell) => {
    const byLabel = () => points.get(String(cell).trim().toLowerCase());
    const value =
      valuesAs === 'label'
        ? (byLabel() ?? parseNumber(cell, comma))
        : (parseNumber(cell, comma) ?? byLabel() ?? null);
    return value === null ? failedCell(mustBe('a number', cell)) : { ok: true, cell: value };
  };
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]\d\d:?\d\d)?)?$/;
const CLOCK = /^(\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?)$/;
const MILLISECONDS_CHARACTERS = 'HH:mm:ss.SSS'.length;

/** Two digits for the hour, and at most three decimals of a second. */
const normalizeClock = (clock: string) =>
  (clock[1] === ':' ? `0${clock}` : clock).slice(0, MILLISECONDS_CHARACTERS);

/** Converts to the question's precision, truncating finer parts and decimals of a second after the third. The question validates the date. */
function dateCell(cell: string | number, precision: NonNullable<ColumnSpec['precision']>): ReadCell {
  const text = String(cell).trim();
  const [, day, ofMoment] = MOMENT.exec(text) ?? [];
  const clock = ofMoment ?? CLOCK.exec(text)?.[1];
  switch (precision) {
    case 'date':
      return { ok: true, cell: day ?? text };
    case 'datetime':
      return { ok: true, cell: day === undefined ? text : `${day}T${normalizeClock(ofMoment ?? '00:00')}` };
    case 'time':
      return { ok: true, cell: clock === undefined ? text : normalizeClock(clock) };
    case 'month':
      return { ok: true, cell: day?.slice(0, 7) ?? text };
    case 'year':
      return { ok: true, cell: day?.slice(0, 4) ?? text };
  }
}

/** Metadata of a row; null: not in the file. */
export interface RowMetadata {
  submissionId: string | null;
  status: ResponseStatus | null;
  statusReason: string | null;
  endReason: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
  durationSeconds: number | null;
  language: string | null;
  externalId: string | null;
  isTest: boolean | null;
}

export const emptyMetadata = (): RowMetadata => ({
  submissionId: null,
  status: null,
  statusReason: null,
  endReason: null,
  startedAt: null,
  completedAt: null,
  durationSeconds: null,
  language: null,
  externalId: null,
  isTest: null,
});

const SUBMISSION_ID = /^[\x21-\x7e]{1,100}$/;
const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const MAX_LANGUAGE = 35;
const MAX_EXTERNAL_ID = 200;
const MAX_REASON = 200;
const REASONS = ['screen_out', 'over_quota', 'quality'];
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;
/** As marked by exporters/file-column.ts. */
const SECOND_OCCURRENCE = /\.\d{3}5$/;
/** LimeSurvey's value if a survey does not store dates. */
const UNDATED = /^1980-01-01([T ]00:00(:00)?)?$/;
const TRUE = /^(1|yes|y|true)$/i;
const FALSE = /^(0|no|n|false)$/i;
/** Qualtrics status, by number or name: real responses, and tests by the author. */
const REAL_RESPONSE = /^(0|ip address)$/i;
const TEST_RESPONSE = /^(1|2|survey preview|survey test)$/i;

/** Reads a cell into `into` and returns a problem or null. `timeZone`: zone of timestamps without an offset. */
export function readMetadata(
  into: RowMetadata,
  { role, cell, timeZone }: { role: ColumnRole; cell: string | number; timeZone: string },
): string | null {
  const text = String(cell).trim();
  switch (role) {
    case 'submission_id':
      if (!SUBMISSION_ID.test(text)) return `${quote(text)} must be 1 to 100 visible ASCII characters`;
      into.submissionId = text;
      return null;
    case 'response_status': {
      const status = parseStatus(text);
      if (status === null) return unknownValue(text, 'a status', { accepted: RESPONSE_STATUSES.join(', ') });
      into.status = status;
      return null;
    }
    case 'finished':
      if (!TRUE.test(text) && !FALSE.test(text)) return `${quote(text)} is neither 1 nor 0 (finished or not)`;
      into.status = TRUE.test(text) ? 'complete' : 'partial';
      return null;
    case 'status_reason':
      if (!REASONS.includes(text)) return unknownValue(text, 'a reason', { accepted: REASONS.join(', ') });
      into.statusReason = text;
      return null;
    case 'end_reason':
      if (text.length > MAX_REASON || text.includes('\0')) return `has more than ${MAX_REASON} characters`;
      into.endReason = text.toWellFormed();
      return null;
    case 'started_at':
    case 'completed_at':
    case 'submitted_at':
      return readTimestamp(into, { role, text, timeZone });
    case 'duration_seconds': {
      const seconds = parseNumber(cell, false);
      if (seconds === null || seconds < 0) return mustBe('a number of seconds', text);
      into.durationSeconds = seconds;
      return null;
    }
    case 'language':
      if (!LANGUAGE.test(text) || text.length > MAX_LANGUAGE)
        return mustBe('a language tag such as en or pt-BR', text);
      into.language = text;
      return null;
    case 'is_test':
      if (!/^(0|1|yes|no|true|false)$/i.test(text)) return `${quote(text)} is neither 1 nor 0`;
      into.isTest = TRUE.test(text);
      return null;
    case 'response_type':
      if (!REAL_RESPONSE.test(text) && !TEST_RESPONSE.test(text))
        return `${quote(text)} says neither that the response is a test nor that it is none`;
      into.isTest = TEST_RESPONSE.test(text);
      return null;
    case 'external_id':
      if (text.length > MAX_EXTERNAL_ID || text.includes('\0'))
        return `has more than ${MAX_EXTERNAL_ID} characters`;
      into.externalId = text.toWellFormed();
      return null;
    case 'ip_address':
      return null;
  }
}

function readTimestamp(
  into: RowMetadata,
  {
    role,
    text,
    timeZone,
  }: { role: 'started_at' | 'completed_at' | 'submitted_at'; text: string; timeZone: string },
): string | null {
  const isUndated = role === 'submitted_at' && UNDATED.test(text);
  const moment = isUndated ? null : parseTimestamp(text, timeZone);
  if (moment === null && !isUndated) return mustBe('a time such as 2026-03-01T09:30:00Z', text);
  if (role === 'started_at') into.startedAt = moment;
  else into.completedAt = moment;
  if (role === 'submitted_at') into.status = 'complete';
  return null;
}

/** Parses a status by name, label, or code in a statistics file. */
function parseStatus(text: string): ResponseStatus | null {
  const name = text.toLowerCase().replaceAll(/[ -]/g, '_');
  return RESPONSE_STATUSES.find((status, index) => status === name || String(index + 1) === name) ?? null;
}

function parseTimestamp(text: string, timeZone: string): Date | null {
  const [all, day, clock = '00:00', offset] = TIMESTAMP.exec(text) ?? [];
  if (all === undefined || !readDateText(day, 'date').ok) return null;
  const withOffset = offset?.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : (offset ?? 'Z');
  const ms = Date.parse(`${day}T${clock}${withOffset}`);
  if (Number.isNaN(ms)) return null;
  if (offset !== undefined) return new Date(ms);
  const occurrence = SECOND_OCCURRENCE.test(clock) ? 'later' : 'earlier';
  return new Date(getTimeZone(timeZone).instantMs(ms, occurrence));
}

/**
 * When clocks are set back, an hour occurs twice and local times in it are read as the first. If a response would then end before it
 * started, its end is read as the second. `cell`: the end time in the file.
 */
export function resolveAmbiguousEnd(metadata: RowMetadata, cell: SourceCell, timeZone: string): void {
  const { startedAt, completedAt } = metadata;
  if (startedAt === null || completedAt === null || completedAt >= startedAt) return;
  const hasOffset = TIMESTAMP.exec(String(cell).trim())?.[3] !== undefined;
  if (hasOffset) return;
  const zone = getTimeZone(timeZone);
  const later = new Date(zone.instantMs(zone.wallClockMs(completedAt.getTime()), 'later'));
  if (later >= startedAt) metadata.completedAt = later;
}
