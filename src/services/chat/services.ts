import { BuiltInAnalyst } from '../analysis/built-in-analyst.ts';
import type { CrosstabService } from '../figures/crosstabs.ts';
import type { FigureService } from '../figures/figures.ts';
import type { Foundations } from '../foundations.ts';
import { AnswerMaker } from './answer-maker.ts';
import { BuiltInAnswerer } from './built-in-answerer.ts';
import { ChatService } from './chat.ts';
import { ChatSessionService } from './chat-sessions.ts';
import { Conversations } from './conversations.ts';
import { ModelAnswerer } from './model-answerer.ts';
import { TextReader } from './text-reader.ts';

/** Talking about a survey's data. */
export function chatServices(
  foundations: Foundations,
  { figures, crosstabs }: { figures: FigureService; crosstabs: CrosstabService },
) {
  const { store, access, ids, credits, datasets, languageModel, words } = foundations;
  const sources = { datasets, figures, crosstabs };
  const answerer =
    languageModel === null
      ? new BuiltInAnswerer(new TextReader(sources, new BuiltInAnalyst(words)))
      : new ModelAnswerer(languageModel);
  const conversations = new Conversations(store, access, sources);
  return {
    chatSessions: new ChatSessionService(store, access, ids),
    chat: new ChatService(foundations, conversations, new AnswerMaker(store, credits, answerer)),
  };
}
