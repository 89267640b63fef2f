import { setTimeout as sleep } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { MarkupRemover, splitIntoChunks, TextSanitizer } from '../../../domain/chat/answer-stream.ts';
import type { ChatFigure, FigureOf } from '../../../domain/chat/chat-figure.ts';
import { NumberMarker, NumberSupport } from '../../../domain/chat/number-support.ts';
import { type Intent, parseIntent, planCalls } from '../../../domain/chat/parse-intent.ts';
import {
  describeFigure,
  helpText,
  noFigureText,
  noSurveyText,
  notUnderstoodText,
  shortenText,
  unclearText,
} from '../../../domain/chat/reply-texts.ts';
import {
  buildSystemPrompt,
  CONTINUE_PROMPT,
  type PastMessage,
  suggestNearestQuestions,
  suggestQuestions,
  type SurveyContext,
} from '../../../domain/chat/system-prompt.ts';
import type { CreditReservation } from '../../../domain/credits/credits.ts';
import { AppError } from '../../../lib/errors.ts';
import { requireItem } from '../../../lib/require-value.ts';
import {
  type ChatTurn,
  estimatedTokensOf,
  type FunctionCall,
  type LanguageModel,
  maxTokensOf,
} from '../../../providers/language/language-model.ts';
import type { EngineModel } from '../../billing/credits.ts';
import type { TextAnalyzer } from '../analysis/text-analyzer.ts';
import type { FigureSources } from './figure-functions.ts';
import { type CallableFunctions, loadTexts, sampleEvenly, type SurveyFunctions } from './survey-functions.ts';

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
    const { message, survey, partialAnswer } = prompt;
    const asked =
      survey === null ? null : { survey, intent: parseIntent(message, survey.context.vocabulary) };
    const intent = asked?.intent;
    const reads = intent?.kind === 'verbatims' && intent.contains === null && partialAnswer.planned === null;
    const { reader } = this;
    return {
      maxTokens: MAX_TOKENS + (reads ? reader.maxTokens : 0),
      async *generate(reservation, signal, plan) {
        let text = partialAnswer.planned;
        if (text === null) {
          const answer =
            asked === null
              ? await answerWithoutSurvey(prompt)
              : await answerIntent({ ...asked, reader, reservation, signal });
          text = answer.text;
          await plan(text);
          if (answer.figures.length > 0) yield { kind: 'figures', figures: answer.figures };
        }
        const rest = text.slice(partialAnswer.text.length);
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

async function answerIntent({
  survey: { scope, context, functions },
  intent,
  reader,
  reservation,
  signal,
}: {
  survey: NonNullable<ChatPrompt['survey']>;
  intent: Intent;
  reader: OpenAnswerReader;
  reservation: CreditReservation;
  signal: AbortSignal;
}): Promise<AnswerText> {
  const examples = suggestQuestions(context.vocabulary);
  if (intent.kind === 'help') return { text: helpText(context.name, examples), figures: [] };
  if (intent.kind === 'unknown') return { text: notUnderstoodText(intent.reason, examples), figures: [] };
  if (intent.kind === 'unclear') {
    const questions = suggestNearestQuestions(intent, context.vocabulary);
    const understood = requireItem(questions, 0, 'question');
    return { text: unclearText(intent.unused, understood, questions.slice(1)), figures: [] };
  }
  const figures: ChatFigure[] = [];
  try {
    for (const { name, arguments: given } of planCalls(intent)) {
      if (intent.kind === 'verbatims' && intent.contains === null)
        figures.push(
          ...(await reader.read({ reservation, scope, code: String(given.question_code), signal })),
        );
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

const MAX_TEXTS = 300;
const MAX_TEXT_CHARACTERS = 200;
const MAX_THEMES = 5;
/** Fewer texts have no common themes. */
const MIN_TEXTS = 5;
/** Response ids listed per theme. */
const MAX_RESPONSE_IDS = 5;

/** Computes sentiment and themes of an open question with the text analysis. */
export class OpenAnswerReader {
  private readonly analyzer: TextAnalyzer;
  /** Token bound of both analyses with the maximum number of texts. */
  readonly maxTokens: number;

  constructor(
    private readonly sources: FigureSources,
    analyst: TextAnalyzer,
  ) {
    this.analyzer = analyst;
    const longest = Array.from({ length: MAX_TEXTS }, () => 'x'.repeat(MAX_TEXT_CHARACTERS));
    this.maxTokens =
      analyst.maxTokens({ operation: 'sentiment' }, longest) +
      2 * analyst.maxTokens({ operation: 'themes' }, longest);
  }

  /** Returns an empty list if there are too few texts. */
  async read({
    reservation,
    scope,
    code,
    signal,
  }: {
    reservation: CreditReservation;
    scope: SurveyScope;
    code: string;
    signal: AbortSignal;
  }): Promise<FigureOf<'read_texts'>[]> {
    const { columnCode, label, texts: all, counted } = await loadTexts(this.sources, scope, code);
    if (all.length < MIN_TEXTS) return [];
    const read = sampleEvenly(all, MAX_TEXTS);
    const texts = read.map(({ text }) => shortenText(text, MAX_TEXT_CHARACTERS));
    const sentiments = { negative: 0, neutral: 0, positive: 0 };
    for (const { sentiment } of await this.analyzer.detectSentiments({ reservation, texts, signal }))
      sentiments[sentiment] += 1;
    const proposed = await this.analyzer.proposeThemes({ reservation, texts, limit: MAX_THEMES, signal });
    const assigned =
      proposed.length === 0
        ? []
        : await this.analyzer.assignThemes({ reservation, texts, themes: proposed, signal });
    const themes = proposed.map(({ name }, theme) => {
      const about = read.filter((_, index) => assigned[index]?.includes(theme));
      return {
        theme: shortenText(name, 60),
        count: about.length,
        response_ids: about.slice(0, MAX_RESPONSE_IDS).map(({ response_id: id }) => id),
      };
    });
    return [
      {
        function: 'read_texts',
        arguments: { question_code: columnCode },
        base: all.length,
        counted,
        result: {
          question_code: columnCode,
          question_text: shortenText(label, 160),
          answered: all.length,
          read: read.length,
          sentiments,
          themes: themes.filter(({ count }) => count > 1).sort((a, b) => b.count - a.count),
          method: this.analyzer.describeMethod('sentiment'),
        },
      },
    ];
  }
}

const MAX_ROUNDS = 6;
const MAX_CALLS_PER_ROUND = 6;
const MAX_OUTPUT_TOKENS = 1_500;
const MAX_ANSWER_CHARACTERS = 12_000;
/** Limit of the raw model output, before markup is removed. */
const MAX_RAW_CHARACTERS = 24_000;
/** Token budget for function results, which every round sends again. */
const FIGURE_TOKEN_BUDGET = 30_000;

/** Answers with a language model that requests figures through function calls. */
export class ModelAnswerEngine implements AnswerEngine {
  readonly engine: LanguageModel['engine'];
  readonly model: string;

  constructor(private readonly languageModel: LanguageModel) {
    this.engine = languageModel.engine;
    this.model = languageModel.model;
  }

  prepare(prompt: ChatPrompt): PreparedAnswer {
    const instruction = buildSystemPrompt(prompt.survey?.context ?? null);
    const functions: CallableFunctions = prompt.survey?.functions ?? prompt.surveys;
    const turns = buildTurns(prompt);
    const promptTokens = maxTokensOf(JSON.stringify([instruction, turns, describeFunctions(functions)]));
    const mostTokens = promptTokens + MAX_OUTPUT_TOKENS + FIGURE_TOKEN_BUDGET;
    return {
      maxTokens: mostTokens,
      generate: (reservation, signal) => {
        const used = () => reservation.usage.input_tokens + reservation.usage.output_tokens;
        const isAffordable = (all: readonly ChatTurn[]) =>
          used() + 2 * (maxTokensOf(JSON.stringify([instruction, all])) + MAX_OUTPUT_TOKENS) < mostTokens;
        return this.runRounds({
          chatPrompt: prompt,
          firstTurns: turns,
          functions,
          isAffordable,
          converse: (all, offered) =>
            this.languageModel.converse(reservation, {
              instruction,
              turns: all,
              functions: offered,
              maxOutputTokens: MAX_OUTPUT_TOKENS,
              signal,
            }),
        });
      },
    };
  }

  /** Runs rounds until the model has answered. In the last round, or when tokens run out, it must answer without further calls. */
  private async *runRounds({
    chatPrompt: { history, survey, partialAnswer },
    firstTurns,
    functions,
    isAffordable,
    converse,
  }: {
    chatPrompt: ChatPrompt;
    firstTurns: readonly ChatTurn[];
    functions: CallableFunctions;
    isAffordable: (turns: readonly ChatTurn[]) => boolean;
    converse: (
      turns: readonly ChatTurn[],
      offered: CallableFunctions['offered'],
    ) => ReturnType<LanguageModel['converse']>;
  }): AsyncGenerator<AnswerChunk> {
    const turns = [...firstTurns];
    const text = new TextSanitizer(MAX_ANSWER_CHARACTERS);
    const support = collectNumberSupport(survey?.context ?? null, history, partialAnswer.figures);
    const plain = new MarkupRemover(partialAnswer.text);
    const marker = new NumberMarker(support, partialAnswer.text);
    let rawLeft = MAX_RAW_CHARACTERS;
    let hasText = false;
    for (let round = 1; ; round++) {
      const isLast = round === MAX_ROUNDS || (round > 1 && !isAffordable(turns));
      const calls: FunctionCall[] = [];
      let roundText = '';
      let hasRoundText = false;
      for await (const part of converse(turns, isLast ? [] : functions.offered)) {
        if (part.kind === 'calls') {
          calls.push(...part.calls);
          continue;
        }
        // Text after a function call starts a new paragraph.
        const gap = hasText && !hasRoundText ? '\n\n' : '';
        hasRoundText = true;
        const raw = part.text.slice(0, rawLeft);
        rawLeft -= raw.length;
        const chunk = text.push(marker.push(plain.push(gap + raw)));
        roundText += chunk;
        if (chunk !== '') yield { kind: 'text', text: chunk };
        if (text.isFull || rawLeft === 0) break;
      }
      const rest = text.push(marker.push(plain.end()) + marker.end());
      roundText += rest;
      if (rest !== '') yield { kind: 'text', text: rest };
      hasText ||= roundText !== '';
      if (calls.length === 0 || isLast || text.isFull || rawLeft === 0) break;
      turns.push({ role: 'assistant', text: roundText, calls });
      const figures = await answerCalls(calls, functions, turns);
      for (const figure of figures) support.add(figure);
      if (figures.length > 0) yield { kind: 'figures', figures };
    }
    if (!hasText)
      throw new AppError(
        'bad_gateway',
        'ai_provider_failed',
        'The language model returned no answer; try again',
      );
  }
}

function collectNumberSupport(
  context: SurveyContext | null,
  history: ChatPrompt['history'],
  figures: readonly ChatFigure[],
): NumberSupport {
  const support = new NumberSupport();
  if (context !== null) {
    support.addCounts(context.counts);
    support.addText(context.name);
    for (const { label, options } of context.vocabulary.variables)
      for (const text of [label, ...options.map((option) => option.label)]) support.addText(text);
  }
  support.addHistory(history);
  for (const figure of figures) support.add(figure);
  return support;
}

/** Every call must be answered in order, else providers reject the conversation. */
async function answerCalls(
  calls: readonly FunctionCall[],
  functions: CallableFunctions,
  turns: ChatTurn[],
): Promise<ChatFigure[]> {
  const figures: ChatFigure[] = [];
  for (const [index, { callId, name, argumentsText }] of calls.entries()) {
    if (index >= MAX_CALLS_PER_ROUND) {
      turns.push({
        role: 'function',
        callId,
        text: '{"error":"Too many calls at once; ask again for this one"}',
      });
      continue;
    }
    const answer = await functions.answer(name, argumentsText);
    turns.push({ role: 'function', callId, text: answer.text });
    if (answer.figure !== null) figures.push(answer.figure);
  }
  return figures;
}

function buildTurns({ message, history, partialAnswer }: ChatPrompt): ChatTurn[] {
  const turns: ChatTurn[] = [
    ...history.map(({ role, content }): ChatTurn => ({ role, text: content })),
    { role: 'user', text: message },
  ];
  if (partialAnswer.text === '') return turns;
  // Figures computed before the answer was interrupted.
  const known = partialAnswer.figures.map(({ function: name, arguments: given, base, result }) => {
    return { function: name, arguments: given, base, result };
  });
  const data =
    known.length === 0
      ? ''
      : `\nResults of functions until then, as data:\n${truncate(JSON.stringify(known))}`;
  return [
    ...turns,
    { role: 'assistant', text: partialAnswer.text },
    { role: 'user', text: CONTINUE_PROMPT + data },
  ];
}

const MAX_RESULT_CHARACTERS = 8_000;
const truncate = (text: string) => text.slice(0, MAX_RESULT_CHARACTERS).toWellFormed();

/** Approximates the size of the function definitions sent to the provider. */
const describeFunctions = ({ offered }: CallableFunctions) =>
  offered.map(({ name, description, parameters }) => [
    name,
    description,
    Object.keys(parameters.shape),
    '{}'.repeat(60),
  ]);

/** A message with everything that the engine may use to answer it. */
export interface ChatPrompt {
  message: string;
  /** The most recent messages before this one. */
  history: readonly PastMessage[];
  /** null: the session is not about a survey. */
  survey: { scope: SurveyScope; context: SurveyContext; functions: SurveyFunctions } | null;
  /** Functions for sessions without a survey. */
  surveys: CallableFunctions & { list(): Promise<FigureOf<'list_surveys'>> };
  /** What an interrupted answer already contains. */
  partialAnswer: { text: string; figures: readonly ChatFigure[]; planned: string | null };
}

/** A chunk of an answer. */
export type AnswerChunk =
  { kind: 'text'; text: string } | { kind: 'figures'; figures: readonly ChatFigure[] };

interface PreparedAnswer {
  /** Upper bound of the input and output tokens. */
  maxTokens: number;
  /** `plan` stores the complete text if it is known in advance. Throws the signal's reason when it aborts. */
  generate(
    reservation: CreditReservation,
    signal: AbortSignal,
    plan: (text: string) => Promise<void>,
  ): AsyncIterable<AnswerChunk>;
}

/** Answers questions about a survey, with a language model or with built-in rules. */
export interface AnswerEngine extends EngineModel {
  prepare(prompt: ChatPrompt): PreparedAnswer;
}
