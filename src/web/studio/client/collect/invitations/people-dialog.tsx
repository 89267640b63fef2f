import { useState } from 'preact/hooks';
import { DateTime } from '../../../../shared/client/date-time.tsx';
import { Dialog } from '../../../../shared/client/dialog.tsx';
import { CopyButton } from '../../../../shared/client/notices.tsx';
import { texts } from '../../../texts.ts';
import type { Schema } from '../../data/api.ts';
import { useQuery } from '../../data/queries.ts';
import { QueryView } from '../../data/query-view.tsx';
import { PAGE_SIZE, ShowMore } from '../../data/show-more.tsx';

type Invitation = Schema<'SurveyInvitation'>;

const t = texts.invitations;

const lastStepAt = (invitation: Invitation): string | null =>
  invitation.completed_at ?? invitation.started_at ?? invitation.opened_at ?? invitation.sent_at;

/** The people invited through a link, and how far each of them is. */
export function PeopleDialog({
  surveyId,
  linkId,
  linkName,
  onClose,
}: {
  surveyId: number;
  linkId: number;
  linkName: string;
  onClose: () => void;
}) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const query = useQuery(
    '/api/surveys/{surveyId}/invitations',
    { path: { surveyId }, query: { link_id: linkId, limit } },
    { keepPrevious: true },
  );
  return (
    <Dialog title={t.peopleOf(linkName)} onClose={onClose}>
      <QueryView query={query}>
        {(invitations) => (
          <div class="scroll" role="region" aria-label={t.people} tabIndex={0}>
            <table class="table" aria-label={t.people}>
              <thead>
                <tr>
                  <th scope="col">{t.person}</th>
                  <th scope="col">{t.state}</th>
                  <th scope="col">{t.lastStep}</th>
                  <th scope="col">{t.personalLink}</th>
                </tr>
              </thead>
              <tbody>
                {invitations.map((invitation) => {
                  const name = invitation.name ?? invitation.email ?? t.erased;
                  const time = lastStepAt(invitation);
                  return (
                    <tr key={invitation.invitation_id}>
                      <th scope="row">
                        {name}
                        {invitation.name !== null && <span class="soft"> {invitation.email}</span>}
                      </th>
                      <td title={invitation.status_note ?? undefined}>
                        {t.statuses[invitation.invitation_status]}
                      </td>
                      <td>{time === null ? '–' : <DateTime at={time} />}</td>
                      <td>
                        {invitation.link_url === null ? (
                          '–'
                        ) : (
                          <CopyButton text={invitation.link_url} name={name} />
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
        )}
      </QueryView>
      <ShowMore total={query.total} limit={limit} onChange={setLimit} />
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {t.close}
        </button>
      </div>
    </Dialog>
  );
}
