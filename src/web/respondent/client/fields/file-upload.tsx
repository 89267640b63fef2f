import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { fileUploadAnswers } from '../../../../domain/questions/types/file-upload.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

interface Upload {
  key: number;
  file: File;
  /** null during the upload. */
  problem: string | null;
}

const MEGABYTE = 1024 * 1024;

/** Uploads files when they are selected. The answer is the list of their ids. */
function FileField({
  view,
  input,
  onInput,
  messages,
  id,
  describedBy,
  invalid,
  session,
}: FieldProps<QuestionWithType<'file_upload'>>) {
  const { question } = view;
  const control = useRef<HTMLInputElement>(null);
  const [uploads, setUploads] = useState<Upload[]>([]);
  const keys = useRef(0);
  const { max_files: maxFiles, max_size_mb: maxSizeMb, allowed_extensions: extensions } = question.settings;
  const { code } = question;
  const ids = Array.isArray(input) ? (input as string[]) : [];
  const remaining = maxFiles - ids.length - uploads.length;

  const addToUploadCount = (change: number) =>
    session.uploads.set(code, (session.uploads.get(code) ?? 0) + change);
  const update = (key: number, problem: string | null) =>
    setUploads((before) => before.map((each) => (each.key === key ? { ...each, problem } : each)));
  const removeUpload = (key: number) => setUploads((before) => before.filter((each) => each.key !== key));
  const upload = async (key: number, file: File) => {
    update(key, null);
    addToUploadCount(1);
    try {
      const token = await session.outbox.ensureStarted();
      const uploaded = await session.api.upload(token, code, file).finally(() => addToUploadCount(-1));
      session.draft.files[uploaded.file_id] = { name: uploaded.file_name, sizeBytes: uploaded.size_bytes };
      const now = session.draft.inputs[code];
      session.setInput(code, [...(Array.isArray(now) ? (now as string[]) : []), uploaded.file_id]);
      removeUpload(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isTransient = error.kind === 'transient';
      update(key, isTransient ? messages.file_offline : (error.problems[0]?.message ?? messages.file_failed));
    }
  };
  const remove = (fileId: string) => {
    onInput(ids.filter((each) => each !== fileId));
    const { responseToken } = session.draft;
    // If this fails, the server keeps a file that no answer refers to.
    if (responseToken !== null) session.api.removeFile(responseToken, fileId).catch(() => undefined);
  };
  const addFiles = (files: FileList | null) => {
    const chosen = [...(files ?? [])].slice(0, Math.max(0, remaining));
    for (const file of chosen) {
      const key = keys.current++;
      const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
      const problem =
        extensions !== null && !extensions.includes(extension)
          ? fillPlaceholders(messages.file_type_wrong, { n: extensions.join(', ') })
          : file.size > maxSizeMb * MEGABYTE
            ? fillPlaceholders(messages.file_too_large, { n: maxSizeMb })
            : null;
      setUploads((before) => [...before, { key, file, problem }]);
      if (problem === null) void upload(key, file);
    }
    if (control.current !== null) control.current.value = '';
  };

  return (
    <div class="files">
      <ul>
        {ids.map((fileId) => (
          <FileRow
            key={fileId}
            name={session.draft.files[fileId]?.name ?? fileId}
            state={messages.file_uploaded}
            remove={fillPlaceholders(messages.file_remove, {
              label: session.draft.files[fileId]?.name ?? fileId,
            })}
            onRemove={() => remove(fileId)}
          />
        ))}
        {uploads.map(({ key, file, problem }) => (
          <FileRow
            key={`upload-${key}`}
            name={file.name}
            state={problem ?? messages.file_uploading}
            wrong={problem !== null}
            remove={fillPlaceholders(messages.file_remove, { label: file.name })}
            {...(problem === messages.file_offline || problem === messages.file_failed
              ? { retry: messages.file_retry, onRetry: () => void upload(key, file) }
              : {})}
            {...(problem === null ? {} : { onRemove: () => removeUpload(key) })}
          />
        ))}
      </ul>
      {remaining > 0 && (
        <label class="choose-file">
          <input
            ref={control}
            id={id}
            class="visually-hidden"
            type="file"
            multiple={maxFiles > 1}
            accept={extensions?.map((kind) => `.${kind}`).join(',')}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onChange={(event) => addFiles(event.currentTarget.files)}
          />
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 16V5m-5 5 5-5 5 5M5 19h14" />
          </svg>
          <span>{ids.length + uploads.length === 0 ? messages.file_choose : messages.file_add}</span>
        </label>
      )}
    </div>
  );
}

function FileRow(props: {
  name: string;
  state: string;
  wrong?: boolean;
  remove: string;
  onRemove?: () => void;
  retry?: string;
  onRetry?: () => void;
}) {
  return (
    <li class={props.wrong ? 'wrong' : ''}>
      <span class="file-name">{props.name}</span>
      <span class="file-state" role="status">
        {props.state}
      </span>
      {props.onRetry && (
        <button type="button" class="plain" onClick={props.onRetry}>
          {props.retry}
        </button>
      )}
      {props.onRemove && (
        <button type="button" class="move" aria-label={props.remove} onClick={props.onRemove}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m7 7 10 10M17 7 7 17" />
          </svg>
        </button>
      )}
    </li>
  );
}

export const fileUploadField: FieldModuleOf<'file_upload'> = {
  ...PLAIN_FIELD,
  answers: fileUploadAnswers,
  Field: FileField,
  hint({ question }, messages) {
    const { max_files: n, max_size_mb: m, allowed_extensions: extensions } = question.settings;
    const size = fillPlaceholders(n === 1 ? messages.file_one : messages.file_many, { n, m });
    return extensions === null
      ? size
      : `${size} ${fillPlaceholders(messages.file_types, { n: extensions.join(', ') })}`;
  },
};
