import { spawnSync } from 'node:child_process';
import { program } from './external-programs.ts';

export const POPPLER = program('poppler-utils', () => spawnSync('pdftotext', ['-v']).status === 0);

function poppler(
  name: 'pdfinfo' | 'pdffonts' | 'pdftotext',
  pdf: Uint8Array,
  settings: string[] = [],
): string {
  const after = name === 'pdftotext' ? ['-', '-'] : ['-'];
  const { status, stdout, stderr } = spawnSync(name, [...settings, ...after], {
    input: pdf,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0 || /error/i.test(stderr)) throw new Error(`${name}: ${stderr}`);
  return stdout;
}

/** Steers the order of seeing in a terminal, and is no text. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e]/g;

/** Texts of the pages, in the order of reading, with single spaces. */
export const textsOfPages = (pdf: Uint8Array): string[] =>
  poppler('pdftotext', pdf, ['-enc', 'UTF-8'])
    .replace(DIRECTION_MARKS, '')
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replace(/\s+/g, ' ').trim());

/** Properties of the document by their names. */
export const infoOf = (pdf: Uint8Array): Map<string, string> =>
  new Map(
    poppler('pdfinfo', pdf)
      .split('\n')
      .map((line) => [line.split(':')[0]!, line.slice(line.indexOf(':') + 1).trim()]),
  );

/** Of the tree that is read aloud: tags, in order. */
export const structureOf = (pdf: Uint8Array): string => poppler('pdfinfo', pdf, ['-struct-text']);

export const fontsOf = (
  pdf: Uint8Array,
): { name: string; embedded: boolean; subset: boolean; unicode: boolean }[] =>
  poppler('pdffonts', pdf)
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, name, flags] = /^(\S+)\s.*?((?:yes|no)\s+(?:yes|no)\s+(?:yes|no))\s+\d+\s+\d+$/.exec(line)!;
      const [embedded, subset, unicode] = flags!.split(/\s+/).map((flag) => flag === 'yes');
      return { name: name!, embedded: embedded!, subset: subset!, unicode: unicode! };
    });

/** Words that are not within their page, each with where it is. */
export function wordsOutside(pdf: Uint8Array): { count: number; outside: string[] } {
  const outside: string[] = [];
  let [width, height, count] = [0, 0, 0];
  for (const [tag, name] of poppler('pdftotext', pdf, ['-bbox']).matchAll(/<(page|word)[^>]*>[^<]*/g)) {
    const number = (key: string) => Number(new RegExp(` ${key}="([^"]*)"`).exec(tag)![1]);
    if (name === 'page') [width, height] = [number('width'), number('height')];
    else {
      count += 1;
      const isInside =
        number('xMin') >= -0.5 &&
        number('yMin') >= -4 &&
        number('xMax') <= width + 0.5 &&
        number('yMax') <= height + 4;
      if (!isInside) outside.push(tag);
    }
  }
  return { count, outside };
}
