import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../../../../shared/client/dialog.tsx';
import { CancelButton, ConfirmDialog, Form, useAction } from '../../../../shared/client/form.tsx';
import { announce } from '../../../../shared/client/notices.tsx';
import { texts } from '../../../texts.ts';
import { changeApi, type Schema } from '../../data/api.ts';
import { reloadQueries, useQuery } from '../../data/queries.ts';
import { QueryView } from '../../data/query-view.tsx';
import { NoMailNotice } from './no-mail-notice.tsx';
import { PeopleDialog } from './people-dialog.tsx';
import { readSendingTime, SendingTimeField, timeInWords } from './sending-time.tsx';

type Summary = Schema<'InvitationSummary'>;
type LinkSummary = Summary['links'][number];
type Counts = Summary['counts'];
type Scheduled = Summary['scheduled'][number];
type Waiting = Summary['waiting'][number];

const t = texts.invitations;
const POLL_MS = 2_000;
const STEPS = ['sent', 'opened', 'started', 'completed'] as const;
const KEPT_STEPS = ['kept', 'opened', 'started', 'completed'] as const;
/** An anonymous survey does not record who opened or started it. */
const ANONYMOUS_STEPS = ['sent', 'completed'] as const;
const ANONYMOUS_KEPT_STEPS = ['kept', 'completed'] as const;
type Step = (typeof STEPS)[number] | 'kept';

/** A status counts for all steps before it: who has completed the survey was also sent an email. */
function reached(counts: Counts): Record<Step, number> {
  const { completed } = counts;
  const started = completed + counts.started;
  const opened = started + counts.opened;
  return { completed, started, opened, kept: counts.kept, sent: opened + counts.sent + counts.opted_out };
}

/** Emails that were not sent are no step to an answer: people who have one may get their link in another way. */
function stepsOf(counts: Counts, isAnonymous: boolean): readonly Step[] {
  if (counts.kept === 0) return isAnonymous ? ANONYMOUS_STEPS : STEPS;
  const withoutSent = isAnonymous ? ANONYMOUS_KEPT_STEPS : KEPT_STEPS;
  return counts.sent === 0 ? withoutSent : ['sent', ...withoutSent];
}

/** How far the invited respondents of each link are. */
export function Invitations({
  surveyId,
  isAnonymous,
  canEdit,
  onInvite,
}: {
  surveyId: number;
  isAnonymous: boolean;
  canEdit: boolean;
  onInvite: () => void;
}) {
  const query = useQuery('/api/surveys/{surveyId}/invite/summary', { path: { surveyId } });
  const waiting = (query.data?.counts.queued ?? 0) - countNew(query.data?.scheduled ?? []);
  useEffect(() => {
    if (waiting <= 0) return undefined;
    const timer = setInterval(() => void reloadQueries(`/api/surveys/${surveyId}/invite/summary`), POLL_MS);
    return () => clearInterval(timer);
  }, [surveyId, waiting > 0]);
  return (
    <section class="card collect-waves" aria-labelledby="invitations-title">
      <div class="collect-head">
        <div>
          <h2 id="invitations-title">{t.title}</h2>
          <p class="soft">{t.about}</p>
          {isAnonymous && <p class="soft">{t.anonymousAbout}</p>}
        </div>
        {canEdit && (
          <button type="button" class="button small" onClick={onInvite}>
            {t.invite}
          </button>
        )}
      </div>
      <QueryView query={query}>
        {(summary) => (
          <>
            {summary.delivery === 'outbox' && canEdit && <NoMailNotice surveyId={surveyId} />}
            {summary.total === 0 && !canEdit && <p class="soft">{t.none}</p>}
            {summary.links.map((link) => (
              <LinkFunnel
                key={link.link_id}
                surveyId={surveyId}
                isAnonymous={isAnonymous}
                delivery={summary.delivery}
                link={link}
                scheduled={summary.scheduled.filter(({ link_id: id }) => id === link.link_id)}
                waiting={summary.waiting.filter(({ link_id: id }) => id === link.link_id)}
                canEdit={canEdit}
              />
            ))}
          </>
        )}
      </QueryView>
    </section>
  );
}

/** The people who are invited for the first time at a time to come; their invitations count as queued. */
const countNew = (scheduled: readonly Scheduled[]): number =>
  scheduled
    .filter(({ kind }) => kind === 'invitation')
    .reduce((sum, { email_count: count }) => sum + count, 0);

function LinkFunnel({
  surveyId,
  isAnonymous,
  delivery,
  link,
  scheduled,
  waiting,
  canEdit,
}: {
  surveyId: number;
  isAnonymous: boolean;
  delivery: Summary['delivery'];
  link: LinkSummary;
  scheduled: readonly Scheduled[];
  waiting: readonly Waiting[];
  canEdit: boolean;
}) {
  const queued = link.counts.queued - countNew(scheduled);
  const { counts, link_name: name } = link;
  const steps = reached(counts);
  const exits = t.exits(counts.failed + counts.bounced, counts.opted_out + counts.suppressed);
  const invited = steps.sent + counts.kept;
  const isOpen = invited > steps.completed;
  const [isListing, setListing] = useState(false);
  return (
    <section class="wave" aria-label={name}>
      <div class="link-head">
        <h3>{name}</h3>
        {link.wave_name !== null && <span class="chip">{link.wave_name}</span>}
        <button
          type="button"
          class="button small"
          aria-label={t.peopleOf(name)}
          onClick={() => setListing(true)}
        >
          {t.people}
        </button>
        {canEdit && isOpen && (
          <RemindButton surveyId={surveyId} isAnonymous={isAnonymous} delivery={delivery} link={link} />
        )}
      </div>
      <dl class="funnel">
        {stepsOf(counts, isAnonymous).map((step) => (
          <div key={step}>
            <dt>{t.steps[step]}</dt>
            <dd>
              {steps[step].toLocaleString('en-GB')}
              <progress
                class="collect-bar"
                value={steps[step]}
                max={Math.max(1, invited)}
                aria-label={t.steps[step]}
              />
            </dd>
          </div>
        ))}
      </dl>
      {scheduled.map((campaign) => (
        <ScheduledRow key={campaign.campaign_id} surveyId={surveyId} campaign={campaign} canEdit={canEdit} />
      ))}
      {waiting.map(({ campaign_id: id, email_count: emails, reason, next_attempt_at: next }) => (
        <div key={id} class="scheduled">
          <p>
            <span class="chip wait">{t.emails(emails)}</span> {t.waitsBecause(reason, timeInWords(next))}
          </p>
        </div>
      ))}
      {queued > 0 && (
        <div class="collect-progress">
          <span class="soft">{t.sending(queued)}</span>
          <progress
            class="collect-bar"
            value={link.total - queued}
            max={link.total}
            aria-label={t.sending(queued)}
          />
        </div>
      )}
      <p class="soft">
        {[link.response_rate === null ? '' : t.rate(link.response_rate), exits]
          .filter((text) => text !== '')
          .join(' · ')}
      </p>
      {isListing && (
        <PeopleDialog
          surveyId={surveyId}
          linkId={link.link_id}
          linkName={name}
          onClose={() => setListing(false)}
        />
      )}
    </section>
  );
}

/** Emails that wait for their time. */
function ScheduledRow({
  surveyId,
  campaign,
  canEdit,
}: {
  surveyId: number;
  campaign: Scheduled;
  canEdit: boolean;
}) {
  const [isCanceling, setCanceling] = useState(false);
  const time = timeInWords(campaign.send_at);
  return (
    <div class="scheduled">
      <p>
        <span class="chip wait">{t.emails(campaign.email_count)}</span> {t.scheduledFor(time)}
      </p>
      {canEdit && (
        <button
          type="button"
          class="button small"
          aria-label={t.cancelScheduled(time)}
          onClick={() => setCanceling(true)}
        >
          {t.cancel}
        </button>
      )}
      {isCanceling && (
        <ConfirmDialog
          title={t.cancelTitle}
          action={t.cancelAction}
          onClose={() => setCanceling(false)}
          onConfirm={async () => {
            await changeApi('delete', '/api/surveys/{surveyId}/invite/scheduled/{campaignId}', {
              path: { surveyId, campaignId: campaign.campaign_id },
            });
            await reloadQueries('/api/surveys');
            announce(t.canceled);
          }}
        >
          {t.cancelAbout(campaign.email_count, time)}
        </ConfirmDialog>
      )}
    </div>
  );
}

function RemindButton({
  surveyId,
  isAnonymous,
  delivery,
  link,
}: {
  surveyId: number;
  isAnonymous: boolean;
  delivery: Summary['delivery'];
  link: LinkSummary;
}) {
  const [count, setCount] = useState<number | null>(null);
  const { runAction, errorNotice } = useAction();
  const path = { surveyId, linkId: link.link_id };
  const resend = (body: { dry_run: boolean; send_at?: string }) =>
    changeApi('post', '/api/surveys/{surveyId}/invite/{linkId}/resend', { path, body });
  const close = () => setCount(null);
  const check = async () => {
    const { queued } = await resend({ dry_run: true });
    if (queued === 0) announce(t.remindNone);
    else setCount(queued);
  };
  return (
    <div class="remind">
      <button
        type="button"
        class="button small"
        aria-label={t.remindName(link.link_name)}
        onClick={() => void runAction(check)}
      >
        {t.remind}
      </button>
      {errorNotice}
      {count !== null && (
        <Dialog title={t.remindTitle} onClose={close}>
          <Form
            submit={t.sendReminder}
            onSubmit={async (values) => {
              const time = readSendingTime(values);
              const { queued } = await resend({ dry_run: false, ...time });
              await reloadQueries('/api/surveys', '/api/jobs');
              announce(
                isAnonymous && delivery === 'smtp'
                  ? t.remindedAnonymously
                  : (time.send_at !== undefined
                      ? t.remindersScheduled
                      : delivery === 'outbox'
                        ? t.keptReminders
                        : t.reminded)(queued),
              );
              close();
            }}
            otherButtons={<CancelButton onClose={close} />}
          >
            <p>{isAnonymous ? t.remindAnonymously : t.remindAbout(count)}</p>
            <SendingTimeField />
          </Form>
        </Dialog>
      )}
    </div>
  );
}
