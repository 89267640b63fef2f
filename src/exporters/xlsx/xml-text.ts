/**
 * What XML cannot hold or reads as something else: markup, controls, and `_x0041_`, which to a spreadsheet means A.
 */
const SPECIAL = /[&<>"]|[^\t\n\x20-\ufffd]|_(?=x[0-9A-Fa-f]{4}_)/g;
/** The same, and faster: most texts hold nothing of the kind. */
const HAS_SPECIAL = /[&<>"]|[^\t\n\x20-\ufffd]|_x/;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // As such it would be read as a line feed.
  ['\r', '&#13;'],
]);

/** A text as the content of an element, or of an attribute, of a spreadsheet's XML. */
export function xmlText(text: string): string {
  return HAS_SPECIAL.test(text) ? text.replace(SPECIAL, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return ENTITIES.get(character) ?? `_x${code}_`;
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
