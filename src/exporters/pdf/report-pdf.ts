import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { type DeckHeader, type DeckSlide, isProblem } from '../../domain/reports/deck.ts';
import { loadChartRenderer } from '../charts/chart-svg.ts';
import { slidePageLayout, TEXT_SIZES } from '../slides/slide-page.ts';
import { Outline } from './outline.ts';
import { PdfCanvas } from './pdf-canvas.ts';
import { type DrawSvg, drawCharts } from './slides/chart.ts';
import { drawCover } from './slides/cover.ts';
import { drawFrame } from './slides/frame.ts';
import { drawImage } from './slides/image.ts';
import { drawMethod } from './slides/method.ts';
import { drawMissingTypefaces } from './slides/missing-typefaces.ts';
import { drawKeyFigures } from './slides/key-figures.ts';
import { drawProblem } from './slides/problem.ts';
import { drawMarkdown } from './slides/markdown.ts';
import { drawTable } from './slides/table.ts';
import { Typefaces } from './type/typefaces.ts';

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
    canvas.withTag('Sect', () => drawSlide(slide, number, head, canvas, drawSvg));
    yield* writtenChunks(doc);
    await nextTurn();
  }
  const missing = typefaces.missingNotices();
  if (missing.length > 0 || number === 0) {
    doc.addPage();
    canvas.withTag('Sect', () => drawMissingTypefaces(missing, number + 1, head, canvas));
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

function drawSlide(
  slide: DeckSlide,
  number: number,
  head: DeckHeader,
  canvas: PdfCanvas,
  drawSvg: DrawSvg,
): void {
  if (slide.type === 'title' || slide.type === 'section') return drawCover(slide, head, canvas);
  const body = drawFrame(slide, number, head, canvas);
  switch (slide.type) {
    case 'text':
      return drawMarkdown(slide.markdown, body, canvas, { size: TEXT_SIZES.text });
    case 'chart':
      return drawCharts(slide, body, canvas, drawSvg);
    case 'table':
      return isProblem(slide.table)
        ? drawProblem(slide.table, body, canvas)
        : drawTable(slide.table, body, canvas);
    case 'image':
      return drawImage(slide, body, canvas);
    case 'key-figures':
      return drawKeyFigures(slide, body, canvas, drawSvg);
    case 'method':
      return drawMethod(slide, body, canvas);
  }
}
