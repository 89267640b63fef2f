import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';

const CLASSES = { 0: 'chip bad', 1: 'chip', 2: 'chip good', 3: 'chip wait' };

export function StatusChip({
  survey,
}: {
  survey: Pick<Schema<'Survey'>, 'survey_status' | 'published_version' | 'has_unpublished_changes'>;
}) {
  const isChanged = survey.has_unpublished_changes && survey.published_version !== null;
  return (
    <>
      <span class={CLASSES[survey.survey_status]}>{texts.status[survey.survey_status]}</span>
      {isChanged && <span class="chip">{texts.surveys.unpublished}</span>}
    </>
  );
}
