import type { DeckPicture } from '../../domain/reports/deck.ts';
import { type Box, mirrored, type SlidePage, TYPE } from '../slides/slide-page.ts';
import type { XlsxFile } from '../xlsx/xlsx-file.ts';
import type { DataSheet } from './charts/data-sheet.ts';
import { type LayoutKey, PLACE } from './layouts.ts';
import { fittingScale } from './markdown-text.ts';
import { footOfSlide } from './master.ts';
import { type NativeTable, nativeTable } from './native-table.ts';
import type { Paint } from './paint.ts';
import { Relations } from './relations.ts';
import {
  chartFrame,
  pictureShape,
  type Placeholder,
  shapeTree,
  tableFrame,
  textShape,
  type TextShape,
} from './shapes.ts';
import { paragraphsXml, type Paragraph, plainParagraph, type RunLook } from './text-body.ts';
import { SPACES, XML_HEAD } from './xml.ts';

/** What all slides of a file share. */
export interface SlideSurroundings {
  page: SlidePage;
  paint: Paint;
  language: string;
  isRtl: boolean;
  footer: string;
  madeAt: Date;
  /** Puts a part into the file and says where it is, seen from a slide. */
  addChart: (xml: string, workbook: XlsxFile) => string;
  addPicture: (picture: DeckPicture) => string;
}

export interface PlacedText {
  name: string;
  box?: Box;
  placeholder?: Placeholder;
  anchor?: TextShape['anchor'];
  /** Of the placeholder's type, so that it can be told whether the text fits; absent: it does. */
  usualSize?: number;
  fill?: string;
  outline?: string;
  inset?: number;
  isRounded?: boolean;
}

/** One slide as it is being written. Places are those of a report that is read from the left. */
export class SlideWriter {
  readonly around: SlideSurroundings;
  readonly relations = new Relations();
  readonly #shapes: string[] = [];

  constructor(around: SlideSurroundings, layoutTarget: string) {
    this.around = around;
    this.relations.add('slideLayout', layoutTarget);
  }

  get #nextId(): number {
    return this.#shapes.length + 2;
  }

  #placed(box: Box): Box {
    return this.around.isRtl ? mirrored(box, this.around.page) : box;
  }

  #content(paragraphs: readonly Paragraph[]): string {
    const { language, isRtl } = this.around;
    return paragraphsXml(paragraphs, { language, isRtl, relations: this.relations });
  }

  /** Every slide has one; a hidden one stands above the slide, where outlines and screen readers find it. */
  title(
    paragraphs: Paragraph[],
    {
      placeholder = PLACE.title,
      isHidden = false,
      room,
      size,
    }: { placeholder?: Placeholder; isHidden?: boolean; room: Box; size: number },
  ): void {
    const scale = fittingScale(paragraphs, { width: room.width, height: room.height }, size);
    const box = isHidden ? { ...room, y: -room.height - 20 } : undefined;
    this.#shapes.push(
      textShape({
        id: this.#nextId,
        name: 'Title',
        placeholder,
        box,
        content: this.#content(paragraphs),
        scale,
      }),
    );
  }

  text(paragraphs: readonly Paragraph[], placed: PlacedText): void {
    const { name, box, placeholder, anchor, usualSize, fill, outline, inset, isRounded } = placed;
    const room =
      box === undefined || inset === undefined
        ? box
        : { width: box.width - 2 * inset, height: box.height - 2 * inset };
    const scale =
      usualSize === undefined || room === undefined ? 1 : fittingScale(paragraphs, room, usualSize);
    this.#shapes.push(
      textShape({
        id: this.#nextId,
        name: `${name} ${this.#nextId}`,
        content: this.#content(paragraphs),
        scale,
        ...(box !== undefined && { box: this.#placed(box) }),
        ...(placeholder !== undefined && { placeholder }),
        ...(anchor !== undefined && { anchor }),
        ...(fill !== undefined && { fill }),
        ...(outline !== undefined && { outline }),
        ...(inset !== undefined && { inset }),
        ...(isRounded !== undefined && { isRounded }),
      }),
    );
  }

  /** Lines in small type, each a paragraph. */
  small(lines: readonly string[], box: Box, name: string, look: RunLook = {}): void {
    const { paint } = this.around;
    const usual = { size: TYPE.source, fill: paint.fill(paint.look.soft), ...look };
    this.text(
      lines.map((line) => plainParagraph(line, usual, { before: 0 })),
      { name, box, usualSize: TYPE.source },
    );
  }

  chart(chart: {
    xml: string;
    sheet: DataSheet;
    box: Box;
    title: string;
    alt: string;
    placeholder?: Placeholder;
  }): void {
    const { madeAt, addChart } = this.around;
    const target = addChart(chart.xml, chart.sheet.workbook(chart.title, madeAt));
    const relation = this.relations.add('chart', target);
    this.#shapes.push(
      chartFrame({
        id: this.#nextId,
        name: `Chart ${this.#nextId}`,
        alt: chart.alt,
        box: this.#placed(chart.box),
        relation,
        ...(chart.placeholder !== undefined && { placeholder: chart.placeholder }),
      }),
    );
  }

  table(table: NativeTable, placed: { box: Box; alt: string; placeholder?: Placeholder }): void {
    const { paint, language, isRtl } = this.around;
    const xml = nativeTable(table, paint, { language, isRtl, relations: this.relations });
    this.#shapes.push(
      tableFrame({
        id: this.#nextId,
        name: `Table ${this.#nextId}`,
        alt: placed.alt,
        box: this.#placed(placed.box),
        table: xml,
        ...(placed.placeholder !== undefined && { placeholder: placed.placeholder }),
      }),
    );
  }

  picture(picture: DeckPicture, placed: { box: Box; alt: string; placeholder?: Placeholder }): void {
    const relation = this.relations.add('image', this.around.addPicture(picture));
    this.#shapes.push(
      pictureShape({
        id: this.#nextId,
        name: `Picture ${this.#nextId}`,
        alt: placed.alt,
        box: this.#placed(placed.box),
        relation,
        ...(placed.placeholder !== undefined && { placeholder: placed.placeholder }),
      }),
    );
  }

  /** The slide, whose notes are at `notesTarget`. */
  finish(number: number, layout: LayoutKey, notesTarget: string): string {
    const { footer, language, isRtl } = this.around;
    this.relations.add('notesSlide', notesTarget);
    const surroundings = { language, isRtl, relations: this.relations };
    const foot =
      layout === 'title' || layout === 'section'
        ? []
        : footOfSlide(footer, number, this.#nextId, surroundings);
    return `${XML_HEAD}<p:sld ${SPACES}><p:cSld>${shapeTree([...this.#shapes, ...foot])}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;
  }
}
