import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { type DeckHeader, type DeckSlide, isProblem } from '../../domain/reports/deck.ts';
import { type Box, slidePageLayout, TEXT_SIZES } from '../slide-page.ts';
import { PdfCanvas, type TextFormat } from './pdf-canvas.ts';
import { drawFrame, drawPicture, drawProblem } from './slide-parts.ts';
import { LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';
import { isolateDirection } from './text-layout.ts';
import { loadChartRenderer } from '../chart-svg.ts';
import { drawCharts, drawKeyFigures, type DrawSvg } from './chart-slides.ts';
import { drawMethod, drawTable } from './table-slides.ts';
import { drawMarkdown } from './markdown.ts';
import { Typefaces } from './typefaces.ts';

export interface PdfOptions {
  typefaces?: Typefaces;
}

/** A report as PDF, a page per slide. Each page is drawn and streamed as its slide arrives; only data for the end of the file stays in memory. */
export async function* writeReportPdf(
  head: DeckHeader,
  slides: AsyncIterable<DeckSlide>,
  { typefaces = new Typefaces() }: PdfOptions = {},
): AsyncIterable<Uint8Array> {
  const doc = createDocument(head);
  const canvas = new PdfCanvas(doc, head, typefaces);
  const outline = new Outline(doc);
  let number = 0;
  for await (const slide of slides) {
    // Loading the chart renderer takes a while; later calls reuse it.
    const drawSvg =
      slide.type === 'chart' || slide.type === 'key-figures' ? await loadChartRenderer() : noSvg;
    number += 1;
    doc.addPage();
    outline.add(slide, number);
    canvas.withTag('Sect', () => drawSlide({ slide, number, head, canvas, drawSvg }));
    yield* writtenChunks(doc);
    await nextTurn();
  }
  const missing = typefaces.missingNotices();
  if (missing.length > 0 || number === 0) {
    doc.addPage();
    canvas.withTag('Sect', () =>
      drawMissingTypefaces({ notices: missing, number: number + 1, head, canvas }),
    );
  }
  canvas.closeDocumentTag();
  doc.end();
  // Images with transparency may still be encoding.
  for await (const chunk of doc) yield chunk as Uint8Array;
}

const noSvg: DrawSvg = () => '';

function createDocument(head: DeckHeader): PDFKit.PDFDocument {
  const { title, author, organization, description, createdAt, style } = head;
  const { width, height } = slidePageLayout(style.page_size);
  const options = {
    size: [width, height] as [number, number],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7' as const,
    tagged: true,
    displayTitle: true,
    lang: style.language,
    // No standard font: all typefaces are embedded.
    font: null as unknown as string,
    info: {
      Title: title,
      Author: author,
      Creator: organization,
      CreationDate: createdAt,
      ModDate: createdAt,
      ...(description === null ? {} : { Subject: description }),
    },
  };
  return new PDFDocument(options);
}

/** The chunks that are ready. */
function* writtenChunks(doc: PDFKit.PDFDocument): Iterable<Uint8Array> {
  for (let chunk = doc.read() as Uint8Array | null; chunk !== null; chunk = doc.read() as Uint8Array | null) {
    yield chunk;
  }
}

function drawSlide({
  slide,
  number,
  head,
  canvas,
  drawSvg,
}: {
  slide: DeckSlide;
  number: number;
  head: DeckHeader;
  canvas: PdfCanvas;
  drawSvg: DrawSvg;
}): void {
  if (slide.type === 'title' || slide.type === 'section') return drawCover(slide, head, canvas);
  const body = drawFrame({ slide, number, head, canvas });
  switch (slide.type) {
    case 'text':
      return drawMarkdown(slide.markdown, body, canvas, { size: TEXT_SIZES.text });
    case 'chart':
      return drawCharts({ chartSlide: slide, body, canvas, drawSvg });
    case 'table':
      return isProblem(slide.table)
        ? drawProblem(slide.table, body, canvas)
        : drawTable(slide.table, body, canvas);
    case 'image':
      return drawImage(slide, body, canvas);
    case 'key-figures':
      return drawKeyFigures({ keyFiguresSlide: slide, body, canvas, drawSvg });
    case 'method':
      return drawMethod(slide, body, canvas);
  }
}

/** Bookmarks: slides by their sections. */
class Outline {
  private section: PDFKit.PDFOutline | null = null;
  private last: string | null = null;

  constructor(private readonly doc: PDFKit.PDFDocument) {}

  /** Adds a bookmark to the current page. A slide over several pages gets one bookmark. */
  add({ type, title, part }: DeckSlide, number: number): void {
    const name = (title ?? '').replace(/\s+/g, ' ').trim() || `Slide ${number}`;
    const isContinued = part !== null && part.number > 1 && title === this.last;
    this.last = title;
    if (isContinued) return;
    if (type === 'section') this.section = this.doc.outline.addItem(name, { expanded: true });
    else (this.section ?? this.doc.outline).addItem(name);
  }
}

/** Draws the last page of a report with characters that no installed typeface has, or the only page of a report without slides. */
function drawMissingTypefaces({
  notices,
  number,
  head,
  canvas,
}: {
  notices: readonly string[];
  number: number;
  head: DeckHeader;
  canvas: PdfCanvas;
}): void {
  const isEmpty = notices.length === 0;
  const slide = {
    type: 'text',
    title: isEmpty ? head.title : 'About this file',
    part: null,
    notes: '',
    markdown: '',
  } as const;
  const body = drawFrame({ slide, number, head, canvas });
  let { y } = body;
  for (const notice of isEmpty ? ['This report has no slides yet.'] : notices) {
    y = canvas.drawParagraph(notice, { ...body, y }, { size: TEXT_SIZES.text - 2 }) + 8;
  }
}

type Cover = Extract<DeckSlide, { type: 'title' | 'section' }>;

/** Draws the first slide on white with the logo, or a section slide on the accent color. */
function drawCover(slide: Cover, head: DeckHeader, canvas: PdfCanvas): void {
  const { page, style } = canvas;
  const isFirst = slide.type === 'title';
  const textColor = isFirst ? LIGHT_THEME.text : style.accent.textOnFill;
  canvas.drawArtifact(() => {
    if (isFirst) {
      canvas.fillBox({ x: 0, y: 0, width: 10, height: page.height }, style.accent.fill);
      canvas.fillBox(page.cover.rule, style.accent.fill);
      if (head.style.logo !== null)
        drawPicture({ picture: head.style.logo, box: page.coverLogo, align: 'start', canvas });
    } else {
      canvas.fillBox({ x: 0, y: 0, width: page.width, height: page.height }, style.accent.fill);
      canvas.fillBox(page.cover.rule, textColor);
    }
  });
  const { title: titleBox } = page.cover;
  const titleFormat = fitText({
    text: slide.title ?? '',
    box: titleBox,
    format: { size: TEXT_SIZES.cover, bold: true, color: textColor, leading: 1.2 },
    canvas,
  });
  const end = canvas.drawParagraph(slide.title ?? '', titleBox, { ...titleFormat, as: 'H1' });
  const subtitle = slide.subtitle ?? (isFirst ? head.description : null);
  if (subtitle !== null && subtitle !== '') {
    const box = { ...page.cover.subtitle, y: end + 14 };
    const subtitleFormat = { size: TEXT_SIZES.subtitle, color: isFirst ? LIGHT_THEME.mutedText : textColor };
    canvas.drawParagraph(subtitle, box, fitText({ text: subtitle, box, format: subtitleFormat, canvas }));
  }
  if (isFirst) {
    const bylineArea = { x: page.margin, y: page.height - 60, width: page.width - 2 * page.margin };
    const byline = [head.organization, formatCreatedAt(head)]
      .filter((one) => one !== '')
      .map(isolateDirection)
      .join('  ·  ');
    canvas.drawParagraph(byline, bylineArea, {
      size: TEXT_SIZES.small,
      color: LIGHT_THEME.mutedText,
      maxLines: 1,
    });
  }
}

/** Shrinks a text until it fits; the smallest size is truncated. */
function fitText({
  text,
  box,
  format,
  canvas,
}: {
  text: string;
  box: Box;
  format: TextFormat;
  canvas: PdfCanvas;
}): TextFormat {
  const { leading = 1.35 } = format;
  let { size } = format;
  const fits = () =>
    canvas.layoutLines(text, box.width, { ...format, size }).length * size * leading <= box.height + 1;
  while (size > 14 && !fits()) size -= 2;
  return { ...format, size, maxLines: Math.max(1, Math.floor((box.height + 1) / (size * leading))) };
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

type Image = Extract<DeckSlide, { type: 'image' }>;

function drawImage({ picture, alt, caption }: Image, body: Box, canvas: PdfCanvas): void {
  const captionFormat: TextFormat = {
    size: TEXT_SIZES.small,
    color: LIGHT_THEME.mutedText,
    align: 'center',
    maxLines: 3,
  };
  const captionHeight =
    caption === null
      ? 0
      : canvas.heightOf(canvas.layoutLines(caption, body.width, captionFormat), captionFormat) + 10;
  const area = { ...body, height: body.height - captionHeight };
  if (isProblem(picture)) drawProblem(picture, area, canvas);
  else {
    canvas.withTag(
      'Figure',
      () => canvas.markContent(() => drawPicture({ picture, box: area, align: 'center', canvas })),
      {
        alt: alt ?? caption ?? 'Picture',
      },
    );
  }
  if (caption !== null)
    canvas.drawParagraph(
      caption,
      { ...body, y: area.y + area.height + 10 },
      { ...captionFormat, as: 'Caption' },
    );
}
