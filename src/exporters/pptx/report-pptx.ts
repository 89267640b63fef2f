import type { DeckHeader, DeckSlide } from '../../domain/reports/deck.ts';
import { isRightToLeft, reportStyle, slidePageLayout } from '../slides/slide-page.ts';
import { createLayouts, layoutFor, PLACEHOLDERS } from './layouts.ts';
import type { MasterSettings } from './master.ts';
import { PresentationParts, type SlidePart, writePresentation } from './package.ts';
import { Palette } from './palette.ts';
import { writeSlide } from './slide-content.ts';
import { SlideWriter } from './slide-writer.ts';
import { plainParagraph } from './text-body.ts';
import { joinOnOneLine } from './xml.ts';

const FONT = 'Calibri';

/**
 * Writes a report as a PowerPoint file. All slides are kept in memory; call it where memory is limited. Charts are
 * native and include their data as a workbook.
 */
export async function* writeReportPptx(
  head: DeckHeader,
  deckSlides: AsyncIterable<DeckSlide>,
): AsyncGenerator<Uint8Array> {
  const { style } = head;
  const page = slidePageLayout(style.page_size);
  const isRtl = isRightToLeft(style.language);
  const palette = new Palette(reportStyle(style));
  const settings: MasterSettings = {
    ...{ page, palette, isRtl, language: style.language, logo: style.logo },
    footer: joinOnOneLine(head.organization, style.footer ?? head.title),
  };
  const layouts = createLayouts(page, isRtl);
  const parts = new PresentationParts();
  const slides: SlidePart[] = [];
  for await (const slide of deckSlides) {
    const key = layoutFor(slide);
    const layout = layouts.find((one) => one.key === key)!;
    const isOpening = key === 'title' || key === 'section';
    const writer = new SlideWriter({ page, palette, isRtl, language: style.language, head }, parts);
    writeSlide(slide, writer);
    if (!isOpening)
      writer.addText([plainParagraph(settings.footer)], {
        name: 'Footer',
        box: page.footer,
        placeholder: PLACEHOLDERS.footer,
      });
    slides.push(writer.finish({ number: slides.length + 1, layout, notes: slide.notes }, !isOpening));
  }
  yield* writePresentation({ head, font: style.font ?? FONT, settings, layouts, slides, parts });
}
