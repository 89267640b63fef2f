import type { z } from 'zod';
import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { ChatFigure } from '../../../../domain/chat/chat-figure.ts';
import type { DatasetService } from '../../../datasets/datasets.ts';
import type { CrosstabService } from '../../../figures/crosstabs.ts';
import type { FigureService } from '../../../figures/figures.ts';

/** What functions look figures up with: the very services that the API's figures come from. */
export interface FigureSources {
  datasets: DatasetService;
  figures: FigureService;
  crosstabs: CrosstabService;
}

/** Something that may be asked of a survey in a conversation. Which survey is never an argument: the scope is the caller's. */
export interface ChatFunction {
  name: ChatFigure['function'];
  description: string;
  /** An object; every member is required. */
  parameters: z.ZodObject;
  /** The arguments have passed the schema. Fails with AppError where they make no sense for this survey. */
  run(sources: FigureSources, scope: SurveyScope, given: Record<string, unknown>): Promise<ChatFigure>;
}

/** With the types that the schema gives. */
export function chatFunction<P extends z.ZodObject>(
  declared: Omit<ChatFunction, 'parameters' | 'run'> & {
    parameters: P;
    run(sources: FigureSources, scope: SurveyScope, given: z.output<P>): Promise<ChatFigure>;
  },
): ChatFunction {
  // Whoever calls it has parsed with the very schema that the type comes from.
  return declared;
}
