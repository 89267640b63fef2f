import type { Session } from './session.ts';

/** The image of the welcome page or of the end. */
export function SurveyImage({ session, kind }: { session: Session; kind: 'welcome' | 'end' }) {
  const { settings, texts } = session;
  const image = settings[`${kind}_image`];
  const alt = settings[`${kind}_image_alt`];
  if (image === null) return null;
  return (
    <img
      class="question-image"
      src={image}
      alt={texts.text(`${kind}_image_alt`, alt ?? '')}
      {...session.languageOf(alt === null || texts.has(`${kind}_image_alt`))}
      decoding="async"
      referrerPolicy="no-referrer"
    />
  );
}
