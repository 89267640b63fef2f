import { useId, useState } from 'preact/hooks';
import { ApiError, uploadFile } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { errorMessage, fieldMessage, toFormErrors } from '../../../shared/client/form-errors.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';

const words = texts.editor.image;

/** A web address, or the address of an uploaded image. */
const ADDRESS = /^(https?:\/\/[^\s/]+|\/images\/\w+$)/i;

/** Uploads an image for the survey and returns its address. Throws ApiError. */
async function uploadImage(surveyId: number, file: File): Promise<string> {
  const form = new FormData();
  form.append('image', file, file.name);
  const uploaded = await uploadFile<Schema<'SurveyImage'>>(`/api/surveys/${surveyId}/images`, form, 'POST');
  return uploaded.image_url;
}

/** Chooses or drops an image file, which is uploaded at once. */
function ImageUpload({ surveyId, onUploaded }: { surveyId: number; onUploaded: (address: string) => void }) {
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
      onUploaded(await uploadImage(surveyId, file));
      announce(words.uploaded);
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
          aria-label={words.upload}
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

/** Sets the image of an option or a question: an uploaded file or an address, with a look at it. */
export function ImageDialog({
  surveyId,
  label,
  image,
  alt,
  onSave,
  onClose,
}: {
  surveyId: number;
  /** Label of the option or name of the question. */
  label: string;
  image: string | null;
  /** What the image shows; undefined: it has no description, because the label beside it says it. */
  alt?: string | null;
  onSave: (image: string | null, alt: string | null) => void;
  onClose: () => void;
}) {
  const [description, setDescription] = useState(alt ?? '');
  const [address, setAddress] = useState(image ?? '');
  const [isBroken, setBroken] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isAddress = ADDRESS.test(address.trim());
  const changeAddress = (changed: string) => {
    setAddress(changed);
    setBroken(false);
    setProblem(null);
  };
  const save = (saved: string | null) => {
    onSave(saved, saved === null || description.trim() === '' ? null : description.trim());
    onClose();
  };
  return (
    <Dialog title={words.title(label)} onClose={onClose}>
      <Form
        submit={words.save}
        onSubmit={() => {
          if (isAddress) save(address.trim());
          else setProblem(words.notAddress);
          return Promise.resolve();
        }}
        otherButtons={
          <>
            <CancelButton onClose={onClose} />
            {image !== null && (
              <button type="button" class="button" onClick={() => save(null)}>
                {words.remove}
              </button>
            )}
          </>
        }
      >
        <ImageUpload surveyId={surveyId} onUploaded={changeAddress} />
        <label class="labeled">
          <span>{words.address}</span>
          <span class="hint">{words.hint}</span>
          <input
            class="field"
            inputMode="url"
            autocomplete="off"
            value={address}
            aria-invalid={problem !== null}
            onInput={(event) => changeAddress(event.currentTarget.value)}
          />
        </label>
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {alt !== undefined && (
          <label class="labeled">
            <span>{words.alt}</span>
            <span class="hint">{words.altHint}</span>
            <input
              class="field"
              autocomplete="off"
              maxLength={500}
              value={description}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          </label>
        )}
        {isAddress &&
          (isBroken ? (
            <p class="problem" role="alert">
              {words.broken}
            </p>
          ) : (
            <img
              class="option-picture"
              src={address.trim()}
              alt={words.preview}
              referrerPolicy="no-referrer"
              onError={() => setBroken(true)}
            />
          ))}
      </Form>
    </Dialog>
  );
}
