import { useId, useState } from 'preact/hooks';
import { ApiError, uploadFile } from '../../../shared/client/api.ts';
import { errorMessage, fieldMessage, toFormErrors } from '../../../shared/client/form-errors.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { fitImage } from './fit-image.ts';

const words = texts.editor.image;

/** Uploads an image for the survey and returns its address. Throws ApiError. */
async function uploadImage(surveyId: number, file: File): Promise<string> {
  const form = new FormData();
  form.append('image', file, file.name);
  const uploaded = await uploadFile<Schema<'SurveyImage'>>(`/api/surveys/${surveyId}/images`, form, 'POST');
  return uploaded.image_url;
}

/** Chooses or drops an image file, which is uploaded at once. A photograph that is too large is made smaller before. */
export function ImageUpload({
  surveyId,
  label = null,
  onUploaded,
}: {
  surveyId: number;
  /** What the image is for, where a page has several. */
  label?: string | null;
  onUploaded: (address: string) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const hintId = useId();
  const problemId = useId();
  const upload = async (file: File | undefined) => {
    if (file === undefined || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      const fitting = await fitImage(file);
      if (!fitting.ok) {
        setProblem(words.tooLarge[fitting.reason](fitting.megabytes));
        return;
      }
      onUploaded(await uploadImage(surveyId, fitting.file));
      announce(fitting.file === file ? words.uploaded : words.uploadedSmaller);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const found = toFormErrors(error, (field) => field === 'image').byField.get('image');
      setProblem(found === undefined ? errorMessage(error) : fieldMessage(words.uploadSubject, found));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div
      class={isOver ? 'image-drop over' : 'image-drop'}
      aria-busy={isBusy}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void upload(event.dataTransfer?.files[0]);
      }}
    >
      <label class="button choose">
        <input
          class="visually-hidden"
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-label={label === null ? words.upload : `${words.upload}: ${label}`}
          aria-describedby={problem === null ? hintId : `${problemId} ${hintId}`}
          aria-invalid={problem !== null}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            void upload(file).finally(() => (currentTarget.value = ''));
          }}
        />
        {isBusy ? words.uploading : words.upload}
      </label>
      <p class="hint" id={hintId}>
        {words.uploadHint}
      </p>
      {problem !== null && (
        <p class="problem" id={problemId} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
