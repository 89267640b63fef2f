import { requireItem } from '../../lib/require-value.ts';
import { Readable } from 'node:stream';
import type { DeckHeader } from '../../domain/reports/deck.ts';
import { writeXlsx } from '../xlsx-file.ts';
import type { ZipEntry } from '../zip.ts';
import type { Layout, Placeholder } from './layouts.ts';
import { layoutXml, type MasterSettings, masterXml, themeXml, LOGO_RELATION } from './master.ts';
import { detectLanguage, isRightToLeftText, type WritingDirection } from './text-body.ts';
import { xmlText, removeForbiddenCharacters } from './ooxml.ts';
import { type ChartDetails, completeChartXml } from './charts/chart-part.ts';

const NOTES_TEXT =
  /<a:p><a:r><a:rPr lang="en-US" dirty="0"\/><a:t>[\s\S]*?<\/a:t><\/a:r><a:endParaRPr lang="en-US" dirty="0"\/><\/a:p>/;

/** Writes speaker notes with one paragraph per line and its language. The library writes one English paragraph. */
function completeNotesXml(xml: string, notes: string, { language, isRtl }: WritingDirection): string {
  const paragraphs = notes
    .trim()
    .split(/\r\n|[\n\r]/)
    .map((line) => {
      const tag = xmlText(detectLanguage(line, language));
      const run = line === '' ? '' : `<a:r><a:rPr lang="${tag}" dirty="0"/><a:t>${xmlText(line)}</a:t></a:r>`;
      const isRightToLeft = isRightToLeftText(line, isRtl);
      const properties = isRightToLeft ? '<a:pPr algn="r" rtl="1"/>' : '';
      return `<a:p>${properties}${run}<a:endParaRPr lang="${tag}" dirty="0"/></a:p>`;
    });
  return xml.replace(NOTES_TEXT, () => paragraphs.join(''));
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;

/** Reads the files of an uncompressed archive by path. */
function readStoredZip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = findEndRecord(zip);
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== ENTRY_SIGNATURE || zip.readUInt16LE(at + 10) !== 0)
      throw new Error('not a stored entry');
    const bytes = zip.readUInt32LE(at + 20);
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, nameEnd);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    if (!name.endsWith('/')) files.set(name, zip.subarray(start, start + bytes));
    // The extra field and the comment follow the name.
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

function findEndRecord(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = zip.length - END_BYTES; at >= first; at -= 1)
    if (zip.readUInt32LE(at) === END_SIGNATURE) return at;
  throw new Error('not an archive');
}

/** A slide with the details that the library does not support. */
export interface WrittenSlide {
  shapes: ReadonlyMap<string, ShapeDetails>;
  charts: readonly ChartDetails[];
  notes: string;
}

interface PackageDetails {
  head: DeckHeader;
  font: string;
  settings: MasterSettings;
  layouts: readonly Layout[];
  written: readonly WrittenSlide[];
  createdAt: Date;
}

/** The library always adds one layout before ours. */
const BUILT_IN_LAYOUTS = 1;
const NUMBERED = /^(.*\D|)(\d+)\.(xml(?:\.rels)?|xlsx)$/;

/** Yields the parts of the library's file, completed with the details that it does not support. */
export function* completePackageParts(bytes: Buffer, details: PackageDetails): Generator<ZipEntry> {
  const { head, font, settings, layouts, written, createdAt } = details;
  const files = readStoredZip(bytes);
  const { logo, palette } = settings;
  const logoName = logo === null ? null : `logo.${logo.kind}`;
  const charts = written.flatMap((slide) => slide.charts);
  const numbers = [...files.keys()]
    .map((path) => /^ppt\/charts\/chart(\d+)\.xml$/.exec(path)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((one, other) => one - other);
  // The library numbers charts across all files of the process.
  const chartAt = (number: number): ChartDetails => {
    const chart = charts[numbers.indexOf(number)];
    if (chart === undefined) throw new Error(`the file has no chart ${number}`);
    return chart;
  };

  const completePart = (path: string, xml: () => string): string | null => {
    switch (path) {
      case '[Content_Types].xml':
        return removeMissingParts(xml(), (part) => files.has(part));
      case 'docProps/core.xml':
        return completeProperties(xml(), head);
      case 'ppt/theme/theme1.xml':
        return themeXml({ name: head.title, font, palette });
      case 'ppt/slideMasters/slideMaster1.xml':
        return masterXml(settings, layouts.length + BUILT_IN_LAYOUTS);
      case 'ppt/slideMasters/_rels/slideMaster1.xml.rels':
        return logoName === null ? null : withLogo(xml(), `../media/${logoName}`);
    }
    const [, index, digits] = NUMBERED.exec(path) ?? [];
    const number = Number(digits);
    switch (index ?? '') {
      case 'ppt/slideLayouts/slideLayout': {
        const layout = layouts[number - 1 - BUILT_IN_LAYOUTS];
        return layout === undefined ? null : layoutXml(layout, settings);
      }
      case 'ppt/slideLayouts/_rels/slideLayout': {
        const isTitle = layouts[number - 1 - BUILT_IN_LAYOUTS]?.key === 'title';
        return isTitle && logoName !== null ? withLogo(xml(), `../media/${logoName}`) : null;
      }
      case 'ppt/slides/slide':
        return completeSlideXml(xml(), requireItem(written, number - 1).shapes, settings);
      case 'ppt/notesSlides/notesSlide':
        return completeNotesXml(xml(), requireItem(written, number - 1).notes, settings);
      case 'ppt/charts/chart':
        return completeChartXml(xml(), chartAt(number), palette);
      default:
        return null;
    }
  };

  const entry = (name: string, chunks: AsyncIterable<Buffer>, sizeBytes: number | null): ZipEntry => ({
    name,
    chunks,
    sizeBytes,
    modifiedAt: createdAt,
    compress: !/\.(xlsx|png|jpeg)$/.test(name),
  });
  for (const [path, content] of files) {
    const workbook = /^ppt\/embeddings\/(?:.*\D)?(\d+)\.xlsx$/.exec(path);
    if (workbook !== null) {
      // The library's workbook has zeros for missing values and omits categories without a name.
      const { sheet, title } = chartAt(Number(workbook[1]));
      yield entry(path, writeXlsx(sheet.workbook(title, createdAt)), null);
      continue;
    }
    const xml = completePart(path, () => content.toString());
    const completed = xml === null ? content : Buffer.from(xml);
    yield entry(path, Readable.from([completed]), completed.length);
  }
  if (logo !== null) {
    const picture = Buffer.from(logo.bytes);
    yield entry(`ppt/media/${logoName}`, Readable.from([picture]), picture.length);
  }
}

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
const SHAPE_KEY = /<p:cNvPr id="\d+" name="(shape-\d+)"/;

/** Adds the details that the library does not support to a slide. */
function completeSlideXml(
  xml: string,
  details: ReadonlyMap<string, ShapeDetails>,
  { isRtl, language }: { isRtl: boolean; language: string },
): string {
  let id = 1;
  const completed = xml.replace(SHAPE, (shape) => {
    id += 1;
    const shapeDetails = details.get(SHAPE_KEY.exec(shape)?.[1] ?? '');
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
  let completed = shape.replace(SHAPE_KEY, (found, key: string) => {
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

/** The library lists masters that do not exist. */
function removeMissingParts(contentTypes: string, hasPart: (path: string) => boolean): string {
  return contentTypes.replace(/<Override PartName="\/([^"]*)"[^>]*\/>/g, (entry, path: string) =>
    hasPart(path) ? entry : '',
  );
}

/** Sets the creation time and language of the report; the library uses the current time and no language. */
function completeProperties(xml: string, { createdAt, description, style }: DeckHeader): string {
  const timestamp = createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const extraElements = `${description === null ? '' : `<dc:description>${xmlText(description)}</dc:description>`}<dc:language>${xmlText(style.language)}</dc:language>`;
  return xml
    .replace(/(<dcterms:(created|modified)[^>]*>)[^<]*/g, (_, tag: string) => tag + timestamp)
    .replace('</cp:coreProperties>', `${extraElements}</cp:coreProperties>`);
}

const IMAGE_RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';

function withLogo(relations: string, target: string): string {
  const entry = `<Relationship Id="${LOGO_RELATION}" Type="${IMAGE_RELATION}" Target="${target}"/>`;
  return relations.replace('</Relationships>', `${entry}</Relationships>`);
}
