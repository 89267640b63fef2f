import { Relations } from './relations.ts';
import { shapeTree } from './shapes.ts';
import { paragraphsXml, plainParagraph, type TextSurroundings } from './text-body.ts';
import { SPACES, XML_HEAD } from './xml.ts';

/** The page of notes stands: A4, in the format's unit. */
const WIDTH = 7_560_000;
const HEIGHT = 10_692_000;
export const NOTES_SIZE = `<p:notesSz cx="${WIDTH}" cy="${HEIGHT}"/>`;
const EDGE = 720_000;
const INNER = WIDTH - 2 * EDGE;

const at = (y: number, height: number) =>
  `<a:xfrm><a:off x="${EDGE}" y="${y}"/><a:ext cx="${INNER}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;

/** `ratio` is that of a slide's height to its width. */
export function notesMasterXml(ratio: number, isRtl: boolean): string {
  const pictureHeight = Math.round(INNER * ratio);
  const textTop = EDGE + pictureHeight + 360_000;
  const shapes = [
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr>' +
      `<p:spPr>${at(EDGE, pictureHeight)}<a:noFill/><a:ln w="12700"><a:solidFill><a:schemeClr val="bg2"/></a:solidFill></a:ln></p:spPr></p:sp>`,
    '<p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" sz="quarter" idx="3"/></p:nvPr></p:nvSpPr>' +
      `<p:spPr>${at(textTop, HEIGHT - textTop - EDGE)}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="en-US"/><a:t>Notes</a:t></a:r></a:p></p:txBody></p:sp>`,
  ];
  const level = `<a:lvl1pPr marL="0" algn="${isRtl ? 'r' : 'l'}" rtl="${isRtl ? 1 : 0}"><a:spcBef><a:spcPts val="400"/></a:spcBef><a:defRPr sz="1200" kern="1200"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr></a:lvl1pPr>`;
  return [
    `${XML_HEAD}<p:notesMaster ${SPACES}><p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>${shapeTree(shapes)}</p:cSld>`,
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>',
    `<p:notesStyle>${level}</p:notesStyle></p:notesMaster>`,
  ].join('');
}

/** What is said to a slide. */
export function notesPart(
  notes: string,
  slide: number,
  around: Pick<TextSurroundings, 'language' | 'isRtl'>,
) {
  const relations = new Relations();
  relations.add('notesMaster', '../notesMasters/notesMaster1.xml');
  relations.add('slide', `../slides/slide${slide}.xml`);
  const lines = notes.trim().split(/\r\n|[\n\r]/);
  const content = paragraphsXml(
    lines.map((line) => plainParagraph(line)),
    { ...around, relations },
  );
  const shapes = [
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp>',
    `<p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="body" sz="quarter" idx="3"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr><a:lstStyle/>${content}</p:txBody></p:sp>`,
  ];
  const xml = `${XML_HEAD}<p:notes ${SPACES}><p:cSld>${shapeTree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>`;
  return { xml, relations };
}
