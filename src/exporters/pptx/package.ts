import { Readable } from 'node:stream';
import type { DeckHeader, DeckImage } from '../../domain/reports/deck.ts';
import { writeXlsx } from '../xlsx/xlsx-file.ts';
import { writeZip, type ZipEntry } from '../zip.ts';
import { chartXml, WORKBOOK_RELATION } from './chart-part.ts';
import type { NativeChart } from './charts/plotted-chart.ts';
import type { Layout } from './layouts.ts';
import { LOGO_RELATION, layoutXml, type MasterSettings, masterXml, themeXml } from './master.ts';
import { NOTES_PAGE, notesMasterXml, notesXml } from './notes.ts';
import { emu, NAMESPACES, OFFICE, RELATION_TYPES, XML_HEAD, xmlText } from './xml.ts';

/** A relationship of a part to another part or a web address. */
export interface Relation {
  id: string;
  /** The last segment of its type. */
  type: string;
  /** Relative to the folder of the part, or an absolute URL. */
  target: string;
  isExternal?: boolean;
}

/** A slide as XML; its relationships are numbered from `FIRST_CONTENT_RELATION`. */
export interface SlidePart {
  /** From 1. */
  number: number;
  layout: Layout;
  xml: string;
  relations: readonly Relation[];
  notes: string;
}

/** Slides first relate to their layout and notes. */
export const FIRST_CONTENT_RELATION = 3;

/** The charts and pictures of all slides. */
export class PresentationParts {
  readonly charts: { chart: NativeChart; title: string }[] = [];
  readonly pictures: DeckImage[] = [];

  /** Returns the target of the relationship. */
  addChart(chart: NativeChart, title: string): string {
    const number = this.charts.push({ chart, title });
    return `../charts/chart${number}.xml`;
  }

  /** Returns the target of the relationship. */
  addPicture(picture: DeckImage): string {
    const number = this.pictures.push(picture);
    return `../media/picture${number}.${picture.kind}`;
  }
}

export interface Presentation {
  head: DeckHeader;
  font: string;
  settings: MasterSettings;
  layouts: readonly Layout[];
  slides: readonly SlidePart[];
  parts: PresentationParts;
}

/** A file of the package. XML parts have a content type, other files have one by their extension. */
type PackageFile =
  | { path: string; contentType: string; xml: () => string; relations?: readonly Relation[] }
  | { path: string; bytes: () => AsyncIterable<Buffer>; sizeBytes: number | null };

const PRESENTATION_TYPE = 'application/vnd.openxmlformats-officedocument.presentationml';
const OFFICE_TYPE = 'application/vnd.openxmlformats-officedocument';

/** Streams a PowerPoint file (ECMA-376, Office Open XML). */
export function writePresentation(presentation: Presentation): AsyncGenerator<Buffer> {
  return writeZip(Readable.from(packageEntries(presentation)));
}

function* packageEntries(presentation: Presentation): Generator<ZipEntry> {
  const { createdAt } = presentation.head;
  const files = [...packageFiles(presentation)];
  const textEntry = (name: string, text: string): ZipEntry => {
    const bytes = Buffer.from(text);
    return {
      ...{ name, chunks: Readable.from([bytes]), sizeBytes: bytes.length },
      ...{ modifiedAt: createdAt, compress: true },
    };
  };
  yield textEntry('[Content_Types].xml', contentTypesXml(files));
  yield textEntry(
    '_rels/.rels',
    relationsXml([
      { id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' },
      { id: 'rId2', type: 'extended-properties', target: 'docProps/app.xml' },
      { id: 'rId3', type: 'core-properties', target: 'docProps/core.xml' },
    ]),
  );
  for (const file of files) {
    if ('xml' in file) {
      yield textEntry(file.path, file.xml());
      if (file.relations !== undefined)
        yield textEntry(file.path.replace(/[^/]+$/, '_rels/$&.rels'), relationsXml(file.relations));
    } else {
      const { path, bytes, sizeBytes } = file;
      yield { name: path, chunks: bytes(), sizeBytes, modifiedAt: createdAt, compress: false };
    }
  }
}

function* packageFiles(presentation: Presentation): Generator<PackageFile> {
  const { head, font, settings, layouts, slides, parts } = presentation;
  const { logo, palette } = settings;
  const presentationRelations = numberRelations([
    ['slideMaster', 'slideMasters/slideMaster1.xml'],
    ['notesMaster', 'notesMasters/notesMaster1.xml'],
    ...slides.map(({ number }): [string, string] => ['slide', `slides/slide${number}.xml`]),
    ['theme', 'theme/theme1.xml'],
  ]);
  const logoRelations: Relation[] =
    logo === null ? [] : [{ id: LOGO_RELATION, type: 'image', target: `../media/logo.${logo.kind}` }];
  yield {
    ...{ path: 'docProps/app.xml', contentType: `${OFFICE_TYPE}.extended-properties+xml` },
    xml: () => appPropertiesXml(head, slides.length),
  };
  yield {
    ...{
      path: 'docProps/core.xml',
      contentType: 'application/vnd.openxmlformats-package.core-properties+xml',
    },
    xml: () => corePropertiesXml(head),
  };
  yield {
    ...{ path: 'ppt/presentation.xml', contentType: `${PRESENTATION_TYPE}.presentation.main+xml` },
    ...{ xml: () => presentationXml(settings, slides.length), relations: presentationRelations },
  };
  // The format requires that each master has a theme of its own.
  for (const number of [1, 2])
    yield {
      ...{ path: `ppt/theme/theme${number}.xml`, contentType: `${OFFICE_TYPE}.theme+xml` },
      xml: () => themeXml({ name: head.title, font, palette }),
    };
  yield {
    path: 'ppt/slideMasters/slideMaster1.xml',
    contentType: `${PRESENTATION_TYPE}.slideMaster+xml`,
    xml: () => masterXml(settings, layouts.length),
    relations: [
      ...numberRelations([
        ...layouts.map((layout): [string, string] => ['slideLayout', `../${layoutPath(layouts, layout)}`]),
        ['theme', '../theme/theme1.xml'],
      ]),
      ...logoRelations,
    ],
  };
  for (const layout of layouts)
    yield {
      ...{ path: `ppt/${layoutPath(layouts, layout)}`, contentType: `${PRESENTATION_TYPE}.slideLayout+xml` },
      xml: () => layoutXml(layout, settings),
      relations: [
        ...numberRelations([['slideMaster', '../slideMasters/slideMaster1.xml']]),
        ...(layout.key === 'title' ? logoRelations : []),
      ],
    };
  yield {
    ...{ path: 'ppt/notesMasters/notesMaster1.xml', contentType: `${PRESENTATION_TYPE}.notesMaster+xml` },
    ...{ xml: notesMasterXml, relations: numberRelations([['theme', '../theme/theme2.xml']]) },
  };
  for (const { number, layout, xml, relations, notes } of slides) {
    yield {
      ...{ path: `ppt/slides/slide${number}.xml`, contentType: `${PRESENTATION_TYPE}.slide+xml` },
      xml: () => xml,
      relations: [
        ...numberRelations([
          ['slideLayout', `../${layoutPath(layouts, layout)}`],
          ['notesSlide', `../notesSlides/notesSlide${number}.xml`],
        ]),
        ...relations,
      ],
    };
    yield {
      path: `ppt/notesSlides/notesSlide${number}.xml`,
      contentType: `${PRESENTATION_TYPE}.notesSlide+xml`,
      xml: () => notesXml(notes, settings),
      relations: numberRelations([
        ['notesMaster', '../notesMasters/notesMaster1.xml'],
        ['slide', `../slides/slide${number}.xml`],
      ]),
    };
  }
  for (const [index, { chart, title }] of parts.charts.entries()) {
    const workbook = `embeddings/chart${index + 1}.xlsx`;
    yield {
      ...{ path: `ppt/charts/chart${index + 1}.xml`, contentType: `${OFFICE_TYPE}.drawingml.chart+xml` },
      xml: () => chartXml(chart, palette),
      relations: [{ id: WORKBOOK_RELATION, type: 'package', target: `../${workbook}` }],
    };
    const bytes = () => writeXlsx(chart.sheet.workbook(title, head.createdAt));
    yield { path: `ppt/${workbook}`, bytes, sizeBytes: null };
  }
  for (const [index, picture] of parts.pictures.entries())
    yield pictureFile(`ppt/media/picture${index + 1}.${picture.kind}`, picture);
  if (logo !== null) yield pictureFile(`ppt/media/logo.${logo.kind}`, logo);
}

const layoutPath = (layouts: readonly Layout[], layout: Layout) =>
  `slideLayouts/slideLayout${layouts.indexOf(layout) + 1}.xml`;

function pictureFile(path: string, { bytes }: DeckImage): PackageFile {
  return { path, bytes: () => Readable.from([Buffer.from(bytes)]), sizeBytes: bytes.length };
}

const numberRelations = (relations: readonly (readonly [type: string, target: string])[]): Relation[] =>
  relations.map(([type, target], index) => ({ id: `rId${index + 1}`, type, target }));

const PACKAGE = `${OFFICE}/package/2006`;

function relationsXml(relations: readonly Relation[]): string {
  const entries = relations.map(({ id, type, target, isExternal = false }) => {
    const prefix = type === 'core-properties' ? `${PACKAGE}/relationships/metadata` : RELATION_TYPES;
    return `<Relationship Id="${id}" Type="${prefix}/${type}" Target="${xmlText(target)}"${isExternal ? ' TargetMode="External"' : ''}/>`;
  });
  return `${XML_HEAD}<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

const EXTENSIONS = [
  ['rels', 'application/vnd.openxmlformats-package.relationships+xml'],
  ['xml', 'application/xml'],
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['xlsx', `${OFFICE_TYPE}.spreadsheetml.sheet`],
] as const;

function contentTypesXml(files: readonly PackageFile[]): string {
  const defaults = EXTENSIONS.map(
    ([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`,
  );
  const overrides = files.map((file) =>
    'xml' in file ? `<Override PartName="/${file.path}" ContentType="${file.contentType}"/>` : '',
  );
  return `${XML_HEAD}<Types xmlns="${PACKAGE}/content-types">${defaults.join('')}${overrides.join('')}</Types>`;
}

const FIRST_MASTER_ID = 2_147_483_648;
const FIRST_SLIDE_ID = 256;
const LEVEL_INDENT_EMU = 457_200;

/** Masters are the first two relationships, slides follow. */
function presentationXml({ page, isRtl }: MasterSettings, slideCount: number): string {
  const slides = Array.from(
    { length: slideCount },
    (_, index) => `<p:sldId id="${FIRST_SLIDE_ID + index}" r:id="rId${index + 3}"/>`,
  );
  const levels = Array.from({ length: 9 }, (_, level) => {
    const tag = `a:lvl${level + 1}pPr`;
    const font = '<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>';
    return `<${tag} marL="${level * LEVEL_INDENT_EMU}" algn="l" defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1"><a:defRPr sz="1800" kern="1200"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill>${font}</a:defRPr></${tag}>`;
  });
  return [
    `${XML_HEAD}<p:presentation ${NAMESPACES}${isRtl ? ' rtl="1"' : ''} saveSubsetFonts="1" autoCompressPictures="0">`,
    `<p:sldMasterIdLst><p:sldMasterId id="${FIRST_MASTER_ID}" r:id="rId1"/></p:sldMasterIdLst>`,
    '<p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst>',
    slideCount === 0 ? '' : `<p:sldIdLst>${slides.join('')}</p:sldIdLst>`,
    `<p:sldSz cx="${emu(page.width)}" cy="${emu(page.height)}"/><p:notesSz cx="${emu(NOTES_PAGE.width)}" cy="${emu(NOTES_PAGE.height)}"/>`,
    `<p:defaultTextStyle>${levels.join('')}</p:defaultTextStyle></p:presentation>`,
  ].join('');
}

function appPropertiesXml({ organization }: DeckHeader, slideCount: number): string {
  return `${XML_HEAD}<Properties xmlns="${OFFICE}/officeDocument/2006/extended-properties"><Application>Canvass</Application><Slides>${slideCount}</Slides><Notes>${slideCount}</Notes><Company>${xmlText(organization)}</Company></Properties>`;
}

function corePropertiesXml({ title, description, author, createdAt, style }: DeckHeader): string {
  const timestamp = createdAt.toISOString().replace(/\.\d+Z$/, 'Z');
  const date = (tag: string) => `<dcterms:${tag} xsi:type="dcterms:W3CDTF">${timestamp}</dcterms:${tag}>`;
  const subject = xmlText(description ?? '');
  return [
    `${XML_HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`,
    `<dc:title>${xmlText(title)}</dc:title>`,
    description === null
      ? ''
      : `<dc:subject>${subject}</dc:subject><dc:description>${subject}</dc:description>`,
    `<dc:creator>${xmlText(author)}</dc:creator><cp:lastModifiedBy>${xmlText(author)}</cp:lastModifiedBy><cp:revision>1</cp:revision>`,
    `${date('created')}${date('modified')}<dc:language>${xmlText(style.language)}</dc:language></cp:coreProperties>`,
  ].join('');
}
