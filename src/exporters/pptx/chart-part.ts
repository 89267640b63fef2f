import { FONT_SIZE } from '../../domain/charts/chart-drawing.ts';
import { columnLetters } from '../xlsx/xlsx-file.ts';
import { SHEET_NAME } from './charts/data-sheet.ts';
import { labelTextXml, seriesLabelXml, valueLabelsXml } from './charts/labels.ts';
import type {
  BorderLine,
  CategoryAxis,
  ChartLayer,
  LineStyle,
  NativeChart,
  PieLayer,
  ValueAxis,
} from './charts/plotted-chart.ts';
import type { Palette } from './palette.ts';
import { emu, OFFICE_NAMESPACES, XML_HEAD, xmlText } from './xml.ts';

/** Relationship ID of the workbook of a chart. */
export const WORKBOOK_RELATION = 'rId1';

const AXIS_FONT_SIZE = 11;
/** Identifiers of the axes of a chart; every category axis crosses one value axis. */
const PRIMARY_AXES = { category: 1, value: 2 } as const;
const SECONDARY_AXES = { category: 3, value: 4 } as const;
const NO_FILL = '<a:noFill/><a:ln><a:noFill/></a:ln>';

/** The XML of a chart with a copy of its data, as ECMA-376 part 1, 21.2, defines it. */
export function chartXml(chart: NativeChart, palette: Palette): string {
  const { plotArea, layers, hasLegend } = chart;
  let seriesBefore = 0;
  const layersXml = layers.map((layer) => {
    const xml = layerXml(layer, seriesBefore, chart, palette);
    seriesBefore += layer.seriesIndexes.length;
    return xml;
  });
  return [
    `${XML_HEAD}<c:chartSpace ${OFFICE_NAMESPACES.chart} ${OFFICE_NAMESPACES.drawing} ${OFFICE_NAMESPACES.relation}>`,
    '<c:date1904 val="0"/><c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/><c:plotArea>',
    plotArea === undefined ? '<c:layout/>' : layoutXml(plotArea),
    ...layersXml,
    axesXml(chart, palette),
    `<c:spPr>${NO_FILL}</c:spPr></c:plotArea>`,
    hasLegend ? legendXml(chart, palette) : '',
    `<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart><c:spPr>${NO_FILL}</c:spPr>`,
    `<c:externalData r:id="${WORKBOOK_RELATION}"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>`,
  ].join('');
}

function layoutXml(plotArea: NonNullable<NativeChart['plotArea']>): string {
  const share = (value: number) => Number(Math.min(Math.max(value, 0.0001), 1).toFixed(4));
  const { x, y, width, height } = plotArea;
  return [
    '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>',
    `<c:x val="${share(x)}"/><c:y val="${share(y)}"/><c:w val="${share(width)}"/><c:h val="${share(height)}"/>`,
    '</c:manualLayout></c:layout>',
  ].join('');
}

const axisIds = ({ category, value }: { category: number; value: number }) =>
  `<c:axId val="${category}"/><c:axId val="${value}"/>`;

function layerXml(layer: ChartLayer, seriesBefore: number, chart: NativeChart, palette: Palette): string {
  const series = layer.seriesIndexes
    .map((_, index) => seriesXml(layer, index, seriesBefore + index, chart, palette))
    .join('');
  switch (layer.type) {
    case 'bar':
      return `<c:barChart><c:barDir val="${layer.isHorizontal ? 'bar' : 'col'}"/><c:grouping val="${layer.grouping}"/><c:varyColors val="0"/>${series}<c:gapWidth val="${layer.gapPercent}"/><c:overlap val="${layer.overlapPercent}"/>${axisIds(PRIMARY_AXES)}</c:barChart>`;
    case 'line':
      return `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}<c:marker val="1"/>${axisIds(layer.isSecondary === true ? SECONDARY_AXES : PRIMARY_AXES)}</c:lineChart>`;
    case 'area':
      return `<c:areaChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}${axisIds(PRIMARY_AXES)}</c:areaChart>`;
    case 'pie':
    case 'doughnut': {
      const hole = layer.type === 'pie' ? '' : `<c:holeSize val="${layer.holePercent ?? 50}"/>`;
      return `<c:${layer.type}Chart><c:varyColors val="1"/>${series}<c:firstSliceAng val="${layer.firstSliceAngle ?? 0}"/>${hole}</c:${layer.type}Chart>`;
    }
    case 'radar': {
      const label = { size: FONT_SIZE, color: palette.style.text, bold: true };
      const labels =
        layer.labelFormat === null ? '' : seriesLabelXml({ ...label, format: layer.labelFormat }, palette);
      return `<c:radarChart><c:radarStyle val="marker"/><c:varyColors val="0"/>${series}${labels}${axisIds(PRIMARY_AXES)}</c:radarChart>`;
    }
  }
}

/** `index` is the position within the layer, `order` that within the chart. */
function seriesXml(
  layer: ChartLayer,
  index: number,
  order: number,
  { sheet, labels }: NativeChart,
  palette: Palette,
): string {
  const sheetIndex = layer.seriesIndexes[index]!;
  const { name, values } = sheet.series[sheetIndex]!;
  const column = columnLetters(sheetIndex + 1);
  const last = sheet.categories.length + 1;
  const fill = layer.fills[index]!;
  const seriesLabels = labels[order] ?? null;
  const labelsXml = seriesLabels === null ? '' : valueLabelsXml(seriesLabels, palette);
  const start = `<c:ser><c:idx val="${order}"/><c:order val="${order}"/><c:tx>${textReference(`$${column}$1`, [name])}</c:tx>`;
  const points = values
    .slice(0, sheet.categories.length)
    .map((value, point) => (value === null ? '' : pointXml(point, String(value))));
  const data = [
    `<c:cat>${textReference(`$A$2:$A$${last}`, sheet.categories)}</c:cat>`,
    `<c:val><c:numRef><c:f>${SHEET_NAME}!$${column}$2:$${column}$${last}</c:f><c:numCache><c:formatCode>General</c:formatCode>`,
    `<c:ptCount val="${sheet.categories.length}"/>${points.join('')}</c:numCache></c:numRef></c:val>`,
  ].join('');
  switch (layer.type) {
    case 'bar': {
      const shape = `<c:spPr>${palette.fillXml(fill)}${borderXml(layer.border, palette)}</c:spPr><c:invertIfNegative val="0"/>`;
      const isPerPoint = layer.seriesIndexes.length === 1 && layer.fills.length > 1;
      return `${start}${shape}${isPerPoint ? pointFillsXml(layer, palette) : ''}${labelsXml}${data}</c:ser>`;
    }
    case 'area':
      return `${start}<c:spPr>${palette.fillXml(fill, layer.opacityPercent)}</c:spPr>${labelsXml}${data}</c:ser>`;
    case 'line':
      return `${start}${lineXml(layer, fill, palette)}${labelsXml}${data}<c:smooth val="0"/></c:ser>`;
    case 'radar':
      return `${start}${lineXml(layer, fill, palette)}${labelsXml}${data}</c:ser>`;
    case 'pie':
    case 'doughnut':
      return `${start}${pointFillsXml(layer, palette)}${labelsXml}${data}</c:ser>`;
  }
}

const pointXml = (index: number, value: string) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`;

function textReference(cells: string, texts: readonly string[]): string {
  const points = texts.map((text, index) => pointXml(index, xmlText(text)));
  return `<c:strRef><c:f>${SHEET_NAME}!${cells}</c:f><c:strCache><c:ptCount val="${texts.length}"/>${points.join('')}</c:strCache></c:strRef>`;
}

const strokeXml = (width: number, fill: string) =>
  `<a:ln w="${emu(width)}" cap="flat">${fill}<a:prstDash val="solid"/><a:round/></a:ln>`;

const borderXml = (border: BorderLine | undefined, palette: Palette) =>
  border === undefined ? '' : strokeXml(border.width, palette.fillXml(border.color));

/** The fills of single bars or slices. */
function pointFillsXml(layer: Extract<ChartLayer, { type: 'bar' }> | PieLayer, palette: Palette): string {
  const border = borderXml(layer.border, palette);
  const inversion = layer.type === 'bar' ? '<c:invertIfNegative val="0"/>' : '';
  return layer.fills
    .map(
      (fill, index) =>
        `<c:dPt><c:idx val="${index}"/>${inversion}<c:bubble3D val="0"/><c:spPr>${palette.fillXml(fill)}${border}</c:spPr></c:dPt>`,
    )
    .join('');
}

const MARKER_OUTLINE = 1.5;

function lineXml({ width, markerSize, markerOutline }: LineStyle, color: string, palette: Palette): string {
  const fill = palette.fillXml(color);
  const outline = strokeXml(MARKER_OUTLINE, palette.fillXml(markerOutline ?? color));
  return `<c:spPr>${strokeXml(width, fill)}</c:spPr><c:marker><c:symbol val="circle"/><c:size val="${markerSize}"/><c:spPr>${fill}${outline}</c:spPr></c:marker>`;
}

function axesXml({ axes, layers }: NativeChart, palette: Palette): string {
  if (axes === undefined) return '';
  const { category, value } = axes;
  const isHorizontal = layers.some((layer) => layer.type === 'bar' && layer.isHorizontal);
  const isArea = layers.some(({ type }) => type === 'area');
  const primary = [
    categoryAxisXml(category, PRIMARY_AXES, isHorizontal ? 'l' : 'b', palette),
    valueAxisXml(
      value,
      { ids: PRIMARY_AXES, side: isHorizontal ? 'b' : 'l', startsInCategory: isArea },
      palette,
    ),
  ].join('');
  if (!layers.some((layer) => layer.type === 'line' && layer.isSecondary === true)) return primary;
  const secondary = [
    valueAxisXml({ isVisible: true }, { ids: SECONDARY_AXES, side: 'r', startsInCategory: false }, palette),
    categoryAxisXml({ ...category, isHidden: true }, SECONDARY_AXES, 'b', palette),
  ].join('');
  return primary + secondary;
}

interface AxisIds {
  category: number;
  value: number;
}

const TICKS = '<c:majorTickMark val="none"/><c:minorTickMark val="none"/>';

function categoryAxisXml(
  { isHidden = false, hasLine = true, isReversed = false, labelInterval = 1 }: CategoryAxis,
  ids: AxisIds,
  side: 'l' | 'b',
  palette: Palette,
): string {
  // Wrapped names stay horizontal. An axis that skips labels keeps the default, so that programs that show all of them can rotate them.
  const body = labelInterval > 1 ? '<a:bodyPr/>' : '<a:bodyPr rot="0" vert="horz"/>';
  const format = { size: FONT_SIZE, color: palette.style.text };
  return [
    `<c:catAx><c:axId val="${ids.category}"/><c:scaling><c:orientation val="${isReversed ? 'maxMin' : 'minMax'}"/></c:scaling>`,
    `<c:delete val="${isHidden ? 1 : 0}"/><c:axPos val="${side}"/><c:numFmt formatCode="General" sourceLinked="1"/>${TICKS}<c:tickLblPos val="low"/>`,
    `<c:spPr>${strokeXml(1, hasLine ? palette.fillXml(palette.style.line) : '<a:noFill/>')}</c:spPr>${labelTextXml(format, palette, body)}`,
    `<c:crossAx val="${ids.value}"/><c:crosses val="autoZero"/><c:auto val="1"/><c:lblAlgn val="ctr"/>`,
    labelInterval > 1 ? `<c:tickLblSkip val="${labelInterval}"/>` : '',
    '<c:noMultiLvlLbl val="1"/></c:catAx>',
  ].join('');
}

function valueAxisXml(
  { isVisible, hasLabels = true, min, max, format = 'General' }: ValueAxis,
  { ids, side, startsInCategory }: { ids: AxisIds; side: 'l' | 'b' | 'r'; startsInCategory: boolean },
  palette: Palette,
): string {
  const isSecondary = side === 'r';
  const grid =
    isVisible && !isSecondary
      ? `<c:majorGridlines><c:spPr>${strokeXml(0.75, palette.fillXml(palette.style.line))}</c:spPr></c:majorGridlines>`
      : '';
  const textFormat = { size: AXIS_FONT_SIZE, color: palette.style.mutedText };
  return [
    `<c:valAx><c:axId val="${ids.value}"/><c:scaling><c:orientation val="minMax"/>`,
    max === undefined ? '' : `<c:max val="${max}"/>`,
    min === undefined ? '' : `<c:min val="${min}"/>`,
    `</c:scaling><c:delete val="${isVisible ? 0 : 1}"/><c:axPos val="${side}"/>${grid}`,
    `<c:numFmt formatCode="${xmlText(format)}" sourceLinked="0"/>${TICKS}<c:tickLblPos val="${hasLabels ? 'nextTo' : 'none'}"/>`,
    `<c:spPr>${strokeXml(1, '<a:noFill/>')}</c:spPr>${labelTextXml(textFormat, palette)}`,
    `<c:crossAx val="${ids.category}"/><c:crosses val="${isSecondary ? 'max' : 'autoZero'}"/><c:crossBetween val="${startsInCategory ? 'midCat' : 'between'}"/></c:valAx>`,
  ].join('');
}

function legendXml({ layers }: NativeChart, palette: Palette): string {
  // The line of an area is its legend entry.
  const hidden = layers
    .flatMap(({ type, seriesIndexes }) => seriesIndexes.map(() => type))
    .map((type, order) =>
      type === 'area' ? `<c:legendEntry><c:idx val="${order}"/><c:delete val="1"/></c:legendEntry>` : '',
    );
  const text = labelTextXml({ size: FONT_SIZE, color: palette.style.mutedText }, palette);
  return `<c:legend><c:legendPos val="t"/>${hidden.join('')}<c:overlay val="0"/>${text}</c:legend>`;
}
