import { useEffect, useState } from 'preact/hooks';
import { ContinueLater } from './continue-later.tsx';
import { saveStatus } from './save-status.ts';
import type { Session } from './session.ts';

/** The navigation buttons, the number of problems, and the save status. */
export function Footer({ session }: { session: Session }) {
  const { messages, problems } = session;
  return (
    <footer>
      <p class={problems.size > 0 ? 'summary wrong' : 'visually-hidden'} role="alert">
        {problems.size > 0 ? session.announcement : ''}
      </p>
      <div class="buttons">
        {session.settings.allow_back && session.pageIndex > 0 && (
          <button type="button" class="quiet" onClick={() => session.back()}>
            {messages.back}
          </button>
        )}
        <button type="submit" class="main">
          {session.isLastPage ? messages.submit : messages.next}
        </button>
      </div>
      <div class="below">
        <SaveState session={session} />
        <ContinueLater session={session} />
      </div>
    </footer>
  );
}

/** A status that lasts for a shorter time is not shown, to avoid flicker. */
const SETTLE_MS = 250;

function SaveState({ session }: { session: Session }) {
  const current = saveStatus(session);
  const [shown, setShown] = useState(current);
  useEffect(() => {
    const timer = setTimeout(() => setShown(saveStatus(session)), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current]);
  const isOffline = session.outbox.state === 'waiting' || !navigator.onLine;
  return (
    <p class={`save${isOffline ? ' offline' : ''}`} role="status">
      {shown}
    </p>
  );
}
