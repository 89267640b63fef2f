import { useId, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage, fieldMessage, toFormErrors } from '../../../shared/client/form-errors.ts';

/** What a place for a file says. */
interface FileDropWords {
  upload: string;
  uploading: string;
  uploadHint: string;
  /** Begins the messages about the file: "The image". */
  uploadSubject: string;
}

/** Chooses or drops a file, which is uploaded at once. `upload` returns why the file cannot be used; null: it was uploaded. */
export function FileDrop({
  words,
  label = null,
  accept,
  field,
  upload,
}: {
  words: FileDropWords;
  /** What the file is for, where a page has several. */
  label?: string | null;
  /** Media types and extensions. */
  accept: string;
  /** The field of the request. */
  field: string;
  upload: (file: File) => Promise<string | null>;
}) {
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const hintId = useId();
  const problemId = useId();
  const start = async (file: File | undefined) => {
    if (file === undefined || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      setProblem(await upload(file));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const found = toFormErrors(error, (name) => name === field).byField.get(field);
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
        void start(event.dataTransfer?.files[0]);
      }}
    >
      <label class="button choose">
        <input
          class="visually-hidden"
          type="file"
          accept={accept}
          aria-label={label === null ? words.upload : `${words.upload}: ${label}`}
          aria-describedby={problem === null ? hintId : `${problemId} ${hintId}`}
          aria-invalid={problem !== null}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            void start(file).finally(() => (currentTarget.value = ''));
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
