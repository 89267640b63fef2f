import { useState } from 'preact/hooks';
import { mediaKind, parseMediaAddress } from '../../../../domain/questions/media-address.ts';
import { uploadFile } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { FileDrop } from '../survey/file-drop.tsx';

const words = texts.editor.media;
const FIELD = 'media';
const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const nameOf = (language: string): string => languageNames.of(language) ?? language;

/** The sound or video of a question. */
export interface QuestionMedia {
  url: string | null;
  alt: string | null;
  /** Addresses by language. */
  captions: Readonly<Record<string, string>>;
}

/** Uploads a file for the survey. Throws ApiError. */
async function uploadMedia(surveyId: number, file: File): Promise<Schema<'SurveyMedia'>> {
  const form = new FormData();
  form.append(FIELD, file, file.name);
  return uploadFile<Schema<'SurveyMedia'>>(`/api/surveys/${surveyId}/media`, form, 'POST');
}

/** The player of an uploaded file. */
export function MediaPreview({ url, label }: { url: string; label: string }) {
  const type = parseMediaAddress(url)?.type;
  const attributes = { src: url, controls: true, preload: 'metadata', 'aria-label': label } as const;
  return type !== undefined && mediaKind(type) === 'audio' ? (
    <audio class="media-preview" {...attributes} />
  ) : (
    <video class="media-preview" {...attributes} />
  );
}

/** Sets the sound or video of a question: the file, the text for people who cannot hear or see it, and captions. */
export function MediaDialog({
  surveyId,
  label,
  media,
  onSave,
  onClose,
}: {
  surveyId: number;
  /** Name of the question. */
  label: string;
  media: QuestionMedia;
  onSave: (media: QuestionMedia) => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useState(media.url);
  const [alt, setAlt] = useState(media.alt ?? '');
  const [captions, setCaptions] = useState(media.captions);
  const [problem, setProblem] = useState<string | null>(null);
  const type = url === null ? undefined : parseMediaAddress(url)?.type;
  const hasCaptions = type !== undefined && mediaKind(type) === 'video';
  const upload = async (file: File): Promise<string | null> => {
    const uploaded = await uploadMedia(surveyId, file);
    if (uploaded.kind === 'captions') return words.notPlayable;
    setUrl(uploaded.media_url);
    setProblem(null);
    announce(words.uploaded);
    return null;
  };
  const save = (saved: QuestionMedia) => {
    onSave(saved);
    onClose();
  };
  return (
    <Dialog title={words.title(label)} onClose={onClose}>
      <Form
        submit={words.save}
        onSubmit={() => {
          if (url === null) setProblem(words.none);
          else
            save({ url, alt: alt.trim() === '' ? null : alt.trim(), captions: hasCaptions ? captions : {} });
          return Promise.resolve();
        }}
        otherButtons={
          <>
            <CancelButton onClose={onClose} />
            {media.url !== null && (
              <button
                type="button"
                class="button"
                onClick={() => save({ url: null, alt: null, captions: {} })}
              >
                {words.remove}
              </button>
            )}
          </>
        }
      >
        {url !== null && <MediaPreview url={url} label={words.preview} />}
        <FileDrop
          words={{ ...words, upload: url === null ? words.upload : words.replace }}
          accept=".mp3,.m4a,.ogg,.oga,.opus,.mp4,.m4v,.webm,audio/mpeg,audio/mp4,audio/ogg,video/mp4,video/webm"
          field={FIELD}
          upload={upload}
        />
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <label class="labeled">
          <span>{words.alt}</span>
          <span class="hint">{words.altHint}</span>
          <textarea
            class="field"
            rows={4}
            maxLength={5_000}
            value={alt}
            onInput={(event) => setAlt(event.currentTarget.value)}
          />
        </label>
        {hasCaptions && <CaptionFields surveyId={surveyId} captions={captions} onChange={setCaptions} />}
      </Form>
    </Dialog>
  );
}

/** Captions for each language of the survey. */
function CaptionFields({
  surveyId,
  captions,
  onChange,
}: {
  surveyId: number;
  captions: QuestionMedia['captions'];
  onChange: (captions: Record<string, string>) => void;
}) {
  const { data: survey } = useQuery('/api/surveys/{id}', { path: { id: surveyId } });
  const settings = survey?.survey_settings;
  const ofSurvey = settings === undefined ? [] : [settings.default_language, ...settings.languages];
  const languages = [...new Set([...ofSurvey, ...Object.keys(captions)])];
  const upload = async (language: string, file: File): Promise<string | null> => {
    const uploaded = await uploadMedia(surveyId, file);
    if (uploaded.kind !== 'captions') return words.notCaptions;
    onChange({ ...captions, [language]: uploaded.media_url });
    announce(words.captionsUploaded(nameOf(language)));
    return null;
  };
  return (
    <fieldset class="media-captions">
      <legend>{words.captions}</legend>
      {languages.map((language) => (
        <div key={language}>
          <FileDrop
            words={{
              ...words,
              upload: captions[language] === undefined ? words.uploadCaptions : words.replaceCaptions,
              uploadHint: words.captionsHint(nameOf(language), captions[language] !== undefined),
              uploadSubject: words.captions,
            }}
            label={nameOf(language)}
            accept=".vtt,text/vtt"
            field={FIELD}
            upload={(file) => upload(language, file)}
          />
          {captions[language] !== undefined && (
            <button
              type="button"
              class="button small"
              onClick={() =>
                onChange(Object.fromEntries(Object.entries(captions).filter(([each]) => each !== language)))
              }
            >
              {words.removeCaptions(nameOf(language))}
            </button>
          )}
        </div>
      ))}
    </fieldset>
  );
}
