import type { Placeholder } from '../layouts.ts';
import { removeForbiddenCharacters, xmlText } from '../xml.ts';

/** What the library could not be told of a shape. */
export interface ShapeDetails {
  name: string;
  placeholder: Placeholder | null;
  /** How much smaller its type is than that of its place, so that all of it fits; 1: not at all. */
  scale: number;
  /** For who does not see it; the library has it for charts and pictures alone. */
  alt?: string;
  /** Of a table: whether its first row is its head. */
  hasHeader?: boolean;
}

const SHAPE = /<p:(sp|pic|graphicFrame)>[\s\S]*?<\/p:\1>/g;
const KEY = /<p:cNvPr id="\d+" name="(shape-\d+)"/;

/** A slide as the library wrote it, with what it has no words for. */
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

/** Ids of shapes are unique; the library gives the number of the slide 25 and tables whatever. */
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

/** In its place of the layout, so that it goes along when that is restyled: the library would copy the place's style into each text. */
function asPlaceholder(shape: string, { type, index }: Placeholder): string {
  const mark = `<p:ph type="${type}"${type === 'ftr' ? ' sz="quarter"' : ''}${index === 0 ? '' : ` idx="${index}"`}/>`;
  return shape
    .replace(/<p:nvPr>\s*<\/p:nvPr>/, `<p:nvPr>${mark}</p:nvPr>`)
    .replace(/<p:nvPr>\s*<p:extLst>/, `<p:nvPr>${mark}<p:extLst>`)
    .replace('<p:cNvSpPr/>', '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>')
    .replace(/(<a:prstGeom prst="rect"><a:avLst\/><\/a:prstGeom>)<a:noFill\/><a:ln><\/a:ln>/, '$1');
}

/** The place of the slide's number, which the library puts into none. */
function slideNumberPlaceholder(shape: string, isRtl: boolean, language: string): string {
  if (!shape.includes('type="sldNum"')) return shape;
  return shape
    .replace('idx="4294967295"', 'idx="12"')
    .replace(/<a:lstStyle>[\s\S]*?<\/a:lstStyle>/, '<a:lstStyle/>')
    .replace(/<a:pPr algn="\w+"\/>/, `<a:pPr algn="${isRtl ? 'l' : 'r'}"/>`)
    .replace('<a:rPr b="0" lang="en-US"/>', `<a:rPr lang="${xmlText(language)}"/>`);
}

/** The library repeats the properties of a paragraph before each of its runs; they may stand at its beginning alone. */
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
