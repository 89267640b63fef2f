import type { ResumeReply } from './api.ts';
import type { Draft } from './draft.ts';

/** A draft that goes on with a response as the server has it; what this device entered and did not send yet is newer. */
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
