import type { TextAnalyzer } from './text-analyzer.ts';

/** Selects the analyzer: the language model if one is configured, else (or on request) the built-in one. */
export class TextAnalyzers {
  constructor(
    private readonly builtIn: TextAnalyzer,
    private readonly model: TextAnalyzer | null,
  ) {}

  forEngine(engine: 'built-in' | null): TextAnalyzer {
    return engine === 'built-in' ? this.builtIn : (this.model ?? this.builtIn);
  }
}
