import type { Database } from '../db/connect.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { InvitationTable, MailingTable, MailTable, RespondentTable } from './tables/field.ts';
import type { SurveyTable } from './tables/surveys.ts';
import type { OrganizationTable } from './tables/users.ts';

const MAILING_COLUMNS = ['mailing_id', 'link_id', 'subject', 'message'] as const;
const INVITATION_COLUMNS = ['invitation_id', 'link_token', 'opt_out_token'] as const;
const RESPONDENT_COLUMNS = [
  'respondent_id',
  'respondent_email',
  'respondent_name',
  'language',
  'attributes',
] as const;

/** A stored mail, with the current data of its recipient. */
export type OutboxMailRow = Pick<MailTable, 'mail_id'> &
  Pick<MailingTable, (typeof MAILING_COLUMNS)[number]> &
  Pick<SurveyTable, 'survey_id' | 'survey_name'> &
  Pick<OrganizationTable, 'organization_name'> &
  Pick<InvitationTable, (typeof INVITATION_COLUMNS)[number]> &
  Pick<RespondentTable, (typeof RESPONDENT_COLUMNS)[number]> & {
    settled_at: Date;
    survey_settings: Record<string, unknown>;
    respondent_email: string;
  };

/** Mails that were stored because no mail server is configured. Omits mails to erased respondents. */
export class OutboxRepository {
  constructor(private readonly db: Database) {}

  /** Newest first. Returns up to `limit` + 1 rows, so that the caller sees whether more follow. */
  async list(
    workspace: { organizationId: number; workspaceId: number },
    search: { surveyId: number | null; email: string | null },
    part: { beforeId: number | null; skip: number; limit: number },
  ): Promise<{ found: OutboxMailRow[]; total: number }> {
    const page = this.matching(workspace, search)
      .join('organizations', 'organizations.organization_id', 'surveys.organization_id')
      .select<OutboxMailRow[]>(
        ...qualifyColumns('mails', ['mail_id', 'settled_at']),
        ...qualifyColumns('mailings', MAILING_COLUMNS),
        ...qualifyColumns('surveys', ['survey_id', 'survey_name', 'survey_settings']),
        ...qualifyColumns('organizations', ['organization_name']),
        ...qualifyColumns('invitations', INVITATION_COLUMNS),
        ...qualifyColumns('respondents', RESPONDENT_COLUMNS),
      )
      .orderBy('mails.mail_id', 'desc')
      .offset(part.skip)
      .limit(part.limit + 1);
    if (part.beforeId !== null) void page.where('mails.mail_id', '<', part.beforeId);
    const found = await page;
    const [row] = await this.matching(workspace, search).count<{ count: number }[]>();
    return { found, total: row!.count };
  }

  private matching(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    { surveyId, email }: { surveyId: number | null; email: string | null },
  ) {
    const query = this.db('mails')
      .join('mailings', 'mailings.mailing_id', 'mails.mailing_id')
      .join('surveys', 'surveys.survey_id', 'mailings.survey_id')
      .join('invitations', 'invitations.invitation_id', 'mails.invitation_id')
      .join('respondents', 'respondents.respondent_id', 'invitations.respondent_id')
      .where('mails.mail_state', 'kept')
      .where('surveys.organization_id', organizationId)
      .where('surveys.workspace_id', workspaceId)
      .whereNot('surveys.survey_status', 0)
      .whereNotNull('respondents.respondent_email');
    if (surveyId !== null) void query.where('surveys.survey_id', surveyId);
    if (email !== null) void query.whereRaw('lower(respondents.respondent_email) = lower(?)', [email]);
    return query;
  }
}
