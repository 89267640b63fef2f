import type { Palette } from '../palette.ts';
import { xmlText } from '../xml.ts';

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
export function valueLabelsXml(labels: readonly (ValueLabel | null)[], palette: Palette): string {
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
  let result: string | null = null;
  for (const [text, count] of counts) if (result === null || count > counts.get(result)!) result = text;
  return result;
}
