import MarkdownIt from 'markdown-it';

const LINK = /^(https?:\/\/|mailto:)/i;
/** Headings of a text are below the title of its slide. */
const FIRST_LEVEL = 3;

function createParser(): MarkdownIt {
  const parser = new MarkdownIt({ html: false, linkify: true, typographer: true });
  parser.validateLink = (address) => LINK.test(address.trim());
  // An image would load from another server, which could track readers.
  parser.disable('image');
  const tagOf = (tag: string | undefined) => `h${Math.min(6, Number(tag?.slice(1)) + FIRST_LEVEL - 1)}`;
  const { rules } = parser.renderer;
  rules.heading_open = (tokens, index) => `<${tagOf(tokens[index]?.tag)}>`;
  rules.heading_close = (tokens, index) => `</${tagOf(tokens[index]?.tag)}>`;
  return parser;
}

const parser = createParser();

/** Renders Markdown as HTML without scripts, styles and images; HTML tags stay text. */
export const renderMarkdownHtml = (markdown: string): string => parser.render(markdown);
