import { describe, expect, it } from 'vitest';
import { addPageTime, MAX_PAGE_SECONDS } from '../../../../src/domain/quality/speeder.ts';

describe('the time on a page', () => {
  it("is the client's time, limited to the elapsed time", () => {
    expect(addPageTime(null, 7, 12.5, 13)).toEqual({ 7: 12.5 });
    expect(addPageTime({ 7: 12.5 }, 8, 600, 4.25)).toEqual({ 7: 12.5, 8: 4.25 });
  });

  it('adds up over visits', () => {
    expect(addPageTime({ 7: 12.5, 8: 1 }, 7, 2, 60)).toEqual({ 7: 14.5, 8: 1 });
  });

  it('is never negative, even if clocks run backwards, or longer than a day', () => {
    expect(addPageTime(null, 7, 5, -3)).toEqual({ 7: 0 });
    expect(addPageTime(null, 7, 9e9, 9e9)).toEqual({ 7: MAX_PAGE_SECONDS });
  });
});
