import { problemMessage } from '../../../../shared/client/form-errors.ts';
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../../shared/client/api.ts';
import { Field } from '../../../../shared/client/fields.tsx';
import { ConfirmDialog, Form, useAction } from '../../../../shared/client/form.tsx';
import { announce } from '../../../../shared/client/notices.tsx';
import { Section } from '../../../../shared/client/page.tsx';
import { texts } from '../../../texts.ts';
import { changeApi, type Schema } from '../../data/api.ts';
import { reloadQueries, useQuery } from '../../data/queries.ts';
import type { SurveyTabProps } from '../../survey/survey-tab.ts';
import { EmailPreview, type EmailTexts, previewEmail } from './email-preview.tsx';
import { NoMailNotice } from './no-mail-notice.tsx';
import { readSendingTime, SendingTimeField, timeInWords } from './sending-time.tsx';
import { countRecipients, importFile, type Recipients, RecipientsField } from './recipients.tsx';
import { splitTypedList } from '../../data/typed-list.ts';
import { readTypedNumber } from '../../data/typed-number.ts';

type Link = Schema<'Link'>;
type Result = Schema<'InvitationResult'>;

const t = texts.invitations;
/** The API invites so many at once. */
const MAX_AT_ONCE = 10_000;
const MAX_DAYS = 365;

/** What is sent, ready for the API. */
interface Campaign {
  link_id: number;
  subject?: string;
  message?: string;
  reminders: { after_days: number }[];
  send_at?: string;
}

/** Recipients, email and reminders of an invitation. */
export function InvitePanel({
  survey,
  links,
  onClose,
}: {
  survey: SurveyTabProps['survey'];
  links: readonly Link[];
  onClose: () => void;
}) {
  const { survey_id: surveyId, workspace_id: workspaceId } = survey;
  const usable = links.filter(({ link_type: type }) => type !== 'panel');
  const [linkId, setLinkId] = useState(usable[0]?.link_id ?? null);
  const [recipients, setRecipients] = useState<Recipients | null>(null);
  const [email, setEmail] = useState<EmailTexts>({ subject: '', message: '' });
  const [problems, setProblems] = useState<{ line: number; message: string }[]>([]);
  const [campaign, setCampaign] = useState<Campaign | null>(null);
  const { data: waves = [] } = useQuery('/api/surveys/waves', {
    query: { survey_id: surveyId, limit: 100 },
  });
  const { data: summary } = useQuery('/api/surveys/{surveyId}/invite/summary', { path: { surveyId } });
  const isKept = summary?.delivery === 'outbox';
  const waveId = usable.find(({ link_id: id }) => id === linkId)?.wave_id ?? null;
  const waiting = waves.find(
    ({ wave_id: id, wave_status: status }) => id === waveId && status === 'scheduled',
  );
  const attributes =
    recipients?.kind === 'file' ? recipients.report.columns.flatMap(({ attribute }) => attribute ?? []) : [];

  const check = async (values: ReadonlyMap<string, string>) => {
    if (recipients === null || linkId === null)
      throw new ApiError('rejected', { message: linkId === null ? t.noLink : t.needsRecipients });
    const checked: Campaign = {
      link_id: linkId,
      ...(email.subject.trim() === '' ? {} : { subject: email.subject }),
      ...(email.message.trim() === '' ? {} : { message: email.message }),
      reminders: parseReminders(values.get('reminders') ?? ''),
      ...readSendingTime(values),
    };
    setProblems([]);
    // A file was checked when it was chosen; its people exist only after the import.
    const people =
      recipients.kind === 'text' ? recipients.people : [{ email: 'check@example.org', name: null }];
    const { rows } = await invite(surveyId, checked, { respondents: people, isDryRun: true });
    const found = rows.flatMap(({ index, outcome, problems: [problem] }) =>
      outcome === 'invalid' && problem !== undefined
        ? [{ line: index + 1, message: problemMessage(problem) }]
        : [],
    );
    if (recipients.kind === 'text' && found.length > 0) setProblems(found);
    else setCampaign(checked);
  };

  const send = async () => {
    if (campaign === null || recipients === null) return;
    const results = await sendAll({ surveyId, workspaceId, campaign, recipients });
    await reloadQueries('/api/surveys', '/api/jobs');
    const sum = (of: 'queued' | 'suppressed' | 'duplicates') =>
      results.reduce((total, result) => total + result[of], 0);
    const leftOut = t.leftOut(sum('suppressed'), sum('duplicates'));
    const resultText = campaign.send_at !== undefined ? t.scheduledResult : isKept ? t.keptResult : t.result;
    const result = resultText(sum('queued'));
    announce([result, leftOut].filter((text) => text !== '').join(' · '));
    onClose();
  };

  return (
    <Section
      title={t.invite}
      action={
        <button type="button" class="button" onClick={onClose}>
          {t.back}
        </button>
      }
    >
      {isKept && <NoMailNotice surveyId={surveyId} />}
      <section class="card invite-part">
        <h2>{t.recipients}</h2>
        <RecipientsField
          workspaceId={workspaceId}
          problems={problems}
          onChange={(chosen) => {
            setRecipients(chosen);
            setProblems([]);
          }}
        />
      </section>
      <EmailEditor surveyId={surveyId} email={email} attributes={attributes} onChange={setEmail} />
      <section class="card invite-part">
        <h2>{t.sendingTitle}</h2>
        {usable.length === 0 ? (
          <p class="problem">{t.noLink}</p>
        ) : (
          <Form submit={isKept ? t.keepAction : t.send} onSubmit={check}>
            <div class="labeled">
              <label for="invite-link">{t.throughLink}</label>
              <select
                id="invite-link"
                class="field"
                onChange={({ currentTarget }) => setLinkId(Number(currentTarget.value))}
              >
                {usable.map(({ link_id: id, link_name: name }) => (
                  <option key={id} value={id} selected={id === linkId}>
                    {name}
                  </option>
                ))}
              </select>
              {waiting !== undefined && <p class="hint">{t.waits(waiting.wave_name)}</p>}
            </div>
            <Field name="reminders" label={t.reminders} hint={t.remindersHint} />
            <SendingTimeField />
          </Form>
        )}
      </section>
      {campaign !== null && (
        <ConfirmDialog
          title={t.sendTitle(countRecipients(recipients))}
          action={campaign.send_at !== undefined ? t.schedule : isKept ? t.keepAction : t.send}
          danger={false}
          onClose={() => setCampaign(null)}
          onConfirm={send}
        >
          {campaign.send_at !== undefined && (
            <strong>{t.scheduledFor(timeInWords(campaign.send_at))} </strong>
          )}
          {isKept ? t.keepAbout : campaign.send_at === undefined ? t.sendAbout : t.scheduleAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Subject and message with the variables that can be inserted, beside the email as received. */
function EmailEditor({
  surveyId,
  email,
  attributes,
  onChange,
}: {
  surveyId: number;
  email: EmailTexts;
  attributes: readonly string[];
  onChange: (email: EmailTexts) => void;
}) {
  const message = useRef<HTMLTextAreaElement>(null);
  const { runAction, errorNotice } = useAction();
  const { subject } = email;
  const insert = (variable: string) => {
    const area = message.current;
    if (area === null) return;
    area.setRangeText(`{{${variable}}}`, area.selectionStart, area.selectionEnd, 'end');
    area.focus();
    onChange({ subject, message: area.value });
  };
  const sendTest = async () => {
    const { sent_to: address } = await previewEmail(surveyId, email, { attributes, send: true });
    announce(t.tested(address ?? ''));
  };
  const variables = [
    ...Object.entries(t.variables),
    ...attributes.map((name): [string, string] => [`attribute.${name}`, name]),
  ];
  return (
    <section class="card invite-part">
      <h2>{t.message}</h2>
      <div class="invite-email">
        <div class="invite-texts">
          <div class="labeled">
            <label for="invite-subject">{t.subject}</label>
            <input
              id="invite-subject"
              class="field"
              autocomplete="off"
              value={email.subject}
              onInput={({ currentTarget }) => onChange({ ...email, subject: currentTarget.value })}
            />
          </div>
          <div class="labeled">
            <label for="invite-message">{t.text}</label>
            <p class="hint" id="invite-message-hint">
              {t.textHint}
            </p>
            <textarea
              id="invite-message"
              ref={message}
              class="field"
              rows={9}
              aria-describedby="invite-message-hint"
              value={email.message}
              onInput={({ currentTarget }) => onChange({ ...email, message: currentTarget.value })}
            />
          </div>
          <div class="invite-variables" role="group" aria-label={t.insert}>
            <span class="soft" aria-hidden="true">
              {t.insert}
            </span>
            {variables.map(([variable, label]) => (
              <button
                key={variable}
                type="button"
                class="button small"
                aria-label={t.insertName(label)}
                onClick={() => insert(variable)}
              >
                {label}
              </button>
            ))}
          </div>
          <div class="buttons">
            <button type="button" class="button" onClick={() => void runAction(sendTest)}>
              {t.test}
            </button>
          </div>
          {errorNotice}
        </div>
        <EmailPreview surveyId={surveyId} email={email} attributes={attributes} />
      </div>
    </section>
  );
}

function parseReminders(text: string): { after_days: number }[] {
  const { values, problem } = splitTypedList(text, 0);
  if (problem !== null)
    throw new ApiError('rejected', { problems: [{ field: 'reminders', message: problem }] });
  const days = values
    .flatMap((value) => value.split(/\s+/))
    .map((part) => readTypedNumber(part, 0).value ?? 0);
  if (days.some((day) => day < 1 || day > MAX_DAYS))
    throw new ApiError('rejected', { problems: [{ field: 'reminders', message: t.notDays }] });
  return days.map((after_days) => ({ after_days }));
}

function invite(
  surveyId: number,
  campaign: Campaign,
  to: ({ respondents: readonly { email: string; name: string | null }[] } | { ids: readonly number[] }) & {
    isDryRun: boolean;
  },
): Promise<Result> {
  const people = 'ids' in to ? { respondent_ids: [...to.ids] } : { respondents: [...to.respondents] };
  return changeApi('post', '/api/surveys/{surveyId}/invite', {
    path: { surveyId },
    body: { ...campaign, ...people, dry_run: to.isDryRun },
  });
}

/** Imports a file first, so that its people can be invited by id. */
async function sendAll({
  surveyId,
  workspaceId,
  campaign,
  recipients,
}: {
  surveyId: number;
  workspaceId: number;
  campaign: Campaign;
  recipients: Recipients;
}): Promise<Result[]> {
  const results: Result[] = [];
  if (recipients.kind === 'text') {
    for (const part of inParts(recipients.people))
      results.push(await invite(surveyId, campaign, { respondents: part, isDryRun: false }));
    return results;
  }
  const { file, columnNames } = recipients;
  const { rows } = await importFile({ file, columnNames, workspaceId, isDryRun: false });
  for (const ids of inParts(rows.flatMap(({ respondent_id: id }) => id ?? [])))
    results.push(await invite(surveyId, campaign, { ids, isDryRun: false }));
  return results;
}

function inParts<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / MAX_AT_ONCE) }, (_, index) =>
    items.slice(index * MAX_AT_ONCE, (index + 1) * MAX_AT_ONCE),
  );
}
