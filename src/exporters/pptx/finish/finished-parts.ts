import { Readable } from 'node:stream';
import type { DeckHeader } from '../../../domain/reports/deck.ts';
import { xlsxFile } from '../../xlsx/xlsx-file.ts';
import type { ZipEntry } from '../../zip.ts';
import type { Layout } from '../layouts.ts';
import { layoutXml, type MasterSettings, masterXml } from '../master.ts';
import { themeXml } from '../theme.ts';
import { type ChartNote, finishedChart } from './chart-part.ts';
import { finishedNotes } from './notes-part.ts';
import { finishedProperties, presentParts, withLogo } from './package-parts.ts';
import { finishedSlide, type ShapeNote } from './slide-part.ts';
import { storedFiles } from './stored-zip.ts';

/** A slide, and what the library could not be told of it. */
export interface WrittenSlide {
  shapes: ReadonlyMap<string, ShapeNote>;
  charts: readonly ChartNote[];
  notes: string;
}

export interface Finish {
  head: DeckHeader;
  font: string;
  settings: MasterSettings;
  layouts: readonly Layout[];
  written: readonly WrittenSlide[];
  madeAt: Date;
}

/** One that the library always brings, before ours. */
const OWN_LAYOUTS = 1;
const NUMBERED = /^(.*?)(\d+)\.(xml(?:\.rels)?|xlsx)$/;

/** The parts of the library's file, one after the other, each with what it has no way to write. */
export function* finishedParts(bytes: Buffer, finish: Finish): Generator<ZipEntry> {
  const { head, font, settings, layouts, written, madeAt } = finish;
  const files = storedFiles(bytes);
  const { logo, paint } = settings;
  const logoName = logo === null ? null : `logo.${logo.kind}`;
  const charts = written.flatMap((slide) => slide.charts);
  const numbers = [...files.keys()]
    .filter((path) => /^ppt\/charts\/chart\d+\.xml$/.test(path))
    .map((path) => Number(NUMBERED.exec(path)![2]))
    .sort((one, other) => one - other);
  // The library numbers charts over all files that it ever wrote.
  const chartAt = (number: number) => charts[numbers.indexOf(number)]!;

  const made = (path: string, xml: () => string): string | null => {
    switch (path) {
      case '[Content_Types].xml':
        return presentParts(xml(), (part) => files.has(part));
      case 'docProps/core.xml':
        return finishedProperties(xml(), head);
      case 'ppt/theme/theme1.xml':
        return themeXml({ name: head.title, font, paint });
      case 'ppt/slideMasters/slideMaster1.xml':
        return masterXml(settings, layouts.length + OWN_LAYOUTS);
      case 'ppt/slideMasters/_rels/slideMaster1.xml.rels':
        return logoName === null ? null : withLogo(xml(), `../media/${logoName}`);
    }
    const [, place, digits] = NUMBERED.exec(path) ?? [];
    const number = Number(digits);
    switch (place ?? '') {
      case 'ppt/slideLayouts/slideLayout': {
        const layout = layouts[number - 1 - OWN_LAYOUTS];
        return layout === undefined ? null : layoutXml(layout, settings);
      }
      case 'ppt/slideLayouts/_rels/slideLayout': {
        const isTitle = layouts[number - 1 - OWN_LAYOUTS]?.key === 'title';
        return isTitle && logoName !== null ? withLogo(xml(), `../media/${logoName}`) : null;
      }
      case 'ppt/slides/slide':
        return finishedSlide(xml(), written[number - 1]!.shapes, settings);
      case 'ppt/notesSlides/notesSlide':
        return finishedNotes(xml(), written[number - 1]!.notes, settings);
      case 'ppt/charts/chart':
        return finishedChart(xml(), chartAt(number), paint);
      default:
        return null;
    }
  };

  const entry = (name: string, chunks: AsyncIterable<Buffer>, sizeBytes: number | null): ZipEntry => ({
    ...{ name, chunks, sizeBytes, modifiedAt: madeAt },
    compress: !/\.(xlsx|png|jpeg)$/.test(name),
  });
  for (const [path, content] of files) {
    const workbook = /^ppt\/embeddings\/.*?(\d+)\.xlsx$/.exec(path);
    if (workbook !== null) {
      // The library's has zeros where nothing is known, and loses categories without a name.
      const { sheet, title } = chartAt(Number(workbook[1]));
      yield entry(path, xlsxFile(sheet.workbook(title, madeAt)), null);
      continue;
    }
    const xml = made(path, () => content.toString());
    const ready = xml === null ? content : Buffer.from(xml);
    yield entry(path, Readable.from([ready]), ready.length);
  }
  if (logo !== null) {
    const picture = Buffer.from(logo.bytes);
    yield entry(`ppt/media/${logoName}`, Readable.from([picture]), picture.length);
  }
}
