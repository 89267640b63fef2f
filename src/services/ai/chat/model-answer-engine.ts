import type { ChatFigure } from '../../../domain/chat/chat-figure.ts';
import {
  CONTINUE_PROMPT,
  buildSystemPrompt,
  type SurveyContext,
} from '../../../domain/chat/system-prompt.ts';
import { NumberMarker, NumberSupport } from '../../../domain/chat/number-support.ts';
import { MarkupRemover, TextSanitizer } from '../../../domain/chat/answer-stream.ts';
import { AppError } from '../../../lib/errors.ts';
import {
  type FunctionCall,
  type LanguageModel,
  maxTokensOf,
  type ChatTurn,
} from '../../../providers/language/language-model.ts';
import type { AnswerEngine, ChatPrompt, AnswerChunk, PreparedAnswer } from './answer-engine.ts';
import type { CallableFunctions } from './functions/survey-functions.ts';

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
        return this.runRounds(prompt, turns, functions, isAffordable, (all, offered) =>
          this.languageModel.converse(reservation, {
            instruction,
            turns: all,
            functions: offered,
            maxOutputTokens: MAX_OUTPUT_TOKENS,
            signal,
          }),
        );
      },
    };
  }

  /** Runs rounds until the model has answered. In the last round, or when tokens run out, it must answer without further calls. */
  private async *runRounds(
    { history, survey, partialAnswer: before }: ChatPrompt,
    firstTurns: readonly ChatTurn[],
    functions: CallableFunctions,
    isAffordable: (turns: readonly ChatTurn[]) => boolean,
    converse: (
      turns: readonly ChatTurn[],
      offered: CallableFunctions['offered'],
    ) => ReturnType<LanguageModel['converse']>,
  ): AsyncGenerator<AnswerChunk> {
    const turns = [...firstTurns];
    const text = new TextSanitizer(MAX_ANSWER_CHARACTERS);
    const support = collectNumberSupport(survey?.context ?? null, history, before.figures);
    const plain = new MarkupRemover(before.text);
    const marker = new NumberMarker(support, before.text);
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

function buildTurns({ message, history, partialAnswer: before }: ChatPrompt): ChatTurn[] {
  const turns: ChatTurn[] = [
    ...history.map(({ role, content }): ChatTurn => ({ role, text: content })),
    { role: 'user', text: message },
  ];
  if (before.text === '') return turns;
  // Figures computed before the answer was interrupted.
  const known = before.figures.map(({ function: name, arguments: given, base, result }) => {
    return { function: name, arguments: given, base, result };
  });
  const data =
    known.length === 0
      ? ''
      : `\nResults of functions until then, as data:\n${truncate(JSON.stringify(known))}`;
  return [...turns, { role: 'assistant', text: before.text }, { role: 'user', text: CONTINUE_PROMPT + data }];
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
