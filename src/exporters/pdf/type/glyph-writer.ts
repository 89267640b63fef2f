import type { Subset } from 'fontkit';
import type { TextRun } from './text-runs.ts';
import type { ShapedGlyph } from './shape.ts';
import type { Line } from './lines.ts';
import type { Face } from './typefaces.ts';

/** An embedded font of pdfkit; its types do not export it. */
interface EmbeddedFont {
  id: string;
  subset: Subset;
  /** Parallel to the glyphs of the subset. */
  widths: number[];
  unicode: number[][];
  ref(): object;
}

interface FontHolder {
  font(source: object, name: string): unknown;
  _font: EmbeddedFont;
  page: { fonts: Record<string, object> };
}

/** A typeface in one document. */
interface EmbeddedTypeface {
  font: EmbeddedFont;
  /** Glyph numbers in the subset, by glyph ID and code points. */
  numbers: Map<string, number>;
}

const round = (value: number): string => String(Math.round(value * 100) / 100);

/** Writes lines of glyphs into a page, so that readers can extract the text in logical order. */
export class GlyphWriter {
  private readonly doc: FontHolder & Pick<PDFKit.PDFDocument, 'addContent' | 'fillColor'>;
  private readonly fonts = new Map<string, EmbeddedTypeface>();

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc as unknown as GlyphWriter['doc'];
  }

  /** `x`: left end; `y`: baseline; points from the upper left. */
  write({ runs }: Line, x: number, y: number): void {
    let at = x;
    for (let start = 0; start < runs.length;) {
      let end = start + 1;
      while (end < runs.length && canJoin(runs[start]!, runs[end]!)) end += 1;
      const run = runs.slice(start, end);
      this.writeRun(run, at, y);
      at += run.reduce((sum, { width }) => sum + width, 0);
      start = end;
    }
  }

  private writeRun(runs: readonly TextRun[], x: number, y: number): void {
    const { doc } = this;
    const { face, style, isMissing, text } = runs[0]!;
    const embedded = this.embed(face);
    doc.page.fonts[embedded.font.id] = embedded.font.ref();
    doc.fillColor(style.color);
    if (isMissing) doc.addContent(`/Span <</ActualText <${utf16(text)}>>> BDC`);
    doc.addContent(
      `BT /${embedded.font.id} ${round(style.size)} Tf 1 0 0 -1 ${round(x)} ${round(y)} Tm ` +
        `${this.showOperators(runs, embedded)} ET`,
    );
    if (isMissing) doc.addContent('EMC');
  }

  /** Glyphs with their offsets from the end of the previous glyph. */
  private showOperators(runs: readonly TextRun[], embedded: EmbeddedTypeface): string {
    const { size, rise = 0 } = runs[0]!.style;
    const parts: string[] = [];
    let open = '';
    let [wanted, reached, height] = [0, 0, 0];
    const close = (): void => {
      if (open !== '') parts.push(`[${open}] TJ`);
      open = '';
    };
    if (rise !== 0) parts.push(`${round(rise)} Ts`);
    for (const glyph of runs.flatMap(({ shaped }) => shaped.glyphs)) {
      if (glyph.dy !== height) {
        close();
        height = glyph.dy;
        parts.push(`${round(rise + (height * size) / 1000)} Ts`);
      }
      const gap = Math.round(reached - wanted - glyph.dx);
      if (gap !== 0) {
        open += ` ${gap} `;
        reached -= gap;
      }
      open += `<${this.glyphNumber(glyph, embedded)}>`;
      reached += glyph.width;
      wanted += glyph.advance;
    }
    close();
    if (rise !== 0 || height !== 0) parts.push('0 Ts');
    return parts.join(' ').replaceAll('><', '');
  }

  private embed(face: Face): EmbeddedTypeface {
    let embedded = this.fonts.get(face.id);
    if (embedded === undefined) {
      this.doc.font(face.font, face.id);
      embedded = { font: this.doc._font, numbers: new Map() };
      this.fonts.set(face.id, embedded);
    }
    return embedded;
  }

  /** A glyph that stands for several letters (dotless Arabic shapes, say) is embedded once per letter, so that the text can be extracted. */
  private glyphNumber({ id, codes, width }: ShapedGlyph, { font, numbers }: EmbeddedTypeface): string {
    const key = `${id} ${codes.join(' ')}`;
    let number = numbers.get(key);
    if (number === undefined) {
      const isInSubset = font.subset.glyphs.includes(id);
      number = isInSubset && id !== 0 ? font.subset.glyphs.push(id) - 1 : font.subset.includeGlyph(id);
      numbers.set(key, number);
      font.widths[number] = width;
      font.unicode[number] = codes;
    }
    return number.toString(16).padStart(4, '0');
  }
}

const canJoin = (one: TextRun, other: TextRun): boolean =>
  one.face === other.face && one.style === other.style && !one.isMissing && !other.isMissing;

const utf16 = (text: string): string =>
  `feff${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}`;
