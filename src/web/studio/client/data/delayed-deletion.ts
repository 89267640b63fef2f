import { useEffect, useState } from 'preact/hooks';

/** Time in which a deletion can be undone. */
export const UNDO_MS = 8_000;

interface PendingDeletion {
  timer: number;
  send: () => Promise<void>;
}

const pending = new Map<string, PendingDeletion>();
const listeners = new Set<() => void>();

const notifyListeners = () => {
  for (const listener of [...listeners]) listener();
};

/** Sends a deletion after the time to undo it. Until then the object is only hidden, because the API cannot restore it. */
export function deleteLater(key: string, send: () => Promise<void>): void {
  pending.set(key, { send, timer: setTimeout(() => void sendNow(key), UNDO_MS) });
  notifyListeners();
}

/** Keeps the object. Returns false if the deletion has been sent. */
export function undoDeletion(key: string): boolean {
  const deletion = pending.get(key);
  if (deletion === undefined) return false;
  clearTimeout(deletion.timer);
  pending.delete(key);
  notifyListeners();
  return true;
}

async function sendNow(key: string): Promise<void> {
  const deletion = pending.get(key);
  if (deletion === undefined) return;
  clearTimeout(deletion.timer);
  try {
    await deletion.send();
  } finally {
    pending.delete(key);
    notifyListeners();
  }
}

// A page that is left takes no more undo: the deletion that the user asked for is sent.
addEventListener('pagehide', () => {
  for (const key of [...pending.keys()]) void sendNow(key);
});

/** Tells whether an object waits for its deletion, so that lists leave it out. */
export function usePendingDeletions(): (key: string) => boolean {
  const [, rerender] = useState({});
  useEffect(() => {
    const listener = () => rerender({});
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return (key) => pending.has(key);
}
