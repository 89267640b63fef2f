import type { TokenUsage } from './prices.ts';

/** Credits that are set aside. Whoever calls a provider asks for them, and says what each call took. */
export class CreditReservation {
  readonly reservationId: number;
  private input = 0;
  private output = 0;
  private hasEstimates = false;

  constructor(reservationId: number) {
    this.reservationId = reservationId;
  }

  /** `estimated`: the engine did not count. */
  addUsage({ input_tokens: input, output_tokens: output }: TokenUsage, estimated: boolean): void {
    this.input += input;
    this.output += output;
    this.hasEstimates ||= estimated;
  }

  /** Of all calls so far. */
  get usage(): TokenUsage {
    return { input_tokens: this.input, output_tokens: this.output };
  }

  get isEstimated(): boolean {
    return this.hasEstimates;
  }
}
