import type { MarkdownNode } from '../../../domain/markdown/markdown.ts';
import type { Messages, TextLanguage } from './localization.ts';

let module: typeof import('./markdown.tsx') | undefined;

/** Loads what texts with Markdown need. Call it before they are shown. */
export async function loadMarkdown(): Promise<void> {
  module = await import('./markdown.tsx');
}

/** Reads texts with Markdown; undefined: no text of the survey has format. */
export const markdownReader = () => module?.readMarkdown;

/** A text with its format, if it has any. */
export function Formatted({
  text,
  nodes,
  messages,
}: {
  text: string;
  nodes: readonly MarkdownNode[] | undefined;
  messages: Messages;
}) {
  return <>{nodes === undefined ? text : module?.renderMarkdown(nodes, messages)}</>;
}

/** A text of the survey itself, with paragraphs, headings and lists. */
export function Prose({ text, messages, ...language }: TextLanguage & { text: string; messages: Messages }) {
  return (
    <div class="prose" {...language}>
      <Formatted text={text} nodes={markdownReader()?.(text, 'blocks')?.nodes} messages={messages} />
    </div>
  );
}
