export interface PastMessage {
  role: 'user' | 'assistant';
  content: string;
}

const MAX_EXCHANGES = 10;
const MAX_CHARACTERS = 12_000;
const MAX_MESSAGE_CHARACTERS = 4_000;

/** Returns the last exchanges (question with answer) within a character budget, for the model. Skips unanswered questions. */
export function recentHistory(messages: readonly PastMessage[]): PastMessage[] {
  const exchanges: PastMessage[][] = [];
  for (const [index, message] of messages.entries()) {
    const answer = messages[index + 1];
    if (message.role !== 'user' || answer?.role !== 'assistant' || answer.content === '') continue;
    exchanges.push([message, answer].map(({ role, content }) => ({ role, content: truncate(content) })));
  }
  const kept: PastMessage[] = [];
  let characters = 0;
  for (const exchange of exchanges.slice(-MAX_EXCHANGES).reverse()) {
    characters += exchange.reduce((sum, { content }) => sum + content.length, 0);
    if (characters > MAX_CHARACTERS) break;
    kept.unshift(...exchange);
  }
  return kept;
}

const truncate = (content: string): string =>
  content.length <= MAX_MESSAGE_CHARACTERS
    ? content
    : `${content.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()} […]`;
