import { utf8, truncateUtf8 } from './bytes.ts';

export const MAX_NAME_BYTES = 64;
const RESERVED = new Set(['all', 'and', 'by', 'eq', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or', 'to', 'with']);
const INVALID_CHARACTERS = /[^\p{L}\p{M}\p{N}._$#@]/gu;
const NAME_START = /^[\p{L}@]/u;

/** SPSS ignores case in names. Both steps are needed, so that ß matches SS. */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/**
 * Returns a valid name for each requested name, in order: within the bytes allowed, a letter or @ first, then letters, digits and . _ $ # @, no dot at the
 * end, no reserved word, unique ignoring case. Valid requested names are assigned before names that must change.
 */
export function assignVariableNames(requestedNames: readonly string[], maxBytes = MAX_NAME_BYTES): string[] {
  const taken = new Set<string>();
  const validNames = requestedNames.map((requestedName) => {
    const folded = foldName(requestedName);
    if (toValidName(requestedName, maxBytes) !== requestedName || taken.has(folded)) return null;
    taken.add(folded);
    return requestedName;
  });
  return validNames.map(
    (name, i) => name ?? toUniqueName(toValidName(requestedNames[i]!, maxBytes), taken, maxBytes),
  );
}

function toValidName(requestedName: string, maxBytes: number): string {
  const characters = requestedName.normalize('NFC').replace(INVALID_CHARACTERS, '_');
  const prefixed = NAME_START.test(characters) ? characters : `V${characters}`;
  const name = truncateToBytes(prefixed, maxBytes).replace(/\.+$/, '');
  return RESERVED.has(foldName(name)) ? `${name}_1` : name;
}

function toUniqueName(name: string, taken: Set<string>, maxBytes: number): string {
  let free = name;
  for (let n = 2; taken.has(foldName(free)); n += 1) {
    const suffix = `_${n}`;
    free = truncateToBytes(name, maxBytes - suffix.length) + suffix;
  }
  taken.add(foldName(free));
  return free;
}

function truncateToBytes(text: string, maxBytes: number): string {
  return truncateUtf8(utf8(text), maxBytes).toString('utf8');
}

const SHORT_NAME = /^[A-Z@][A-Z0-9._$#@]{0,7}$/;

/**
 * Assigns the short names of variable records: at most eight ASCII capitals. No short name may be the long name of
 * another variable: PSPP first calls every variable by its short name, and then refuses the long one as a duplicate.
 */
export class ShortNames {
  private readonly taken: Set<string>;
  private counter = 0;

  constructor(longNames: readonly string[]) {
    this.taken = new Set(longNames.map(foldName));
  }

  assign(longName: string): string {
    const upper = longName.toUpperCase();
    return SHORT_NAME.test(upper) && foldName(upper) === longName.toLowerCase() ? upper : this.free();
  }

  free(): string {
    let name: string;
    do {
      this.counter += 1;
      name = `V${this.counter.toString(36).toUpperCase()}`;
    } while (this.taken.has(foldName(name)));
    this.taken.add(foldName(name));
    return name;
  }
}
