export const SPACE = 0x20;

export function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

export function int32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeInt32LE(value, 4 * i));
  return bytes;
}

export function float64(...values: number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => bytes.writeDoubleLE(value, 8 * i));
  return bytes;
}

/** The longest beginning of `bytes` (UTF-8) within `maxBytes` that does not end inside a character. */
export function truncateUtf8(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  // 10xxxxxx continues a character, so a cut before it would split one.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** The longest end of `bytes` (UTF-8) within `maxBytes` that does not begin inside a character. */
export function truncateUtf8Start(bytes: Buffer, maxBytes: number): Buffer {
  let start = Math.max(0, bytes.length - maxBytes);
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** Truncates a text to `maxBytes` of UTF-8; calls `onTruncated` where it does not fit. */
export function fitText(text: string, maxBytes: number, onTruncated: () => void): Buffer {
  const bytes = utf8(text);
  if (bytes.length > maxBytes) onTruncated();
  return truncateUtf8(bytes, maxBytes);
}

/** Pads with spaces to exactly `lengthBytes`. */
export function padWithSpaces(bytes: Buffer, lengthBytes: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, lengthBytes - bytes.length), SPACE)], lengthBytes);
}

/** Pads with spaces to the next multiple. */
export function padToMultiple(bytes: Buffer, multipleBytes: number): Buffer {
  return padWithSpaces(bytes, Math.ceil(bytes.length / multipleBytes) * multipleBytes);
}
