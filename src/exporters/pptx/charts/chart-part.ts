import { requireItem } from '../../../lib/require-value.ts';
import { type Palette, xmlText, removeForbiddenCharacters } from '../ooxml.ts';
import type { XlsxCell, XlsxFile } from '../../xlsx-file.ts';

/** Chart details that the library does not support. */
export interface ChartDetails {
  sheet: DataSheet;
  labels: readonly (readonly (ValueLabel | null)[] | null)[];
  title: string;
}

const SERIES = /<c:ser>[\s\S]*?<\/c:ser>/g;
const LABELS = /<c:dLbls>[\s\S]*?<\/c:dLbls>/;

/** Adds the details that the library does not support to a chart. */
export function completeChartXml(xml: string, details: ChartDetails, palette: Palette): string {
  let index = -1;
  const withDetails = xml.replace(SERIES, (series) => {
    index += 1;
    const points = withPointsFirst(withoutEmptyPoints(withSharedCells(series, index, details)));
    return withLabels(points, details.labels[index] ?? null, palette);
  });
  const complete = withThemeColors(withoutThirdAxis(withHorizontalNames(withSchemaOrder(withDetails))));
  return withoutAreasInLegend(complete, details);
}

/** An empty point is invalid; an omitted point is a gap. */
const withoutEmptyPoints = (series: string): string =>
  series.replace(/<c:pt idx="\d+"><c:v><\/c:v><\/c:pt>/g, (point, at: number) =>
    // A category without a name keeps its position.
    series.lastIndexOf('<c:cat>', at) > series.lastIndexOf('</c:cat>', at) ? point : '',
  );

/** The schema requires the colors of single points before the labels. */
const withPointsFirst = (series: string): string =>
  series.replace(/(<c:dLbls>[\s\S]*?<\/c:dLbls>\s*)((?:<c:dPt>[\s\S]*?<\/c:dPt>\s*)+)/, '$2$1');

/** The library writes a theme color of a single point as if it were six hexadecimal digits. */
const withThemeColors = (xml: string): string =>
  xml.replace(/<a:srgbClr val="((?:accent|tx|bg)\d)"\/>/g, '<a:schemeClr val="$1"/>');

/** The library has one format for all labels of a chart; letters, hidden labels and colors differ per point. */
function withLabels(series: string, labels: ChartDetails['labels'][number], palette: Palette): string {
  return labels === null ? series : series.replace(LABELS, () => valueLabelsXml(labels, palette));
}

/** Layers use the same cells; the library would repeat each series in the workbook. */
function withSharedCells(series: string, index: number, { sheet }: ChartDetails): string {
  const sheetIndex = index % sheet.series.length;
  if (sheetIndex === index) return series;
  const letters = String.fromCharCode(65 + sheetIndex + 1);
  return series
    .replace(/(<c:f>Sheet1!\$)[A-Z]+(\$1<\/c:f>)/, `$1${letters}$2`)
    .replace(
      /(<c:val>[\s\S]*?<c:f>Sheet1!\$)[A-Z]+(\$2:\$)[A-Z]+(\$\d+<\/c:f>)/,
      `$1${letters}$2${letters}$3`,
    );
}

function withoutAreasInLegend(xml: string, { sheet, labels }: ChartDetails): string {
  if (labels.length <= sheet.series.length) return xml;
  const hidden = sheet.series.map(
    (_, index) => `<c:legendEntry><c:idx val="${index}"/><c:delete val="1"/></c:legendEntry>`,
  );
  return xml.replace(/(<c:legendPos val="\w+"\/>)/, `$1${hidden.join('')}`);
}

/** The library refers to a depth axis, which two-dimensional charts do not have. */
const withoutThirdAxis = (xml: string): string =>
  xml.replace(/(<c:axId val="\d+"\/><c:axId val="\d+"\/>)<c:axId val="\d+"\/>/g, '$1');

/** The schema requires the opposite order. */
const withSchemaOrder = (xml: string): string =>
  xml.replace(/(<c:noMultiLvlLbl val="\d"\/>)\s*(<c:tickLblSkip val="\d+"\/>)/g, '$2$1');

/** Wrapped names stay horizontal. Axes that skip labels keep the default, so that programs that show all of them can rotate them. */
const withHorizontalNames = (xml: string): string =>
  xml.replace(/<c:catAx>[\s\S]*?<\/c:catAx>/g, (axis) =>
    axis.includes('<c:tickLblSkip') ? axis : axis.replace('<a:bodyPr/>', '<a:bodyPr rot="0" vert="horz"/>'),
  );

interface LabelFormat {
  /** Points. */
  size: number;
  color: string;
  bold?: boolean;
}

/** Text properties of a chart with the typeface of the theme. */
function labelTextXml(
  { size, color, bold = false }: LabelFormat,
  palette: Palette,
  body = '<a:bodyPr/>',
): string {
  const font = '<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>';
  return `<c:txPr>${body}<a:lstStyle/><a:p><a:pPr><a:defRPr sz="${Math.round(size * 100)}" b="${bold ? 1 : 0}">${palette.fillXml(color)}${font}</a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`;
}

export interface ValueLabel extends LabelFormat {
  format: string;
  /** Background color of a label that covers other elements. */
  background?: string;
  /** Absent for chart types with only one position. */
  position?: 'outEnd' | 'ctr' | 't' | 'b' | 'r';
}

const SHOWN =
  '<c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/>';
const HIDDEN = SHOWN.replace('showVal val="1"', 'showVal val="0"');

const NO_LABELS = `<c:dLbls>${HIDDEN}</c:dLbls>`;

function labelXml(label: ValueLabel, palette: Palette): string {
  const { format, position, background } = label;
  return `<c:numFmt formatCode="${xmlText(format)}" sourceLinked="0"/><c:spPr>${background === undefined ? '<a:noFill/>' : palette.fillXml(background)}<a:ln><a:noFill/></a:ln></c:spPr>${labelTextXml(label, palette, '<a:bodyPr wrap="none"/>')}${position === undefined ? '' : `<c:dLblPos val="${position}"/>`}${SHOWN}`;
}

/** Data labels of a series; null: no label. The most frequent format is written once. */
function valueLabelsXml(labels: readonly (ValueLabel | null)[], palette: Palette): string {
  const labelsXml = labels.map((label) => (label === null ? null : labelXml(label, palette)));
  const defaultXml = mostFrequent(labelsXml.filter((xml) => xml !== null));
  if (defaultXml === null) return NO_LABELS;
  const exceptions = labelsXml.map((xml, index) => {
    if (xml === defaultXml) return '';
    return `<c:dLbl><c:idx val="${index}"/>${xml ?? '<c:delete val="1"/>'}</c:dLbl>`;
  });
  return `<c:dLbls>${exceptions.join('')}${defaultXml}</c:dLbls>`;
}

function mostFrequent(texts: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let [result, highest]: [string | null, number] = [null, 0];
  for (const [text, count] of counts) if (count > highest) [result, highest] = [text, count];
  return result;
}

/** The sheet name that the library uses in charts. */
const SHEET = 'Sheet1';

interface SheetSeries {
  name: string;
  values: readonly (number | null)[];
}

/** The data of a chart for its workbook: categories in the first column, one column per series. */
export class DataSheet {
  readonly categories: readonly string[];
  readonly series: readonly SheetSeries[];

  constructor(categories: readonly string[], series: readonly SheetSeries[]) {
    this.categories = categories.map(removeForbiddenCharacters);
    this.series = series.map(({ name, values }) => ({ name: removeForbiddenCharacters(name), values }));
  }

  /** A series in the format of the library, which modifies it. Missing values become empty points. */
  seriesData(seriesIndex: number): { name: string; labels: string[]; values: number[] } {
    const { name, values } = requireItem(this.series, seriesIndex);
    const points = this.categories.map((_, index) => values[index] ?? null);
    return { name, labels: [...this.categories], values: points as number[] };
  }

  workbook(title: string, createdAt: Date): XlsxFile {
    const rows = this.categories.map((category, index): XlsxCell[] => [
      category,
      ...this.series.map(({ values }) => values[index] ?? null),
    ]);
    const column = (header: string, widthCharacters: number) =>
      ({ header, style: 'plain', widthCharacters }) as const;
    const columns = [column('', 32), ...this.series.map(({ name }) => column(name, 16))];
    return {
      title: removeForbiddenCharacters(title),
      createdAt,
      sheets: [{ name: SHEET, columns, rows: singleChunk(rows) }],
    };
  }
}

async function* singleChunk<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value);
}
