import { LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';
import type { DeckHeader } from '../../domain/reports/deck.ts';
import { type ReportLook, reportLook } from '../slides/report-look.ts';
import { type Box, isRightToLeft, mirrored, type SlidePage, slidePage } from '../slides/slide-page.ts';
import type { Piece, TextStyle } from './type/atoms.ts';
import { GlyphWriter } from './type/glyph-writer.ts';
import { type Line, linesOf } from './type/lines.ts';
import { Typefaces } from './type/typefaces.ts';

type Document = PDFKit.PDFDocument;
type Element = PDFKit.PDFStructureElement;

export interface TextLook {
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
export type Text = string | readonly Piece[];
type PartOptions = PDFKit.Mixins.StructureElementOptions & { scope?: 'Column' | 'Row' };
type Room = Pick<Box, 'x' | 'y' | 'width'>;

const LEADING = 1.35;
/** Half the height of capitals, of the type's size. */
const HALF_CAPITAL = 0.357;

/**
 * Draws on the pages of one document. Places are those of a report that is read from the left; where it is read from the right, all of them
 * are mirrored here.
 */
export class Pen {
  readonly page: SlidePage;
  readonly look: ReportLook;
  readonly rightToLeft: boolean;
  readonly typefaces: Typefaces;
  readonly doc: Document;
  private readonly glyphs: GlyphWriter;
  private readonly parents: Element[] = [];

  constructor(doc: Document, { style: look }: DeckHeader, typefaces = new Typefaces()) {
    this.doc = doc;
    this.page = slidePage(look.page_size);
    this.look = reportLook(look);
    this.rightToLeft = isRightToLeft(look.language);
    this.typefaces = typefaces;
    this.glyphs = new GlyphWriter(doc);
    const whole = doc.struct('Document');
    doc.addStructure(whole);
    this.parents.push(whole);
  }

  /** A part of what the document is made of, for who has it read aloud. */
  part(type: string, draw: () => void, options?: PartOptions): void {
    this.open(type, options);
    draw();
    this.close();
  }

  open(type: string, options: PartOptions = {}): void {
    const element = this.doc.struct(type, options);
    this.parents.at(-1)!.add(element);
    this.parents.push(element);
  }

  close(): void {
    this.parents.pop()!.end();
  }

  /** What is seen of a part. Nothing else may be told of within. */
  seen(draw: () => void): void {
    this.parents.at(-1)!.add(draw);
  }

  /** Ornaments, and what every page repeats: not read aloud. */
  aside(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  /** Once, when all is drawn. */
  end(): void {
    this.parents[0]!.end();
  }

  lines(text: Text, width: number, look: TextLook): Line[] {
    const { maxLines } = look;
    const room = { width, rightToLeft: this.rightToLeft, ...(maxLines === undefined ? {} : { maxLines }) };
    return linesOf(piecesOf(text, look), room, this.typefaces);
  }

  heightOf = (lines: readonly Line[], { size, leading = LEADING }: TextLook): number =>
    lines.length * size * leading;

  width(text: Text, look: TextLook): number {
    return Math.max(0, ...this.lines(text, Infinity, look).map(({ width }) => width));
  }

  /** Draws lines from the top of a room; returns where they end. */
  draw(lines: readonly Line[], room: Room, look: TextLook): number {
    const { size, align = 'start', leading = LEADING } = look;
    const { x, width } = this.placed({ ...room, height: 0 });
    const step = size * leading;
    lines.forEach((line, index) => {
      const free = width - line.width;
      const fromLeft = align === 'center' ? free / 2 : (align === 'end') === this.rightToLeft ? 0 : free;
      const top = room.y + step * index;
      this.glyphs.write(line, x + fromLeft, top + step / 2 + size * HALF_CAPITAL);
      this.links(line, { x: x + fromLeft, y: top, height: step }, size);
    });
    return room.y + step * lines.length;
  }

  /** A paragraph; returns where it ends. */
  paragraph(text: Text, room: Room, look: TextLook & { as?: string }): number {
    const lines = this.lines(text, room.width, look);
    let end = room.y;
    this.part(look.as ?? 'P', () => {
      this.seen(() => {
        end = this.draw(lines, room, look);
      });
      this.flushLinks();
    });
    return end;
  }

  /** At a point, whose `y` is the middle of capitals; as it is, not mirrored. */
  label(text: string, x: number, y: number, look: TextLook): void {
    const [line] = this.lines(text, Infinity, look);
    if (line === undefined) return;
    const shift = look.align === 'center' ? line.width / 2 : look.align === 'end' ? line.width : 0;
    this.glyphs.write(line, x - shift, y + look.size * HALF_CAPITAL);
  }

  fill(box: Box, color: string, radius = 0): void {
    const { x, y, width, height } = this.placed(box);
    this.doc.roundedRect(x, y, width, height, radius).fill(color);
  }

  rule({ x, y, width }: Room, color: string, thickness = 0.75): void {
    const at = this.placed({ x, y, width, height: 0 });
    this.doc
      .moveTo(at.x, y)
      .lineTo(at.x + width, y)
      .lineWidth(thickness)
      .stroke(color);
  }

  placed(box: Box): Box {
    return this.rightToLeft ? mirrored(box, this.page) : box;
  }

  private pending: (Box & { href: string })[] = [];

  /** Underlines links, and keeps where they are until what holds them is told of. */
  private links(line: Line, { x, y, height }: Omit<Box, 'width'>, size: number): void {
    let at = x;
    for (const { style, width } of line.atoms) {
      const { href = null, color } = style;
      const last = this.pending.at(-1);
      if (href !== null) {
        const under = y + height / 2 + size * (HALF_CAPITAL + 0.14);
        this.doc
          .moveTo(at, under)
          .lineTo(at + width, under)
          .lineWidth(0.5)
          .stroke(color);
        if (last?.href === href && last.y === y && Math.abs(last.x + last.width - at) < 1)
          last.width += width;
        else this.pending.push({ x: at, y, width, height, href });
      }
      at += width;
    }
  }

  /** Links of what was drawn since, told of within the part that is being told of. */
  flushLinks(): void {
    for (const { x, y, width, height, href } of this.pending) {
      const link = this.doc.struct('Link', { alt: href });
      this.parents.at(-1)!.add(link);
      const options = { structParent: link, Contents: new String(href) };
      this.doc.link(x, y, width, height, href, options as unknown as PDFKit.Mixins.AnnotationOption);
      link.end();
    }
    this.pending = [];
  }
}

function piecesOf(text: Text, look: TextLook): readonly Piece[] {
  if (typeof text !== 'string') return text;
  return [{ text, style: styleOf(look) }];
}

export const styleOf = ({
  size,
  color = LIGHT_THEME.text,
  bold = false,
  italic = false,
}: TextLook): TextStyle => ({
  size,
  color,
  bold,
  italic,
});
