import { expect } from 'vitest';
import type { Actor } from './actors.ts';
import { anonymous } from './actors.ts';
import type { TestApp } from './app.ts';
import type { MailServer } from './mail-server.ts';

export interface Invite {
  surveyId: number;
  linkId: number;
}

/** A whole invitation; what matters to the test is in `more`. */
const inviteBody = ({ linkId }: Invite, respondents: object[], more: object = {}) => ({
  link_id: linkId,
  respondents,
  subject: 'A question for {{name}}',
  message: 'Dear {{name}},\n\nplease tell us what you think of {{survey}}.\n\n{{link}}',
  ...more,
});

export const invite = (author: Actor, survey: Invite, respondents: object[], more: object = {}) =>
  author.post(`/api/surveys/${survey.surveyId}/invite`, inviteBody(survey, respondents, more));

/** The token in the address that a mail to this person leads to. */
export const tokenIn = (text: string): string => /\/s\/([A-Za-z0-9]+)/.exec(text)![1]!;

/** The token in the address for opting out that a mail names. */
export const optOutTokenIn = (text: string): string => /\/u\/([A-Za-z0-9]+)/.exec(text)![1]!;

export const mailsTo = (server: MailServer, address: string) =>
  server.mails.filter((mail) => mail.to?.some((to) => to.address === address));

/** Waits until the job is done and returns its result. */
export async function waitForJob(author: Actor, jobId: number): Promise<Record<string, unknown>> {
  let job: { status: string; result: Record<string, unknown> } | null = null;
  await expect
    .poll(
      async () => {
        job = (await author.get(`/api/jobs/${jobId}`).expect(200)).body.data;
        return job!.status;
      },
      { timeout: 10_000, interval: 20 },
    )
    .toBe('done');
  return job!.result;
}

/** Opens the survey like the browser of an invited respondent. */
export const openInvitation = (test: TestApp, token: string) => anonymous(test).get(`/api/public/s/${token}`);

export async function invitationStatus(author: Actor, { surveyId }: Invite, email: string): Promise<string> {
  const { body } = await author.get(`/api/surveys/${surveyId}/invitations`).expect(200);
  return (body.data as { email: string; invitation_status: string }[]).find((one) => one.email === email)!
    .invitation_status;
}
