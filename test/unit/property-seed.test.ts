import fc from 'fast-check';
import { expect, it } from 'vitest';

it('draws the same cases in every run', () => {
  const drawn = () => {
    const cases: number[] = [];
    fc.assert(fc.property(fc.integer(), (value) => void cases.push(value)));
    return cases;
  };
  expect(drawn()).toEqual(drawn());
});
