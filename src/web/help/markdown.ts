import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { requireItem } from '../../lib/require-value.ts';

/** Renders a file of the documentation to HTML. `name`: its path below `/help`. */
export type RenderMarkdown = (source: string, name: string) => string;

/** Notes to authors. The renderer shows HTML as text, because the documentation has none. */
const COMMENT = /<!--.*?-->/gs;

/** Returns the anchor that GitHub gives to a heading. */
const headingAnchor = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * Creates a renderer. Links between files become links between help pages; the text of a link to a file outside the documentation stays
 * without a link. Headings get anchors, and wide parts can be scrolled with the keyboard.
 */
export function createMarkdownRenderer(isPage: (name: string) => boolean): RenderMarkdown {
  const markdown = new MarkdownIt({ linkify: false });
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, index, options, _env, self) => {
    const text = tokens[index + 1]?.children?.map(({ content }) => content).join('') ?? '';
    tokens[index]?.attrSet('id', headingAnchor(text));
    return self.renderToken(tokens, index, options);
  };
  rules.table_open = () => '<div class="wide" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  const { fence: renderFence, image: renderImage } = rules;
  if (renderFence === undefined || renderImage === undefined) throw new Error('The renderer has no rules');
  rules.fence = (...parts) => renderFence(...parts).replace('<pre>', '<pre tabindex="0">');
  rules.link_open = (tokens, index, options, env: { name: string }, self) => {
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
  return (source, name) => markdown.render(source.replace(COMMENT, ''), { name });
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
