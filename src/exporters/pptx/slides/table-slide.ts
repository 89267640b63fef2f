import type { DeckSlide } from '../../../domain/reports/deck.ts';
import { isProblem } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import { layoutTable } from '../deck-table.ts';
import { chartArea, PLACEHOLDERS } from '../layouts.ts';
import { textHeight } from '../markdown-text.ts';
import { fitPicture } from '../master.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';
import { writeProblemBox } from './problem-box.ts';
import { sourceHeight } from './source-height.ts';
import { joinSourceLines } from '../../slides/source-text.ts';

export function writeTableSlide(
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

export function writePictureSlide(
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
    box: fitPicture(picture, area.chart, false, 'center'),
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
