import type { Session } from './session.ts';

/** What the respondent should know about where the answers are. */
export function saveWords({ words, draft, outbox, keptHere }: Session): string {
  const entered = Object.keys(draft.inputs).length > 0;
  if (outbox.state === 'sending') return words.saving;
  if (outbox.hasUnsent && outbox.state === 'waiting') {
    return navigator.onLine ? words.retrying : words.offline;
  }
  if (!navigator.onLine && entered) return words.offline;
  if (draft.responseToken !== null && !outbox.hasUnsent && !draft.edited) return words.saved;
  return entered && keptHere ? words.kept : '';
}
