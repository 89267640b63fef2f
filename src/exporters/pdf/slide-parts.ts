import type { DeckHeader, DeckImage, DeckProblem, DeckSlide } from '../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../slide-page.ts';
import { type PdfCanvas, type TextFormat, toTextStyle } from './pdf-canvas.ts';
import { LIGHT_THEME } from '../../domain/charts/drawing/chart-theme.ts';
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

type Matrix = readonly [number, number, number, number, number, number];
type Attributes = ReadonlyMap<string, string>;

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

interface Clip {
  d: string;
  matrix: Matrix;
}

/** Position of a drawing on the page. */
interface DrawingPosition {
  x: number;
  y: number;
  /** Points of a pixel. */
  scale: number;
  /** Pixels. `isMirrored` mirrors the drawing but not its texts. */
  width: number;
  isMirrored: boolean;
}

const ELEMENT = /<(\/?)([a-zA-Z]+)((?:[^a-zA-Z>][^>]*)?)>([^<]*)/g;
const ATTRIBUTE = /(?<![\w:-])([\w:-]+)="([^"]*)"/g;

/**
 * Draws the SVG elements of charts: paths, lines, clipped groups, texts. General SVG libraries use one typeface per text,
 * but category names may mix scripts; here texts use the same layout as all other texts.
 */
export function paintSvg(svg: string, canvas: PdfCanvas, position: DrawingPosition): void {
  const { x, y, scale, width, isMirrored } = position;
  const base: Matrix = isMirrored ? [-scale, 0, 0, scale, x + width * scale, y] : [scale, 0, 0, scale, x, y];
  const clips = parseClips(svg);
  const groups: { matrix: Matrix; isClipped: boolean }[] = [{ matrix: base, isClipped: false }];
  let isInClip = false;
  for (const [, closing, name, rest = '', content] of svg.matchAll(ELEMENT)) {
    if (name === 'clipPath') isInClip = closing === '';
    if (isInClip || name === undefined) continue;
    if (closing !== '') {
      if (name === 'g' && groups.pop()?.isClipped) canvas.doc.restore();
      continue;
    }
    const attributes = parseAttributes(rest);
    const matrix = multiply(groups.at(-1)?.matrix ?? base, parseTransform(attributes.get('transform')));
    if (name === 'g') {
      const clip = clips.get(/url\(#([^)]+)\)/.exec(attributes.get('clip-path') ?? '')?.[1] ?? '');
      if (clip !== undefined) {
        const at = multiply(matrix, clip.matrix);
        canvas.doc.save();
        canvas.doc
          .transform(...at)
          .path(clip.d)
          .clip();
        canvas.doc.transform(...invert(at));
      }
      if (!rest.endsWith('/')) groups.push({ matrix, isClipped: clip !== undefined });
    } else if (name === 'text')
      paintText({
        canvas,
        attributes,
        content: decodeEntities(content ?? ''),
        matrix,
        drawingPosition: position,
      });
    else paintShape({ canvas, name, attributes, matrix });
  }
}

function parseClips(svg: string): Map<string, Clip> {
  const found = svg.matchAll(/<clipPath id="([^"]+)"[^>]*>\s*<([a-z]+)((?:[^a-z>][^>]*)?)>/g);
  return new Map(
    [...found].map(([, id = '', name = '', rest = '']) => {
      const attributes = parseAttributes(rest);
      return [id, { d: toPath(name, attributes) ?? '', matrix: parseTransform(attributes.get('transform')) }];
    }),
  );
}

function paintShape({
  canvas,
  name,
  attributes,
  matrix,
}: {
  canvas: PdfCanvas;
  name: string;
  attributes: Attributes;
  matrix: Matrix;
}): void {
  const d = toPath(name, attributes);
  if (d === null) return;
  const fill = attributes.get('fill') ?? '#000000';
  const stroke = attributes.get('stroke') ?? 'none';
  if (fill === 'none' && stroke === 'none') return;
  const opacity = Number(attributes.get('opacity') ?? 1);
  const alpha = (key: string) => Number(attributes.get(key) ?? 1) * opacity;
  const { doc } = canvas;
  doc.save();
  doc.transform(...matrix);
  if (stroke !== 'none') {
    doc.lineWidth(Number(attributes.get('stroke-width') ?? 1));
    doc.lineJoin(findAllowed(attributes.get('stroke-linejoin'), ['round', 'bevel'] as const) ?? 'miter');
    doc.lineCap(findAllowed(attributes.get('stroke-linecap'), ['round', 'square'] as const) ?? 'butt');
    doc.strokeColor(expandColor(stroke), alpha('stroke-opacity'));
  }
  if (fill !== 'none') doc.fillColor(expandColor(fill), alpha('fill-opacity'));
  doc.path(d);
  if (fill === 'none') doc.stroke();
  else if (stroke === 'none') doc.fill();
  else doc.fillAndStroke();
  doc.restore();
}

const findAllowed = <Value extends string>(
  value: string | undefined,
  allowed: readonly Value[],
): Value | undefined => allowed.find((one) => one === value);

/** Expands `#abc`, which pdfkit does not support. */
const expandColor = (color: string): string =>
  /^#[0-9a-f]{3}$/i.test(color) ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}` : color;

function toPath(name: string, attributes: Attributes): string | null {
  const number = (key: string) => Number(attributes.get(key) ?? 0);
  switch (name) {
    case 'path':
      return attributes.get('d') ?? null;
    case 'polyline':
    case 'polygon':
      return `M${attributes.get('points') ?? '0 0'}${name === 'polygon' ? 'Z' : ''}`;
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    case 'rect':
      return `M${number('x')} ${number('y')}h${number('width')}v${number('height')}h${-number('width')}Z`;
    case 'circle': {
      const [x, y, r] = [number('cx'), number('cy'), number('r')];
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    }
    default:
      return null;
  }
}

const ANCHORS = { start: 'start', middle: 'center', end: 'end' } as const;
const MIRRORED_ALIGN = { start: 'end', center: 'center', end: 'start' } as const;

function paintText({
  canvas,
  attributes,
  content,
  matrix,
  drawingPosition: { scale, isMirrored },
}: {
  canvas: PdfCanvas;
  attributes: Attributes;
  content: string;
  matrix: Matrix;
  drawingPosition: DrawingPosition;
}): void {
  if (content === '') return;
  const size = parseFloat(attributes.get('font-size') ?? '12');
  const shift = BASELINES[attributes.get('dominant-baseline') ?? ''] ?? -0.357;
  const [a, b, c, d, e, f] = matrix;
  const [x, y] = [Number(attributes.get('x') ?? 0), Number(attributes.get('y') ?? 0) + shift * size];
  const anchor =
    ANCHORS[findAllowed(attributes.get('text-anchor'), ['start', 'middle', 'end'] as const) ?? 'start'];
  canvas.drawLabel({
    text: content,
    x: a * x + c * y + e,
    y: b * x + d * y + f,
    format: {
      size: size * scale,
      color: expandColor(attributes.get('fill') ?? '#000000'),
      bold: Number(attributes.get('font-weight') ?? 400) >= 600,
      align: isMirrored ? MIRRORED_ALIGN[anchor] : anchor,
    },
  });
}

/** Offset from the baseline attribute to the middle of the capitals, relative to the font size. */
const BASELINES: Record<string, number> = { central: 0, 'text-before-edge': 0.5, 'text-after-edge': -0.5 };

const parseAttributes = (rest: string): Attributes =>
  new Map([...rest.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, decodeEntities(value)]));

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

const decodeEntities = (value: string): string =>
  value.replace(/&(lt|gt|amp|quot|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity);

function parseTransform(transform: string | undefined): Matrix {
  let matrix = IDENTITY;
  for (const [, name, inner = ''] of (transform ?? '').matchAll(/(?<![a-z])([a-z]+)\(([^)]*)\)/g)) {
    const [one = 0, two, three = 0, four = 0, five = 0, six = 0] = inner.split(/[\s,]+/).map(Number);
    const angle = (one * Math.PI) / 180;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    if (name === 'translate') matrix = multiply(matrix, [1, 0, 0, 1, one, two ?? 0]);
    else if (name === 'scale') matrix = multiply(matrix, [one, 0, 0, two ?? one, 0, 0]);
    else if (name === 'rotate') matrix = multiply(matrix, [cos, sin, -sin, cos, 0, 0]);
    else if (name === 'matrix') matrix = multiply(matrix, [one, two ?? 0, three, four, five, six]);
  }
  return matrix;
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function invert([a, b, c, d, e, f]: Matrix): Matrix {
  const determinant = a * d - b * c;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}
