import { Consent } from './consent.tsx';
import { ContinueOffer } from './continue-offer.tsx';
import type { Session } from './session.ts';
import { Welcome } from './welcome.tsx';

export function OpeningPage({ session }: { session: Session }) {
  const { offer, isWelcoming } = session;
  if (offer !== null) return <ContinueOffer session={session} begunOn={offer.begunOn} />;
  return isWelcoming ? <Welcome session={session} /> : <Consent session={session} />;
}
