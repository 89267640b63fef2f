import { type Box, joinSourceLines, mirrorBox, type SlidePage, TEXT_SIZES } from '../slide-page.ts';
import {
  fittingScale,
  INHERITING_PLACEHOLDER,
  type Paragraph,
  plainParagraph,
  textRuns,
  type WritingDirection,
} from './text-body.ts';
import { textWidth } from '../../domain/charts/drawing/chart-drawing.ts';
import { type PptxSlide, type TextOptions, toInches, toPosition } from './library.ts';
import type { DeckHeader, DeckImage } from '../../domain/reports/deck.ts';
import type { NativeChart } from './charts/plotted-chart.ts';
import type { ShapeDetails } from './package-writer.ts';
import type { ChartDetails } from './charts/chart-part.ts';
import { type Placeholder, PLACEHOLDERS } from './layouts.ts';
import { type NativeTable, rowHeights, tableRows } from './deck-table.ts';
import { type Palette, removeForbiddenCharacters } from './ooxml.ts';

/** The shared settings of all slides. */
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
  /** Font size for fitting the text; absent: the text is not scaled. */
  fontSize?: number;
  fill?: string;
  outline?: string;
  /** Points on each side. */
  inset?: number;
  isRounded?: boolean;
}

const ANCHORS = { t: 'top', ctr: 'middle', b: 'bottom' } as const;
const FULL_SCALE = 1;

/**
 * Writes one slide. Positions are left-to-right and are mirrored where needed. Details that the library does not support are
 * collected by shape name.
 */
export class SlideWriter {
  readonly shapes = new Map<string, ShapeDetails>();
  readonly charts: ChartDetails[] = [];
  readonly #slide: PptxSlide;

  constructor(
    slide: PptxSlide,
    readonly context: SlideContext,
  ) {
    this.#slide = slide;
  }

  /** Returns the temporary name of the shape in the library's file. */
  #registerShape(note: ShapeDetails): string {
    const key = `shape-${this.shapes.size + 1}`;
    this.shapes.set(key, note);
    return key;
  }

  #toPosition(box: Box) {
    return toPosition(this.context.isRtl ? mirrorBox(box, this.context.page) : box);
  }

  /** Every slide has a title; a hidden one is positioned above the slide for outlines and screen readers. */
  addTitle(
    paragraphs: Paragraph[],
    { isHidden, visibleBox, size }: { isHidden: boolean; visibleBox: Box; size: number },
  ): void {
    const box = isHidden ? { ...visibleBox, y: -visibleBox.height - 20 } : visibleBox;
    this.addText(paragraphs, { name: 'Title', box, placeholder: PLACEHOLDERS.title, fontSize: size });
  }

  addText(paragraphs: readonly Paragraph[], textBox: TextBoxOptions): void {
    const { name, box, placeholder, anchor, fontSize, fill, outline, inset, isRounded = false } = textBox;
    const insets = 2 * (inset ?? 0);
    const available = { width: box.width - insets, height: box.height - insets };
    const scale = fontSize === undefined ? FULL_SCALE : fittingScale(paragraphs, available, fontSize);
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

  /** Adds lines in small type, one paragraph each. */
  addSmallText(lines: readonly string[], box: Box, name: string): void {
    const { palette } = this.context;
    const format = { size: TEXT_SIZES.source, fill: palette.colorName(palette.style.mutedText) };
    const paragraphs = lines.map((line) => plainParagraph(line, format));
    this.addText(paragraphs, { name, box, fontSize: TEXT_SIZES.source });
  }

  /** Adds a colored rectangle. */
  addRule(box: Box, color: string): void {
    this.#slide.addShape('rect', {
      ...this.#toPosition(box),
      objectName: this.#registerShape({ name: 'Rule', placeholder: null, scale: 1 }),
      fill: { color: this.context.palette.colorName(color) },
    });
  }

  addChart(
    chart: NativeChart,
    placement: { box: Box; alt: string; title: string; placeholder?: Placeholder },
  ): void {
    const { sheet, layers, options, labels } = chart;
    const sharedOptions = {
      ...options,
      ...this.#toPosition(placement.box),
      objectName: this.#registerShape({
        name: 'Chart',
        placeholder: placement.placeholder ?? null,
        scale: 1,
      }),
      altText: removeForbiddenCharacters(placement.alt),
      lang: this.context.language,
    };
    const [firstLayer] = layers;
    if (layers.length === 1 && firstLayer !== undefined)
      this.#slide.addChart(firstLayer.type, firstLayer.data, { ...sharedOptions, ...firstLayer.options });
    else this.#slide.addChart(layers, sharedOptions as unknown as never[]);
    this.charts.push({ sheet, labels, title: placement.title });
  }

  addTable(table: NativeTable, placement: { box: Box; alt: string; placeholder?: Placeholder }): void {
    const { palette } = this.context;
    const { x, y, w, h } = this.#toPosition(placement.box);
    this.#slide.addTable(tableRows(table, palette, this.context), {
      x,
      y,
      w,
      h,
      colW: table.widths.map(toInches),
      rowH: rowHeights(table),
      objectName: this.#registerShape({
        name: 'Table',
        placeholder: placement.placeholder ?? null,
        scale: 1,
        alt: placement.alt,
        hasHeader: table.hasHeader,
      }),
    });
  }

  /** Passes only bytes: the library would also read URLs and paths. */
  addPicture(
    { kind, bytes }: DeckImage,
    placement: { box: Box; alt: string; placeholder?: Placeholder },
  ): void {
    this.#slide.addImage({
      data: `image/${kind};base64,${Buffer.from(bytes).toString('base64')}`,
      ...this.#toPosition(placement.box),
      altText: removeForbiddenCharacters(placement.alt),
      objectName: this.#registerShape({
        name: 'Picture',
        placeholder: placement.placeholder ?? null,
        scale: 1,
      }),
    });
  }
}

/** Writes why content is missing, in its place. */
export function writeProblemBox(
  message: readonly [heading: string | null, text: string],
  box: Box,
  writer: SlideWriter,
): void {
  const { palette } = writer.context;
  const [heading, text] = message;
  const centered = { align: 'center' } as const;
  const textFormat = { size: TEXT_SIZES.chartTitle, fill: palette.colorName(palette.style.mutedText) };
  writer.addText(
    [
      ...(heading === null
        ? []
        : [
            plainParagraph(
              heading,
              { size: TEXT_SIZES.text, bold: true, fill: palette.colorName(palette.style.text) },
              centered,
            ),
          ]),
      plainParagraph(text, textFormat, { ...centered, before: 4 }),
    ],
    {
      name: 'Not shown',
      box,
      anchor: 'ctr',
      fontSize: TEXT_SIZES.chartTitle,
      outline: palette.colorName(palette.style.line),
      inset: 18,
      isRounded: true,
    },
  );
}

const LINE = 1.22;
const MAX_LINES = 6;

/** Height of the source below a figure, in points. */
export const sourceHeight = (source: readonly string[], width: number): number =>
  linesHeight(source.length === 0 ? [] : [joinSourceLines(source)], width);

export function linesHeight(texts: readonly string[], width: number): number {
  const lines = texts.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil((textWidth(line, TEXT_SIZES.source) * 0.9) / width)),
    0,
  );
  return Math.ceil(Math.min(lines, MAX_LINES) * TEXT_SIZES.source * LINE);
}
