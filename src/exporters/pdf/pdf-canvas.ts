import { requireItem } from '../../lib/require-value.ts';
import type { Subset } from 'fontkit';
import {
  type ShapedGlyph,
  type StyledText,
  type TextRun,
  type TextStyle,
  layoutLines,
  type Line,
} from './text-layout.ts';
import { type Face, Typefaces } from './typefaces.ts';
import { LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';
import type { DeckHeader } from '../../domain/reports/deck.ts';
import {
  type Box,
  isRightToLeft,
  mirrorBox,
  type ReportStyle,
  reportStyle,
  type SlidePage,
  slidePageLayout,
} from '../slide-page.ts';

type Document = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

export interface TextFormat {
  size: number;
  color?: string;
  bold?: boolean;
  italic?: boolean;
  align?: Align;
  /** Of the type's size. */
  leading?: number;
  maxLines?: number;
}

type Align = 'start' | 'center' | 'end';
export type FormattedText = string | readonly StyledText[];
type TagOptions = PDFKit.Mixins.StructureElementOptions & { scope?: 'Column' | 'Row' };
type LineArea = Pick<Box, 'x' | 'y' | 'width'>;

const LINE_HEIGHT = 1.35;
/** Half the cap height, relative to the font size. */
const HALF_CAP_HEIGHT = 0.357;

/**
 * Draws on the pages of one document. Positions are left-to-right; in right-to-left reports, all positions
 * are mirrored here.
 */
export class PdfCanvas {
  readonly page: SlidePage;
  readonly style: ReportStyle;
  readonly rightToLeft: boolean;
  readonly typefaces: Typefaces;
  private readonly glyphs: GlyphWriter;
  private readonly root: Element;
  /** The open elements below the root, the innermost last. */
  private readonly openElements: Element[] = [];

  constructor(
    readonly doc: Document,
    { style }: DeckHeader,
    typefaces = new Typefaces(),
  ) {
    this.page = slidePageLayout(style.page_size);
    this.style = reportStyle(style);
    this.rightToLeft = isRightToLeft(style.language);
    this.typefaces = typefaces;
    this.glyphs = new GlyphWriter(doc);
    this.root = doc.struct('Document');
    doc.addStructure(this.root);
  }

  private get currentElement(): Element {
    return this.openElements.at(-1) ?? this.root;
  }

  /** Adds a structure element for assistive technology. */
  withTag(type: string, draw: () => void, options?: TagOptions): void {
    this.openTag(type, options);
    draw();
    this.closeTag();
  }

  openTag(type: string, options: TagOptions = {}): void {
    const element = this.doc.struct(type, options);
    this.currentElement.add(element);
    this.openElements.push(element);
  }

  closeTag(): void {
    const element = this.openElements.pop();
    if (element === undefined) throw new Error('no tag is open');
    element.end();
  }

  /** Marks the visible content of the current element. Must not contain further elements. */
  markContent(draw: () => void): void {
    this.currentElement.add(draw);
  }

  /** Draws decoration and repeated page elements, which screen readers skip. */
  drawArtifact(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  /** Call once, after all content is drawn. */
  closeDocumentTag(): void {
    this.root.end();
  }

  layoutLines(text: FormattedText, width: number, format: TextFormat): Line[] {
    const { maxLines } = format;
    const area = { width, rightToLeft: this.rightToLeft, ...(maxLines === undefined ? {} : { maxLines }) };
    return layoutLines(toStyledTexts(text, format), area, this.typefaces);
  }

  heightOf = (lines: readonly Line[], { size, leading = LINE_HEIGHT }: TextFormat): number =>
    lines.length * size * leading;

  measureWidth(text: FormattedText, format: TextFormat): number {
    return Math.max(0, ...this.layoutLines(text, Infinity, format).map(({ width }) => width));
  }

  /** Draws lines from the top of an area; returns the y position of their end. */
  drawLines(lines: readonly Line[], area: LineArea, format: TextFormat): number {
    const { size, align = 'start', leading = LINE_HEIGHT } = format;
    const { x, width } = this.toPageBox({ ...area, height: 0 });
    const step = size * leading;
    lines.forEach((line, index) => {
      const freeWidth = width - line.width;
      const fromLeft =
        align === 'center' ? freeWidth / 2 : (align === 'end') === this.rightToLeft ? 0 : freeWidth;
      const top = area.y + step * index;
      this.glyphs.write(line, x + fromLeft, top + step / 2 + size * HALF_CAP_HEIGHT);
      this.underlineLinks(line, { x: x + fromLeft, y: top, height: step }, size);
    });
    return area.y + step * lines.length;
  }

  /** Draws a paragraph; returns the y position of its end. */
  drawParagraph(text: FormattedText, area: LineArea, format: TextFormat & { as?: string }): number {
    const lines = this.layoutLines(text, area.width, format);
    let end = area.y;
    this.withTag(format.as ?? 'P', () => {
      this.markContent(() => {
        end = this.drawLines(lines, area, format);
      });
      this.addPendingLinks();
    });
    return end;
  }

  /** Draws a label without mirroring. `y` is the middle of the capitals. */
  drawLabel({ text, x, y, format }: { text: string; x: number; y: number; format: TextFormat }): void {
    const [line] = this.layoutLines(text, Infinity, format);
    if (line === undefined) return;
    const shift = format.align === 'center' ? line.width / 2 : format.align === 'end' ? line.width : 0;
    this.glyphs.write(line, x - shift, y + format.size * HALF_CAP_HEIGHT);
  }

  fillBox(box: Box, color: string, radius = 0): void {
    const { x, y, width, height } = this.toPageBox(box);
    this.doc.roundedRect(x, y, width, height, radius).fill(color);
  }

  drawRule({ x, y, width }: LineArea, color: string, thickness = 0.75): void {
    const at = this.toPageBox({ x, y, width, height: 0 });
    this.doc
      .moveTo(at.x, y)
      .lineTo(at.x + width, y)
      .lineWidth(thickness)
      .stroke(color);
  }

  toPageBox(box: Box): Box {
    return this.rightToLeft ? mirrorBox(box, this.page) : box;
  }

  private pendingLinks: (Box & { href: string })[] = [];

  /** Underlines links and stores their positions for `addPendingLinks`. */
  private underlineLinks(line: Line, { x, y, height }: Omit<Box, 'width'>, size: number): void {
    let at = x;
    for (const { style, width } of line.runs) {
      const { href = null, color } = style;
      const last = this.pendingLinks.at(-1);
      if (href !== null) {
        const under = y + height / 2 + size * (HALF_CAP_HEIGHT + 0.14);
        this.doc
          .moveTo(at, under)
          .lineTo(at + width, under)
          .lineWidth(0.5)
          .stroke(color);
        if (last?.href === href && last.y === y && Math.abs(last.x + last.width - at) < 1)
          last.width += width;
        else this.pendingLinks.push({ x: at, y, width, height, href });
      }
      at += width;
    }
  }

  /** Adds the stored links to the current structure element. */
  addPendingLinks(): void {
    for (const { x, y, width, height, href } of this.pendingLinks) {
      const link = this.doc.struct('Link', { alt: href });
      this.currentElement.add(link);
      const options = { structParent: link, Contents: new String(href) };
      this.doc.link(x, y, width, height, href, options as unknown as PDFKit.Mixins.AnnotationOption);
      link.end();
    }
    this.pendingLinks = [];
  }
}

function toStyledTexts(text: FormattedText, format: TextFormat): readonly StyledText[] {
  if (typeof text !== 'string') return text;
  return [{ text, style: toTextStyle(format) }];
}

export const toTextStyle = ({
  size,
  color = LIGHT_THEME.text,
  bold = false,
  italic = false,
}: TextFormat): TextStyle => ({
  size,
  color,
  bold,
  italic,
});

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
class GlyphWriter {
  private readonly doc: FontHolder & Pick<PDFKit.PDFDocument, 'addContent' | 'fillColor'>;
  private readonly fonts = new Map<string, EmbeddedTypeface>();

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc as unknown as GlyphWriter['doc'];
  }

  /** `x`: left end; `y`: baseline; points from the upper left. */
  write({ runs }: Line, x: number, y: number): void {
    let at = x;
    for (const joined of joinRuns(runs)) {
      this.writeRun(joined, at, y);
      at += joined.reduce((sum, { width }) => sum + width, 0);
    }
  }

  private writeRun(runs: readonly TextRun[], x: number, y: number): void {
    const { doc } = this;
    const { face, style, isMissing, text } = requireItem(runs, 0);
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
    const { size, rise = 0 } = requireItem(runs, 0).style;
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

/** Groups adjacent runs that are written together. */
function joinRuns(runs: readonly TextRun[]): TextRun[][] {
  const groups: TextRun[][] = [];
  for (const run of runs) {
    const group = groups.at(-1);
    if (group !== undefined && canJoin(requireItem(group, 0), run)) group.push(run);
    else groups.push([run]);
  }
  return groups;
}

const canJoin = (one: TextRun, other: TextRun): boolean =>
  one.face === other.face && one.style === other.style && !one.isMissing && !other.isMissing;

const utf16 = (text: string): string =>
  `feff${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}`;
