import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrastRatio } from '../../../../src/domain/survey/contrast.ts';
import { findContrastProblems, LOOK_DEFAULTS, schemeOf } from '../../../../src/domain/survey/look.ts';
import { createTheme } from '../../../../src/web/respondent/theme.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);
const lookWith = (values: object) => ({ ...LOOK_DEFAULTS, ...values });
/** The color that a problem proposes. */
const proposedIn = (message: string): string => /(#[0-9a-f]{6}) has enough$/.exec(message)![1]!;

it('computes the WCAG contrast: 21 for black on white, 1 for equal colors', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastRatio('#123456', '#123456')).toBe(1);
});

it('derives legible colors from any survey color', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const { properties, scheme } = createTheme(lookWith({ color }));
      expect(scheme).toBeNull();
      expect(properties['--accent']).toBe(color);
      expect(contrastRatio(properties['--on-accent']!, color)).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(properties['--accent-text-on-light']!, '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrastRatio(properties['--accent-text-on-dark']!, '#141517')).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it('derives legible colors for any background that is accepted', () => {
  fc.assert(
    fc.property(anyColor, anyColor, (color, background_color) => {
      const look = lookWith({ color, background_color });
      fc.pre(findContrastProblems(look).length === 0);
      const { properties, scheme } = createTheme(look);
      const text = properties[`--accent-text-on-${scheme}`]!;
      for (const behind of [properties['--background']!, properties['--surface']!])
        expect(contrastRatio(text, behind)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

it('proposes a color that is accepted for each that is not', () => {
  fc.assert(
    fc.property(anyColor, anyColor, (color, background_color) => {
      const [first] = findContrastProblems(lookWith({ color, background_color }));
      fc.pre(first !== undefined);
      const mended = lookWith({ color, background_color, [first.field]: proposedIn(first.message) });
      expect(findContrastProblems(mended).map(({ field }) => field)).not.toContain(first.field);
    }),
  );
});

it('names the field, the ratio and the least ratio', () => {
  expect(findContrastProblems(lookWith({ color: '#ffee00' }))).toEqual([
    {
      field: 'color',
      message: expect.stringMatching(
        /^#ffee00 has a contrast of 1\.1:1 with the background #faf9f7, and at least 3:1 is needed; #[0-9a-f]{6} has enough$/,
      ) as string,
    },
  ]);
  expect(findContrastProblems(lookWith({ background_color: '#808080' }))).toEqual([
    {
      field: 'background_color',
      message: expect.stringMatching(
        /^#808080 has a contrast of [1-3]\.\d:1 with texts, and at least 4\.5:1/,
      ) as string,
    },
  ]);
  expect(findContrastProblems(lookWith({ color: '#4f46e5', background_color: '#0b2a22' }))).toMatchObject([
    { field: 'color' },
  ]);
});

it('has dark texts on a light background, and light ones on a dark background', () => {
  expect(['#f2f7f5', '#ffffff', '#0b2a22', '#000000'].map(schemeOf)).toEqual([
    'light',
    'light',
    'dark',
    'dark',
  ]);
});
