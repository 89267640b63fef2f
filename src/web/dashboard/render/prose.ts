import MarkdownIt from 'markdown-it';
import { type Html, trustedHtml } from '../../shared/html.ts';

/** Headings of a text are below those of the page. */
const FIRST_LEVEL = 3;
const LAST_LEVEL = 6;

function createParser(): MarkdownIt {
  const parser = new MarkdownIt({ html: false, linkify: true, typographer: true });
  // An image would load from another server, which could track readers.
  parser.disable('image');
  const { rules } = parser.renderer;
  rules.heading_open = (tokens, index) => `<h${levelOf(tokens[index]!.tag)}>`;
  rules.heading_close = (tokens, index) => `</h${levelOf(tokens[index]!.tag)}>`;
  rules.table_open = () => '<div class="scroll" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]!.attrSet('rel', 'noopener nofollow');
    return self.renderToken(tokens, index, options);
  };
  // Cell alignment would be a style attribute, which the content security policy forbids.
  for (const cell of ['th_open', 'td_open'] as const) {
    rules[cell] = (tokens, index) => `<${tokens[index]!.tag}>`;
  }
  return parser;
}

const levelOf = (tag: string) => Math.min(Number(tag.slice(1)) - 1 + FIRST_LEVEL, LAST_LEVEL);

const parser = createParser();

/** Renders Markdown as HTML, without raw HTML, images or script links. */
export const renderMarkdown = (markdown: string): Html => trustedHtml(parser.render(markdown));
