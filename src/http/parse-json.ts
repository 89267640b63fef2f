import { isUtf8 } from 'node:buffer';
import { unknownField } from '../lib/error-messages.ts';
import { invalid } from '../lib/errors.ts';

const MAX_DEPTH = 64;
/** Of the body itself. */
const MAX_FIELDS = 1_000;
/** Of an object within it, such as answers by question or values by column. */
const MAX_NESTED_FIELDS = 5_000;
/** Fields and items in all, as commas between them. A body that may be larger than usual holds rows: one value for five bytes. */
const MAX_VALUES = 50_000;
const USUAL_BODY_BYTES = 1_000_000;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses the bytes of a JSON body of which `maxBytes` are allowed. Refused: too many fields or values, invalid UTF-8, NUL or lone
 * surrogates, numbers that are not finite, prototype keys, nesting deeper than 64.
 */
export function parseJson(bytes: Buffer, maxBytes = USUAL_BODY_BYTES): unknown {
  const maxValues = maxBytes > USUAL_BODY_BYTES ? Math.floor(maxBytes / 5) : MAX_VALUES;
  if (!isUtf8(bytes)) throw invalid('', 'The body is not valid UTF-8');
  if (!isWithinLimits(bytes)) checkStructure(bytes, maxValues);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid('', `The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  // Skipped for most bodies: only escapes and long numbers can contain invalid values.
  if (/\\u|"(__proto__|constructor|prototype)"|\d[eE]\+?\d{3}|\d{200}/.test(text)) checkValues(value, '');
  return value;
}

/** A field has a colon and a value a comma, so a body of this many bytes can exceed no limit but the depth. */
const SMALL_BODY_BYTES = MAX_FIELDS;

/** Whether a body is so small that it exceeds no limit. Many are, and need not be read byte by byte. */
const isWithinLimits = (bytes: Buffer): boolean =>
  bytes.length <= SMALL_BODY_BYTES &&
  countUpTo(bytes, OPEN_OBJECT) + countUpTo(bytes, OPEN_ARRAY) <= MAX_DEPTH;

/** Counts a byte, which may also be within a string; stops above MAX_DEPTH. */
function countUpTo(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0 && count <= MAX_DEPTH; at = bytes.indexOf(byte, at + 1))
    count += 1;
  return count;
}

/** Checks the limits on the bytes before parsing, because reporting problems of 100,000 fields would block the process. */
function checkStructure(bytes: Buffer, maxValues: number): void {
  /** By depth, the fields so far of the object that is open there. */
  const fields: number[] = [0];
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH) throw invalid('', `The body must have at most ${MAX_DEPTH} levels`);
      fields[depth] = 0;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      // The parser reports unmatched closing brackets.
      depth = Math.max(0, depth - 1);
    } else if (byte === COLON) {
      const count = (fields[depth] ?? 0) + 1;
      fields[depth] = count;
      const limit = depth === 1 ? MAX_FIELDS : MAX_NESTED_FIELDS;
      if (count > limit) {
        const what = depth === 1 ? 'The body' : 'An object in the body';
        throw invalid('', `${what} must have at most ${limit} fields`);
      }
    } else if (byte === COMMA) {
      values += 1;
      if (values > maxValues) throw invalid('', `The body must have at most ${maxValues} values`);
    }
  }
}

function checkValues(value: unknown, path: string): void {
  if (typeof value === 'string') checkText(value, path);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid(path, 'must be a finite number');
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => checkValues(item, `${path}[${index}]`));
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      const field = path === '' ? key : `${path}.${key}`;
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
        throw invalid(field, unknownField());
      }
      checkText(key, path);
      checkValues((value as Record<string, unknown>)[key], field);
    }
  }
}

/** PostgreSQL cannot store NUL, and a lone surrogate is no character. */
export function checkText(text: string, field: string): void {
  if (text.includes('\0')) throw invalid(field, 'contains the character NUL, which cannot be stored');
  if (!text.isWellFormed()) throw invalid(field, 'contains a lone surrogate, which is not a character');
}
