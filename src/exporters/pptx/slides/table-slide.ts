import type { DeckSlide } from '../../../domain/reports/deck.ts';
import { isProblem } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import { deckTable } from '../deck-table.ts';
import { chartRoom, PLACE } from '../layouts.ts';
import { textHeight } from '../markdown-text.ts';
import { within } from '../master.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';
import { problemBox } from './problem-box.ts';
import { sourceHeight } from './source-height.ts';
import { sourceText } from '../../slides/source-text.ts';

export function tableSlide(
  { table, title }: Extract<DeckSlide, { type: 'table' }>,
  body: Box,
  writer: SlideWriter,
): void {
  if (isProblem(table)) {
    problemBox([null, table.problem], body, writer);
    return;
  }
  const room = chartRoom(body, { hasTitle: false, sourceHeight: sourceHeight(table.source, body.width) });
  const { table: native, height } = deckTable(table, room.chart, writer.around.paint);
  const width = native.widths.reduce((sum, each) => sum + each, 0);
  writer.table(native, {
    box: { ...room.chart, width, height },
    alt: `${title ?? table.corner}: table of ${table.rows.length} rows and ${table.columns.length} columns`,
    placeholder: PLACE.table,
  });
  if (table.source.length > 0)
    writer.text([plainParagraph(sourceText(table.source), {}, { before: 0 })], {
      name: 'Source',
      placeholder: PLACE.source,
      box: room.source,
      usualSize: TYPE.source,
      anchor: 'b',
    });
}

export function pictureSlide(
  { picture, alt, caption, title }: Extract<DeckSlide, { type: 'image' }>,
  body: Box,
  writer: SlideWriter,
): void {
  if (isProblem(picture)) {
    problemBox([null, picture.problem], body, writer);
    return;
  }
  const words = caption === null || caption === '' ? [] : [plainParagraph(caption, {}, { align: 'center' })];
  const height = words.length === 0 ? 0 : Math.min(textHeight(words, body.width, TYPE.small), 48);
  const room = chartRoom(body, { hasTitle: false, sourceHeight: height });
  writer.picture(picture, {
    box: within(picture, room.chart, false, 'center'),
    alt: alt ?? caption ?? title ?? 'Picture',
    placeholder: PLACE.picture,
  });
  if (words.length > 0)
    writer.text(words, {
      name: 'Caption',
      placeholder: PLACE.caption,
      box: room.source,
      usualSize: TYPE.small,
    });
}
