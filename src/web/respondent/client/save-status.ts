import type { Session } from './session.ts';

/** Returns the text that shows where the answers are saved. */
export function saveStatus({ messages, draft, outbox, isDraftStored: keptHere }: Session): string {
  const entered = Object.keys(draft.inputs).length > 0;
  if (outbox.state === 'sending') return messages.saving;
  if (outbox.hasUnsent && outbox.state === 'waiting') {
    return navigator.onLine ? messages.retrying : messages.offline;
  }
  if (!navigator.onLine && entered) return messages.offline;
  if (draft.responseToken !== null && !outbox.hasUnsent && !draft.edited) return messages.saved;
  return entered && keptHere ? messages.saved_on_device : '';
}
