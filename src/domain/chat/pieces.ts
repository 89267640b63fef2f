const PIECE_CHARACTERS = 40;

/** A text in pieces of a few words, as somebody says it; together they are the text. */
export function* piecesOf(text: string, most = PIECE_CHARACTERS): Generator<string> {
  let piece = '';
  for (const word of text.match(/\s*\S+|\s+$/gu) ?? []) {
    if (piece !== '' && piece.length + word.length > most) {
      yield piece;
      piece = '';
    }
    piece += word;
  }
  if (piece !== '') yield piece;
}

/**
 * Makes texts out of what a model sends: they can be stored (no NUL, no half of a character), and together they are at most so
 * long.
 */
export class SaidText {
  private readonly most: number;
  private length = 0;
  private half = '';

  constructor(most: number) {
    this.most = most;
  }

  get isFull(): boolean {
    return this.length >= this.most;
  }

  /** What of it can be said now. */
  next(text: string): string {
    const whole = (this.half + text).replaceAll('\0', '');
    const last = whole.charCodeAt(whole.length - 1);
    // The other half of the character is in the next piece.
    const cut = last >= 0xd800 && last <= 0xdbff ? whole.length - 1 : whole.length;
    this.half = whole.slice(cut);
    const said = whole.slice(0, Math.min(cut, this.most - this.length)).toWellFormed();
    this.length += said.length;
    return said;
  }
}
