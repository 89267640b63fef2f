import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { requireItem } from '../../lib/require-value.ts';

/** Renders a file of the documentation to HTML. `name`: its path below `/help`. */
export type RenderMarkdown = (source: string, name: string) => string;

/** Notes to authors. The renderer shows HTML as text, because the documentation has none. */
const COMMENT = /<!--.*?-->/gs;

/** Returns the anchors of a page's headings in order, as GitHub does: a repeated heading has a number. */
function createAnchors(): (heading: string) => string {
  const counts = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}

/** The text of an inline token without its marks. A line break is a space. */
const plainText = (token: ReturnType<MarkdownIt['parse']>[number] | undefined): string =>
  token?.children?.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('') ?? '';

/** A part of a page from one heading to the next. */
export interface PageSection {
  heading: string;
  anchor: string;
  /** Without the examples in code blocks. */
  text: string;
}

/** Splits a file of the documentation at its headings. */
export function readSections(source: string): PageSection[] {
  const tokens = new MarkdownIt({ linkify: false }).parse(source.replace(COMMENT, ''), {});
  const anchorOf = createAnchors();
  const sections: PageSection[] = [];
  tokens.forEach((token, index) => {
    if (token.type !== 'inline') return;
    const text = plainText(token);
    const current = sections.at(-1);
    if (tokens[index - 1]?.type === 'heading_open')
      sections.push({ heading: text, anchor: anchorOf(text), text: '' });
    else if (current !== undefined) current.text = `${current.text} ${text}`.trimStart();
  });
  return sections;
}

/** What the rules know of the page that is rendered. */
interface PageEnvironment {
  name: string;
  anchorOf: (heading: string) => string;
}

/**
 * Creates a renderer. Links between files become links between help pages; the text of a link to a file outside the documentation stays
 * without a link. Headings get anchors, and wide parts can be scrolled with the keyboard.
 */
export function createMarkdownRenderer(isPage: (name: string) => boolean): RenderMarkdown {
  const markdown = new MarkdownIt({ linkify: false });
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, index, options, env: PageEnvironment, self) => {
    tokens[index]?.attrSet('id', env.anchorOf(plainText(tokens[index + 1])));
    return self.renderToken(tokens, index, options);
  };
  rules.table_open = () => '<div class="wide" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  const { fence: renderFence, image: renderImage } = rules;
  if (renderFence === undefined || renderImage === undefined) throw new Error('The renderer has no rules');
  rules.fence = (...parts) => renderFence(...parts).replace('<pre>', '<pre tabindex="0">');
  rules.link_open = (tokens, index, options, env: PageEnvironment, self) => {
    const token = requireItem(tokens, index, 'link');
    const target = helpAddress(String(token.attrGet('href')), env.name, isPage);
    if (target === null) token.attrs = null;
    else token.attrSet('href', target);
    return self.renderToken(tokens, index, options);
  };
  rules.image = (...parts) => {
    const [tokens, index] = parts;
    const token = requireItem(tokens, index, 'image');
    token.attrSet('src', `/help/images/${path.posix.basename(String(token.attrGet('src')))}`);
    return renderImage(...parts);
  };
  return (source, name) =>
    markdown.render(source.replace(COMMENT, ''), {
      name,
      anchorOf: createAnchors(),
    } satisfies PageEnvironment);
}

/** The address of a link in the file `name`; null: it leads to a file that is no help page. */
function helpAddress(href: string, name: string, isPage: (name: string) => boolean): string | null {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const folder = path.posix.dirname(name === '' ? 'start' : name);
  const target = path.posix
    .normalize(path.posix.join(folder, file))
    .replace(/(^|\/)README\.md$|\.md$/, '')
    .replace(/^\.$/, '');
  if (!isPage(target)) return null;
  return `/help${target === '' ? '' : `/${target}`}${anchor === undefined ? '' : `#${anchor}`}`;
}
