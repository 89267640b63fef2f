import type { Placeholder } from '../layouts.ts';
import { removeForbiddenCharacters, xmlText } from '../xml.ts';

/** Shape details that the library does not support. */
export interface ShapeDetails {
  name: string;
  placeholder: Placeholder | null;
  /** Font scale relative to the placeholder, so that the text fits; 1: unscaled. */
  scale: number;
  /** Alternative text; the library supports it only for charts and pictures. */
  alt?: string;
  /** For tables: whether the first row is a header. */
  hasHeader?: boolean;
}

const SHAPE = /<p:(sp|pic|graphicFrame)>[\s\S]*?<\/p:\1>/g;
const KEY = /<p:cNvPr id="\d+" name="(shape-\d+)"/;

/** Adds the details that the library does not support to a slide. */
export function completeSlideXml(
  xml: string,
  details: ReadonlyMap<string, ShapeDetails>,
  { isRtl, language }: { isRtl: boolean; language: string },
): string {
  let id = 1;
  const completed = xml.replace(SHAPE, (shape) => {
    id += 1;
    const shapeDetails = details.get(KEY.exec(shape)?.[1] ?? '');
    return withShapeId(
      shapeDetails === undefined
        ? slideNumberPlaceholder(shape, isRtl, language)
        : completeShape(shape, shapeDetails, isRtl),
      id,
    );
  });
  return withoutRepeatedProperties(completed);
}

/** Shape IDs must be unique; the library repeats IDs. */
const withShapeId = (shape: string, id: number): string =>
  shape.replace(/<p:cNvPr id="\d+"/, `<p:cNvPr id="${id}"`);

function completeShape(
  shape: string,
  { name, placeholder, scale, alt, hasHeader }: ShapeDetails,
  isRtl: boolean,
): string {
  let completed = shape.replace(KEY, (found, key: string) => {
    const description = alt === undefined ? '' : ` descr="${xmlText(removeForbiddenCharacters(alt))}"`;
    return found.replace(`"${key}"`, `"${xmlText(name)} ${key.slice(6)}"${description}`);
  });
  if (placeholder !== null) completed = asPlaceholder(completed, placeholder);
  if (scale < 1)
    completed = completed.replace(
      '<a:normAutofit/>',
      `<a:normAutofit fontScale="${Math.round(scale * 100) * 1000}" lnSpcReduction="10000"/>`,
    );
  if (completed.includes('<a:tblPr/>'))
    completed = completed.replace(
      '<a:tblPr/>',
      `<a:tblPr${isRtl ? ' rtl="1"' : ''}${hasHeader === true ? ' firstRow="1"' : ''}/>`,
    );
  return completed;
}

/** Links a shape to its layout placeholder, so that it follows changes of the layout. The library would copy the style into each text. */
function asPlaceholder(shape: string, { type, index }: Placeholder): string {
  const mark = `<p:ph type="${type}"${type === 'ftr' ? ' sz="quarter"' : ''}${index === 0 ? '' : ` idx="${index}"`}/>`;
  return shape
    .replace(/<p:nvPr>\s*<\/p:nvPr>/, `<p:nvPr>${mark}</p:nvPr>`)
    .replace(/<p:nvPr>\s*<p:extLst>/, `<p:nvPr>${mark}<p:extLst>`)
    .replace('<p:cNvSpPr/>', '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>')
    .replace(/(<a:prstGeom prst="rect"><a:avLst\/><\/a:prstGeom>)<a:noFill\/><a:ln><\/a:ln>/, '$1');
}

/** Links the slide number to its placeholder, which the library does not do. */
function slideNumberPlaceholder(shape: string, isRtl: boolean, language: string): string {
  if (!shape.includes('type="sldNum"')) return shape;
  return shape
    .replace('idx="4294967295"', 'idx="12"')
    .replace(/<a:lstStyle>[\s\S]*?<\/a:lstStyle>/, '<a:lstStyle/>')
    .replace(/<a:pPr algn="\w+"\/>/, `<a:pPr algn="${isRtl ? 'l' : 'r'}"/>`)
    .replace('<a:rPr b="0" lang="en-US"/>', `<a:rPr lang="${xmlText(language)}"/>`);
}

/** Removes paragraph properties that the library repeats before each run; they are only valid at the start. */
function withoutRepeatedProperties(xml: string): string {
  return xml.replace(/<a:p>[\s\S]*?<\/a:p>/g, (paragraph) => {
    let isFirst = true;
    return paragraph.replace(/<a:pPr\b[^>]*(?:\/>|>[\s\S]*?<\/a:pPr>)/g, (properties) => {
      const kept = isFirst ? properties : '';
      isFirst = false;
      return kept;
    });
  });
}
