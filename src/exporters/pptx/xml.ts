/** What XML 1.0 cannot hold in any form, and vertical tabs and the like; a lone half of a pair among them. */
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

/** A text without what no XML can hold. */
export const removeForbiddenCharacters = (text: string): string => text.replace(FORBIDDEN, '');

/** A text as content of an element or of an attribute. */
export function xmlText(text: string): string {
  return removeForbiddenCharacters(text).replace(SPECIAL, (character) => ENTITIES.get(character)!);
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const OFFICE = 'http://schemas.openxmlformats.org';
const RELATION = `${OFFICE}/officeDocument/2006/relationships`;
/** Of every part that shows something. */
export const NAMESPACES = [
  `xmlns:a="${OFFICE}/drawingml/2006/main"`,
  `xmlns:r="${RELATION}"`,
  `xmlns:p="${OFFICE}/presentationml/2006/main"`,
].join(' ');

/** Points in the unit of the format, of which an inch has 914,400. */
export const emu = (points: number): number => Math.round(points * 12_700);
