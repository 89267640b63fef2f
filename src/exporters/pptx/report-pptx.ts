import { Readable } from 'node:stream';
import type { DeckHeader, DeckSlide } from '../../domain/reports/deck.ts';
import { isRightToLeft, mirrorBox, reportStyle, slidePageLayout } from '../slides/slide-page.ts';
import { writeZip } from '../zip.ts';
import { completePackageParts, type WrittenSlide } from './finish/package-writer.ts';
import { toInches, toPosition } from './inches.ts';
import { type PptxFile, PptxLibrary } from './library.ts';
import { layoutFor, createLayouts, PLACEHOLDERS } from './layouts.ts';
import type { MasterSettings } from './master.ts';
import { Palette } from './palette.ts';
import { writeSlide } from './slide-content.ts';
import { SlideWriter } from './slide-writer.ts';
import { plainParagraph } from './text-body.ts';
import { joinOnOneLine, removeForbiddenCharacters, xmlText } from './xml.ts';

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
    ...{ page, palette, isRtl, language: style.language, logo: style.logo },
    footer: joinOnOneLine(head.organization, style.footer ?? head.title),
  };
  const layouts = createLayouts(page, isRtl);
  const file = createPresentation(head, font, page, isRtl);
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

function createPresentation(
  head: DeckHeader,
  font: string,
  page: { width: number; height: number },
  isRtl: boolean,
): PptxFile {
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
