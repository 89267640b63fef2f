import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { type Amount, short } from './figure.ts';
import type { Results } from './results.ts';
import { HEADINGS, tableLines, formatRun } from './table.ts';

/** The marker in a document: for the table or for a list of few figures. The text between the markers is replaced. */
const PLACE = /(<!-- bench: (all|list) -->\n)[\s\S]*?(<!-- end of bench -->)/;

function markdownTable(results: Results): string {
  const row = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const lines = tableLines(results).map((line) =>
    'group' in line ? row([`**${line.group}**`, '', '', '', '', '']) : row(line.cells),
  );
  const aligned = '| --- | --- | --- | ---: | :-: | :-: |';
  return [...formatRun(results).flatMap((text) => [text, '']), row(HEADINGS), aligned, ...lines].join('\n');
}

function markdownList(results: Results): string {
  return results.benches
    .flatMap(({ figures }) => figures)
    .flatMap(({ ours, inList }) => (inList === undefined ? [] : [`- **${withoutNote(ours)}** ${inList}`]))
    .join('\n');
}

const withoutNote = (ours: Amount | string): string =>
  typeof ours === 'string' ? ours : `${short(ours.value)} ${ours.unit.replace('/s', '').trim()}`.trim();

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Writes into the marked place of a document, or into a new file. */
export async function writeMarkdown(file: string, results: Results): Promise<void> {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const match = PLACE.exec(before);
  const text =
    match === null
      ? `# Measured\n\n${markdownTable(results)}\n`
      : before.replace(PLACE, (_, begin: string, extent: 'all' | 'list', end: string) => {
          return `${begin}\n${extent === 'all' ? markdownTable(results) : markdownList(results)}\n\n${end}`;
        });
  if (match === null && before !== '' && !before.startsWith('# Measured'))
    throw new Error(`${file} has no place for the table: <!-- bench: all --> … <!-- end of bench -->`);
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
}
