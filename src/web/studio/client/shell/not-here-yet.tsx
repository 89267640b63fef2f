import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';

/** Stands for an area that the studio does not have yet. `offers`: what the API has. */
export function NotHereYet({ area, offers }: { area: string; offers: readonly string[] }) {
  return (
    <Section title={area}>
      <div class="blank not-here-yet">
        <p class="title">{texts.unavailable.title}</p>
        <p>{texts.unavailable.about}</p>
        <ul>
          {offers.map((offer) => (
            <li key={offer}>{offer}</li>
          ))}
        </ul>
        <p>
          <a href="/api/docs/">{texts.unavailable.apiDocs}</a>
        </p>
      </div>
    </Section>
  );
}
