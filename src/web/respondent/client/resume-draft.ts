import type { ResumeReply } from './api.ts';
import type { Draft } from './draft.ts';

/** Returns a draft that continues the server's response. Unsent input of this device is newer and takes precedence. */
export function resumeDraft(
  ours: Draft,
  responseToken: string,
  found: ResumeReply,
  languages: readonly string[],
): Draft {
  const { language } = found;
  return {
    ...ours,
    submissionId: found.submission_id ?? ours.submissionId,
    responseToken,
    surveyVersion: found.survey.survey_version,
    inputs: { ...found.answers, ...ours.inputs },
    language: language !== null && languages.includes(language) ? language : ours.language,
    consent: true,
  };
}
