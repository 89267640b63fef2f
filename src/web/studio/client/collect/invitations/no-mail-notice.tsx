import { followLink } from '../../../../shared/client/navigation.tsx';
import { texts } from '../../../texts.ts';

const t = texts.invitations;

/** Says before anything is typed that no email leaves the installation, and where the emails are. */
export function NoMailNotice({ surveyId }: { surveyId: number }) {
  return (
    <section class="card no-mail" aria-label={t.noMailTitle}>
      <h2>{t.noMailTitle}</h2>
      <p>{t.noMail}</p>
      <p>
        <a href={`/outbox?survey=${surveyId}`} onClick={followLink}>
          {t.toOutbox}
        </a>
      </p>
    </section>
  );
}
