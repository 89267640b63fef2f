import { FONT_SIZE } from '../../../domain/charts/drawing/chart-drawing.ts';
import type { Paint } from '../paint.ts';
import { xmlText } from '../xml.ts';
import { textLook } from './labels.ts';

const SMALL = 11;

export interface CategoryAxis {
  id: number;
  crosses: number;
  at: 'b' | 'l';
  /** The first on top. */
  isReversed?: boolean;
  isShown?: boolean;
  hasLine?: boolean;
  /** Only each so many of the names. */
  nameEach?: number;
}

export function categoryAxis(axis: CategoryAxis, paint: Paint): string {
  const { id, crosses, at, isReversed = false, isShown = true, hasLine = true, nameEach = 1 } = axis;
  const { look } = paint;
  return [
    `<c:catAx><c:axId val="${id}"/><c:scaling><c:orientation val="${isReversed ? 'maxMin' : 'minMax'}"/></c:scaling>`,
    `<c:delete val="${isShown ? 0 : 1}"/><c:axPos val="${at}"/><c:numFmt formatCode="General" sourceLinked="0"/>`,
    '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/>',
    `<c:spPr>${hasLine ? paint.line(look.line, 1) : '<a:ln><a:noFill/></a:ln>'}</c:spPr>`,
    textLook({ size: FONT_SIZE, color: look.ink }, paint, '<a:bodyPr rot="0" vert="horz"/>'),
    `<c:crossAx val="${crosses}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="60"/>`,
    nameEach > 1 ? `<c:tickLblSkip val="${nameEach}"/>` : '',
    '<c:noMultiLvlLbl val="1"/></c:catAx>',
  ].join('');
}

export interface ValueAxis {
  id: number;
  crosses: number;
  at: 'b' | 'l' | 'r';
  /** Absent: as it comes. */
  min?: number | undefined;
  max?: number | undefined;
  isShown?: boolean;
  hasGrid?: boolean;
  format?: string;
  /** Points lie on the ends of the axis of categories, not between them. */
  isMidCategory?: boolean;
  /** Its lines alone, without its figures. */
  isBare?: boolean;
  /** At the far end of the axis that it crosses. */
  isFar?: boolean;
}

export function valueAxis(axis: ValueAxis, paint: Paint): string {
  const { id, crosses, at, min, max, isShown = true, hasGrid = isShown, format = 'General' } = axis;
  const { look } = paint;
  const grid = `<c:majorGridlines><c:spPr>${paint.line(look.line, 0.75)}</c:spPr></c:majorGridlines>`;
  return [
    `<c:valAx><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/>`,
    max === undefined ? '' : `<c:max val="${max}"/>`,
    min === undefined ? '' : `<c:min val="${min}"/>`,
    `</c:scaling><c:delete val="${isShown ? 0 : 1}"/><c:axPos val="${at}"/>${hasGrid ? grid : ''}`,
    `<c:numFmt formatCode="${xmlText(format)}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="${axis.isBare === true ? 'none' : 'nextTo'}"/>`,
    `<c:spPr>${axis.isBare === true ? paint.line(look.line, 0.75) : '<a:ln><a:noFill/></a:ln>'}</c:spPr>`,
    textLook({ size: SMALL, color: look.soft }, paint),
    `<c:crossAx val="${crosses}"/><c:crosses val="${axis.isFar === true ? 'max' : 'autoZero'}"/>`,
    `<c:crossBetween val="${axis.isMidCategory === true ? 'midCat' : 'between'}"/></c:valAx>`,
  ].join('');
}
