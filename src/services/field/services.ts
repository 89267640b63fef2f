import type { SharedServices } from '../shared-services.ts';
import { InvitationService } from './invitations/invitations.ts';
import { EmailRenderer } from './invitations/email-renderer.ts';
import { ScheduledCampaigns } from './invitations/scheduled-campaigns.ts';
import { CampaignRunner } from './invitations/campaign-runner.ts';
import { OptOutService } from './invitations/opt-outs.ts';
import { OutboxService } from './invitations/outbox.ts';
import { LinkBatchService } from './link-batches.ts';
import { LinkService } from './links.ts';
import { QuotaService } from './quotas.ts';
import { RespondentImportService } from './respondent-import.ts';
import { RespondentService } from './respondents.ts';
import { WaveService } from './waves.ts';

export function fieldServices({ store, ids, clock, config, mail, workbooks }: SharedServices) {
  const emailRenderer = new EmailRenderer(config.mailLinkUrl);
  return {
    invitations: new InvitationService(store, mail === null ? 'outbox' : 'smtp', clock, ids),
    linkBatches: new LinkBatchService(store, ids, clock),
    links: new LinkService(store, ids, clock),
    scheduledCampaigns: new ScheduledCampaigns(store, clock),
    campaignRunner: new CampaignRunner(store, mail, emailRenderer, config.mailLimits, clock, ids),
    optOuts: new OptOutService(store),
    outbox: new OutboxService(store, emailRenderer),
    quotas: new QuotaService(store, clock),
    respondentImport: new RespondentImportService(store, clock, workbooks),
    respondents: new RespondentService(store, clock),
    waves: new WaveService(store, clock),
  };
}
