import { ApiError } from '../../shared/client/api-error.ts';
import type { RespondentApi, ResumeReply, UploadedFile } from './api.ts';

const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** Fetches a response in progress with its files, and retries until the server answers. `code`: the error code of a refusal. */
export async function fetchResponse(
  api: RespondentApi,
  token: string,
): Promise<{ response: ResumeReply; files: UploadedFile[] } | { code: string }> {
  for (let delayMs = MIN_RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
    try {
      const response = await api.resume(token);
      return { response, files: response.response_status === 'partial' ? await api.files(token) : [] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === 'rejected') return { code: error.code };
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}
