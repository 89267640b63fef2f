import { shapeTree, transformXml, RECTANGLE } from './master.ts';
import { detectLanguage, isRightToLeftText, type WritingDirection } from './text-body.ts';
import { NAMESPACES, XML_HEAD, xmlText } from './xml.ts';

/** Portrait pages of 7.5 × 10 inches, in points. */
export const NOTES_PAGE = { width: 540, height: 720 } as const;

const SLIDE_IMAGE = { x: 54, y: 90, width: 432, height: 243 };
const NOTES = { x: 54, y: 346.5, width: 432, height: 283.5 };
const LEVEL_INDENT_EMU = 457_200;
const TEXT_COLOR = '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill>';

const shape = (id: number, name: string, placeholder: string, isImage: boolean, content: string) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"${isImage ? ' noRot="1" noChangeAspect="1"' : ''}/></p:cNvSpPr><p:nvPr><p:ph ${placeholder}/></p:nvPr></p:nvSpPr>${content}</p:sp>`;

/** The master of speaker notes: the slide above the text. */
export function notesMasterXml(): string {
  const frame = `<a:noFill/><a:ln w="12700">${TEXT_COLOR}</a:ln>`;
  const levels = Array.from({ length: 9 }, (_, level) => {
    const tag = `a:lvl${level + 1}pPr`;
    return `<${tag} marL="${level * LEVEL_INDENT_EMU}"><a:defRPr sz="1200" kern="1200">${TEXT_COLOR}<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr></${tag}>`;
  });
  const shapes = [
    shape(
      2,
      'Slide image',
      'type="sldImg" idx="2"',
      true,
      `<p:spPr>${transformXml(SLIDE_IMAGE)}${RECTANGLE}${frame}</p:spPr>`,
    ),
    shape(
      3,
      'Notes',
      'type="body" sz="quarter" idx="3"',
      false,
      `<p:spPr>${transformXml(NOTES)}${RECTANGLE}</p:spPr><p:txBody><a:bodyPr vert="horz"/><a:lstStyle/><a:p><a:r><a:rPr lang="en-US"/><a:t>Notes</a:t></a:r></a:p></p:txBody>`,
    ),
  ];
  return [
    `${XML_HEAD}<p:notesMaster ${NAMESPACES}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>${shapeTree(shapes)}</p:cSld>`,
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>',
    `<p:notesStyle>${levels.join('')}</p:notesStyle></p:notesMaster>`,
  ].join('');
}

/** The speaker notes of a slide: one paragraph per line in its language. */
export function notesXml(notes: string, { language, isRtl }: WritingDirection): string {
  const paragraphs = notes
    .trim()
    .split(/\r\n|[\n\r]/)
    .map((line) => {
      const tag = xmlText(detectLanguage(line, language));
      const run = line === '' ? '' : `<a:r><a:rPr lang="${tag}" dirty="0"/><a:t>${xmlText(line)}</a:t></a:r>`;
      const properties = isRightToLeftText(line, isRtl) ? '<a:pPr algn="r" rtl="1"/>' : '';
      return `<a:p>${properties}${run}<a:endParaRPr lang="${tag}" dirty="0"/></a:p>`;
    });
  const shapes = [
    shape(2, 'Slide image', 'type="sldImg"', true, '<p:spPr/>'),
    shape(
      3,
      'Notes',
      'type="body" idx="1"',
      false,
      `<p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs.join('')}</p:txBody>`,
    ),
  ];
  return `${XML_HEAD}<p:notes ${NAMESPACES}><p:cSld>${shapeTree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>`;
}
