import type { DeckHead, DeckPicture, DeckSlide } from '../../domain/reports/deck.ts';
import { reportLook } from '../slides/report-look.ts';
import { isRightToLeft, slidePage } from '../slides/slide-page.ts';
import { type XlsxFile, xlsxFile } from '../xlsx/xlsx-file.ts';
import { zipFile, type ZipEntry } from '../zip.ts';
import { layoutFor, layoutsOf } from './layouts.ts';
import { layoutXml, type MasterSettings, masterXml } from './master.ts';
import { notesMasterXml, notesPart } from './notes.ts';
import { Paint } from './paint.ts';
import {
  appProperties,
  contentTypes,
  coreProperties,
  packageRelations,
  PRESENTATION_PROPERTIES,
  presentationPart,
  TABLE_STYLES,
  VIEW_PROPERTIES,
  WORKBOOK_RELATION,
} from './presentation.ts';
import { Relations } from './relations.ts';
import { writeContent } from './slide-content.ts';
import { type SlideSurroundings, SlideWriter } from './slide-writer.ts';
import { themeXml } from './theme.ts';

const FONT = 'Calibri';

/**
 * A report as a PowerPoint file (ECMA-376), a slide at a time: what is written is let go, so that memory does not grow with the slides.
 * Charts are PowerPoint's own and bring their figures in a workbook.
 */
export function reportPptx(head: DeckHead, slides: AsyncIterable<DeckSlide>): AsyncIterable<Uint8Array> {
  return zipFile(parts(head, slides));
}

/** Parts that wait to be written, and the names of all. */
class Package {
  readonly names: string[] = [];
  readonly #waiting: ZipEntry[] = [];
  readonly #madeAt: Date;
  readonly #pictures = new WeakMap<Uint8Array, string>();
  #pictureCount = 0;
  #charts = 0;

  constructor(madeAt: Date) {
    this.#madeAt = madeAt;
  }

  #add(name: string, chunks: AsyncIterable<Buffer>, sizeBytes: number | null, compress: boolean): void {
    this.names.push(name);
    this.#waiting.push({ name, chunks, sizeBytes, modifiedAt: this.#madeAt, compress });
  }

  text(name: string, xml: string): void {
    const bytes = Buffer.from(xml);
    this.#add(name, once(bytes), bytes.length, true);
  }

  /** A part with what it leads to. */
  part(name: string, xml: string, relations: Relations): void {
    this.text(name, xml);
    const [, folder, file] = /^(.*)\/([^/]*)$/.exec(name)!;
    this.text(`${folder}/_rels/${file}.rels`, relations.xml());
  }

  chart(xml: string, workbook: XlsxFile): string {
    this.#charts += 1;
    const number = this.#charts;
    const relations = new Relations();
    relations.add(WORKBOOK_RELATION, `../embeddings/chart${number}.xlsx`);
    this.part(`ppt/charts/chart${number}.xml`, xml, relations);
    this.#add(`ppt/embeddings/chart${number}.xlsx`, xlsxFile(workbook), null, false);
    return `../charts/chart${number}.xml`;
  }

  picture(picture: DeckPicture): string {
    const known = this.#pictures.get(picture.bytes);
    if (known !== undefined) return known;
    this.#pictureCount += 1;
    const name = `picture${this.#pictureCount}.${picture.kind}`;
    const bytes = Buffer.from(picture.bytes.buffer, picture.bytes.byteOffset, picture.bytes.byteLength);
    this.#add(`ppt/media/${name}`, once(bytes), bytes.length, false);
    this.#pictures.set(picture.bytes, `../media/${name}`);
    return `../media/${name}`;
  }

  *flush(): Generator<ZipEntry> {
    yield* this.#waiting.splice(0);
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}

async function* parts(head: DeckHead, slides: AsyncIterable<DeckSlide>): AsyncGenerator<ZipEntry> {
  const { look, madeAt, title } = head;
  const page = slidePage(look.page_size);
  const isRtl = isRightToLeft(look.language);
  const paint = new Paint(reportLook(look));
  const footer = look.footer ?? title;
  const file = new Package(madeAt);
  const layouts = layoutsOf(page, isRtl);

  file.text('_rels/.rels', packageRelations());
  file.text('docProps/core.xml', coreProperties(head));
  const logo = look.logo === null ? null : file.picture(look.logo);
  const settings: MasterSettings = { page, paint, isRtl, language: look.language, footer, logo: look.logo };
  writeFrame(file, settings, layouts, logo, { name: title, font: look.font ?? FONT });
  yield* file.flush();

  const around: SlideSurroundings = {
    ...{ page, paint, isRtl, language: look.language, footer, madeAt },
    addChart: (xml, workbook) => file.chart(xml, workbook),
    addPicture: (picture) => file.picture(picture),
  };
  let count = 0;
  for await (const slide of slides) {
    count += 1;
    const layout = layoutFor(slide);
    const layoutNumber = layouts.findIndex(({ key }) => key === layout) + 1;
    const writer = new SlideWriter(around, `../slideLayouts/slideLayout${layoutNumber}.xml`);
    writeContent(slide, writer);
    const xml = writer.finish(count, layout, `../notesSlides/notesSlide${count}.xml`);
    file.part(`ppt/slides/slide${count}.xml`, xml, writer.relations);
    const notes = notesPart(slide.notes, count, { language: look.language, isRtl });
    file.part(`ppt/notesSlides/notesSlide${count}.xml`, notes.xml, notes.relations);
    yield* file.flush();
  }

  const presentation = presentationPart(count, page, { isRtl, language: look.language });
  file.part('ppt/presentation.xml', presentation.xml, presentation.relations);
  file.text('docProps/app.xml', appProperties(head, count));
  file.text('[Content_Types].xml', contentTypes(file.names));
  yield* file.flush();
}

/** Everything but the slides. */
function writeFrame(
  file: Package,
  settings: MasterSettings,
  layouts: ReturnType<typeof layoutsOf>,
  logo: string | null,
  { name, font }: { name: string; font: string },
): void {
  const { paint, page, isRtl } = settings;
  const master = new Relations();
  const targets = layouts.map((_, place) => `../slideLayouts/slideLayout${place + 1}.xml`);
  file.part('ppt/slideMasters/slideMaster1.xml', masterXml(settings, targets, master, logo), master);
  layouts.forEach((layout, place) => {
    const relations = new Relations();
    file.part(
      `ppt/slideLayouts/slideLayout${place + 1}.xml`,
      layoutXml(layout, settings, relations, logo),
      relations,
    );
  });
  const notes = new Relations();
  notes.add('theme', '../theme/theme2.xml');
  file.part('ppt/notesMasters/notesMaster1.xml', notesMasterXml(page.height / page.width, isRtl), notes);
  // Two masters may not share one.
  for (const number of [1, 2]) file.text(`ppt/theme/theme${number}.xml`, themeXml({ name, font, paint }));
  file.text('ppt/presProps.xml', PRESENTATION_PROPERTIES);
  file.text('ppt/viewProps.xml', VIEW_PROPERTIES);
  file.text('ppt/tableStyles.xml', TABLE_STYLES);
}
