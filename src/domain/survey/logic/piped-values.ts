import type { StoredAnswers } from '../../answers/codec.ts';
import type { RespondentContext } from './respondent-context.ts';
import { textsIn, translationFor } from './localize.ts';
import type { Pipe } from './piping.ts';
import type { PreparedDefinition } from '../prepared-definition.ts';

/** Returns the text of a pipe; empty if the question, value or answer does not exist. */
export class PipedValues {
  private readonly context: RespondentContext;
  private readonly language: string | null;

  /** `answers` contains only answers of shown and hidden questions. */
  constructor(
    private readonly prepared: PreparedDefinition,
    private readonly answers: StoredAnswers,
    context: RespondentContext & { language: string | null },
  ) {
    this.context = context;
    this.language = context.language;
  }

  valueOf(pipe: Pipe): string {
    const { hidden, respondent } = this.context;
    if (pipe.kind === 'hidden') return hidden.get(pipe.name) ?? '';
    if (pipe.kind === 'respondent') return respondent?.name ?? '';
    if (pipe.kind === 'attribute') {
      const known = respondent !== null && Object.hasOwn(respondent.attributes, pipe.name);
      return known ? String(respondent.attributes[pipe.name]) : '';
    }
    const known = this.prepared.byCode.get(pipe.code);
    const answer = known && Object.hasOwn(this.answers, pipe.code) ? this.answers[pipe.code] : null;
    if (!known || answer === null || answer === undefined) return '';
    const { question, codec } = known;
    if (pipe.form === 'code') return codec.pipedCode(question, answer);
    const texts = textsIn(translationFor(question.settings.translations, this.language));
    return codec.pipedText(question, answer, texts);
  }
}
