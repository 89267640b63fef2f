import { type ComponentChild, h } from 'preact';
import type { MarkdownNode } from '../../../domain/markdown/markdown.ts';
import type { Messages } from './localization.ts';

export { readMarkdown } from '../../../domain/markdown/read-markdown.ts';

/** Renders a text with format. Strings become text nodes, so that no text can add elements. */
export function renderMarkdown(nodes: readonly MarkdownNode[], messages: Messages): ComponentChild[] {
  return nodes.map((node) => {
    if (typeof node === 'string') return node;
    const { tag, href, start } = node;
    const children = renderMarkdown(node.children, messages);
    if (href === undefined) return h(tag, start === undefined ? {} : { start }, children);
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
        <span class="visually-hidden"> ({messages.new_tab})</span>
      </a>
    );
  });
}
