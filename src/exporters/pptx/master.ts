import { type Box, mirrorBox, type SlidePage, TEXT_SIZES } from '../slide-page.ts';
import { toEmu, NAMESPACES, XML_HEAD, xmlText, type Palette } from './ooxml.ts';
import type { DeckImage } from '../../domain/reports/deck.ts';
import { type Layout, type LayoutPlaceholder, PLACEHOLDERS } from './layouts.ts';

/** Relationship ID of the logo, outside of the numbered IDs of the library. */
export const LOGO_RELATION = 'rIdLogo';

/** Position and size of a shape. */
const positionXml = ({ x, y, width, height }: Box) =>
  `<a:xfrm><a:off x="${toEmu(x)}" y="${toEmu(y)}"/><a:ext cx="${toEmu(width)}" cy="${toEmu(height)}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;

/** A decorative rectangle; `fill` is XML. */
function rectangleShape({
  id,
  name,
  box,
  fill,
}: {
  id: number;
  name: string;
  box: Box;
  fill: string;
}): string {
  return [
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${xmlText(name)}"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>`,
    `<p:spPr>${positionXml(box)}${fill}<a:ln><a:noFill/></a:ln></p:spPr>`,
    '<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-US"/></a:p></p:txBody></p:sp>',
  ].join('');
}

function logoShape(id: number, box: Box, relation: string): string {
  return [
    `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="Logo" descr="Logo"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr userDrawn="1"/></p:nvPicPr>`,
    `<p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${positionXml(box)}</p:spPr></p:pic>`,
  ].join('');
}

/** The shape tree of a layout or master. */
function shapeTree(shapes: readonly string[]): string {
  return [
    '<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>',
    '<p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>',
    ...shapes,
    '</p:spTree>',
  ].join('');
}

interface Theme {
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

/** Colors and fonts, which slides and charts reference by name. */
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

export interface MasterSettings {
  page: SlidePage;
  palette: Palette;
  isRtl: boolean;
  language: string;
  footer: string;
  logo: DeckImage | null;
}

const FIRST_LAYOUT_ID = 2_147_483_649;
const COLOR_MAP =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';

const fonts = (kind: 'mj' | 'mn') =>
  `<a:latin typeface="+${kind}-lt"/><a:ea typeface="+${kind}-ea"/><a:cs typeface="+${kind}-cs"/>`;

const color = (name: string) => `<a:solidFill><a:schemeClr val="${name}"/></a:solidFill>`;

/** Fits a picture into a box, at its start or center. */
export function fitPicture({
  deckImage: { width, height },
  box,
  isRtl,
  anchor,
}: {
  deckImage: DeckImage;
  box: Box;
  isRtl: boolean;
  anchor: 'start' | 'center';
}): Box {
  const scale = Math.min(box.width / width, box.height / height);
  const [w, h] = [width * scale, height * scale];
  const left = isRtl ? box.x + box.width - w : box.x;
  const x = anchor === 'center' ? box.x + (box.width - w) / 2 : left;
  return { x, y: box.y + (box.height - h) / 2, width: w, height: h };
}

function titleStyle(isRtl: boolean): string {
  return [
    `<p:titleStyle><a:lvl1pPr algn="${isRtl ? 'r' : 'l'}" rtl="${isRtl ? 1 : 0}">`,
    '<a:lnSpc><a:spcPct val="95000"/></a:lnSpc><a:spcBef><a:spcPct val="0"/></a:spcBef><a:buNone/>',
    `<a:defRPr sz="${TEXT_SIZES.title * 100}" b="1" kern="1200" spc="-20">${color('tx1')}${fonts('mj')}</a:defRPr>`,
    '</a:lvl1pPr></p:titleStyle>',
  ].join('');
}

function bodyStyle(isRtl: boolean): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const size = Math.max(TEXT_SIZES.text - level * 1.5, TEXT_SIZES.small);
    return [
      `<a:lvl${level + 1}pPr marL="${level === 0 ? 0 : (level + 1) * 228_600}" indent="${level === 0 ? 0 : -228_600}" algn="${isRtl ? 'r' : 'l'}" rtl="${isRtl ? 1 : 0}">`,
      '<a:lnSpc><a:spcPct val="108000"/></a:lnSpc>',
      `<a:spcBef><a:spcPts val="${level === 0 ? 700 : 350}"/></a:spcBef>`,
      level === 0 ? '<a:buNone/>' : '<a:buFont typeface="Arial"/><a:buChar char="•"/>',
      `<a:defRPr sz="${size * 100}" kern="1200">${color('tx1')}${fonts('mn')}</a:defRPr></a:lvl${level + 1}pPr>`,
    ].join('');
  });
  return `<p:bodyStyle>${levels.join('')}</p:bodyStyle>`;
}

const otherStyle = `<p:otherStyle><a:lvl1pPr><a:defRPr sz="1800" kern="1200">${color('tx1')}${fonts('mn')}</a:defRPr></a:lvl1pPr></p:otherStyle>`;

const SIDES = ['l', 't', 'r', 'b'].map((side) => ` ${side}Ins="0"`).join('');

interface PlaceholderStyle {
  isRtl: boolean;
  language: string;
  /** Fill of texts on the accent color, as XML. */
  onAccent: string;
}

/** A placeholder of a layout or the master, with its style overrides. */
function placeholderShape(
  layoutPlaceholder: LayoutPlaceholder,
  id: number,
  placeholderStyle: PlaceholderStyle,
): string {
  const { placeholder, name, prompt, box, anchor, size, bold, tone } = layoutPlaceholder;
  const fill =
    tone === undefined
      ? ''
      : tone === 'on-accent'
        ? placeholderStyle.onAccent
        : color(tone === 'soft' ? 'tx2' : 'tx1');
  const attributes = `${size === undefined ? '' : ` sz="${size * 100}"`}${bold === undefined ? '' : ` b="${bold ? 1 : 0}"`}`;
  const align = `algn="${placeholderStyle.isRtl ? 'r' : 'l'}" rtl="${placeholderStyle.isRtl ? 1 : 0}"`;
  const style =
    attributes === '' && fill === ''
      ? '<a:lstStyle/>'
      : `<a:lstStyle><a:lvl1pPr marL="0" indent="0" ${align}>${tightSpacing(size)}<a:buNone/><a:defRPr${attributes}>${fill}</a:defRPr></a:lvl1pPr></a:lstStyle>`;
  return [
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${xmlText(name)} ${id}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>`,
    `<p:nvPr><p:ph type="${placeholder.type}"${placeholder.index === 0 ? '' : ` idx="${placeholder.index}"`}/></p:nvPr></p:nvSpPr>`,
    `<p:spPr>${positionXml(box)}</p:spPr>`,
    `<p:txBody><a:bodyPr vert="horz"${SIDES} rtlCol="${placeholderStyle.isRtl ? 1 : 0}" anchor="${anchor}"><a:normAutofit/></a:bodyPr>${style}`,
    `<a:p><a:r><a:rPr lang="en-US"/><a:t>${xmlText(prompt)}</a:t></a:r></a:p></p:txBody></p:sp>`,
  ].join('');
}

/** Small text has tighter spacing. */
const tightSpacing = (size: number | undefined) =>
  size !== undefined && size <= TEXT_SIZES.small
    ? '<a:lnSpc><a:spcPct val="100000"/></a:lnSpc><a:spcBef><a:spcPts val="0"/></a:spcBef>'
    : '';

/** Footer placeholders of masters and layouts. */
function footerShapes(settings: MasterSettings, firstId: number): string[] {
  const { page, isRtl, language } = settings;
  const mirrored = (box: Box) => (isRtl ? mirrorBox(box, page) : box);
  const footerStyle = (isAtEnd: boolean) =>
    `<a:lstStyle><a:lvl1pPr algn="${isAtEnd === isRtl ? 'l' : 'r'}" rtl="${isRtl ? 1 : 0}"><a:defRPr sz="${TEXT_SIZES.foot * 100}">${color('tx2')}</a:defRPr></a:lvl1pPr></a:lstStyle>`;
  const shape = ({
    id,
    name,
    ph,
    box,
    style,
    content,
  }: {
    id: number;
    name: string;
    ph: string;
    box: Box;
    style: string;
    content: string;
  }) =>
    [
      `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>${ph}</p:nvPr></p:nvSpPr>`,
      `<p:spPr>${positionXml(box)}</p:spPr>`,
      `<p:txBody><a:bodyPr vert="horz"${SIDES} anchor="ctr"/>${style}<a:p>${content}</a:p></p:txBody></p:sp>`,
    ].join('');
  return [
    shape({
      id: firstId,
      name: 'Footer',
      ph: '<p:ph type="ftr" sz="quarter" idx="11"/>',
      box: mirrored(page.footer),
      style: footerStyle(false),
      content: `<a:r><a:rPr lang="${xmlText(language)}"/><a:t>${xmlText(settings.footer)}</a:t></a:r>`,
    }),
    shape({
      id: firstId + 1,
      name: 'Slide number',
      ph: '<p:ph type="sldNum" sz="quarter" idx="12"/>',
      box: mirrored(page.number),
      style: footerStyle(true),
      content: numberField('en-US', '‹#›'),
    }),
  ];
}

/** The field of the slide number. */
const numberField = (language: string, text: string): string =>
  `<a:fld id="{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}" type="slidenum"><a:rPr lang="${xmlText(language)}"/><a:t>${text}</a:t></a:fld>`;

/** The relationships of the master start with its layouts, in their order. */
export function masterXml(settings: MasterSettings, layoutCount: number): string {
  const { page, isRtl, language, logo, palette } = settings;
  const placeholderStyle: PlaceholderStyle = {
    isRtl,
    language,
    onAccent: palette.fillXml(palette.style.accent.textOnFill),
  };
  const mirrored = (box: Box) => (isRtl ? mirrorBox(box, page) : box);
  const ids = Array.from(
    { length: layoutCount },
    (_, index) => `<p:sldLayoutId id="${FIRST_LAYOUT_ID + index}" r:id="rId${index + 1}"/>`,
  );
  const title: LayoutPlaceholder = {
    placeholder: PLACEHOLDERS.title,
    name: 'Title',
    prompt: 'Title',
    box: mirrored(page.title),
    anchor: 'b',
  };
  const body: LayoutPlaceholder = {
    placeholder: PLACEHOLDERS.text,
    name: 'Text',
    prompt: 'Text',
    box: mirrored(page.body),
    anchor: 't',
  };
  const shapes = [
    placeholderShape(title, 2, placeholderStyle),
    placeholderShape(body, 3, placeholderStyle),
    ...footerShapes(settings, 4),
  ];
  if (logo !== null)
    shapes.push(
      logoShape(
        6,
        fitPicture({ deckImage: logo, box: mirrored(page.footerLogo), isRtl: !isRtl, anchor: 'start' }),
        LOGO_RELATION,
      ),
    );
  return [
    `${XML_HEAD}<p:sldMaster ${NAMESPACES} preserve="1"><p:cSld><p:bg><p:bgPr>${color('bg1')}<a:effectLst/></p:bgPr></p:bg>`,
    `${shapeTree(shapes)}</p:cSld>${COLOR_MAP}`,
    `<p:sldLayoutIdLst>${ids.join('')}</p:sldLayoutIdLst>`,
    '<p:hf hdr="0" dt="0"/>',
    `<p:txStyles>${titleStyle(isRtl)}${bodyStyle(isRtl)}${otherStyle}</p:txStyles></p:sldMaster>`,
  ].join('');
}

export function layoutXml(layout: Layout, settings: MasterSettings): string {
  const { page, palette, isRtl, language, logo } = settings;
  const placeholderStyle: PlaceholderStyle = {
    isRtl,
    language,
    onAccent: palette.fillXml(palette.style.accent.textOnFill),
  };
  const mirrored = (box: Box) => (isRtl ? mirrorBox(box, page) : box);
  const isOpening = layout.key === 'title' || layout.key === 'section';
  const shapes = layout.placeholders.map((placeholder, index) =>
    placeholderShape(placeholder, index + 2, placeholderStyle),
  );
  const next = shapes.length + 2;
  if (isOpening) {
    const fill = layout.isColored ? palette.fillXml(palette.style.accent.textOnFill) : color('accent1');
    shapes.push(rectangleShape({ id: next, name: 'Rule', box: mirrored(page.cover.rule), fill }));
    if (layout.key === 'title')
      shapes.push(
        rectangleShape({
          id: next + 1,
          name: 'Edge',
          box: mirrored({ x: 0, y: 0, width: 10, height: page.height }),
          fill,
        }),
      );
  } else {
    const hairline = {
      x: page.margin,
      y: page.footer.y - 9,
      width: page.width - 2 * page.margin,
      height: 0.75,
    };
    shapes.push(
      ...footerShapes(settings, next),
      rectangleShape({ id: next + 2, name: 'Rule', box: hairline, fill: color('bg2') }),
    );
  }
  if (layout.key === 'title' && logo !== null)
    shapes.push(
      logoShape(
        next + 2,
        fitPicture({ deckImage: logo, box: mirrored(page.coverLogo), isRtl, anchor: 'start' }),
        LOGO_RELATION,
      ),
    );
  const background = layout.isColored
    ? `<p:bg><p:bgPr>${color('accent1')}<a:effectLst/></p:bgPr></p:bg>`
    : '';
  return [
    `${XML_HEAD}<p:sldLayout ${NAMESPACES}${isOpening ? ' showMasterSp="0"' : ''}${layout.type === 'cust' ? ' userDrawn="1"' : ` type="${layout.type}"`} preserve="1">`,
    `<p:cSld name="${layout.name}">${background}${shapeTree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`,
  ].join('');
}
