import { useEffect } from 'preact/hooks';
import { ConsentForm } from './consent-form.tsx';
import { fillPlaceholders, formatDay } from './localization.ts';
import type { Session } from './session.ts';

/** Asks whether to continue a response that was started in another browser, or to answer independently of it. */
export function ContinueOffer({ session, begunOn }: { session: Session; begunOn: string }) {
  const { messages, draft } = session;
  const heading = fillPlaceholders(messages.continue_title, { n: formatDay(draft.language, begunOn) });
  useEffect(() => {
    document.title = heading;
  });
  return (
    <main class="column">
      <ConsentForm
        session={session}
        heading={heading}
        text={messages.continue_text}
        submit={messages.continue_response}
        onAgree={() => session.acceptOffer(session.settings.consent_text !== null)}
      >
        <button type="button" class="button" onClick={() => session.declineOffer()}>
          {messages.start_own}
        </button>
      </ConsentForm>
    </main>
  );
}
