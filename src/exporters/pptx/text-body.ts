import type { TextRun } from '../slides/markdown-blocks.ts';
import type { Relations } from './relations.ts';
import { languageOf, runsLeftward } from './script-language.ts';
import { xmlText } from './xml.ts';

/** What is not told is as the placeholder, the layout and the master have it. */
export interface RunLook {
  /** Points. */
  size?: number | undefined;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  /** As the format writes a fill. */
  fill?: string | undefined;
  monospaced?: boolean | undefined;
  /** An address that may be followed. */
  href?: string | null | undefined;
}

export interface Run extends RunLook {
  text: string;
}

export interface Paragraph {
  runs: readonly Run[];
  level?: number;
  align?: 'start' | 'center' | 'end';
  bullet?: 'none' | 'dot' | { number: number };
  /** Points above it. */
  before?: number;
}

export interface TextSurroundings {
  language: string;
  isRtl: boolean;
  relations: Relations;
}

const BULLET_ROOM = 228_600;

function properties(
  name: string,
  text: string,
  run: RunLook,
  { language, relations }: TextSurroundings,
): string {
  const { size, bold, italic, fill = '', monospaced, href } = run;
  const marks = [
    ` lang="${xmlText(languageOf(text, language))}"`,
    size === undefined ? '' : ` sz="${Math.round(size * 100)}"`,
    bold === undefined ? '' : ` b="${bold ? 1 : 0}"`,
    italic === true ? ' i="1"' : '',
    ' dirty="0"',
  ].join('');
  const font = monospaced === true ? '<a:latin typeface="Consolas"/>' : '';
  const link = href === null || href === undefined ? '' : `<a:hlinkClick r:id="${relations.link(href)}"/>`;
  return `<a:${name}${marks}>${fill}${font}${link}</a:${name}>`;
}

function runXml(run: Run, surroundings: TextSurroundings): string {
  const lines = run.text.split(/\r\n|[\n\r\u2028\u2029]/);
  return lines
    .map((line, place) => {
      const break_ =
        place === 0 ? '' : `<a:br>${properties('rPr', line, { ...run, href: null }, surroundings)}</a:br>`;
      const text =
        line === ''
          ? ''
          : `<a:r>${properties('rPr', line, run, surroundings)}<a:t>${xmlText(line)}</a:t></a:r>`;
      return break_ + text;
    })
    .join('');
}

function paragraphXml(paragraph: Paragraph, surroundings: TextSurroundings): string {
  const { runs, level = 0, align = 'start', bullet, before } = paragraph;
  const text = runs.map((run) => run.text).join('');
  const isLeftward = runsLeftward(text, surroundings.isRtl);
  const start = surroundings.isRtl ? 'r' : 'l';
  const end = surroundings.isRtl ? 'l' : 'r';
  const margin =
    bullet === undefined || bullet === 'none'
      ? ''
      : ` marL="${(level + 1) * BULLET_ROOM}" indent="-${BULLET_ROOM}"`;
  const marks = [
    margin,
    level > 0 && bullet !== undefined ? ` lvl="${Math.min(level, 8)}"` : '',
    ` algn="${{ start, center: 'ctr', end }[align]}" rtl="${isLeftward ? 1 : 0}"`,
  ].join('');
  const space =
    before === undefined ? '' : `<a:spcBef><a:spcPts val="${Math.round(before * 100)}"/></a:spcBef>`;
  const closing = properties('endParaRPr', text, { size: runs.at(-1)?.size }, surroundings);
  const content = runs.map((run) => runXml(run, surroundings)).join('');
  return `<a:p><a:pPr${marks}>${space}${bulletXml(bullet)}</a:pPr>${content}${closing}</a:p>`;
}

function bulletXml(bullet: Paragraph['bullet']): string {
  if (bullet === undefined) return '';
  if (bullet === 'none') return '<a:buNone/>';
  if (bullet === 'dot') return '<a:buFont typeface="Arial"/><a:buChar char="•"/>';
  const { number } = bullet;
  return `<a:buFont typeface="+mj-lt"/><a:buAutoNum type="arabicPeriod" startAt="${Math.min(Math.max(number, 1), 32_767)}"/>`;
}

/** Paragraphs as the content of a text body; never none, which the format does not allow. */
export function paragraphsXml(paragraphs: readonly Paragraph[], surroundings: TextSurroundings): string {
  const all = paragraphs.length > 0 ? paragraphs : [{ runs: [] }];
  return all.map((paragraph) => paragraphXml(paragraph, surroundings)).join('');
}

export function plainParagraph(
  text: string,
  look: RunLook = {},
  rest: Omit<Paragraph, 'runs'> = {},
): Paragraph {
  return { runs: [{ ...look, text }], ...rest };
}

export function markedRuns(runs: readonly TextRun[], look: RunLook = {}): Run[] {
  return runs.map(({ text, bold, italic, code, href }) => ({
    ...look,
    text,
    ...((bold || look.bold === true) && { bold: true }),
    ...(italic && { italic }),
    ...(code && { monospaced: true }),
    href,
  }));
}
