import { type SurveyDefinition, questionsOf } from '../../../../domain/survey/definition.ts';
import type { EnlargeProps, OptionSearchProps } from './loaded-option-tools.tsx';

let module: typeof import('./loaded-option-tools.tsx') | undefined;

/** Loads the search and the enlarged images of options, if a question has any. */
export async function loadOptionTools(definition: SurveyDefinition): Promise<void> {
  const needsTools = questionsOf(definition).some(
    ({ settings, options }) =>
      ('searchable' in settings && settings.searchable) || options.some(({ image }) => image !== null),
  );
  if (needsTools) module = await import('./loaded-option-tools.tsx');
}

/** A search box, and the options that it finds. */
export function OptionSearch(props: OptionSearchProps) {
  return module !== undefined && <module.OptionSearch {...props} />;
}

/** A button that enlarges the image of an option. */
export function Enlarge(props: EnlargeProps) {
  return module !== undefined && <module.Enlarge {...props} />;
}
