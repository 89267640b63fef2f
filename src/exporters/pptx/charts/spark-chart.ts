import type { DeckNumber } from '../../../domain/reports/deck.ts';
import type { Paint } from '../paint.ts';
import { categoryAxis, valueAxis } from './axes.ts';
import { chartSpace } from './chart-space.ts';
import { DataSheet } from './data-sheet.ts';

/** The course of one number, without axes. */
export function sparkChart(points: DeckNumber['sparkline'], name: string, paint: Paint, language: string) {
  const { fill } = paint.look.accent;
  const sheet = new DataSheet(
    points.map(({ at }) => at),
    [{ name, values: points.map(({ value }) => value) }],
  );
  const last = points.findLastIndex(({ value }) => value !== null);
  const known = points.map(({ value }) => value).filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const room = (most - least || 1) * 0.15;
  const mark = `<c:marker><c:symbol val="circle"/><c:size val="7"/><c:spPr>${paint.fill(fill)}${paint.line(paint.look.ground, 1)}</c:spPr></c:marker>`;
  const plots = [
    `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/><c:ser><c:idx val="0"/><c:order val="0"/>${sheet.name(0)}<c:spPr>${paint.line(fill, 2)}</c:spPr>`,
    `<c:marker><c:symbol val="none"/></c:marker><c:dPt><c:idx val="${last}"/>${mark}<c:bubble3D val="0"/><c:spPr>${paint.line(fill, 2)}</c:spPr></c:dPt>`,
    `${sheet.categoryRange()}${sheet.valueRange(0)}<c:smooth val="0"/></c:ser><c:marker val="1"/><c:axId val="1"/><c:axId val="2"/></c:lineChart>`,
  ].join('');
  const axes =
    categoryAxis({ id: 1, crosses: 2, at: 'b', isShown: false }, paint) +
    valueAxis(
      {
        id: 2,
        crosses: 1,
        at: 'l',
        isShown: false,
        min: least - room,
        max: most + room,
        isMidCategory: true,
      },
      paint,
    );
  const place = { x: 0.03, y: 0.05, width: 0.94, height: 0.9 };
  return { xml: chartSpace({ plots, axes, place, legend: null }, paint, language), sheet };
}
