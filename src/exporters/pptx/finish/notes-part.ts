import { detectLanguage, isRightToLeftText, type WritingDirection } from '../text-body.ts';
import { xmlText } from '../xml.ts';

const TEXT =
  /<a:p><a:r><a:rPr lang="en-US" dirty="0"\/><a:t>[\s\S]*?<\/a:t><\/a:r><a:endParaRPr lang="en-US" dirty="0"\/><\/a:p>/;

/** Writes speaker notes with one paragraph per line and its language. The library writes one English paragraph. */
export function completeNotesXml(xml: string, notes: string, { language, isRtl }: WritingDirection): string {
  const paragraphs = notes
    .trim()
    .split(/\r\n|[\n\r]/)
    .map((line) => {
      const tag = xmlText(detectLanguage(line, language));
      const run = line === '' ? '' : `<a:r><a:rPr lang="${tag}" dirty="0"/><a:t>${xmlText(line)}</a:t></a:r>`;
      const isRightToLeft = isRightToLeftText(line, isRtl);
      const properties = isRightToLeft ? '<a:pPr algn="r" rtl="1"/>' : '';
      return `<a:p>${properties}${run}<a:endParaRPr lang="${tag}" dirty="0"/></a:p>`;
    });
  return xml.replace(TEXT, () => paragraphs.join(''));
}
