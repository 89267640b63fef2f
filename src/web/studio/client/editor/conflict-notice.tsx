import { texts } from '../../texts.ts';
import type { SurveyEditor } from './survey-editor.ts';

const t = texts.editor.conflict;

/** Says that someone else saved other content meanwhile, and lets the user choose. */
export function ConflictNotice({ editor, topic }: { editor: SurveyEditor; topic: string }) {
  const conflict = editor.content.conflictOf(topic);
  if (conflict === undefined) return null;
  const { kind, theirs } = conflict;
  const text = kind === 'question' ? theirs.question_text : (theirs.page_title ?? '');
  return (
    <div class="conflict" role="alert">
      <p>{t.about[kind]}</p>
      {text !== '' && <p class="soft">{t.theirs(text)}</p>}
      <div class="buttons">
        {(['mine', 'theirs'] as const).map((choice) => (
          <button
            key={choice}
            type="button"
            class="button small"
            onClick={() => editor.saving.resolveConflict(topic, choice)}
          >
            {t.choices[choice]}
          </button>
        ))}
      </div>
    </div>
  );
}
