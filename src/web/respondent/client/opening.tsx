import type { LinkParameters } from './link-parameters.ts';
import { hasWelcome, type Session, type Survey } from './session.ts';

let module: typeof import('./opening-pages.tsx') | undefined;

/** Loads the pages before the first question, if the survey or the link can show any. */
export async function loadOpening({ settings }: Survey, { resumeToken }: LinkParameters): Promise<void> {
  if (hasWelcome(settings) || settings.consent_text !== null || resumeToken !== null)
    module = await import('./opening-pages.tsx');
}

/** The page that comes before the first question now. */
export function OpeningPage(props: { session: Session }) {
  if (module === undefined) throw new Error('The pages before the first question are not loaded');
  return <module.OpeningPage {...props} />;
}
