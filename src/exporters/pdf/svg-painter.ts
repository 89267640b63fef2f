import type { PdfCanvas } from './pdf-canvas.ts';

type Matrix = readonly [number, number, number, number, number, number];
type Attributes = ReadonlyMap<string, string>;

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

interface Clip {
  d: string;
  matrix: Matrix;
}

/** Position of a drawing on the page. */
export interface DrawingPosition {
  x: number;
  y: number;
  /** Points of a pixel. */
  scale: number;
  /** Pixels. `isMirrored` mirrors the drawing but not its texts. */
  width: number;
  isMirrored: boolean;
}

const ELEMENT = /<(\/?)([a-zA-Z]+)([^>]*?)(\/?)>([^<]*)/g;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;

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
  for (const [, closing, name, rest, selfClosing, content] of svg.matchAll(ELEMENT)) {
    if (name === 'clipPath') isInClip = closing === '';
    if (isInClip || name === undefined) continue;
    if (closing !== '') {
      if (name === 'g' && groups.pop()!.isClipped) canvas.doc.restore();
      continue;
    }
    const attributes = parseAttributes(rest ?? '');
    const matrix = multiply(groups.at(-1)!.matrix, parseTransform(attributes.get('transform')));
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
      if (selfClosing === '') groups.push({ matrix, isClipped: clip !== undefined });
    } else if (name === 'text')
      paintText(canvas, attributes, decodeEntities(content ?? ''), matrix, position);
    else paintShape(canvas, name, attributes, matrix);
  }
}

function parseClips(svg: string): Map<string, Clip> {
  const found = svg.matchAll(/<clipPath id="([^"]+)"[^>]*>\s*<([a-z]+)([^>]*)>/g);
  return new Map(
    [...found].map(([, id, name, rest]) => {
      const attributes = parseAttributes(rest!);
      return [
        id!,
        { d: toPath(name!, attributes) ?? '', matrix: parseTransform(attributes.get('transform')) },
      ];
    }),
  );
}

function paintShape(canvas: PdfCanvas, name: string, attributes: Attributes, matrix: Matrix): void {
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

function paintText(
  canvas: PdfCanvas,
  attributes: Attributes,
  content: string,
  matrix: Matrix,
  { scale, isMirrored }: DrawingPosition,
): void {
  if (content === '') return;
  const size = parseFloat(attributes.get('font-size') ?? '12');
  const shift = BASELINES[attributes.get('dominant-baseline') ?? ''] ?? -0.357;
  const [a, b, c, d, e, f] = matrix;
  const [x, y] = [Number(attributes.get('x') ?? 0), Number(attributes.get('y') ?? 0) + shift * size];
  const anchor =
    ANCHORS[findAllowed(attributes.get('text-anchor'), ['start', 'middle', 'end'] as const) ?? 'start'];
  canvas.drawLabel(content, a * x + c * y + e, b * x + d * y + f, {
    size: size * scale,
    color: expandColor(attributes.get('fill') ?? '#000000'),
    bold: Number(attributes.get('font-weight') ?? 400) >= 600,
    align: isMirrored ? MIRRORED_ALIGN[anchor] : anchor,
  });
}

/** Offset from the baseline attribute to the middle of the capitals, relative to the font size. */
const BASELINES: Record<string, number> = { central: 0, 'text-before-edge': 0.5, 'text-after-edge': -0.5 };

const parseAttributes = (rest: string): Attributes =>
  new Map([...rest.matchAll(ATTRIBUTE)].map(([, key, value]) => [key!, decodeEntities(value!)]));

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

const decodeEntities = (value: string): string =>
  value.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => ENTITIES[name]!);

function parseTransform(transform: string | undefined): Matrix {
  let matrix = IDENTITY;
  for (const [, name, inner] of (transform ?? '').matchAll(/([a-z]+)\(([^)]*)\)/g)) {
    const [one = 0, two, ...more] = inner!.split(/[\s,]+/).map(Number);
    const angle = (one * Math.PI) / 180;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    if (name === 'translate') matrix = multiply(matrix, [1, 0, 0, 1, one, two ?? 0]);
    else if (name === 'scale') matrix = multiply(matrix, [one, 0, 0, two ?? one, 0, 0]);
    else if (name === 'rotate') matrix = multiply(matrix, [cos, sin, -sin, cos, 0, 0]);
    else if (name === 'matrix')
      matrix = multiply(matrix, [one, two!, more[0]!, more[1]!, more[2]!, more[3]!]);
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
