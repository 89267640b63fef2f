/** Characters that XML 1.0 forbids, control characters and lone surrogates. */
const FORBIDDEN =
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const SPECIAL = /[&<>"]/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Removes characters that XML forbids. */
export const removeForbiddenCharacters = (text: string): string => text.replace(FORBIDDEN, '');

/** Escapes a text for an element or attribute. */
export function xmlText(text: string): string {
  return removeForbiddenCharacters(text).replace(SPECIAL, (character) => ENTITIES.get(character)!);
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const OFFICE = 'http://schemas.openxmlformats.org';
const RELATION = `${OFFICE}/officeDocument/2006/relationships`;
/** Namespaces of slides, layouts and masters. */
export const NAMESPACES = [
  `xmlns:a="${OFFICE}/drawingml/2006/main"`,
  `xmlns:r="${RELATION}"`,
  `xmlns:p="${OFFICE}/presentationml/2006/main"`,
].join(' ');

/** Converts points to EMU (914,400 per inch). */
export const toEmu = (points: number): number => Math.round(points * 12_700);

/** Joins texts on one line; each keeps its direction. */
export function joinOnOneLine(...texts: readonly string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => `\u2068${removeForbiddenCharacters(text)}\u2069`)
    .join('  ·  ');
}
