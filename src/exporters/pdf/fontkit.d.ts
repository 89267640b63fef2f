/** The used part of its API. */
declare module 'fontkit' {
  export interface Glyph {
    id: number;
    codePoints: number[];
    advanceWidth: number;
  }

  export interface GlyphPosition {
    xAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  export interface GlyphRun {
    glyphs: Glyph[];
    positions: GlyphPosition[];
    advanceWidth: number;
  }

  export interface Subset {
    /** Ids of glyphs, by their number in the subset. */
    glyphs: number[];
    includeGlyph(id: number): number;
  }

  export interface Font {
    unitsPerEm: number;
    hasGlyphForCodePoint(code: number): boolean;
    layout(
      text: string,
      features?: string[] | Record<string, boolean>,
      script?: string,
      language?: string,
      direction?: 'ltr' | 'rtl',
    ): GlyphRun;
    createSubset(): Subset;
  }

  export function create(file: Uint8Array): Font;
}
