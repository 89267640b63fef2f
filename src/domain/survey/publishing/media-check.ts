import { mediaKind, parseMediaAddress } from '../../questions/media-address.ts';
import type { Question, SurveyDefinition } from '../definition.ts';
import type { PublishWarning } from './publish-check.ts';

/** Warns of sound and video that people who cannot hear or see it cannot follow. */
export function findMediaWarnings(definition: SurveyDefinition): PublishWarning[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index) =>
      page.retired || question.retired || question.settings.hidden
        ? []
        : warningsOf(question, `pages[${pageIndex}].questions[${index}].question_settings`),
    ),
  );
}

function warningsOf({ code, settings }: Question, field: string): PublishWarning[] {
  const media = settings.media_url === null ? null : parseMediaAddress(settings.media_url);
  if (media === null) return [];
  const hasText = settings.media_alt !== null && settings.media_alt.trim() !== '';
  const hasCaptions = Object.keys(settings.media_captions ?? {}).length > 0;
  const warnings: PublishWarning[] = [];
  if (!hasText)
    warnings.push({
      code: 'media_without_text',
      message: `${code} has sound or a video without a text: write in media_alt what is heard and seen`,
      field: `${field}.media_alt`,
      question_code: code,
    });
  if (mediaKind(media.type) === 'video' && !hasCaptions)
    warnings.push({
      code: 'video_without_captions',
      message: `${code} has a video without captions: upload captions, unless nobody speaks in it`,
      field: `${field}.media_captions`,
      question_code: code,
    });
  return warnings;
}
