import { mustBe, quote, unknownValue } from '../../lib/error-messages.ts';
import { getTimeZone } from '../../lib/time-zone.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../responses/response-row.ts';
import { readDateText } from '../questions/types/date.ts';
import { readFileNumber } from './number-scan.ts';
import type { ColumnRole, SourceCell } from './source-file.ts';

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
  /** Whether another tool flagged the response as spam. */
  isSpam: boolean;
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
  isSpam: false,
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
/** Languages of Qualtrics that are no language tags. */
const QUALTRICS_LANGUAGES = new Map([
  ['ZH-S', 'zh-Hans'],
  ['ZH-T', 'zh-Hant'],
]);
/** Response types of Qualtrics: numbers are sums of 1 preview, 2 test, 4 imported, 8 spam, 16 offline and 32 of employees. */
const RESPONSE_TYPES =
  /^(ip address|(offline |ex )*(survey )?(preview|test|imported|spam|offline|ex)( spam| offline| survey preview)*)$/i;
const MAX_TYPE_CHARACTERS = 100;
const PREVIEW_OR_TEST = 3;
const SPAM = 8;
const ALL_RESPONSE_TYPES = 63;

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
      const seconds = readSeconds(text);
      if (seconds === null || seconds < 0) return mustBe('a number of seconds', text);
      into.durationSeconds = seconds;
      return null;
    }
    case 'language': {
      const tag = QUALTRICS_LANGUAGES.get(text.toUpperCase()) ?? text.replaceAll('_', '-');
      if (!LANGUAGE.test(tag) || tag.length > MAX_LANGUAGE)
        return mustBe('a language tag such as en or pt-BR', text);
      into.language = tag;
      return null;
    }
    case 'is_test':
      if (!/^(0|1|yes|no|true|false)$/i.test(text)) return `${quote(text)} is neither 1 nor 0`;
      into.isTest = TRUE.test(text);
      return null;
    case 'response_type':
      return readResponseType(into, text);
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

/** Reads whether a response is a test, or was flagged as spam, which screens it out. */
function readResponseType(into: RowMetadata, text: string): string | null {
  const bits = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  const isKnown =
    bits <= ALL_RESPONSE_TYPES || (text.length <= MAX_TYPE_CHARACTERS && RESPONSE_TYPES.test(text));
  if (!isKnown) return `${quote(text)} says neither that the response is a test nor that it is none`;
  into.isTest = Number.isNaN(bits) ? /preview|test/i.test(text) : (bits & PREVIEW_OR_TEST) !== 0;
  into.isSpam = Number.isNaN(bits) ? /spam/i.test(text) : (bits & SPAM) !== 0;
  return null;
}

function readSeconds(text: string): number | null {
  for (const mark of ['.', ','] as const) {
    const reading = readFileNumber(text, mark);
    if (reading.kind === 'number') return reading.value;
  }
  return null;
}
