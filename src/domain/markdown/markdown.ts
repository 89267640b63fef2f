/**
 * A text with format, as a tree of HTML elements; strings are text. Pipes such as `{{Q1}}` stay in the strings and in the addresses of
 * links, so they are filled after parsing and can never become marks.
 */
export type MarkdownNode = string | MarkdownElement;

export interface MarkdownElement {
  tag: 'strong' | 'em' | 'a' | 'p' | 'h2' | 'h3' | 'h4' | 'ul' | 'ol' | 'li';
  children: readonly MarkdownNode[];
  /** Of a link: an http, https or mailto address. */
  href?: string;
  /** Number of the first item of an ordered list. */
  start?: number;
}

/** `inline`: emphasis and links. `blocks`: paragraphs, headings and lists too. */
export type MarkdownForm = 'inline' | 'blocks';

/** Returns the tree with other texts and addresses. */
export function mapMarkdown(
  nodes: readonly MarkdownNode[],
  mapText: (text: string) => string,
  mapAddress: (address: string) => string,
): MarkdownNode[] {
  return nodes.map((node) =>
    typeof node === 'string'
      ? mapText(node)
      : {
          ...node,
          ...(node.href === undefined ? {} : { href: mapAddress(node.href) }),
          children: mapMarkdown(node.children, mapText, mapAddress),
        },
  );
}

const isBlock = (node: MarkdownNode | undefined): boolean =>
  typeof node === 'object' && /^(?:p|h\d|[uo]l|li)$/.test(node.tag);

/** Returns the tree as plain text: list items with their marks, one block in a line. */
export function markdownToPlainText(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node, index) => {
      const isNewLine = index > 0 && (isBlock(node) || isBlock(nodes[index - 1]));
      return (isNewLine ? '\n' : '') + nodeToPlainText(node);
    })
    .join('');
}

function nodeToPlainText(node: MarkdownNode): string {
  if (typeof node === 'string') return node;
  const { tag, children, start = 1 } = node;
  if (tag !== 'ul' && tag !== 'ol') return markdownToPlainText(children);
  return children
    .map((item, index) => {
      const lines = nodeToPlainText(item).replaceAll('\n', '\n  ');
      return `${tag === 'ul' ? '-' : `${start + index}.`} ${lines}`;
    })
    .join('\n');
}

/** Joins neighboring texts and leaves out empty ones. */
export function joinTexts(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const joined: MarkdownNode[] = [];
  let texts: string[] = [];
  const flush = () => {
    const text = texts.join('');
    if (text !== '') joined.push(text);
    texts = [];
  };
  for (const node of nodes) {
    if (typeof node === 'string') texts.push(node);
    else {
      flush();
      joined.push(node);
    }
  }
  flush();
  return joined;
}
