import { bidi } from './bidi.ts';
import type { Face } from './typefaces.ts';

/** In thousandths of the type's size. */
export interface ShapedGlyph {
  id: number;
  /** Code points for text extraction. */
  codes: number[];
  /** Width of the glyph, and advance to the next one. */
  width: number;
  advance: number;
  dx: number;
  dy: number;
}

export interface ShapedText {
  glyphs: ShapedGlyph[];
  width: number;
}

const MAX_CACHED = 20_000;
const cache = new Map<string, ShapedText>();

/** Characters that control direction and are never drawn. */
const DIRECTION_CONTROLS = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * Shapes a text to glyphs from left to right. `text` and the code points of the glyphs are in logical order,
 * so that brackets keep their original characters and letters include their combining marks.
 */
export function shapeText(face: Face, text: string, rightToLeft: boolean): ShapedText {
  const key = `${face.id}${rightToLeft ? '<' : '>'}${text}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size >= MAX_CACHED) cache.clear();
  const scale = 1000 / face.font.unitsPerEm;
  const plain = text.replace(DIRECTION_CONTROLS, '');
  const mirrored = rightToLeft ? plain.replace(MIRRORABLE, mirrorCharacter) : plain;
  const run = face.font.layout(mirrored, undefined, undefined, undefined, rightToLeft ? 'rtl' : 'ltr');
  const glyphs = run.glyphs.map(({ id, codePoints, advanceWidth }, index) => {
    const { xAdvance, xOffset, yOffset } = run.positions[index]!;
    return {
      id,
      codes: rightToLeft
        ? codePoints.map((code) => mirrorCharacter(String.fromCodePoint(code)).codePointAt(0)!)
        : codePoints,
      width: advanceWidth * scale,
      advance: xAdvance * scale,
      dx: xOffset * scale,
      dy: yOffset * scale,
    };
  });
  if (rightToLeft) attachMarksToLetters(glyphs);
  const shaped = { glyphs, width: glyphs.reduce((sum, { advance }) => sum + advance, 0) };
  cache.set(key, shaped);
  return shaped;
}

const MIRRORABLE = /[^\p{L}\p{M}\p{N}\s]/gu;
const MARK = /^\p{M}+$/u;

const mirrorCharacter = (character: string): string => bidi.getMirroredCharacter(character) ?? character;

/** In visual order, marks precede their letter. Separate marks would be extracted as separate lines. */
function attachMarksToLetters(glyphs: ShapedGlyph[]): void {
  let marks: number[] = [];
  for (const glyph of glyphs) {
    if (glyph.codes.length === 0) continue;
    if (MARK.test(String.fromCodePoint(...glyph.codes))) {
      marks = [...glyph.codes, ...marks];
      glyph.codes = [];
    } else if (marks.length > 0) {
      glyph.codes = [...glyph.codes, ...marks];
      marks = [];
    }
  }
}

/** Returns a box for each character without a glyph. */
export function missingGlyphBoxes(face: Face, text: string): ShapedText {
  const [box] = shapeText(face, '\uffff', false).glyphs;
  const glyphs = [...text].map((character) => ({ ...box!, id: 0, codes: [character.codePointAt(0)!] }));
  return { glyphs, width: glyphs.length * box!.advance };
}
