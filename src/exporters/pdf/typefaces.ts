import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { create, type Font } from 'fontkit';

/** A typeface of one weight. Opened on first use and cached for all reports. */
export interface Face {
  id: string;
  font: Font;
}

export interface FaceStyle {
  bold: boolean;
  italic: boolean;
}

type Script = 'latin' | 'arabic' | 'hebrew' | 'han' | 'hangul';

type FaceVariant = 'regular' | 'bold' | 'italic' | 'bold-italic';

/** Packages, and the files in them. */
const FILES: Record<
  Script,
  { name: string; files: { regular: string; bold: string } & Partial<Record<FaceVariant, string>> }
> = {
  latin: {
    name: '@expo-google-fonts/noto-sans',
    files: {
      regular: '400Regular/NotoSans_400Regular.ttf',
      bold: '600SemiBold/NotoSans_600SemiBold.ttf',
      italic: '400Regular_Italic/NotoSans_400Regular_Italic.ttf',
      'bold-italic': '600SemiBold_Italic/NotoSans_600SemiBold_Italic.ttf',
    },
  },
  arabic: {
    name: '@expo-google-fonts/noto-sans-arabic',
    files: {
      regular: '400Regular/NotoSansArabic_400Regular.ttf',
      bold: '600SemiBold/NotoSansArabic_600SemiBold.ttf',
    },
  },
  hebrew: {
    name: '@expo-google-fonts/noto-sans-hebrew',
    files: {
      regular: '400Regular/NotoSansHebrew_400Regular.ttf',
      bold: '600SemiBold/NotoSansHebrew_600SemiBold.ttf',
    },
  },
  han: {
    name: '@embedpdf/fonts-sc',
    files: {
      regular: 'fonts/NotoSansHans-Regular.otf',
      bold: 'fonts/NotoSansHans-Bold.otf',
    },
  },
  hangul: {
    name: '@embedpdf/fonts-kr',
    files: {
      regular: 'fonts/NotoSansKR-Regular.otf',
      bold: 'fonts/NotoSansKR-Bold.otf',
    },
  },
};

/** Scripts whose packages are optional, with the languages for the notice. */
const OPTIONAL_SCRIPTS: Partial<Record<Script, string>> = { han: 'Chinese and Japanese', hangul: 'Korean' };

const RANGES: readonly [from: number, to: number, script: Script][] = [
  [0x0590, 0x05ff, 'hebrew'],
  [0x0600, 0x06ff, 'arabic'],
  [0x0750, 0x077f, 'arabic'],
  [0x0870, 0x08ff, 'arabic'],
  [0x1100, 0x11ff, 'hangul'],
  [0x2e80, 0x312f, 'han'],
  [0x3130, 0x318f, 'hangul'],
  [0x3190, 0x9fff, 'han'],
  [0xa960, 0xa97f, 'hangul'],
  [0xac00, 0xd7ff, 'hangul'],
  [0xf900, 0xfaff, 'han'],
  [0xfb1d, 0xfb4f, 'hebrew'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe30, 0xfe4f, 'han'],
  [0xfe70, 0xfeff, 'arabic'],
  [0xff00, 0xffef, 'han'],
  [0x20000, 0x3ffff, 'han'],
];

const scriptOf = (code: number): Script =>
  (code < 0x0590 ? undefined : RANGES.find(([from, to]) => code >= from && code <= to)?.[2]) ?? 'latin';

/** Combining marks, joiners and variation selectors use the face of the previous character. */
const JOINS_PREVIOUS = /\p{M}|\u200c|\u200d/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** The typefaces of a report. */
export class Typefaces {
  private readonly notices = new Set<string>();
  private readonly faces = new Map<string, Face | null>();
  private readonly findPackage: (name: string) => string | null;

  /** `findPackage`: folder of a package; null if it is not installed. */
  constructor(findPackage = findInstalledPackage) {
    this.findPackage = findPackage;
  }

  /** The face for a character after one with the face `previous`; null if no typeface has it. */
  faceFor(code: number, style: FaceStyle, previous: Face | null): Face | null {
    const character = String.fromCodePoint(code);
    if (previous !== null && (JOINS_PREVIOUS.test(character) || code === 0x20) && hasGlyph(previous, code))
      return previous;
    if (INVISIBLE.test(character)) return previous ?? this.loadFace('latin', style);
    const script = scriptOf(code);
    const face = this.loadFace(script, style);
    if (face !== null && hasGlyph(face, code)) return face;
    for (const other of ['latin', 'arabic', 'han', 'hangul'] as const) {
      const found = other === script ? null : this.loadFace(other, style);
      if (found !== null && hasGlyph(found, code)) return found;
    }
    this.notices.add(
      face === null
        ? `${OPTIONAL_SCRIPTS[script] ?? script} text is shown as boxes: install the package ${FILES[script].name} to have it drawn.`
        : 'Some characters are shown as boxes: none of the typefaces that come with this program has them.',
    );
    return null;
  }

  latinFace(style: FaceStyle): Face {
    const face = this.loadFace('latin', style);
    if (face === null) throw new Error(`the package ${FILES.latin.name} is not installed`);
    return face;
  }

  /** Notices for readers about characters without a glyph, and how to fix them. */
  missingNotices(): string[] {
    return [...this.notices];
  }

  private loadFace(script: Script, { bold, italic }: FaceStyle): Face | null {
    const { name, files } = FILES[script];
    const variant = bold ? (italic ? 'bold-italic' : 'bold') : italic ? 'italic' : 'regular';
    const file = files[variant] ?? (bold ? files.bold : files.regular);
    let face = this.faces.get(file);
    if (face === undefined) {
      const root = this.findPackage(name);
      face = root === null ? null : openFace(join(root, file));
      this.faces.set(file, face);
    }
    return face;
  }
}

const hasGlyph = (face: Face, code: number): boolean => face.font.hasGlyphForCodePoint(code);

const { resolve } = createRequire(import.meta.url);

function findInstalledPackage(name: string): string | null {
  try {
    const main = resolve(name);
    return main.slice(0, main.lastIndexOf(join(name)) + name.length);
  } catch {
    return null;
  }
}

const openFaces = new Map<string, Face>();

function openFace(path: string): Face {
  let face = openFaces.get(path);
  if (face === undefined) {
    face = { id: path, font: withoutGlyphCache(create(readFileSync(path))) };
    openFaces.set(path, face);
  }
  return face;
}

/**
 * fontkit caches each glyph with its first code point, but several Arabic letters share one glyph, because their dots are separate
 * glyphs. This bypasses the cache.
 */
function withoutGlyphCache(font: Font): Font {
  const inner = font as Font & {
    _glyphs: Record<number, unknown>;
    getGlyph(id: number, codes?: number[]): object;
  };
  const getGlyph = inner.getGlyph.bind(inner);
  inner.getGlyph = (id, codes) => {
    delete inner._glyphs[id];
    return getGlyph(id, codes);
  };
  return inner;
}
