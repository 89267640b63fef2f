import { unavailable } from '../../../../lib/errors.ts';
import type { TextTranslation } from '../text-analyzer.ts';
import { type TextOperationHandler, createRun, type AnalysisTask } from './operation.ts';

export interface TranslateMembers {
  target_language: string;
  /** Detected languages, most common first; null: unknown. */
  languages: { language: string | null; count: number }[];
  results: { response_id: number; translation: string; detected_language: string | null }[];
}

const RETRY_AFTER_SECONDS = 3_600;

const targetLanguageOf = ({ request }: AnalysisTask): string => request.targetLanguage!;

export const translate: TextOperationHandler<TranslateMembers> = {
  refuseUnsupported({ analyst }) {
    if (analyst.engine !== 'built-in') return;
    const message = 'Translation needs a language model; the built-in analysis cannot translate';
    throw unavailable(message, RETRY_AFTER_SECONDS, 'ai_provider_required');
  },

  async countUncached(task) {
    const run = createRun(task, 'translate', { into: targetLanguageOf(task) });
    return (await task.runs.listUncached(run, task.textData.texts)).length;
  },

  async perform(task) {
    const { runs, analyst, textData: gathered } = task;
    const { texts, responseIds } = gathered;
    const target = targetLanguageOf(task);
    const run = createRun(task, 'translate', { into: target });
    const { result, ...billing } = await runs.runPerText<TextTranslation>(run, texts, {
      limits: analyst.batchLimits,
      maxTokens: (texts) => analyst.maxTokens({ operation: 'translate', names: [target] }, texts),
      analyze: (reservation, texts) => analyst.translate(reservation, texts, target, run.signal),
      isCacheable: ({ translation }) => translation !== '',
    });
    const counts = new Map<string | null, number>();
    for (const { detectedLanguage: language } of result)
      counts.set(language, (counts.get(language) ?? 0) + 1);
    return {
      ...billing,
      read: texts.length,
      members: {
        target_language: target,
        languages: [...counts]
          .map(([language, count]) => ({ language, count }))
          .sort((a, b) => b.count - a.count),
        results: result.map(({ translation, detectedLanguage }, index) => ({
          response_id: responseIds[index]!,
          translation,
          detected_language: detectedLanguage,
        })),
      },
      coding: null,
    };
  },

  summarizeForJob: ({ target_language, languages }) => ({ target_language, languages }),
};
