/**
 * Attributes as the file writes them: `name('value'` line end `)`, with one line per value, one attribute after another. Reads them from `from`
 * up to a `/` or what is no attribute; returns the names in lower case with the first value, and where it stopped.
 */
function readAttributes(text: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    const open = text.indexOf('(', at);
    const slash = text.indexOf('/', at);
    if (open < 0 || (slash >= 0 && slash < open)) return { attributes, end: slash < 0 ? text.length : slash };
    const name = text.slice(at, open).trim().toLowerCase();
    let value: string | null = null;
    at = open + 1;
    while (text[at] === "'") {
      const lineEnd = text.indexOf("'\n", at + 1);
      if (lineEnd < 0) return { attributes, end: text.length };
      value ??= text.slice(at + 1, lineEnd);
      at = lineEnd + 2;
    }
    if (text[at] !== ')') return { attributes, end: text.length };
    at += 1;
    attributes.set(name, value ?? '');
  }
}

/** The attributes of the file (record 17): the first value by the name in lower case. */
export function readFileAttributes(text: string): ReadonlyMap<string, string> {
  return readAttributes(text, 0).attributes;
}

/** The variables (record 18) that have an attribute with an accepted name: `variable:attributes`, separated by `/`. */
export function listAttributedVariables(text: string, isAccepted: (name: string) => boolean): string[] {
  const variables: string[] = [];
  for (let at = 0; at < text.length;) {
    const colon = text.indexOf(':', at);
    if (colon < 0) break;
    const { attributes, end } = readAttributes(text, colon + 1);
    if ([...attributes.keys()].some(isAccepted)) variables.push(text.slice(at, colon));
    at = end + 1;
  }
  return variables;
}
