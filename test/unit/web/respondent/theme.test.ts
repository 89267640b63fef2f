import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrastRatio, createTheme } from '../../../../src/web/respondent/client/theme.ts';

it('contrast is WCAG’s: black on white 21, equal colours 1', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastRatio('#123456', '#123456')).toBe(1);
});

it('whatever colour a survey has, what is written on it and with it can be read', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (own) => {
      const theme = createTheme(own);
      expect(theme.accent).toBe(own);
      expect(contrastRatio(theme.onAccent, own)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(theme.accentTextOnLight, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(theme.accentTextOnDark, '#141517')).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
