import type { Box } from '../slides/slide-page.ts';
import { CHART_SPACE, emu, TABLE_SPACE, xmlText } from './xml.ts';

/** What a thing on a slide is called, and which it is. */
export interface ShapeName {
  id: number;
  name: string;
  /** For who does not see it. */
  alt?: string;
}

/** A place of the layout that the thing fills, by its kind and number. */
export interface Placeholder {
  type: 'title' | 'ctrTitle' | 'subTitle' | 'body' | 'chart' | 'tbl' | 'pic' | 'ftr' | 'sldNum';
  index: number;
}

export function placeholderXml({ type, index }: Placeholder): string {
  const number = index === 0 ? '' : ` idx="${index}"`;
  const size = type === 'ftr' || type === 'sldNum' ? ' sz="quarter"' : '';
  return `<p:ph type="${type}"${size}${number}/>`;
}

const named = ({ id, name, alt }: ShapeName) =>
  `<p:cNvPr id="${id}" name="${xmlText(name)}"${alt === undefined ? '' : ` descr="${xmlText(alt)}"`}/>`;

const place = (tag: 'a' | 'p', { x, y, width, height }: Box) =>
  `<${tag}:xfrm><a:off x="${emu(x)}" y="${emu(y)}"/><a:ext cx="${emu(width)}" cy="${emu(height)}"/></${tag}:xfrm>`;

export interface TextShape extends ShapeName {
  placeholder?: Placeholder;
  /** Absent: where the layout has it. */
  box?: Box | undefined;
  /** Paragraphs. */
  content: string;
  anchor?: 't' | 'ctr' | 'b';
  /** How much smaller its type is than that of the layout, so that all of it fits; 1 or absent: not at all. */
  scale?: number;
  fill?: string;
  outline?: string;
  /** Points on each side; absent: as the layout has it, none for what is in no placeholder. */
  inset?: number;
  /** Shapes with rounded corners. */
  isRounded?: boolean;
}

export function textShape(shape: TextShape): string {
  const {
    placeholder,
    box,
    content,
    anchor,
    scale = 1,
    fill = '',
    outline = '',
    inset,
    isRounded = false,
  } = shape;
  const isFree = placeholder === undefined;
  const geometry = isFree
    ? `<a:prstGeom prst="${isRounded ? 'roundRect' : 'rect'}"><a:avLst>${isRounded ? '<a:gd name="adj" fmla="val 6000"/>' : ''}</a:avLst></a:prstGeom>`
    : '';
  const room = inset ?? (isFree ? 0 : undefined);
  const insets =
    room === undefined ? '' : ['l', 't', 'r', 'b'].map((side) => ` ${side}Ins="${emu(room)}"`).join('');
  const fit =
    scale < 1
      ? `<a:normAutofit fontScale="${Math.round(scale * 100) * 1000}" lnSpcReduction="10000"/>`
      : '<a:normAutofit/>';
  return [
    `<p:sp><p:nvSpPr>${named(shape)}`,
    isFree ? '<p:cNvSpPr txBox="1"/>' : '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>',
    `<p:nvPr>${isFree ? '' : placeholderXml(placeholder)}</p:nvPr></p:nvSpPr>`,
    `<p:spPr>${box === undefined ? '' : place('a', box)}${geometry}${fill}${outline}</p:spPr>`,
    `<p:txBody><a:bodyPr${isFree ? ' wrap="square"' : ''}${insets}${anchor === undefined ? '' : ` anchor="${anchor}"`}>${fit}</a:bodyPr>`,
    `<a:lstStyle/>${content}</p:txBody></p:sp>`,
  ].join('');
}

/** A plain rectangle that says nothing. */
export function rectangle(shape: ShapeName & { box: Box; fill: string }): string {
  return [
    `<p:sp><p:nvSpPr>${named(shape)}<p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>`,
    `<p:spPr>${place('a', shape.box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>${shape.fill}<a:ln><a:noFill/></a:ln></p:spPr>`,
    '<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>',
  ].join('');
}

export function pictureShape(
  shape: ShapeName & { box: Box; relation: string; placeholder?: Placeholder },
): string {
  const { box, relation, placeholder } = shape;
  return [
    `<p:pic><p:nvPicPr>${named(shape)}<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr>`,
    `<p:nvPr>${placeholder === undefined ? '' : placeholderXml(placeholder)}</p:nvPr></p:nvPicPr>`,
    `<p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>`,
    `<p:spPr>${place('a', box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`,
  ].join('');
}

function frame(
  shape: ShapeName & { box: Box; placeholder?: Placeholder },
  kind: string,
  content: string,
): string {
  const { box, placeholder } = shape;
  return [
    `<p:graphicFrame><p:nvGraphicFramePr>${named(shape)}<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr>`,
    `<p:nvPr>${placeholder === undefined ? '' : placeholderXml(placeholder)}</p:nvPr></p:nvGraphicFramePr>`,
    `${place('p', box)}<a:graphic><a:graphicData uri="${kind}">${content}</a:graphicData></a:graphic></p:graphicFrame>`,
  ].join('');
}

export function chartFrame(
  shape: ShapeName & { box: Box; relation: string; placeholder?: Placeholder },
): string {
  return frame(shape, CHART_SPACE, `<c:chart xmlns:c="${CHART_SPACE}" r:id="${shape.relation}"/>`);
}

/** `table` is an `a:tbl`. */
export function tableFrame(
  shape: ShapeName & { box: Box; table: string; placeholder?: Placeholder },
): string {
  return frame(shape, TABLE_SPACE, shape.table);
}

/** All that is on a slide, a layout or a master. */
export function shapeTree(shapes: readonly string[]): string {
  return [
    '<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>',
    '<p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>',
    ...shapes,
    '</p:spTree>',
  ].join('');
}
