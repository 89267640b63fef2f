import type { DeckHeader, DeckImage, DeckProblem, DeckSlide } from '../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../slide-page.ts';
import { type PdfCanvas, type TextFormat, toTextStyle } from './pdf-canvas.ts';
import { LIGHT_THEME } from '../../domain/charts/chart-theme.ts';
import { isolateDirection, type StyledText } from './text-layout.ts';

/** Images by document, so that a repeated image is embedded once. */
const embeddedImages = new WeakMap<PDFKit.PDFDocument, Map<DeckImage, object>>();

/** Draws a picture as large as the box and its resolution allow; returns its position. */
export function drawPicture({
  picture,
  box,
  align,
  canvas,
}: {
  picture: DeckImage;
  box: Box;
  align: 'start' | 'center' | 'end';
  canvas: PdfCanvas;
}): Box {
  const scale = Math.min(box.width / picture.width, box.height / picture.height, 2);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const free = box.width - width;
  const x = box.x + (align === 'start' ? 0 : align === 'end' ? free : free / 2);
  const target = { x, y: box.y + (box.height - height) / 2, width, height };
  const pageBox = canvas.toPageBox(target);
  let images = embeddedImages.get(canvas.doc);
  if (images === undefined) embeddedImages.set(canvas.doc, (images = new Map<DeckImage, object>()));
  let image = images.get(picture);
  if (image === undefined) {
    image = (canvas.doc as unknown as { openImage(bytes: Uint8Array): object }).openImage(picture.bytes);
    images.set(picture, image);
  }
  // The image is already open: pdfkit never receives a URL or path.
  canvas.doc.image(image as unknown as Buffer, pageBox.x, pageBox.y, { width, height });
  return target;
}

const MIN_TITLE_SIZE = 17;

/** Draws heading and footer of all slides except covers; returns the remaining area. */
export function drawFrame({
  slide,
  number,
  head,
  canvas,
}: {
  slide: DeckSlide;
  number: number;
  head: DeckHeader;
  canvas: PdfCanvas;
}): Box {
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
  { number, total }: { number: number; total: number },
  title: string | null,
  size: number,
): StyledText {
  const text = `${title === null ? '' : '\u00a0 '}(${number}/${total})`;
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
    if (style.logo !== null) drawPicture({ picture: style.logo, box: page.footerLogo, align: 'end', canvas });
  });
}

const GAP = 10;

/** Maximum share of the area. */
const MAX_SHARE = 0.3;

/** Draws source lines at the lower edge of an area, in smaller type if needed; returns the area above. */
export function drawSource(source: readonly string[], box: Box, canvas: PdfCanvas): Box {
  const text = source.filter((line) => line.trim() !== '').join('\n');
  if (text === '') return box;
  let size = TEXT_SIZES.source + 0.5;
  const format = () => ({ size, color: LIGHT_THEME.mutedText, leading: 1.3 });
  const fits = () =>
    canvas.heightOf(canvas.layoutLines(text, box.width, format()), format()) <= box.height * MAX_SHARE;
  while (size > 7 && !fits()) size -= 0.5;
  const maxLines = Math.max(1, Math.floor((box.height * MAX_SHARE) / (size * 1.3)));
  const lines = canvas.layoutLines(text, box.width, { ...format(), maxLines });
  const height = canvas.heightOf(lines, format());
  const y = box.y + box.height - height;
  canvas.withTag('P', () => canvas.markContent(() => canvas.drawLines(lines, { ...box, y }, format())));
  return { ...box, height: box.height - height - GAP };
}

export const TINT = '#f6f4f0';
const PADDING = 18;

/** Draws why content is missing, in its place. */
export function drawProblem({ problem }: DeckProblem, box: Box, canvas: PdfCanvas): void {
  const format = {
    size: TEXT_SIZES.small + 1,
    color: LIGHT_THEME.mutedText,
    align: 'center',
    maxLines: 6,
  } as const;
  const width = Math.min(box.width - 2 * PADDING, 460);
  const x = box.x + (box.width - width) / 2;
  const lines = canvas.layoutLines(problem, width, format);
  const height = canvas.heightOf(lines, format);
  canvas.drawArtifact(() => canvas.fillBox(box, TINT, 8));
  canvas.drawParagraph(
    problem,
    { x, y: box.y + Math.max(PADDING, (box.height - height) / 2), width },
    format,
  );
}
