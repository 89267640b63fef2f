import { requireItem } from '../../lib/require-value.ts';
import { Readable } from 'node:stream';
import { textWidth } from '../../domain/charts/drawing/chart-drawing.ts';
import { type DeckHeader, type DeckSlide, isProblem, type MethodSection } from '../../domain/reports/deck.ts';
import {
  type Box,
  isRightToLeft,
  joinSourceLines,
  mirrorBox,
  reportStyle,
  slidePageLayout,
  TEXT_SIZES,
} from '../slide-page.ts';
import { writeZip } from '../zip.ts';
import { factTable, layoutTable, type NativeTable } from './deck-table.ts';
import { completePackageParts, type WrittenSlide } from './package-writer.ts';
import { toInches, toPosition, type PptxFile, PptxLibrary } from './library.ts';
import { chartArea, createLayouts, layoutFor, PLACEHOLDERS } from './layouts.ts';
import { fitPicture, type MasterSettings } from './master.ts';
import { Palette, joinOnOneLine, removeForbiddenCharacters, xmlText } from './ooxml.ts';
import { SlideWriter, sourceHeight, writeProblemBox } from './slide-writer.ts';
import { writeChartSlide } from './chart-slide.ts';
import { writeKeyFiguresSlide } from './key-figures-slide.ts';
import { markdownParagraphs, type Paragraph, plainParagraph, textHeight } from './text-body.ts';

/** The title of a slide without one, for outlines and screen readers. */
function defaultTitle(slide: DeckSlide): string {
  switch (slide.type) {
    case 'chart':
      return (
        slide.charts
          .map(({ title, alt }) => title ?? alt)
          .join('; ')
          .slice(0, 200) || 'Chart'
      );
    case 'table':
      return isProblem(slide.table) ? 'Table' : slide.table.corner || 'Table';
    case 'image':
      return slide.alt ?? slide.caption ?? 'Picture';
    case 'key-figures':
      return (
        slide.figures
          .map(({ label }) => label)
          .join('; ')
          .slice(0, 200) || 'Key figures'
      );
    case 'method':
      return slide.survey;
    case 'text':
      return firstLine(slide.markdown) || 'Text';
    default:
      return slide.subtitle ?? 'Slide';
  }
}

function firstLine(markdown: string): string {
  const [line = ''] = markdown
    .replace(/[#*_`>[\]]/g, '')
    .trim()
    .split('\n');
  return line.slice(0, 120);
}

/** The visible title. A slide without a title uses the title of its only chart. */
function visibleTitle(slide: DeckSlide): string | null {
  if (slide.title !== null && slide.title.trim() !== '') return slide.title;
  if (slide.type === 'chart' && slide.charts.length === 1) return requireItem(slide.charts, 0).title;
  return null;
}

const TOP_WITHOUT_TITLE = 40;

function writeSlide(slide: DeckSlide, writer: SlideWriter): void {
  const { page, palette } = writer.context;
  const title = visibleTitle(slide);
  const isOpening = slide.type === 'title' || slide.type === 'section';
  const part = slide.part !== null && slide.part.total > 1 ? slide.part : null;
  const partLabel =
    part === null
      ? []
      : [
          {
            text: `  ${part.number}/${part.total}`,
            fill: palette.colorName(palette.style.mutedText),
            bold: false,
          },
        ];
  const paragraph: Paragraph = { runs: [{ text: title ?? defaultTitle(slide) }, ...partLabel] };
  writer.addTitle([paragraph], {
    isHidden: title === null,
    visibleBox: isOpening ? page.cover.title : page.title,
    size: isOpening ? TEXT_SIZES.cover : TEXT_SIZES.title,
  });
  const body: Box =
    title === null
      ? { ...page.body, y: TOP_WITHOUT_TITLE, height: page.body.height + page.body.y - TOP_WITHOUT_TITLE }
      : page.body;
  switch (slide.type) {
    case 'title':
    case 'section':
      writeCoverSlide(slide, writer);
      return;
    case 'text':
      writer.addText(markdownParagraphs(slide.markdown, palette), {
        name: 'Text',
        placeholder: PLACEHOLDERS.text,
        box: body,
        fontSize: TEXT_SIZES.text,
      });
      return;
    case 'chart':
      writeChartSlide({ slide, body, title, writer });
      return;
    case 'table':
      writeTableSlide(slide, body, writer);
      return;
    case 'image':
      writePictureSlide(slide, body, writer);
      return;
    case 'key-figures':
      writeKeyFiguresSlide(slide, body, writer);
      return;
    case 'method':
      writeMethodSlide(slide, body, writer);
  }
}

const LINE = 1.2;

/** Writes subtitle and byline of the first slide or a section slide. */
function writeCoverSlide(
  { type, title, subtitle }: Extract<DeckSlide, { type: 'title' | 'section' }>,
  writer: SlideWriter,
): void {
  const { page, head } = writer.context;
  const { cover } = page;
  const lines = Math.ceil((textWidth(title ?? ' ', TEXT_SIZES.cover) * 0.92) / cover.title.width);
  const subtitleTop = cover.title.y + Math.min(lines * TEXT_SIZES.cover * LINE, cover.title.height) + 14;
  const text = subtitle ?? (type === 'title' ? head.description : null);
  if (text !== null && text !== '')
    writer.addText([plainParagraph(text)], {
      name: 'Subtitle',
      placeholder: PLACEHOLDERS.text,
      fontSize: TEXT_SIZES.subtitle,
      box: { ...cover.subtitle, y: subtitleTop },
    });
  if (type === 'title')
    writer.addText([plainParagraph(joinOnOneLine(head.organization, formatCreatedAt(head)))], {
      name: 'Byline',
      box: page.byline,
      placeholder: PLACEHOLDERS.byline,
    });
}

function formatCreatedAt({ createdAt, style }: DeckHeader): string {
  const formatDate = (language: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(createdAt);
  try {
    return formatDate(style.language);
  } catch {
    // A well-formed language tag may be unknown.
    return formatDate('en');
  }
}

function writeTableSlide(
  { table, title }: Extract<DeckSlide, { type: 'table' }>,
  body: Box,
  writer: SlideWriter,
): void {
  if (isProblem(table)) {
    writeProblemBox([null, table.problem], body, writer);
    return;
  }
  const area = chartArea(body, { hasTitle: false, sourceHeight: sourceHeight(table.source, body.width) });
  const { table: native, height } = layoutTable(table, area.chart, writer.context.palette);
  const width = native.widths.reduce((sum, each) => sum + each, 0);
  writer.addTable(native, {
    box: { ...area.chart, width, height },
    alt: `${title ?? table.corner}: table of ${table.rows.length} rows and ${table.columns.length} columns`,
    placeholder: PLACEHOLDERS.table,
  });
  if (table.source.length > 0)
    writer.addText([plainParagraph(joinSourceLines(table.source), {}, { before: 0 })], {
      name: 'Source',
      placeholder: PLACEHOLDERS.source,
      box: area.source,
      fontSize: TEXT_SIZES.source,
      anchor: 'b',
    });
}

function writePictureSlide(
  { picture, alt, caption, title }: Extract<DeckSlide, { type: 'image' }>,
  body: Box,
  writer: SlideWriter,
): void {
  if (isProblem(picture)) {
    writeProblemBox([null, picture.problem], body, writer);
    return;
  }
  const captionParagraphs =
    caption === null || caption === '' ? [] : [plainParagraph(caption, {}, { align: 'center' })];
  const height =
    captionParagraphs.length === 0
      ? 0
      : Math.min(textHeight(captionParagraphs, body.width, TEXT_SIZES.small), 48);
  const area = chartArea(body, { hasTitle: false, sourceHeight: height });
  writer.addPicture(picture, {
    box: fitPicture({ deckImage: picture, box: area.chart, isRtl: false, anchor: 'center' }),
    alt: alt ?? caption ?? title ?? 'Picture',
    placeholder: PLACEHOLDERS.picture,
  });
  if (captionParagraphs.length > 0)
    writer.addText(captionParagraphs, {
      name: 'Caption',
      placeholder: PLACEHOLDERS.caption,
      box: area.source,
      fontSize: TEXT_SIZES.small,
    });
}

const GAP = 12;
const SIZES = [12, 11, 10, 9, 8] as const;

type MethodBlock =
  | { kind: 'text'; paragraphs: Paragraph[]; height: number; size: number }
  | { kind: 'table'; table: NativeTable; height: number; alt: string };

/** Writes the method sections in the largest font size that fits. */
function writeMethodSlide(
  { parts, survey }: Extract<DeckSlide, { type: 'method' }>,
  body: Box,
  writer: SlideWriter,
): void {
  const layouts = SIZES.map((size) =>
    parts.flatMap((part) => layoutSection({ part, survey, body, size, writer })),
  );
  const heightOf = (blocks: readonly MethodBlock[]) =>
    blocks.reduce((sum, { height }) => sum + height + GAP, -GAP);
  const blocks = layouts.find((one) => heightOf(one) <= body.height) ?? requireItem(layouts, -1);
  let { y } = body;
  for (const block of blocks) {
    const blockBox = { ...body, y, height: block.height };
    if (block.kind === 'text')
      writer.addText(block.paragraphs, { name: 'Text', box: blockBox, fontSize: block.size });
    else {
      const width = block.table.widths.reduce((sum, each) => sum + each, 0);
      writer.addTable(block.table, { box: { ...blockBox, width }, alt: block.alt });
    }
    y += block.height + GAP;
  }
}

function layoutSection({
  part,
  survey,
  body,
  size,
  writer,
}: {
  part: MethodSection;
  survey: string;
  body: Box;
  size: number;
  writer: SlideWriter;
}): MethodBlock[] {
  const { palette } = writer.context;
  const textColor = palette.colorName(palette.style.text);
  const text = (paragraphs: Paragraph[], textSize: number): MethodBlock => ({
    kind: 'text',
    paragraphs,
    size: textSize,
    height: Math.ceil(textHeight(paragraphs, body.width, textSize)) + 2,
  });
  const alt = `${part.heading} of ${survey}`;
  const heading = plainParagraph(part.heading, {
    size: Math.min(TEXT_SIZES.chartTitle, size + 2),
    bold: true,
    fill: textColor,
  });
  const paragraphs = part.paragraphs.map((line) =>
    plainParagraph(line, { size, fill: textColor }, { before: size * 0.5 }),
  );
  const blocks: MethodBlock[] = [text([heading], size + 2)];
  if (part.facts.length > 0)
    blocks.push({
      kind: 'table',
      ...factTable({ facts: part.facts, width: body.width, size, palette }),
      alt,
    });
  if (paragraphs.length > 0) blocks.push(text(paragraphs, size));
  if (part.table !== null) {
    const available = { width: body.width, height: body.height * 0.8 };
    blocks.push({ kind: 'table', ...layoutTable(part.table, available, palette), alt });
    const lines = part.table.source.map((line) =>
      plainParagraph(line, {
        size: Math.min(size, TEXT_SIZES.source),
        fill: palette.colorName(palette.style.mutedText),
      }),
    );
    if (lines.length > 0) blocks.push(text(lines, Math.min(size, TEXT_SIZES.source)));
  }
  return blocks;
}

const FONT = 'Calibri';

/**
 * Writes a report as a PowerPoint file. The library keeps the whole file in memory; call it where memory is limited. Charts are
 * native and include their data as a workbook.
 */
export async function* writeReportPptx(
  head: DeckHeader,
  slides: AsyncIterable<DeckSlide>,
): AsyncGenerator<Uint8Array> {
  const { style, createdAt } = head;
  const page = slidePageLayout(style.page_size);
  const isRtl = isRightToLeft(style.language);
  const palette = new Palette(reportStyle(style));
  const font = style.font ?? FONT;
  const settings: MasterSettings = {
    page,
    palette,
    isRtl,
    language: style.language,
    logo: style.logo,
    footer: joinOnOneLine(head.organization, style.footer ?? head.title),
  };
  const layouts = createLayouts(page, isRtl);
  const file = createPresentation({ head, font, page, isRtl });
  for (const { key } of layouts) {
    const isOpening = key === 'title' || key === 'section';
    // Placeholders are added later: the library copies theirs with their style into each slide.
    file.defineSlideMaster({
      title: key,
      ...(!isOpening && { slideNumber: toPosition(isRtl ? mirrorBox(page.number, page) : page.number) }),
    });
  }
  const written: WrittenSlide[] = [];
  for await (const slide of slides) {
    const key = layoutFor(slide);
    const pptxSlide = file.addSlide({ masterName: key });
    const writer = new SlideWriter(pptxSlide, { page, palette, isRtl, language: style.language, head });
    writeSlide(slide, writer);
    if (key !== 'title' && key !== 'section')
      writer.addText([plainParagraph(settings.footer)], {
        name: 'Footer',
        box: page.footer,
        placeholder: PLACEHOLDERS.footer,
      });
    pptxSlide.addNotes(removeForbiddenCharacters(slide.notes));
    written.push({ shapes: writer.shapes, charts: writer.charts, notes: slide.notes });
  }
  const bytes = (await file.stream({ compression: false })) as Buffer;
  yield* writeZip(
    Readable.from(completePackageParts(bytes, { head, font, settings, layouts, written, createdAt })),
  );
}

function createPresentation({
  head,
  font,
  page,
  isRtl,
}: {
  head: DeckHeader;
  font: string;
  page: { width: number; height: number };
  isRtl: boolean;
}): PptxFile {
  const file = new PptxLibrary();
  file.defineLayout({ name: 'report', width: toInches(page.width), height: toInches(page.height) });
  file.layout = 'report';
  file.title = removeForbiddenCharacters(head.title);
  file.subject = removeForbiddenCharacters(head.description ?? '');
  file.author = removeForbiddenCharacters(head.author);
  // The library does not escape it.
  file.company = xmlText(head.organization);
  file.theme = { headFontFace: font, bodyFontFace: font };
  file.rtlMode = isRtl;
  return file;
}
