import { questionsOf, type SurveyDefinition } from '../../../domain/survey/definition.ts';
import type { MediaProps } from './media-player.tsx';

let module: typeof import('./media-player.tsx') | undefined;

/** Loads the player if a question has sound or a video. */
export async function loadMedia(definition: SurveyDefinition): Promise<void> {
  if (questionsOf(definition).some(({ settings }) => settings.media_url !== null))
    module = await import('./media-player.tsx');
}

/** The sound or video of a question; nothing if it has none. */
export function Media(props: MediaProps) {
  return module === undefined || props.view.media === null ? null : (
    <module.MediaPlayer {...props} {...props.view.media} />
  );
}
