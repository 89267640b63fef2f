import { useState } from 'preact/hooks';
import { mediaKind, parseMediaAddress } from '../../../domain/questions/media-address.ts';
import type { QuestionView } from '../../../domain/survey/logic/render-survey.ts';
import { languageName, type Messages, type TextLanguage } from './localization.ts';

export interface MediaProps {
  view: QuestionView;
  session: {
    readonly messages: Messages;
    readonly draft: { readonly language: string };
    /** Returns the attributes of a text; `isTranslated`: whether it is in the respondent's language. */
    languageOf(isTranslated: boolean): TextLanguage;
  };
}

/** A player with captions and, below it, the text for people who cannot hear or see it. */
export function MediaPlayer({
  session,
  view,
  url,
  alt,
  captions,
}: MediaProps & NonNullable<QuestionView['media']>) {
  const { messages, draft } = session;
  const [hasFailed, setFailed] = useState(false);
  const type = parseMediaAddress(url)?.type;
  const attributes = {
    src: url,
    controls: true,
    preload: 'metadata',
    'aria-label': view.text,
    onError: () => setFailed(true),
    onLoadedMetadata: () => setFailed(false),
  } as const;
  return (
    <div class="media">
      {type !== undefined && mediaKind(type) === 'audio' ? (
        <audio {...attributes} />
      ) : (
        <video {...attributes} playsInline>
          {Object.entries(captions).map(([language, source]) => (
            <track
              key={language}
              kind="captions"
              src={source}
              srclang={language}
              label={languageName(language)}
              default={language === draft.language}
            />
          ))}
        </video>
      )}
      {hasFailed && (
        <p class="problem" role="alert">
          {messages.media_failed}
        </p>
      )}
      {alt !== null && (
        <details>
          <summary>{messages.media_text}</summary>
          <p {...session.languageOf(view.texts.has('media_alt'))}>{alt}</p>
        </details>
      )}
    </div>
  );
}
