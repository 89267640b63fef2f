import { LIGHT_THEME } from '../../../domain/charts/chart-theme.ts';
import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import { isolateDirection, type StyledText } from '../type/text-runs.ts';
import { type PdfCanvas, toTextStyle, type TextFormat } from '../pdf-canvas.ts';
import { drawPicture } from './picture.ts';

const MIN_TITLE_SIZE = 17;

/** Draws heading and footer of all slides except covers; returns the remaining area. */
export function drawFrame(slide: DeckSlide, number: number, head: DeckHeader, canvas: PdfCanvas): Box {
  const { page } = canvas;
  drawFooter(number, head, canvas);
  const { title, part } = slide;
  if (title === null && part === null) {
    return { ...page.body, y: page.margin, height: page.body.y + page.body.height - page.margin };
  }
  const titleAtSize = (size: number): StyledText[] => [
    { text: title ?? '', style: toTextStyle({ size, bold: true }) },
    ...(part === null ? [] : [partLabel(part, title, size)]),
  ];
  drawHeading(titleAtSize, page.title, canvas);
  return page.body;
}

function partLabel(
  { number, of }: { number: number; of: number },
  title: string | null,
  size: number,
): StyledText {
  const text = `${title === null ? '' : '\u00a0 '}(${number}/${of})`;
  return { text, style: toTextStyle({ size: size * 0.72, color: LIGHT_THEME.mutedText }) };
}

/** Draws a heading of at most two lines at the lower edge of its box; long headings are smaller. */
function drawHeading(titleAtSize: (size: number) => StyledText[], box: Box, canvas: PdfCanvas): void {
  let size: number = TEXT_SIZES.title;
  while (
    size > MIN_TITLE_SIZE &&
    canvas.layoutLines(titleAtSize(size), box.width, { size }).length > (size > 22 ? 1 : 2)
  )
    size -= 1;
  const format: TextFormat = { size, leading: 1.2, maxLines: 2 };
  const lines = canvas.layoutLines(titleAtSize(size), box.width, format);
  const y = box.y + box.height - canvas.heightOf(lines, format);
  canvas.withTag('H1', () => canvas.markContent(() => canvas.drawLines(lines, { ...box, y }, format)));
}

function drawFooter(number: number, { style, organization, title }: DeckHeader, canvas: PdfCanvas): void {
  const { page } = canvas;
  const text = [organization, style.footer ?? title]
    .filter((one) => one !== '')
    .map(isolateDirection)
    .join('  ·  ');
  const format = { size: TEXT_SIZES.foot, color: LIGHT_THEME.mutedText, maxLines: 1 };
  const y = page.footer.y + 3;
  canvas.drawArtifact(() => {
    canvas.drawRule(
      { x: page.margin, y: page.footer.y - 9, width: page.width - 2 * page.margin },
      LIGHT_THEME.line,
    );
    canvas.drawLines(canvas.layoutLines(text, page.footer.width, format), { ...page.footer, y }, format);
    const numberFormat = { ...format, align: 'end' } as const;
    canvas.drawLines(
      canvas.layoutLines(String(number), page.number.width, numberFormat),
      { ...page.number, y },
      numberFormat,
    );
    if (style.logo !== null) drawPicture(style.logo, page.footerLogo, 'end', canvas);
  });
}
