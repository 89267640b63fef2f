import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatFigure } from '../../../domain/chat/chat-figure.ts';
import { suggestNearestQuestions, suggestQuestions } from '../../../domain/chat/system-prompt.ts';
import { type Intent, parseIntent, planCalls } from '../../../domain/chat/parse-intent.ts';
import { splitIntoChunks } from '../../../domain/chat/answer-stream.ts';
import {
  describeFigure,
  helpText,
  noFigureText,
  noSurveyText,
  notUnderstoodText,
  unclearText,
} from '../../../domain/chat/reply-texts.ts';
import type { CreditReservation } from '../../../domain/credits/credit-reservation.ts';
import { AppError } from '../../../lib/errors.ts';
import { estimatedTokensOf } from '../../../providers/language/language-model.ts';
import type { ChatPrompt, AnswerEngine, PreparedAnswer } from './answer-engine.ts';
import type { OpenAnswerReader } from './open-answer-reader.ts';

/** Pace at which a reader can follow; also yields to the event loop. */
const CHUNK_INTERVAL_MS = 10;
/** Upper bound for figures and text. */
const MAX_TOKENS = 8_000;

interface AnswerText {
  text: string;
  figures: ChatFigure[];
}

/** Answers without a language model: recognizes the intent, computes the figures and words them from templates. */
export class BuiltInAnswerEngine implements AnswerEngine {
  readonly engine = 'built-in';
  readonly model = 'statistics-1';

  constructor(private readonly reader: OpenAnswerReader) {}

  prepare(prompt: ChatPrompt): PreparedAnswer {
    const { message, survey, partialAnswer: before } = prompt;
    const intent = survey === null ? null : parseIntent(message, survey.context.vocabulary);
    const reads = intent?.kind === 'verbatims' && intent.contains === null && before.planned === null;
    const { reader } = this;
    return {
      maxTokens: MAX_TOKENS + (reads ? reader.maxTokens : 0),
      async *generate(reservation, signal, plan) {
        let text = before.planned;
        if (text === null) {
          const answer =
            intent === null
              ? await answerWithoutSurvey(prompt)
              : await answerIntent(prompt, intent, reader, reservation, signal);
          text = answer.text;
          await plan(text);
          if (answer.figures.length > 0) yield { kind: 'figures', figures: answer.figures };
        }
        const rest = text.slice(before.text.length);
        let written = '';
        try {
          for (const chunk of splitIntoChunks(rest)) {
            yield { kind: 'text', text: chunk };
            written += chunk;
            await sleep(CHUNK_INTERVAL_MS, undefined, { signal });
          }
        } finally {
          const tokens = {
            input_tokens: estimatedTokensOf(message),
            output_tokens: estimatedTokensOf(written),
          };
          reservation.addUsage(tokens, true);
        }
      },
    };
  }
}

async function answerWithoutSurvey({ surveys }: ChatPrompt): Promise<AnswerText> {
  const figure = await surveys.list();
  return { text: noSurveyText(describeFigure(figure, { kind: 'help' })), figures: [figure] };
}

async function answerIntent(
  { survey }: ChatPrompt,
  intent: Intent,
  reader: OpenAnswerReader,
  reservation: CreditReservation,
  signal: AbortSignal,
): Promise<AnswerText> {
  const { scope, context, functions } = survey!;
  const examples = suggestQuestions(context.vocabulary);
  if (intent.kind === 'help') return { text: helpText(context.name, examples), figures: [] };
  if (intent.kind === 'unknown') return { text: notUnderstoodText(intent.reason, examples), figures: [] };
  if (intent.kind === 'unclear') {
    const [understood, ...rest] = suggestNearestQuestions(intent, context.vocabulary);
    return { text: unclearText(intent.unused, understood!, rest), figures: [] };
  }
  const figures: ChatFigure[] = [];
  try {
    for (const { name, arguments: given } of planCalls(intent)) {
      if (intent.kind === 'verbatims' && intent.contains === null)
        figures.push(...(await reader.read(reservation, scope, String(given.question_code), signal)));
      figures.push(await functions.run(name, given));
    }
  } catch (error) {
    // A request that this survey cannot answer, such as a table of two numeric questions.
    if (!(error instanceof AppError) || !['invalid', 'not_found', 'unprocessable'].includes(error.kind))
      throw error;
    return { text: noFigureText(error.message, examples), figures: [] };
  }
  return { text: figures.map((figure) => describeFigure(figure, intent)).join('\n\n'), figures };
}
