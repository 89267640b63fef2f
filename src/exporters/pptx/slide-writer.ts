import type { PptxSlide, TextOptions } from './library.ts';
import type { DeckHeader, DeckImage } from '../../domain/reports/deck.ts';
import { type Box, mirrored, type SlidePage, TYPE } from '../slides/slide-page.ts';
import type { NativeChart } from './charts/plotted-chart.ts';
import type { ShapeNote } from './finish/slide-part.ts';
import type { ChartNote } from './finish/chart-part.ts';
import { inches, placeOf } from './inches.ts';
import { PLACE, type Placeholder } from './layouts.ts';
import { fittingScale } from './markdown-text.ts';
import { type NativeTable, rowHeights, tableRows } from './native-table.ts';
import type { Paint } from './paint.ts';
import { INHERITS, type Paragraph, plainParagraph, textRuns, type Writing } from './text-body.ts';
import { storable } from './xml.ts';

/** What all slides of a file share. */
export interface SlideSurroundings extends Writing {
  head: DeckHeader;
  page: SlidePage;
  paint: Paint;
}

export interface PlacedText {
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
  readonly around: SlideSurroundings;
  readonly shapes = new Map<string, ShapeNote>();
  readonly charts: ChartNote[] = [];
  readonly #slide: PptxSlide;

  constructor(slide: PptxSlide, around: SlideSurroundings) {
    this.#slide = slide;
    this.around = around;
  }

  /** What stands in the library's file for the name. */
  #noted(note: ShapeNote): string {
    const key = `shape-${this.shapes.size + 1}`;
    this.shapes.set(key, note);
    return key;
  }

  #placed(box: Box) {
    return placeOf(this.around.isRtl ? mirrored(box, this.around.page) : box);
  }

  /** Every slide has one; a hidden one stands above the slide, where outlines and screen readers find it. */
  title(
    paragraphs: Paragraph[],
    { isHidden, room, size }: { isHidden: boolean; room: Box; size: number },
  ): void {
    const box = isHidden ? { ...room, y: -room.height - 20 } : room;
    this.text(paragraphs, { name: 'Title', box, placeholder: PLACE.title, usualSize: size });
  }

  text(paragraphs: readonly Paragraph[], placed: PlacedText): void {
    const { name, box, placeholder, anchor, usualSize, fill, outline, inset, isRounded = false } = placed;
    const edge = 2 * (inset ?? 0);
    const room = { width: box.width - edge, height: box.height - edge };
    const scale = usualSize === undefined ? LEAST_SCALE : fittingScale(paragraphs, room, usualSize);
    const options: TextOptions & { placeholder: string } = {
      ...this.#placed(box),
      objectName: this.#noted({ name, placeholder: placeholder ?? null, scale }),
      placeholder: INHERITS,
      fit: 'shrink',
      isTextBox: placeholder === undefined,
      ...(placeholder === undefined && { margin: inset ?? 0, valign: ANCHORS[anchor ?? 't'] }),
      ...(placeholder !== undefined && anchor !== undefined && { valign: ANCHORS[anchor] }),
      ...(fill !== undefined && { fill: { color: fill } }),
      ...(outline !== undefined && { line: { color: outline, width: 0.75 } }),
      ...(isRounded && { shape: 'roundRect', rectRadius: 0.08 }),
    };
    this.#slide.addText(textRuns(paragraphs, this.around), options);
  }

  /** Lines in small type, each a paragraph. */
  small(lines: readonly string[], box: Box, name: string): void {
    const { paint } = this.around;
    const look = { size: TYPE.source, fill: paint.name(paint.look.mutedText) };
    const paragraphs = lines.map((line) => plainParagraph(line, look));
    this.text(paragraphs, { name, box, usualSize: TYPE.source });
  }

  /** A plain surface. */
  rule(box: Box, color: string): void {
    this.#slide.addShape('rect', {
      ...this.#placed(box),
      objectName: this.#noted({ name: 'Rule', placeholder: null, scale: 1 }),
      fill: { color: this.around.paint.name(color) },
    });
  }

  chart(
    chart: NativeChart,
    placed: { box: Box; alt: string; title: string; placeholder?: Placeholder },
  ): void {
    const { sheet, layers, options, labels } = chart;
    const given = {
      ...options,
      ...this.#placed(placed.box),
      objectName: this.#noted({ name: 'Chart', placeholder: placed.placeholder ?? null, scale: 1 }),
      altText: storable(placed.alt),
      lang: this.around.language,
    };
    const [only] = layers;
    if (layers.length === 1 && only !== undefined)
      this.#slide.addChart(only.type, only.data, { ...given, ...only.options });
    else this.#slide.addChart(layers, given as unknown as never[]);
    this.charts.push({ sheet, labels, title: placed.title });
  }

  table(table: NativeTable, placed: { box: Box; alt: string; placeholder?: Placeholder }): void {
    const { paint } = this.around;
    const { x, y, w, h } = this.#placed(placed.box);
    this.#slide.addTable(tableRows(table, paint, this.around), {
      ...{ x, y, w, h },
      colW: table.widths.map(inches),
      rowH: rowHeights(table),
      objectName: this.#noted({
        name: 'Table',
        placeholder: placed.placeholder ?? null,
        scale: 1,
        alt: placed.alt,
        isHeaded: table.hasHeader,
      }),
    });
  }

  /** Its bytes alone: the library reads addresses and paths, which it is never given. */
  picture({ kind, bytes }: DeckImage, placed: { box: Box; alt: string; placeholder?: Placeholder }): void {
    this.#slide.addImage({
      data: `image/${kind};base64,${Buffer.from(bytes).toString('base64')}`,
      ...this.#placed(placed.box),
      altText: storable(placed.alt),
      objectName: this.#noted({ name: 'Picture', placeholder: placed.placeholder ?? null, scale: 1 }),
    });
  }
}
