import type { Analyst } from './analyst.ts';

/** Who reads texts here: a language model where one is configured, what is built in otherwise or when it is asked for. */
export class Analysts {
  private readonly builtIn: Analyst;
  private readonly model: Analyst | null;

  constructor(builtIn: Analyst, model: Analyst | null) {
    this.builtIn = builtIn;
    this.model = model;
  }

  of(engine: 'built-in' | null): Analyst {
    return engine === 'built-in' ? this.builtIn : (this.model ?? this.builtIn);
  }
}
