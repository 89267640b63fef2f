import { Readable } from 'node:stream';
import type { DeckHeader, DeckSlide } from '../../domain/reports/deck.ts';
import { reportLook } from '../slides/report-look.ts';
import { isRightToLeft, mirrored, slidePage } from '../slides/slide-page.ts';
import { zipFile } from '../zip.ts';
import { finishedParts, type WrittenSlide } from './finish/finished-parts.ts';
import { inches, placeOf } from './inches.ts';
import { type PptxFile, PptxLibrary } from './library.ts';
import { layoutFor, layoutsOf, PLACE } from './layouts.ts';
import type { MasterSettings } from './master.ts';
import { Paint } from './paint.ts';
import { writeContent } from './slide-content.ts';
import { SlideWriter } from './slide-writer.ts';
import { plainParagraph } from './text-body.ts';
import { inOneLine } from './one-line.ts';
import { storable, xmlText } from './xml.ts';

const FONT = 'Calibri';

/**
 * A report as a PowerPoint file. The library holds all of it in memory until its end; run it where memory is bounded. Charts are
 * PowerPoint's own and bring their figures in a workbook.
 */
export async function* reportPptx(
  head: DeckHeader,
  slides: AsyncIterable<DeckSlide>,
): AsyncGenerator<Uint8Array> {
  const { style: look, createdAt: madeAt } = head;
  const page = slidePage(look.page_size);
  const isRtl = isRightToLeft(look.language);
  const paint = new Paint(reportLook(look));
  const font = look.font ?? FONT;
  const settings: MasterSettings = {
    ...{ page, paint, isRtl, language: look.language, logo: look.logo },
    footer: inOneLine(head.organization, look.footer ?? head.title),
  };
  const layouts = layoutsOf(page, isRtl);
  const file = presentation(head, font, page, isRtl);
  for (const { key } of layouts) {
    const isOpening = key === 'title' || key === 'section';
    // Their places are ours: those of the library are copied into each slide with their style, and cannot be restyled.
    file.defineSlideMaster({
      title: key,
      ...(!isOpening && { slideNumber: placeOf(isRtl ? mirrored(page.number, page) : page.number) }),
    });
  }
  const written: WrittenSlide[] = [];
  for await (const slide of slides) {
    const key = layoutFor(slide);
    const made = file.addSlide({ masterName: key });
    const writer = new SlideWriter(made, { page, paint, isRtl, language: look.language, head });
    writeContent(slide, writer);
    if (key !== 'title' && key !== 'section')
      writer.text([plainParagraph(settings.footer)], {
        name: 'Footer',
        box: page.footer,
        placeholder: PLACE.footer,
      });
    made.addNotes(storable(slide.notes));
    written.push({ shapes: writer.shapes, charts: writer.charts, notes: slide.notes });
  }
  const bytes = (await file.stream({ compression: false })) as Buffer;
  yield* zipFile(Readable.from(finishedParts(bytes, { head, font, settings, layouts, written, madeAt })));
}

function presentation(
  head: DeckHeader,
  font: string,
  page: { width: number; height: number },
  isRtl: boolean,
): PptxFile {
  const file = new PptxLibrary();
  file.defineLayout({ name: 'report', width: inches(page.width), height: inches(page.height) });
  file.layout = 'report';
  file.title = storable(head.title);
  file.subject = storable(head.description ?? '');
  file.author = storable(head.author);
  // It is put into the file as it is.
  file.company = xmlText(head.organization);
  file.theme = { headFontFace: font, bodyFontFace: font };
  file.rtlMode = isRtl;
  return file;
}
