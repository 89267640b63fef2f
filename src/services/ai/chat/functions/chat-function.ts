import type { z } from 'zod';
import type { SurveyScope } from '../../../../domain/access/scopes.ts';
import type { ChatFigure } from '../../../../domain/chat/chat-figure.ts';
import type { DatasetService } from '../../../datasets/datasets.ts';
import type { CrosstabService } from '../../../figures/crosstabs.ts';
import type { FigureService } from '../../../figures/figures.ts';

/** The services that functions compute figures with, the same as in the API. */
export interface FigureSources {
  datasets: DatasetService;
  figures: FigureService;
  crosstabs: CrosstabService;
}

/** A function that a chat may call. The survey is never an argument: it comes from the caller's scope. */
export interface ChatFunction {
  name: ChatFigure['function'];
  description: string;
  /** An object schema; every member is required. */
  parameters: z.ZodObject;
  /** Runs with validated arguments. Throws AppError if the survey does not support them. */
  run(sources: FigureSources, scope: SurveyScope, given: Record<string, unknown>): Promise<ChatFigure>;
}

/** Infers the argument types from the schema. */
export function chatFunction<P extends z.ZodObject>(
  declared: Omit<ChatFunction, 'parameters' | 'run'> & {
    parameters: P;
    run(sources: FigureSources, scope: SurveyScope, given: z.output<P>): Promise<ChatFigure>;
  },
): ChatFunction {
  // Callers parse with the schema that the type is inferred from.
  return declared;
}
