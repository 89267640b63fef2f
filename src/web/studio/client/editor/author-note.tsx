import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';

const words = texts.editor.authorNote;

/** What a template asks of its author, until the author removes it. */
export function AuthorNote({
  survey: {
    survey_id: id,
    survey_settings: { author_note: note },
  },
  runAction,
}: {
  survey: Schema<'SurveyWithPages'>;
  runAction: (action: () => Promise<unknown>) => Promise<void>;
}) {
  if (note === null) return null;
  const remove = async () => {
    await changeApi('put', '/api/surveys/{id}', {
      path: { id },
      body: { survey_settings: { author_note: null } },
    });
    await reloadQueries('/api/surveys');
    document.querySelector<HTMLElement>('.editor .page-title')?.focus();
  };
  return (
    <aside class="author-note" aria-label={words.title}>
      <p>
        <strong>{words.title}:</strong> {note} <span class="soft">{words.about}</span>
      </p>
      <button type="button" class="plain" onClick={() => void runAction(remove)}>
        {words.hide}
      </button>
    </aside>
  );
}
