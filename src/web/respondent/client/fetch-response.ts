import { ApiError } from '../../shared/client/call-failed.ts';
import type { RespondentApi, ResumeReply, UploadedFile } from './api.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Fetches a response in progress with its files, and retries until the server answers. `code`: the error code of a refusal. */
export async function fetchResponse(
  api: RespondentApi,
  token: string,
): Promise<{ response: ResumeReply; files: UploadedFile[] } | { code: string }> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      const response = await api.resume(token);
      return { response, files: response.response_status === 'partial' ? await api.files(token) : [] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === 'refused') return { code: error.code };
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
