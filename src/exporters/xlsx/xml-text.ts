/**
 * Characters to escape: markup, control characters, and `_x0041_`, which spreadsheets read as A.
 */
const SPECIAL = /[&<>"]|[^\t\n\x20-\ufffd]|_(?=x[0-9A-Fa-f]{4}_)/g;
/** A faster test, because most texts need no escaping. */
const HAS_SPECIAL = /[&<>"]|[^\t\n\x20-\ufffd]|_x/;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // XML parsers read an unescaped carriage return as a line feed.
  ['\r', '&#13;'],
]);

/** Escapes a text for an element or attribute of spreadsheet XML. */
export function xmlText(text: string): string {
  return HAS_SPECIAL.test(text) ? text.replace(SPECIAL, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return ENTITIES.get(character) ?? `_x${code}_`;
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
