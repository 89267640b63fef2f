import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrastRatio, createTheme } from '../../../../src/web/respondent/theme.ts';

it('computes the WCAG contrast: 21 for black on white, 1 for equal colors', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastRatio('#123456', '#123456')).toBe(1);
});

it('derives legible colors from any survey color', () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, (own) => {
      const theme = createTheme(own);
      expect(theme.accent).toBe(own);
      expect(contrastRatio(theme.onAccent, own)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(theme.accentTextOnLight, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(theme.accentTextOnDark, '#141517')).toBeGreaterThanOrEqual(4.5);
    }),
  );
});
