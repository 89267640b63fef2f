import type { Actor } from './actors.ts';
import type { TestApp } from './app.ts';
import { type Invite, invite } from './invitations.ts';

/** Invites a person and returns the path of the personal link, without sending a mail. */
export async function personalLink(
  test: TestApp,
  author: Actor,
  survey: Invite,
  respondent: { email: string; [field: string]: unknown },
): Promise<string> {
  const { body } = await invite(author, survey, [respondent]).expect(202);
  await test.container.services.campaignRunner.run(body.data.campaign_id, {
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const outbox = await author.get(`/api/outbox?email=${respondent.email}`).expect(200);
  const mails = outbox.body.data as { survey_id: number; link_url: string }[];
  const url = new URL(mails.find(({ survey_id: id }) => id === survey.surveyId)!.link_url);
  return url.pathname + url.search;
}

/** The token in the path of a personal link. */
export const tokenOf = (path: string): string => path.split('/').at(-1)!.split('?')[0]!;
