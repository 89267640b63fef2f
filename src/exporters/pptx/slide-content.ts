import type { DeckSlide } from '../../domain/reports/deck.ts';
import { isProblem } from '../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../slides/slide-page.ts';
import { writeCoverSlide } from './slides/cover-slide.ts';
import { writeChartSlide } from './slides/chart-slide.ts';
import { writeMethodSlide } from './slides/method-slide.ts';
import { writeKeyFiguresSlide } from './slides/key-figures-slide.ts';
import { writePictureSlide, writeTableSlide } from './slides/table-slide.ts';
import { PLACEHOLDERS } from './layouts.ts';
import { markdownParagraphs } from './markdown-text.ts';
import type { Paragraph } from './text-body.ts';
import type { SlideWriter } from './slide-writer.ts';

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

const firstLine = (markdown: string) =>
  markdown
    .replace(/[#*_`>[\]]/g, '')
    .trim()
    .split('\n')[0]!
    .slice(0, 120);

/** The visible title. A slide without a title uses the title of its only chart. */
function visibleTitle(slide: DeckSlide): string | null {
  if (slide.title !== null && slide.title.trim() !== '') return slide.title;
  if (slide.type === 'chart' && slide.charts.length === 1) return slide.charts[0]!.title;
  return null;
}

const TOP_WITHOUT_TITLE = 40;

export function writeSlide(slide: DeckSlide, writer: SlideWriter): void {
  const { page, palette } = writer.context;
  const title = visibleTitle(slide);
  const isOpening = slide.type === 'title' || slide.type === 'section';
  const part = slide.part !== null && slide.part.of > 1 ? slide.part : null;
  const partLabel =
    part === null
      ? []
      : [
          {
            text: `  ${part.number}/${part.of}`,
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
      writeChartSlide(slide, body, title, writer);
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
