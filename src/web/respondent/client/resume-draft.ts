import type { ResumeReply } from './api.ts';
import type { Draft } from './draft.ts';

/** Returns a draft that continues the server's response. Unsent input of this device is newer and takes precedence. */
export function resumeDraft(
  localDraft: Draft,
  responseToken: string,
  reply: ResumeReply,
  languages: readonly string[],
): Draft {
  const { language } = reply;
  return {
    ...localDraft,
    submissionId: reply.submission_id ?? localDraft.submissionId,
    responseToken,
    surveyVersion: reply.survey.survey_version,
    inputs: { ...reply.answers, ...localDraft.inputs },
    language: language !== null && languages.includes(language) ? language : localDraft.language,
    consent: true,
  };
}
