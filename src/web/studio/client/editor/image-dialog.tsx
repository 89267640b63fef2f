import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import { ImageUpload } from '../survey/image-upload.tsx';

const words = texts.editor.image;

/** A web address, or the address of an uploaded image. */
const ADDRESS = /^(https?:\/\/[^\s/]+|\/images\/\w+$)/i;

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
