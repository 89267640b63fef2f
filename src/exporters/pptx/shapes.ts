import type { Box } from '../slides/slide-page.ts';
import { emu, xmlText } from './xml.ts';

/** Position and size of a shape. */
export const positionXml = ({ x, y, width, height }: Box) =>
  `<a:xfrm><a:off x="${emu(x)}" y="${emu(y)}"/><a:ext cx="${emu(width)}" cy="${emu(height)}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;

/** A decorative rectangle; `fill` is XML. */
export function rectangleShape(id: number, name: string, box: Box, fill: string): string {
  return [
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${xmlText(name)}"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>`,
    `<p:spPr>${positionXml(box)}${fill}<a:ln><a:noFill/></a:ln></p:spPr>`,
    '<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>',
  ].join('');
}

export function logoShape(id: number, box: Box, relation: string): string {
  return [
    `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="Logo" descr="Logo"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr userDrawn="1"/></p:nvPicPr>`,
    `<p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${positionXml(box)}</p:spPr></p:pic>`,
  ].join('');
}

/** The shape tree of a layout or master. */
export function shapeTree(shapes: readonly string[]): string {
  return [
    '<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>',
    '<p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>',
    ...shapes,
    '</p:spTree>',
  ].join('');
}
