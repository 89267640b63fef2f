import type { Palette } from './palette.ts';
import { XML_HEAD, xmlText } from './xml.ts';

export interface Theme {
  name: string;
  font: string;
  palette: Palette;
}

/** Office fonts for scripts that the font of the report may lack. */
const SCRIPT_FONTS = [
  ['Jpan', 'Yu Gothic'],
  ['Hang', 'Malgun Gothic'],
  ['Hans', 'Microsoft YaHei'],
  ['Hant', 'Microsoft JhengHei'],
  ['Arab', 'Arial'],
  ['Hebr', 'Arial'],
  ['Thai', 'Leelawadee UI'],
  ['Deva', 'Nirmala UI'],
] as const;

const PLACEHOLDER_FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const lineXml = (width: number) =>
  `<a:ln w="${width}" cap="flat" cmpd="sng" algn="ctr">${PLACEHOLDER_FILL}<a:prstDash val="solid"/></a:ln>`;
const NO_EFFECT = '<a:effectStyle><a:effectLst/></a:effectStyle>';

/** The format requires three of each; without effects and shadows. */
const FORMATS = [
  '<a:fmtScheme name="Plain">',
  `<a:fillStyleLst>${PLACEHOLDER_FILL.repeat(3)}</a:fillStyleLst>`,
  `<a:lnStyleLst>${lineXml(6_350)}${lineXml(12_700)}${lineXml(19_050)}</a:lnStyleLst>`,
  `<a:effectStyleLst>${NO_EFFECT.repeat(3)}</a:effectStyleLst>`,
  `<a:bgFillStyleLst>${PLACEHOLDER_FILL.repeat(3)}</a:bgFillStyleLst>`,
  '</a:fmtScheme>',
].join('');

/** Colours and fonts, which slides and charts reference by name. */
export function themeXml({ name, font, palette }: Theme): string {
  const [textColor, backgroundColor, mutedColor, lineColor] = palette.baseColors;
  const accents = Array.from({ length: 6 }, (_, index) => palette.accents[index % palette.accents.length]);
  const color = (tag: string, value: string | undefined) =>
    `<a:${tag}><a:srgbClr val="${value}"/></a:${tag}>`;
  const scripts = SCRIPT_FONTS.map(
    ([script, typeface]) => `<a:font script="${script}" typeface="${typeface}"/>`,
  ).join('');
  const typefaces = `<a:latin typeface="${xmlText(font)}"/><a:ea typeface=""/><a:cs typeface=""/>${scripts}`;
  return [
    `${XML_HEAD}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="${xmlText(name)}">`,
    '<a:themeElements><a:clrScheme name="Report">',
    color('dk1', textColor),
    color('lt1', backgroundColor),
    color('dk2', mutedColor),
    color('lt2', lineColor),
    ...accents.map((accent, index) => color(`accent${index + 1}`, accent)),
    color('hlink', accents[0]),
    color('folHlink', mutedColor),
    '</a:clrScheme><a:fontScheme name="Report">',
    `<a:majorFont>${typefaces}</a:majorFont><a:minorFont>${typefaces}</a:minorFont></a:fontScheme>`,
    FORMATS,
    '</a:themeElements></a:theme>',
  ].join('');
}
