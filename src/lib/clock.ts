/** The time, handed in so that tests can hold it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
