import { uploadFile } from '../../../shared/client/api.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { FileDrop } from './file-drop.tsx';
import { fitImage } from './fit-image.ts';

const words = texts.editor.image;
const FIELD = 'image';

/** Uploads an image for the survey and returns its address. Throws ApiError. */
async function uploadImage(surveyId: number, file: File): Promise<string> {
  const form = new FormData();
  form.append(FIELD, file, file.name);
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
  const upload = async (file: File): Promise<string | null> => {
    const fitting = await fitImage(file);
    if (!fitting.ok) return words.tooLarge[fitting.reason](fitting.megabytes);
    onUploaded(await uploadImage(surveyId, fitting.file));
    announce(fitting.file === file ? words.uploaded : words.uploadedSmaller);
    return null;
  };
  return (
    <FileDrop
      words={words}
      label={label}
      accept="image/png,image/jpeg,image/gif,image/webp"
      field={FIELD}
      upload={upload}
    />
  );
}
