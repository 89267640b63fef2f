import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';

const CLASSES = { 0: 'chip bad', 1: 'chip', 2: 'chip good', 3: 'chip wait' };

type ShownSurvey = Pick<
  Schema<'Survey'>,
  'survey_status' | 'published_version' | 'has_unpublished_changes' | 'collection_status'
>;

/** The status of the survey for respondents: an active survey can be closed by its date or its response limit. */
export function StatusChip({ survey }: { survey: ShownSurvey }) {
  const { survey_status: status, collection_status: collection } = survey;
  const isChanged = survey.has_unpublished_changes && survey.published_version !== null;
  const isStopped = status === 2 && (collection === 'closed' || collection === 'full');
  return (
    <>
      <span class={isStopped ? 'chip wait' : CLASSES[status]}>
        {isStopped ? texts.collectionStatus[collection] : texts.status[status]}
      </span>
      {isChanged && <span class="chip">{texts.surveys.unpublished}</span>}
    </>
  );
}
