import type { DeckImage } from '../../../domain/reports/deck.ts';
import type { Box } from '../../slides/slide-page.ts';
import type { PdfCanvas } from '../pdf-canvas.ts';

/** Pictures of this document: one that stands on every slide is in the file once. */
const embeddedImages = new WeakMap<PDFKit.PDFDocument, Map<DeckImage, object>>();

/** As large as the box allows, and no larger than is sharp; returns where it is. */
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
  const found = { x, y: box.y + (box.height - height) / 2, width, height };
  const placed = canvas.toPageBox(found);
  let known = embeddedImages.get(canvas.doc);
  if (known === undefined) embeddedImages.set(canvas.doc, (known = new Map<DeckImage, object>()));
  let image = known.get(picture);
  if (image === undefined) {
    image = (canvas.doc as unknown as { openImage(bytes: Uint8Array): object }).openImage(picture.bytes);
    known.set(picture, image);
  }
  // What is given is a picture already opened: never an address or a path.
  canvas.doc.image(image as unknown as Buffer, placed.x, placed.y, { width, height });
  return found;
}
