import { type Box, joinSourceLines, mirrorBox, type SlidePage, TEXT_SIZES } from '../slides/slide-page.ts';
import {
  fittingScale,
  type Paragraph,
  paragraphsXml,
  plainParagraph,
  type WritingDirection,
} from './text-body.ts';
import { textWidth } from '../../domain/charts/chart-drawing.ts';
import type { DeckHeader, DeckImage } from '../../domain/reports/deck.ts';
import type { NativeChart } from './charts/plotted-chart.ts';
import { type Placeholder, PLACEHOLDERS } from './layouts.ts';
import { numberField, positionXml, RECTANGLE, shapeTree, transformXml } from './master.ts';
import { FIRST_CONTENT_RELATION, type PresentationParts, type Relation, type SlidePart } from './package.ts';
import { type NativeTable, tableXml } from './deck-table.ts';
import { namedFillXml, type Palette } from './palette.ts';
import { emu, NAMESPACES, OFFICE, OFFICE_NAMESPACES, XML_HEAD, xmlText } from './xml.ts';

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
  anchor?: 't' | 'ctr' | 'b';
  /** Font size for fitting the text; absent: the text is not scaled. */
  fontSize?: number;
  /** A colour by its name in the theme, or its six digits. */
  outline?: string;
  /** Points on each side. */
  inset?: number;
  isRounded?: boolean;
}

const FULL_SCALE = 1;
const CORNER_RADIUS = 5.76;
const TABLE = `${OFFICE}/drawingml/2006/table`;
const CHART = `${OFFICE}/drawingml/2006/chart`;

interface FramePlacement {
  box: Box;
  alt: string;
  placeholder?: Placeholder;
}

/** Writes the shapes of one slide. Positions are left-to-right and are mirrored where needed. */
export class SlideWriter {
  readonly #relations: Relation[] = [];
  readonly #shapes: string[] = [];

  constructor(
    readonly context: SlideContext,
    private readonly parts: PresentationParts,
  ) {}

  /** The slide with its number in the report. */
  finish(slide: Pick<SlidePart, 'number' | 'layout' | 'notes'>, hasNumber: boolean): SlidePart {
    const shapes = hasNumber ? [...this.#shapes, this.#slideNumber(slide.number)] : this.#shapes;
    const xml = `${XML_HEAD}<p:sld ${NAMESPACES}><p:cSld>${shapeTree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;
    return { ...slide, xml, relations: this.#relations };
  }

  /** Returns the ID of a relationship of the slide. */
  #relate(relation: Omit<Relation, 'id'>): string {
    const id = `rId${FIRST_CONTENT_RELATION + this.#relations.length}`;
    this.#relations.push({ ...relation, id });
    return id;
  }

  readonly #addLink = (target: string): string =>
    this.#relate({ type: 'hyperlink', target, isExternal: true });

  #mirrored(box: Box): Box {
    return this.context.isRtl ? mirrorBox(box, this.context.page) : box;
  }

  /** The name of the next shape and its alternative text, as XML. IDs are unique within the slide; 1 is the slide itself. */
  #nextName(name: string, alt?: string): string {
    const id = this.#shapes.length + 2;
    const description = alt === undefined ? '' : ` descr="${xmlText(alt)}"`;
    return `<p:cNvPr id="${id}" name="${xmlText(name)} ${id - 1}"${description}/>`;
  }

  /** The slide number in the style of the layout. */
  #slideNumber(number: number): string {
    const field = numberField(this.context.language, String(number));
    return [
      `<p:sp><p:nvSpPr>${this.#nextName('Slide number')}<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>${placeholderXml(PLACEHOLDERS.number)}</p:nvSpPr>`,
      `<p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/><a:p>${field}</a:p></p:txBody></p:sp>`,
    ].join('');
  }

  /** Every slide has a title; a hidden one is positioned above the slide for outlines and screen readers. */
  addTitle(
    paragraphs: Paragraph[],
    { isHidden, visibleBox, size }: { isHidden: boolean; visibleBox: Box; size: number },
  ): void {
    const box = isHidden ? { ...visibleBox, y: -visibleBox.height - 20 } : visibleBox;
    this.addText(paragraphs, { name: 'Title', box, placeholder: PLACEHOLDERS.title, fontSize: size });
  }

  /** A shape with a placeholder inherits its style from the layout, so that it follows changes of the layout. */
  addText(paragraphs: readonly Paragraph[], textBox: TextBoxOptions): void {
    const { name, box, placeholder, anchor, fontSize, outline, inset = 0, isRounded = false } = textBox;
    const available = { width: box.width - 2 * inset, height: box.height - 2 * inset };
    const scale = fontSize === undefined ? FULL_SCALE : fittingScale(paragraphs, available, fontSize);
    const kind =
      placeholder === undefined ? '<p:cNvSpPr txBox="1"/>' : '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>';
    const line = outline === undefined ? '' : `<a:ln w="${emu(0.75)}">${namedFillXml(outline)}</a:ln>`;
    const shape =
      placeholder === undefined
        ? `${transformXml(this.#mirrored(box))}${isRounded ? roundedXml(box) : RECTANGLE}<a:noFill/>${line}`
        : transformXml(this.#mirrored(box));
    const insets =
      placeholder === undefined
        ? ['l', 't', 'r', 'b'].map((side) => ` ${side}Ins="${emu(inset)}"`).join('')
        : '';
    const anchorXml = placeholder === undefined || anchor !== undefined ? ` anchor="${anchor ?? 't'}"` : '';
    const fit =
      scale < FULL_SCALE
        ? `<a:normAutofit fontScale="${Math.round(scale * 100) * 1000}" lnSpcReduction="10000"/>`
        : '<a:normAutofit/>';
    this.#shapes.push(
      [
        `<p:sp><p:nvSpPr>${this.#nextName(name)}${kind}${placeholderXml(placeholder)}</p:nvSpPr><p:spPr>${shape}</p:spPr>`,
        `<p:txBody><a:bodyPr wrap="square"${insets} rtlCol="0"${anchorXml}>${fit}</a:bodyPr><a:lstStyle/>`,
        `${paragraphsXml(paragraphs, this.context, this.#addLink)}</p:txBody></p:sp>`,
      ].join(''),
    );
  }

  /** Adds lines in small type, one paragraph each. */
  addSmallText(lines: readonly string[], box: Box, name: string): void {
    const { palette } = this.context;
    const format = { size: TEXT_SIZES.source, fill: palette.colorName(palette.style.mutedText) };
    const paragraphs = lines.map((line) => plainParagraph(line, format));
    this.addText(paragraphs, { name, box, fontSize: TEXT_SIZES.source });
  }

  /** Adds a coloured rectangle. */
  addRule(box: Box, color: string): void {
    const fill = this.context.palette.fillXml(color);
    this.#shapes.push(
      `<p:sp><p:nvSpPr>${this.#nextName('Rule')}<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>${positionXml(this.#mirrored(box))}${fill}<a:ln><a:noFill/></a:ln></p:spPr></p:sp>`,
    );
  }

  addChart(chart: NativeChart, placement: FramePlacement & { title: string }): void {
    const target = this.parts.addChart(chart, placement.title);
    const relation = this.#relate({ type: 'chart', target });
    this.#addFrame('Chart', placement, CHART, `<c:chart ${OFFICE_NAMESPACES.chart} r:id="${relation}"/>`);
  }

  addTable(table: NativeTable, placement: FramePlacement): void {
    const xml = tableXml(table, this.context.palette, this.context, this.#addLink);
    this.#addFrame('Table', placement, TABLE, xml);
  }

  #addFrame(name: string, { box, alt, placeholder }: FramePlacement, uri: string, content: string): void {
    this.#shapes.push(
      [
        `<p:graphicFrame><p:nvGraphicFramePr>${this.#nextName(name, alt)}<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr>${placeholderXml(placeholder)}</p:nvGraphicFramePr>`,
        `${transformXml(this.#mirrored(box), 'p')}<a:graphic><a:graphicData uri="${uri}">${content}</a:graphicData></a:graphic></p:graphicFrame>`,
      ].join(''),
    );
  }

  addPicture(picture: DeckImage, { box, alt, placeholder }: FramePlacement): void {
    const relation = this.#relate({ type: 'image', target: this.parts.addPicture(picture) });
    this.#shapes.push(
      [
        `<p:pic><p:nvPicPr>${this.#nextName('Picture', alt)}<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr>${placeholderXml(placeholder)}</p:nvPicPr>`,
        `<p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${positionXml(this.#mirrored(box))}</p:spPr></p:pic>`,
      ].join(''),
    );
  }
}

function placeholderXml(placeholder: Placeholder | undefined): string {
  if (placeholder === undefined) return '<p:nvPr/>';
  const { type, index } = placeholder;
  const size = type === 'ftr' || type === 'sldNum' ? ' sz="quarter"' : '';
  return `<p:nvPr><p:ph type="${type}"${size}${index === 0 ? '' : ` idx="${index}"`}/></p:nvPr>`;
}

function roundedXml({ width, height }: Box): string {
  const share = Math.round((CORNER_RADIUS * 100_000) / Math.min(width, height));
  return `<a:prstGeom prst="roundRect"><a:avLst><a:gd name="adj" fmla="val ${share}"/></a:avLst></a:prstGeom>`;
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
