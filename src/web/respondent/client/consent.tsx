import { useEffect } from 'preact/hooks';
import { ConsentForm } from './consent-form.tsx';
import type { Session } from './session.ts';

/** The consent page before the first question. */
export function Consent({ session }: { session: Session }) {
  const { messages, texts } = session;
  const name = texts.text('survey_name', session.definition.name);
  useEffect(() => {
    document.title = name;
  });
  return (
    <main class="column">
      <ConsentForm
        session={session}
        heading={messages.consent_title}
        submit={messages.start}
        onAgree={() => session.giveConsent()}
      />
    </main>
  );
}
