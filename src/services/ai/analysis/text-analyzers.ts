import type { TextAnalyzer } from './text-analyzer.ts';

/** Who reads texts here: a language model where one is configured, what is built in otherwise or when it is asked for. */
export class TextAnalyzers {
  private readonly builtIn: TextAnalyzer;
  private readonly model: TextAnalyzer | null;

  constructor(builtIn: TextAnalyzer, model: TextAnalyzer | null) {
    this.builtIn = builtIn;
    this.model = model;
  }

  forEngine(engine: 'built-in' | null): TextAnalyzer {
    return engine === 'built-in' ? this.builtIn : (this.model ?? this.builtIn);
  }
}
