import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';

/** A mail that was kept, with whom it was for as they are now. */
export interface KeptMailRow {
  mail_id: number;
  settled_at: Date;
  mailing_id: number;
  survey_id: number;
  survey_name: string;
  survey_settings: Record<string, unknown>;
  organization_name: string;
  link_id: number;
  subject: string;
  message: string;
  invitation_id: number;
  link_token: string;
  opt_out_token: string;
  respondent_id: number;
  respondent_email: string;
  respondent_name: string | null;
  language: string | null;
  attributes: Attributes;
}

/** Mails that would have gone out if there had been a mail server. Of people who were erased nothing is left. */
export class OutboxRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Newest first, and one more than `limit` where there is more. */
  async list(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    { surveyId, email }: { surveyId: number | null; email: string | null },
    part: { beforeId: number | null; skip: number; limit: number },
  ): Promise<{ found: KeptMailRow[]; total: number }> {
    const matching = `FROM mails m JOIN mailings g USING (mailing_id) JOIN surveys s USING (survey_id)
      JOIN invitations i USING (invitation_id) JOIN respondents r USING (respondent_id)
      WHERE m.mail_state = 'kept' AND s.organization_id = ? AND s.workspace_id = ? AND s.survey_status <> 0
        AND r.respondent_email IS NOT NULL AND (?::bigint IS NULL OR s.survey_id = ?)
        AND (?::text IS NULL OR lower(r.respondent_email) = lower(?))`;
    const bindings = [organizationId, workspaceId, surveyId, surveyId, email, email];
    const found = await rowsOf<KeptMailRow>(
      this.db,
      `SELECT m.mail_id, m.settled_at, g.mailing_id, s.survey_id, s.survey_name, s.survey_settings,
              (SELECT organization_name FROM organizations o WHERE o.organization_id = s.organization_id) AS organization_name,
              g.link_id, g.subject, g.message, i.invitation_id, i.link_token, i.opt_out_token, r.respondent_id,
              r.respondent_email,
              r.respondent_name, r.language, r.attributes
       ${matching} AND (?::bigint IS NULL OR m.mail_id < ?) ORDER BY m.mail_id DESC OFFSET ? LIMIT ?`,
      [...bindings, part.beforeId, part.beforeId, part.skip, part.limit + 1],
    );
    const count = await rowOf<{ count: number }>(this.db, `SELECT count(*) ${matching}`, bindings);
    return { found, total: count!.count };
  }
}
