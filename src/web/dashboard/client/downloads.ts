import { pictureFile } from './picture-file.ts';
import { say } from './say.ts';

const KINDS = [
  ['png', 'Picture (PNG)'],
  ['svg', 'Drawing (SVG)'],
  ['csv', 'Figures (CSV)'],
] as const;
type Kind = (typeof KINDS)[number][0];

/** Each chart gets a menu with its files, all made in the browser of what is on the page. */
export function addDownloads(within: ParentNode): void {
  for (const card of within.querySelectorAll<HTMLElement>('.card.chart')) {
    const foot = card.querySelector('.foot');
    if (foot === null || card.querySelector('.menu') !== null || card.querySelector('table.figures') === null)
      continue;
    foot.append(menu(card));
  }
}

function menu(card: HTMLElement): HTMLElement {
  const details = document.createElement('details');
  details.className = 'menu';
  const summary = document.createElement('summary');
  summary.textContent = 'Download';
  const title = document.createElement('span');
  title.className = 'unseen';
  title.textContent = `: ${titleOf(card)}`;
  summary.append(title);
  const list = document.createElement('div');
  const hasPicture = card.querySelector('.picture') !== null;
  for (const [kind, label] of KINDS) {
    if (kind !== 'csv' && !hasPicture) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', () => {
      details.open = false;
      summary.focus();
      void save(card, kind);
    });
    list.append(button);
  }
  details.append(summary, list);
  return details;
}

const titleOf = (card: HTMLElement) => card.querySelector('h3')?.textContent ?? 'chart';

async function save(card: HTMLElement, kind: Kind): Promise<void> {
  const blob = kind === 'csv' ? csv(card.querySelector('table.figures')!) : await pictureFile(card, kind);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${fileName(titleOf(card))}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  say(`${titleOf(card)} saved as ${kind.toUpperCase()}`);
}

const fileName = (title: string) =>
  title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80) || 'chart';

/** A text that begins so is a formula to a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

function csv(table: HTMLTableElement): Blob {
  const lines = [...table.rows].map((row) => [...row.cells].map((cell) => cellText(cell)).join(','));
  return new Blob(['\ufeff', lines.join('\r\n'), '\r\n'], { type: 'text/csv;charset=utf-8' });
}

function cellText(cell: HTMLTableCellElement): string {
  const { value } = cell.dataset;
  const letters = cell.querySelector('.letters')?.textContent;
  if (value !== undefined && letters === undefined) return value;
  const shown = cell.querySelector('.unseen') === null ? cell.textContent.trim() : '';
  const isNumber = /^[\d,.–]+$/.test(shown);
  const text =
    value !== undefined
      ? `${value} ${letters}`
      : isNumber
        ? shown.replaceAll(',', '').replace('–', '')
        : shown;
  const safe = FORMULA.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
