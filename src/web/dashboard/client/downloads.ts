import { isFormulaText } from '../../../lib/formula-text.ts';
import { texts } from '../texts.ts';

const SCALE = 2;
const MARGIN = 24;
const TITLE_SIZE = 16;
const BASE_SIZE = 12;
const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Returns the chart with its title above and its base below. Colors are resolved, so the file does not depend on the page's style. */
async function createImageFile(card: HTMLElement, kind: 'png' | 'svg'): Promise<Blob> {
  const { svg, width, height } = createStandaloneSvg(card);
  const text = new XMLSerializer().serializeToString(svg);
  if (kind === 'svg') return new Blob([text], { type: 'image/svg+xml' });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser could not create the image')) : resolve(blob)),
      'image/png',
    );
  });
}

const COLORS = ['fill', 'stroke'] as const;

function createStandaloneSvg(card: HTMLElement) {
  const original = card.querySelector<SVGSVGElement>('.picture:not(.narrow) svg, .picture svg');
  if (original === null) throw new Error('This figure has no picture');
  const { width: inner, height: innerHeight } = original.viewBox.baseVal;
  const style = getComputedStyle(document.documentElement);
  const resolveVariables = (value: string) =>
    value.replace(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name).trim());
  const copy = original.cloneNode(true) as SVGSVGElement;
  for (const element of copy.querySelectorAll('*'))
    for (const name of COLORS) {
      const value = element.getAttribute(name);
      if (value?.includes('var(')) element.setAttribute(name, resolveVariables(value));
      element.removeAttribute('class');
    }
  const title = wrapText(card.querySelector('h3')?.textContent ?? '', inner / (TITLE_SIZE * 0.56));
  const base = card.querySelector('.base')?.textContent ?? '';
  const top = MARGIN + title.length * TITLE_SIZE * 1.3 + 12;
  const width = inner + 2 * MARGIN;
  const height = Math.round(top + innerHeight + BASE_SIZE * 2 + MARGIN);
  const svg = createElement('svg', { viewBox: `0 0 ${width} ${height}`, width, height });
  svg.setAttribute('font-family', getComputedStyle(document.body).fontFamily);
  svg.append(createElement('rect', { width, height, fill: style.getPropertyValue('--surface').trim() }));
  title.forEach((line, index) => {
    svg.append(
      createText(line, {
        y: MARGIN + TITLE_SIZE * (1 + index * 1.3),
        'font-size': TITLE_SIZE,
        'font-weight': 650,
        fill: style.getPropertyValue('--text').trim(),
      }),
    );
  });
  for (const [name, value] of [
    ['x', MARGIN],
    ['y', top],
    ['width', inner],
    ['height', innerHeight],
  ] as const)
    copy.setAttribute(name, String(value));
  svg.append(
    copy,
    createText(base, {
      y: top + innerHeight + BASE_SIZE * 2,
      'font-size': BASE_SIZE,
      'font-weight': 400,
      fill: style.getPropertyValue('--text-muted').trim(),
    }),
  );
  return { svg, width, height };
}

function createElement(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function createText(content: string, attributes: Record<string, string | number>): SVGElement {
  const element = createElement('text', { x: MARGIN, ...attributes });
  element.textContent = content;
  return element;
}

function wrapText(content: string, maxCharacters: number): string[] {
  const lines: string[] = [];
  for (const word of content.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= maxCharacters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const KINDS = [
  ['png', texts.downloads.png],
  ['svg', texts.downloads.svg],
  ['csv', texts.downloads.csv],
] as const;
type Kind = (typeof KINDS)[number][0];

const ICON =
  '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3v9m-3.500-3.500L10 12l3.500-3.500M4 14v2h12v-2"/></svg>';

/** Adds a download menu to each chart. The files are created in the browser from what the page shows. */
export function addDownloads(within: ParentNode): void {
  for (const card of within.querySelectorAll<HTMLElement>('.card.chart')) {
    const foot = card.querySelector('.foot');
    const table = card.querySelector<HTMLTableElement>('table.figures');
    if (foot === null || table === null || card.querySelector('.menu') !== null) continue;
    foot.append(createMenu(card, table));
  }
}

function createMenu(card: HTMLElement, table: HTMLTableElement): HTMLElement {
  const details = document.createElement('details');
  details.className = 'menu';
  const summary = document.createElement('summary');
  summary.title = texts.downloads.download;
  summary.innerHTML = ICON;
  const title = document.createElement('span');
  title.className = 'visually-hidden';
  title.textContent = texts.downloads.downloadOf(titleOf(card));
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
      void download(card, table, kind);
    });
    list.append(button);
  }
  details.append(summary, list);
  return details;
}

const titleOf = (card: HTMLElement) => card.querySelector('h3')?.textContent ?? texts.downloads.fileName;

async function download(card: HTMLElement, table: HTMLTableElement, kind: Kind): Promise<void> {
  const blob = kind === 'csv' ? toCsv(table) : await createImageFile(card, kind);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${fileName(titleOf(card))}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  announce(texts.downloads.saved(titleOf(card), kind.toUpperCase()));
}

const fileName = (title: string) =>
  title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80) || texts.downloads.fileName;

/** Puts significance letters into separate columns, so that the value columns stay numeric. */
function toCsv(table: HTMLTableElement): Blob {
  const rows = [...table.rows].map((row) => [...row.cells]);
  const letterColumns = new Set(
    rows.flatMap((cells) => cells.flatMap((cell, index) => (lettersOf(cell) === '' ? [] : [index]))),
  );
  const lines = rows.map((cells, line) =>
    cells
      .flatMap((cell, index) => {
        const text = cellText(cell);
        if (!letterColumns.has(index)) return [text];
        return [
          text,
          escapeCsv(line === 0 ? texts.downloads.higherThan(cell.textContent.trim()) : lettersOf(cell)),
        ];
      })
      .join(','),
  );
  return new Blob(['\ufeff', lines.join('\r\n'), '\r\n'], { type: 'text/csv;charset=utf-8' });
}

const lettersOf = (cell: HTMLTableCellElement) => cell.querySelector('.letters')?.textContent ?? '';

function cellText(cell: HTMLTableCellElement): string {
  const { value } = cell.dataset;
  if (value !== undefined) return value;
  if (cell.querySelector('.visually-hidden') !== null) return '';
  const shown = cell.textContent.trim();
  // A base is formatted with thousands separators.
  if (cell.tagName === 'TD') return shown.replaceAll(',', '').replace('–', '');
  return escapeCsv(shown);
}

function escapeCsv(text: string): string {
  const safe = isFormulaText(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Announces a change of the page to screen readers. */
export function announce(text: string): void {
  const status = document.getElementById('announcements');
  if (status === null) return;
  status.textContent = '';
  // Screen readers do not repeat an unchanged status text, so it is cleared first.
  setTimeout(() => (status.textContent = text), 50);
}
