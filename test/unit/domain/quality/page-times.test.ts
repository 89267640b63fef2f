import { describe, expect, it } from 'vitest';
import { addPageTime, MAX_PAGE_SECONDS } from '../../../../src/domain/quality/speeder.ts';

describe('the time on a page', () => {
  it("is the client's time, limited to the elapsed time", () => {
    expect(addPageTime({ times: null, pageId: 7, claimedSeconds: 12.5, leftSeconds: 13 })).toEqual({
      7: 12.5,
    });
    expect(addPageTime({ times: { 7: 12.5 }, pageId: 8, claimedSeconds: 600, leftSeconds: 4.25 })).toEqual({
      7: 12.5,
      8: 4.25,
    });
  });

  it('adds up over visits', () => {
    expect(addPageTime({ times: { 7: 12.5, 8: 1 }, pageId: 7, claimedSeconds: 2, leftSeconds: 60 })).toEqual({
      7: 14.5,
      8: 1,
    });
  });

  it('is never negative, even if clocks run backwards, or longer than a day', () => {
    expect(addPageTime({ times: null, pageId: 7, claimedSeconds: 5, leftSeconds: -3 })).toEqual({ 7: 0 });
    expect(addPageTime({ times: null, pageId: 7, claimedSeconds: 9e9, leftSeconds: 9e9 })).toEqual({
      7: MAX_PAGE_SECONDS,
    });
  });
});
