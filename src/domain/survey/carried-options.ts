import { isRecord } from '../questions/answers/read-answer.ts';
import { takesOptions, takesOtherText } from '../questions/registry.ts';
import type { Option, Question, SurveyDefinition } from './definition.ts';

type Translations = Question['settings']['translations'];

/**
 * Returns the definition in which questions with `carry_forward` and without stored options have the options of their source question,
 * with codes, values, labels and translations. The options follow the source question until options are stored with the question itself;
 * a published version keeps the options at the time of publishing. Only an earlier question can be a source, so that chains end.
 */
export function withCarriedOptions(definition: SurveyDefinition): SurveyDefinition {
  const earlier = new Map<string, Question>();
  let isChanged = false;
  const addCarriedOptions = (question: Question): Question => {
    const from = question.settings.logic?.carry_forward?.from;
    const source = from === undefined ? undefined : earlier.get(from);
    const isEmpty = question.options.length === 0 && takesOptions(question.type);
    const filled = isEmpty && source !== undefined ? withSourceOptions(question, source) : question;
    if (!question.retired) earlier.set(question.code, filled);
    isChanged ||= filled !== question;
    return filled;
  };
  const pages = definition.pages.map((page) => ({
    ...page,
    questions: page.questions.map(addCarriedOptions),
  }));
  return isChanged ? { ...definition, pages } : definition;
}

function withSourceOptions(question: Question, source: Question): Question {
  if (source.options.length === 0) return question;
  const translations = mergeTranslations(question.settings.translations, source);
  return {
    ...question,
    options: takesOtherText(question.type) ? source.options : source.options.map(withoutOtherText),
    settings: { ...question.settings, translations },
    // Only settings that every type has are changed.
  } as Question;
}

const withoutOtherText = (option: Option): Option => ({ ...option, other: false });

/** Translations of the question take precedence over those of its source. */
function mergeTranslations(own: Translations, { settings }: Question): Translations {
  const merged = { ...own };
  for (const [language, texts] of Object.entries(settings.translations ?? {})) {
    const translation = merged[language] ?? {};
    if (!isRecord(texts) || !isRecord(texts.options) || !isRecord(translation)) continue;
    const options = { ...texts.options, ...(isRecord(translation.options) ? translation.options : {}) };
    merged[language] = { ...translation, options };
  }
  return Object.keys(merged).length === 0 ? own : merged;
}
