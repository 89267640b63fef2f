import type { DeckHead } from '../../domain/reports/deck.ts';
import type { SlidePage } from '../slides/slide-page.ts';
import { NOTES_SIZE } from './notes.ts';
import { Relations } from './relations.ts';
import { emu, PACKAGE, RELATION, SPACES, XML_HEAD, xmlText } from './xml.ts';

const FIRST_SLIDE_ID = 256;
const OFFICE_TYPE = 'application/vnd.openxmlformats-officedocument';

/** The part that names all slides. */
export function presentationPart(
  slides: number,
  page: SlidePage,
  { isRtl, language }: { isRtl: boolean; language: string },
) {
  const relations = new Relations();
  const master = relations.add('slideMaster', 'slideMasters/slideMaster1.xml');
  const notes = relations.add('notesMaster', 'notesMasters/notesMaster1.xml');
  relations.add('presProps', 'presProps.xml');
  relations.add('viewProps', 'viewProps.xml');
  relations.add('theme', 'theme/theme1.xml');
  relations.add('tableStyles', 'tableStyles.xml');
  const listed = Array.from({ length: slides }, (_, place) => {
    const id = relations.add('slide', `slides/slide${place + 1}.xml`);
    return `<p:sldId id="${FIRST_SLIDE_ID + place}" r:id="${id}"/>`;
  });
  const xml = [
    `${XML_HEAD}<p:presentation ${SPACES}${isRtl ? ' rtl="1"' : ''} saveSubsetFonts="1" autoCompressPictures="0">`,
    `<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="${master}"/></p:sldMasterIdLst>`,
    `<p:notesMasterIdLst><p:notesMasterId r:id="${notes}"/></p:notesMasterIdLst>`,
    listed.length === 0 ? '' : `<p:sldIdLst>${listed.join('')}</p:sldIdLst>`,
    `<p:sldSz cx="${emu(page.width)}" cy="${emu(page.height)}"/>${NOTES_SIZE}`,
    `<p:defaultTextStyle><a:defPPr><a:defRPr lang="${xmlText(language)}"/></a:defPPr></p:defaultTextStyle></p:presentation>`,
  ].join('');
  return { xml, relations };
}

export const PRESENTATION_PROPERTIES = `${XML_HEAD}<p:presentationPr ${SPACES}/>`;
export const VIEW_PROPERTIES = `${XML_HEAD}<p:viewPr ${SPACES}/>`;
export const TABLE_STYLES = `${XML_HEAD}<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" def="{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"/>`;

export function packageRelations(): string {
  const relations = new Relations();
  relations.add('officeDocument', 'ppt/presentation.xml');
  relations.add(`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml');
  relations.add('extended-properties', 'docProps/app.xml');
  return relations.xml();
}

export function coreProperties({ title, description, author, madeAt, look }: DeckHead): string {
  const moment = madeAt.toISOString().replace(/\.\d+Z$/, 'Z');
  return [
    `${XML_HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"`,
    ' xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${xmlText(title)}</dc:title><dc:creator>${xmlText(author)}</dc:creator>`,
    description === null ? '' : `<dc:description>${xmlText(description)}</dc:description>`,
    `<dc:language>${xmlText(look.language)}</dc:language><cp:lastModifiedBy>${xmlText(author)}</cp:lastModifiedBy>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${moment}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${moment}</dcterms:modified></cp:coreProperties>`,
  ].join('');
}

export function appProperties({ organization }: DeckHead, slides: number): string {
  return [
    `${XML_HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">`,
    `<Application>Canvass</Application><Slides>${slides}</Slides><Company>${xmlText(organization)}</Company></Properties>`,
  ].join('');
}

/** What kind of content each part of the file has; `parts` are their paths. */
export function contentTypes(parts: readonly string[]): string {
  const overrides = parts.flatMap((path) => {
    const type = typeOf(path);
    return type === null ? [] : [`<Override PartName="/${path}" ContentType="${type}"/>`];
  });
  return [
    `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    '<Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/>',
    `<Default Extension="xlsx" ContentType="${OFFICE_TYPE}.spreadsheetml.sheet"/>`,
    ...overrides,
    '</Types>',
  ].join('');
}

const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['ppt/slides', 'presentationml.slide'],
  ['ppt/slideLayouts', 'presentationml.slideLayout'],
  ['ppt/slideMasters', 'presentationml.slideMaster'],
  ['ppt/notesSlides', 'presentationml.notesSlide'],
  ['ppt/notesMasters', 'presentationml.notesMaster'],
  ['ppt/charts', 'drawingml.chart'],
  ['ppt/theme', 'theme'],
]);
const FILES: ReadonlyMap<string, string> = new Map([
  ['ppt/presentation.xml', `${OFFICE_TYPE}.presentationml.presentation.main+xml`],
  ['ppt/presProps.xml', `${OFFICE_TYPE}.presentationml.presProps+xml`],
  ['ppt/viewProps.xml', `${OFFICE_TYPE}.presentationml.viewProps+xml`],
  ['ppt/tableStyles.xml', `${OFFICE_TYPE}.presentationml.tableStyles+xml`],
  ['docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
  ['docProps/app.xml', `${OFFICE_TYPE}.extended-properties+xml`],
]);

function typeOf(path: string): string | null {
  const own = FILES.get(path);
  if (own !== undefined) return own;
  const folder = FOLDERS.get(path.slice(0, path.lastIndexOf('/')));
  return folder === undefined || !path.endsWith('.xml') ? null : `${OFFICE_TYPE}.${folder}+xml`;
}

/** Of a chart: where its figures are. */
export const WORKBOOK_RELATION = `${RELATION}/package`;
