export interface PastMessage {
  role: 'user' | 'assistant';
  content: string;
}

const MOST_EXCHANGES = 10;
const MOST_CHARACTERS = 12_000;
const MOST_OF_ONE = 4_000;

/**
 * The end of a conversation, as much of it as a model is told: the last exchanges within a budget of characters, each a
 * question with its answer. One that was never answered is left out.
 */
export function recentHistory(messages: readonly PastMessage[]): PastMessage[] {
  const exchanges: PastMessage[][] = [];
  for (const [index, message] of messages.entries()) {
    const answer = messages[index + 1];
    if (message.role !== 'user' || answer?.role !== 'assistant' || answer.content === '') continue;
    exchanges.push([message, answer].map(({ role, content }) => ({ role, content: shortened(content) })));
  }
  const kept: PastMessage[] = [];
  let characters = 0;
  for (const exchange of exchanges.slice(-MOST_EXCHANGES).reverse()) {
    characters += exchange.reduce((sum, { content }) => sum + content.length, 0);
    if (characters > MOST_CHARACTERS) break;
    kept.unshift(...exchange);
  }
  return kept;
}

const shortened = (content: string): string =>
  content.length <= MOST_OF_ONE ? content : `${content.slice(0, MOST_OF_ONE).toWellFormed()} […]`;
