import { FONT_SIZE } from '../../../domain/charts/drawing/chart-drawing.ts';
import type { Paint } from '../paint.ts';
import { CHART_SPACE, RELATION, XML_HEAD } from '../xml.ts';
import { textLook } from './labels.ts';

/** Shares of the whole chart, from its upper left corner. */
export interface PlotPlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ChartSpace {
  /** The charts of it, one over the other. */
  plots: string;
  axes: string;
  /** Of what is drawn, without the names at its axes; absent: as it comes. */
  place?: PlotPlace | undefined;
  /** What the colours mean, above; of some series nothing is said. */
  legend: { without: readonly number[] } | null;
}

export function chartSpace(
  { plots, axes, place, legend }: ChartSpace,
  paint: Paint,
  language: string,
): string {
  return [
    `${XML_HEAD}<c:chartSpace xmlns:c="${CHART_SPACE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${RELATION}">`,
    `<c:date1904 val="0"/><c:lang val="${language}"/><c:roundedCorners val="0"/>`,
    `<c:chart><c:autoTitleDeleted val="1"/><c:plotArea>${layout(place)}${plots}${axes}<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr></c:plotArea>`,
    legend === null ? '' : legendXml(legend.without, paint),
    '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>',
    '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>',
    textLook({ size: FONT_SIZE, color: paint.look.ink }, paint),
    '<c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>',
  ].join('');
}

const share = (value: number) => Number(Math.min(Math.max(value, 0), 1).toFixed(4));

function layout(place: PlotPlace | undefined): string {
  if (place === undefined) return '<c:layout/>';
  const { x, y, width, height } = place;
  return [
    '<c:layout><c:manualLayout><c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>',
    `<c:x val="${share(x)}"/><c:y val="${share(y)}"/><c:w val="${share(width)}"/><c:h val="${share(height)}"/>`,
    '</c:manualLayout></c:layout>',
  ].join('');
}

function legendXml(without: readonly number[], paint: Paint): string {
  const hidden = without.map(
    (place) => `<c:legendEntry><c:idx val="${place}"/><c:delete val="1"/></c:legendEntry>`,
  );
  return `<c:legend><c:legendPos val="t"/>${hidden.join('')}<c:overlay val="0"/>${textLook({ size: FONT_SIZE, color: paint.look.soft }, paint)}</c:legend>`;
}
