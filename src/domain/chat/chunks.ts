const CHUNK_CHARACTERS = 40;

/** A text in pieces of a few words, as somebody says it; together they are the text. */
export function* splitIntoChunks(text: string, maxCharacters = CHUNK_CHARACTERS): Generator<string> {
  let chunk = '';
  for (const word of text.match(/\s*\S+|\s+$/gu) ?? []) {
    if (chunk !== '' && chunk.length + word.length > maxCharacters) {
      yield chunk;
      chunk = '';
    }
    chunk += word;
  }
  if (chunk !== '') yield chunk;
}

/**
 * Makes texts out of what a model sends: they can be stored (no NUL, no half of a character), and together they are at most so
 * long.
 */
export class TextSanitizer {
  private readonly maxCharacters: number;
  private length = 0;
  private pendingSurrogate = '';

  constructor(most: number) {
    this.maxCharacters = most;
  }

  get isFull(): boolean {
    return this.length >= this.maxCharacters;
  }

  /** What of it can be said now. */
  push(text: string): string {
    const whole = (this.pendingSurrogate + text).replaceAll('\0', '');
    const last = whole.charCodeAt(whole.length - 1);
    // The other half of the character is in the next piece.
    const cut = last >= 0xd800 && last <= 0xdbff ? whole.length - 1 : whole.length;
    this.pendingSurrogate = whole.slice(cut);
    const said = whole.slice(0, Math.min(cut, this.maxCharacters - this.length)).toWellFormed();
    this.length += said.length;
    return said;
  }
}
