/** File systems allow 255 bytes, and archives add a prefix. */
const MAX_NAME_BYTES = 180;
const MAX_EXTENSION_CHARACTERS = 10;

/**
 * Sanitizes a client's file name for storage and download: keeps the last part of a path, removes control and bidirectional characters,
 * replaces characters that file systems reject, and truncates to 180 bytes while keeping the extension. Returns '' if nothing is left.
 */
export function sanitizeFileName(fileName: string): string {
  const name = fileName
    .slice(-2_000)
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    // Control and format characters: a right-to-left override makes "exe.gpj" of "jpg.exe".
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const extension = extensionOf(name);
  if (extension === '') return truncateBytes(name, MAX_NAME_BYTES);
  const stem = name.slice(0, -extension.length - 1);
  return `${truncateBytes(stem, MAX_NAME_BYTES - extension.length - 1)}.${extension}`;
}

/** Returns the extension in lower case without the dot; '' if there is none. */
export function extensionOf(name: string): string {
  const found = /[^.]\.([A-Za-z0-9]+)$/.exec(name);
  const extension = found?.[1] ?? '';
  return extension.length > MAX_EXTENSION_CHARACTERS ? '' : extension.toLowerCase();
}

function truncateBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
