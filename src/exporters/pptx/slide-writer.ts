import type { PptxSlide, TextOptions } from './library.ts';
import type { DeckHeader, DeckImage } from '../../domain/reports/deck.ts';
import { type Box, mirrorBox, type SlidePage, TYPE } from '../slides/slide-page.ts';
import type { NativeChart } from './charts/plotted-chart.ts';
import type { ShapeNote } from './finish/slide-part.ts';
import type { ChartNote } from './finish/chart-part.ts';
import { toInches, toPosition } from './inches.ts';
import { PLACEHOLDERS, type Placeholder } from './layouts.ts';
import { fittingScale } from './markdown-text.ts';
import { type NativeTable, rowHeights, tableRows } from './native-table.ts';
import type { Palette } from './palette.ts';
import {
  INHERITING_PLACEHOLDER,
  type Paragraph,
  plainParagraph,
  textRuns,
  type WritingDirection,
} from './text-body.ts';
import { removeForbiddenCharacters } from './xml.ts';

/** What all slides of a file share. */
export interface SlideContext extends WritingDirection {
  head: DeckHeader;
  page: SlidePage;
  palette: Palette;
}

export interface TextBoxOptions {
  name: string;
  box: Box;
  placeholder?: Placeholder;
  anchor?: keyof typeof ANCHORS;
  /** Of its type, so that it can be told whether the text fits; absent: it does. */
  usualSize?: number;
  fill?: string;
  outline?: string;
  /** Points on each side. */
  inset?: number;
  isRounded?: boolean;
}

const ANCHORS = { t: 'top', ctr: 'middle', b: 'bottom' } as const;
const LEAST_SCALE = 1;

/**
 * One slide as it is being written. Places are those of a report that is read from the left. What the library cannot be told of a shape is
 * noted by the name that it has there.
 */
export class SlideWriter {
  readonly context: SlideContext;
  readonly shapes = new Map<string, ShapeNote>();
  readonly charts: ChartNote[] = [];
  readonly #slide: PptxSlide;

  constructor(slide: PptxSlide, around: SlideContext) {
    this.#slide = slide;
    this.context = around;
  }

  /** What stands in the library's file for the name. */
  #registerShape(note: ShapeNote): string {
    const key = `shape-${this.shapes.size + 1}`;
    this.shapes.set(key, note);
    return key;
  }

  #toPosition(box: Box) {
    return toPosition(this.context.isRtl ? mirrorBox(box, this.context.page) : box);
  }

  /** Every slide has one; a hidden one stands above the slide, where outlines and screen readers find it. */
  addTitle(
    paragraphs: Paragraph[],
    { isHidden, room, size }: { isHidden: boolean; room: Box; size: number },
  ): void {
    const box = isHidden ? { ...room, y: -room.height - 20 } : room;
    this.addText(paragraphs, { name: 'Title', box, placeholder: PLACEHOLDERS.title, usualSize: size });
  }

  addText(paragraphs: readonly Paragraph[], placed: TextBoxOptions): void {
    const { name, box, placeholder, anchor, usualSize, fill, outline, inset, isRounded = false } = placed;
    const edge = 2 * (inset ?? 0);
    const room = { width: box.width - edge, height: box.height - edge };
    const scale = usualSize === undefined ? LEAST_SCALE : fittingScale(paragraphs, room, usualSize);
    const options: TextOptions & { placeholder: string } = {
      ...this.#toPosition(box),
      objectName: this.#registerShape({ name, placeholder: placeholder ?? null, scale }),
      placeholder: INHERITING_PLACEHOLDER,
      fit: 'shrink',
      isTextBox: placeholder === undefined,
      ...(placeholder === undefined && { margin: inset ?? 0, valign: ANCHORS[anchor ?? 't'] }),
      ...(placeholder !== undefined && anchor !== undefined && { valign: ANCHORS[anchor] }),
      ...(fill !== undefined && { fill: { color: fill } }),
      ...(outline !== undefined && { line: { color: outline, width: 0.75 } }),
      ...(isRounded && { shape: 'roundRect', rectRadius: 0.08 }),
    };
    this.#slide.addText(textRuns(paragraphs, this.context), options);
  }

  /** Lines in small type, each a paragraph. */
  addSmallText(lines: readonly string[], box: Box, name: string): void {
    const { palette } = this.context;
    const look = { size: TYPE.source, fill: palette.colorName(palette.style.mutedText) };
    const paragraphs = lines.map((line) => plainParagraph(line, look));
    this.addText(paragraphs, { name, box, usualSize: TYPE.source });
  }

  /** A plain surface. */
  addRule(box: Box, color: string): void {
    this.#slide.addShape('rect', {
      ...this.#toPosition(box),
      objectName: this.#registerShape({ name: 'Rule', placeholder: null, scale: 1 }),
      fill: { color: this.context.palette.colorName(color) },
    });
  }

  addChart(
    chart: NativeChart,
    placed: { box: Box; alt: string; title: string; placeholder?: Placeholder },
  ): void {
    const { sheet, layers, options, labels } = chart;
    const given = {
      ...options,
      ...this.#toPosition(placed.box),
      objectName: this.#registerShape({ name: 'Chart', placeholder: placed.placeholder ?? null, scale: 1 }),
      altText: removeForbiddenCharacters(placed.alt),
      lang: this.context.language,
    };
    const [only] = layers;
    if (layers.length === 1 && only !== undefined)
      this.#slide.addChart(only.type, only.data, { ...given, ...only.options });
    else this.#slide.addChart(layers, given as unknown as never[]);
    this.charts.push({ sheet, labels, title: placed.title });
  }

  addTable(table: NativeTable, placed: { box: Box; alt: string; placeholder?: Placeholder }): void {
    const { palette } = this.context;
    const { x, y, w, h } = this.#toPosition(placed.box);
    this.#slide.addTable(tableRows(table, palette, this.context), {
      ...{ x, y, w, h },
      colW: table.widths.map(toInches),
      rowH: rowHeights(table),
      objectName: this.#registerShape({
        name: 'Table',
        placeholder: placed.placeholder ?? null,
        scale: 1,
        alt: placed.alt,
        isHeaded: table.hasHeader,
      }),
    });
  }

  /** Its bytes alone: the library reads addresses and paths, which it is never given. */
  addPicture({ kind, bytes }: DeckImage, placed: { box: Box; alt: string; placeholder?: Placeholder }): void {
    this.#slide.addImage({
      data: `image/${kind};base64,${Buffer.from(bytes).toString('base64')}`,
      ...this.#toPosition(placed.box),
      altText: removeForbiddenCharacters(placed.alt),
      objectName: this.#registerShape({ name: 'Picture', placeholder: placed.placeholder ?? null, scale: 1 }),
    });
  }
}
