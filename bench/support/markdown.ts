import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { headlines, type Results } from './results.ts';
import { HEADINGS, tableLines, formatRun } from './table.ts';

/** The marker in a document: for the whole table or only the headlines. The text between the markers is replaced. */
const PLACE = /(<!-- bench: (all|short) -->\n)[\s\S]*?(<!-- end of bench -->)/;

function markdownTable(results: Results, extent: 'all' | 'short'): string {
  const row = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const figuresToPrint = extent === 'all' ? ({ figures }: Results['benches'][number]) => figures : headlines;
  const lines = tableLines(results, figuresToPrint).map((line) =>
    'group' in line ? row([`**${line.group}**`, '', '', '', '', '']) : row(line.cells),
  );
  const aligned = '| --- | --- | --- | ---: | :-: | :-: |';
  return [...formatRun(results).flatMap((text) => [text, '']), row(HEADINGS), aligned, ...lines].join('\n');
}

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Writes into the marked place of a document, or into a new file. */
export async function writeMarkdown(file: string, results: Results): Promise<void> {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const match = PLACE.exec(before);
  const text =
    match === null
      ? `# Measured\n\n${markdownTable(results, 'all')}\n`
      : before.replace(PLACE, (_, begin: string, extent: 'all' | 'short', end: string) => {
          return `${begin}\n${markdownTable(results, extent)}\n\n${end}`;
        });
  if (match === null && before !== '' && !before.startsWith('# Measured'))
    throw new Error(`${file} has no place for the table: <!-- bench: all --> … <!-- end of bench -->`);
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
}
