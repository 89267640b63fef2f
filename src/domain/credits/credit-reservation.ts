import type { TokenUsage } from './prices.ts';

/** Reserved credits. The code that calls a provider reserves them and adds the usage of each call. */
export class CreditReservation {
  private input = 0;
  private output = 0;
  private hasEstimates = false;

  constructor(readonly reservationId: number) {}

  /** `estimated`: the engine did not report its token usage. */
  addUsage({ input_tokens: input, output_tokens: output }: TokenUsage, estimated: boolean): void {
    this.input += input;
    this.output += output;
    this.hasEstimates ||= estimated;
  }

  /** The total usage of all calls so far. */
  get usage(): TokenUsage {
    return { input_tokens: this.input, output_tokens: this.output };
  }

  get isEstimated(): boolean {
    return this.hasEstimates;
  }
}
