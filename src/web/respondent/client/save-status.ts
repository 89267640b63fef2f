import type { Session } from './session.ts';

/** Returns the text that shows where the answers are saved. */
export function saveStatus({ messages, draft, outbox, isDraftStored }: Session): string {
  const hasAnswers = Object.keys(draft.inputs).length > 0;
  if (outbox.state === 'sending') return messages.saving;
  if (outbox.hasUnsent && outbox.state === 'waiting') {
    return navigator.onLine ? messages.retrying : messages.offline;
  }
  if (!navigator.onLine && hasAnswers) return messages.offline;
  if (draft.responseToken !== null && !outbox.hasUnsent && !draft.edited) return messages.saved;
  return hasAnswers && isDraftStored ? messages.saved_on_device : '';
}
