import type { DeckSlide } from '../../domain/reports/deck.ts';
import { isProblem } from '../../domain/reports/deck.ts';
import { type Box, TYPE } from '../slides/slide-page.ts';
import { coverSlide } from './slides/cover-slide.ts';
import { chartSlide } from './slides/chart-slide.ts';
import { methodSlide } from './slides/method-slide.ts';
import { numbersSlide } from './slides/numbers-slide.ts';
import { pictureSlide, tableSlide } from './slides/table-slide.ts';
import { PLACE } from './layouts.ts';
import { markdownParagraphs } from './markdown-text.ts';
import type { Paragraph } from './text-body.ts';
import type { SlideWriter } from './slide-writer.ts';

/** What stands above the slide where its author gave it no title. */
function impliedTitle(slide: DeckSlide): string {
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
      return markdownWords(slide.markdown) || 'Text';
    default:
      return slide.subtitle ?? 'Slide';
  }
}

const markdownWords = (markdown: string) =>
  markdown
    .replace(/[#*_`>[\]]/g, '')
    .trim()
    .split('\n')[0]!
    .slice(0, 120);

/** The title that is drawn: a single chart's stands for that of a slide that has none. */
function drawnTitle(slide: DeckSlide): string | null {
  if (slide.title !== null && slide.title.trim() !== '') return slide.title;
  if (slide.type === 'chart' && slide.charts.length === 1) return slide.charts[0]!.title;
  return null;
}

const WITHOUT_TITLE = 40;

export function writeContent(slide: DeckSlide, writer: SlideWriter): void {
  const { page, paint } = writer.around;
  const title = drawnTitle(slide);
  const isOpening = slide.type === 'title' || slide.type === 'section';
  const part = slide.part !== null && slide.part.of > 1 ? slide.part : null;
  const mark =
    part === null
      ? []
      : [{ text: `  ${part.number}/${part.of}`, fill: paint.name(paint.look.mutedText), bold: false }];
  const paragraph: Paragraph = { runs: [{ text: title ?? impliedTitle(slide) }, ...mark] };
  writer.title([paragraph], {
    isHidden: title === null,
    room: isOpening ? page.cover.title : page.title,
    size: isOpening ? TYPE.cover : TYPE.title,
  });
  const body: Box =
    title === null
      ? { ...page.body, y: WITHOUT_TITLE, height: page.body.height + page.body.y - WITHOUT_TITLE }
      : page.body;
  switch (slide.type) {
    case 'title':
    case 'section':
      coverSlide(slide, writer);
      return;
    case 'text':
      writer.text(markdownParagraphs(slide.markdown, paint), {
        name: 'Text',
        placeholder: PLACE.text,
        box: body,
        usualSize: TYPE.text,
      });
      return;
    case 'chart':
      chartSlide(slide, body, title, writer);
      return;
    case 'table':
      tableSlide(slide, body, writer);
      return;
    case 'image':
      pictureSlide(slide, body, writer);
      return;
    case 'key-figures':
      numbersSlide(slide, body, writer);
      return;
    case 'method':
      methodSlide(slide, body, writer);
  }
}
