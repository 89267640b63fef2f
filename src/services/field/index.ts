import { SigningKeys } from '../collection/signing-keys.ts';
import type { SharedServices } from '../shared-services.ts';
import { CampaignRunner, ScheduledCampaigns } from './campaigns.ts';
import { EmailRenderer, OptOutService, OutboxService } from './emails.ts';
import { InvitationPreviewService } from './invitation-previews.ts';
import { InvitationService } from './invitations.ts';
import { LinkSigningService } from './link-signing.ts';
import { LinkBatchService, LinkService } from './links.ts';
import { QuotaService } from './quotas.ts';
import { RespondentImportService, RespondentService } from './respondents.ts';
import { WaveService } from './waves.ts';

export function fieldServices({
  store,
  ids,
  clock,
  config,
  mail,
  previews,
  workbooks,
  jwtSecret,
}: SharedServices) {
  const emailRenderer = new EmailRenderer(config.mailLinkUrl);
  return {
    invitations: new InvitationService(store, mail === null ? 'outbox' : 'smtp', clock, ids),
    invitationPreviews: new InvitationPreviewService(store, mail, emailRenderer, previews),
    linkBatches: new LinkBatchService(store, ids, clock),
    links: new LinkService(store, ids, clock),
    linkSigning: new LinkSigningService(store, new SigningKeys(jwtSecret), clock, ids),
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
