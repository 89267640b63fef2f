import type { DeckImage } from '../../../domain/reports/deck.ts';
import type { Box } from '../../slides/slide-page.ts';
import type { PdfCanvas } from '../pdf-canvas.ts';

/** Images by document, so that a repeated image is embedded once. */
const embeddedImages = new WeakMap<PDFKit.PDFDocument, Map<DeckImage, object>>();

/** Draws a picture as large as the box and its resolution allow; returns its position. */
export function drawPicture(
  picture: DeckImage,
  box: Box,
  align: 'start' | 'center' | 'end',
  canvas: PdfCanvas,
): Box {
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
