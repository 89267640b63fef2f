const SCALE = 2;
const MARGIN = 24;
const TITLE_SIZE = 16;
const BASE_SIZE = 12;
const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Returns the chart with its title above and its base below. Colours are resolved, so the file does not depend on the page's style. */
export async function createImageFile(card: HTMLElement, kind: 'png' | 'svg'): Promise<Blob> {
  const { svg, width, height } = createStandaloneSvg(card);
  const text = new XMLSerializer().serializeToString(svg);
  if (kind === 'svg') return new Blob([text], { type: 'image/svg+xml' });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser could not create the image')) : resolve(blob)),
      'image/png',
    );
  });
}

const COLORS = ['fill', 'stroke'] as const;

function createStandaloneSvg(card: HTMLElement) {
  const original = (card.querySelector<SVGSVGElement>('.picture:not(.narrow) svg') ??
    card.querySelector('svg'))!;
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
      createText(
        line,
        TITLE_SIZE,
        MARGIN + TITLE_SIZE * (1 + index * 1.3),
        650,
        style.getPropertyValue('--text'),
      ),
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
    createText(
      base,
      BASE_SIZE,
      top + innerHeight + BASE_SIZE * 2,
      400,
      style.getPropertyValue('--text-muted'),
    ),
  );
  return { svg, width, height };
}

function createElement(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function createText(content: string, size: number, y: number, weight: number, fill: string): SVGElement {
  const element = createElement('text', {
    x: MARGIN,
    y,
    'font-size': size,
    'font-weight': weight,
    fill: fill.trim(),
  });
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
