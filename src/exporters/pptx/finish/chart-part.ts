import type { DataSheet } from '../charts/data-sheet.ts';
import { type ValueLabel, valueLabelsXml } from '../charts/labels.ts';
import type { Palette } from '../palette.ts';

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
