import { z } from 'zod';
import { isHttpUrl } from '../../lib/urls.ts';
import { IMAGE_ADDRESS_RULE, isImageAddress } from '../questions/image-address.ts';
import { contrastRatio, mixColors, nearestColor } from './contrast.ts';

const TYPEFACES = ['sans', 'serif', 'rounded'] as const;
export type Typeface = (typeof TYPEFACES)[number];

const imageAddress = (description: string) =>
  z.string().max(2_000).refine(isImageAddress, IMAGE_ADDRESS_RULE).nullable().describe(description);
const pageAddress = (description: string) =>
  z
    .string()
    .max(2_000)
    .refine(isHttpUrl, 'must be an http or https address')
    .nullable()
    .describe(description);
const hexColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a hex color such as #6366f1')
  .nullable();

/** The look of surveys: of a workspace, and of a survey, which overrides single values. null in both: the default. */
export const lookShape = {
  color: hexColor.describe(
    'Color of buttons and bars. A change is refused if the contrast with the background is less than 3:1; null: as in the workspace, else #4f46e5',
  ),
  background_color: hexColor.describe(
    'Color behind the questions, light or dark. A change is refused if the contrast with texts is less than 4.5:1 (WCAG 2.2 AA); null: as in ' +
      'the workspace, else light or dark as the device is set',
  ),
  logo: imageAddress('Image above the questions: an address, or the `image_url` of an uploaded image'),
  logo_alt: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .nullable()
    .describe('What the logo shows, such as the name of the organization; null: it is decoration'),
  typeface: z
    .enum(TYPEFACES)
    .nullable()
    .describe('Typeface of the page, from those that the device has; null: as in the workspace, else `sans`'),
  imprint_url: pageAddress('Address of the imprint, which is linked below the questions'),
  privacy_url: pageAddress('Address of the privacy notice, which is linked below the questions'),
  sender_name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^\p{C}<>"@]*$/u, 'must be a name without <, >, ", @ and line breaks')
    .nullable()
    .describe(
      'Name of the sender of invitations; the address is that of the installation. null: as in the workspace, else as in `MAIL_FROM`',
    ),
  made_with_canvass: z
    .boolean()
    .nullable()
    .describe('Shows "Made with Canvass" below the questions; null: as in the workspace, else false'),
  icon: imageAddress('Icon of the browser tab: an address, or the `image_url` of an uploaded image'),
  share_image: imageAddress(
    'Image where the link of the survey is shared: an address, or the `image_url` of an uploaded image; null: as in the workspace, else `welcome_image`',
  ),
};

export const lookSchema = z.strictObject(lookShape).meta({ id: 'Look' });
export type Look = z.infer<typeof lookSchema>;

export const LOOK_DEFAULTS: Look = {
  color: null,
  background_color: null,
  logo: null,
  logo_alt: null,
  typeface: null,
  imprint_url: null,
  privacy_url: null,
  sender_name: null,
  made_with_canvass: null,
  icon: null,
  share_image: null,
};

export const LOOK_NAMES = Object.keys(LOOK_DEFAULTS) as readonly (keyof Look)[];

/** Settings of the look that are addresses of images. */
export const LOOK_IMAGES = ['logo', 'icon', 'share_image'] as const;

/** The backgrounds of the design system. */
const BACKGROUNDS = { light: '#faf9f7', dark: '#141517' } as const;
/** Texts of the design system with the least contrast. */
const FAINT_TEXTS = { light: ['#5f5b55', '#b3261e'], dark: ['#aba79f', '#ff9d94'] } as const;
type Scheme = keyof typeof BACKGROUNDS;

/** WCAG 2.2, 1.4.3: text of normal size. */
export const MIN_TEXT_CONTRAST = 4.5;
/** WCAG 2.2, 1.4.11: controls. */
const MIN_CONTROL_CONTRAST = 3;

/** Returns the color of cards on a background. */
export const surfaceOn = (background: string, scheme: Scheme): string =>
  scheme === 'light' ? '#ffffff' : mixColors(background, '#ffffff', 0.06);

const textContrast = (background: string, scheme: Scheme): number =>
  Math.min(
    ...FAINT_TEXTS[scheme].flatMap((text) =>
      [background, surfaceOn(background, scheme)].map((each) => contrastRatio(text, each)),
    ),
  );

/** Returns whether texts on the background are dark or light. */
export const schemeOf = (background: string): Scheme =>
  textContrast(background, 'light') >= textContrast(background, 'dark') ? 'light' : 'dark';

const isReadable = (background: string): boolean =>
  textContrast(background, schemeOf(background)) >= MIN_TEXT_CONTRAST;

const DEFAULT_COLOR = '#4f46e5';

/** Returns the colors of a button: its text is black or white, one of which always has enough contrast. */
export function buttonColors(color: string | null): { color: string; textColor: string } {
  const own = color ?? DEFAULT_COLOR;
  return {
    color: own,
    textColor: contrastRatio(own, '#ffffff') >= MIN_TEXT_CONTRAST ? '#ffffff' : '#000000',
  };
}

const formatRatio = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;

interface LookProblem {
  field: 'color' | 'background_color';
  message: string;
}

/** Returns which colors have too little contrast, each with a near color that has enough. */
export function findContrastProblems({ color, background_color: background }: Look): LookProblem[] {
  if (background !== null && !isReadable(background)) {
    const towards = schemeOf(background) === 'light' ? '#ffffff' : '#000000';
    const ratio = textContrast(background, schemeOf(background));
    const message =
      `${background} has a contrast of ${formatRatio(ratio)} with texts, and at least ${MIN_TEXT_CONTRAST}:1 is needed; ` +
      `${nearestColor(background, towards, isReadable)} has enough`;
    return [{ field: 'background_color', message }];
  }
  const behind = background ?? BACKGROUNDS.light;
  const isVisible = (each: string) => contrastRatio(each, behind) >= MIN_CONTROL_CONTRAST;
  if (color === null || isVisible(color)) return [];
  const towards = schemeOf(behind) === 'light' ? '#000000' : '#ffffff';
  const message =
    `${color} has a contrast of ${formatRatio(contrastRatio(color, behind))} with the background ${behind}, and at least ` +
    `${MIN_CONTROL_CONTRAST}:1 is needed; ${nearestColor(color, towards, isVisible)} has enough`;
  return [{ field: 'color', message }];
}

type Stored = Readonly<Record<string, unknown>>;

/** Returns the values of a look among stored settings, which hold only changed values. */
export const lookOf = (stored: Stored): Look =>
  Object.fromEntries(LOOK_NAMES.map((name) => [name, stored[name] ?? null])) as Look;

/** Where a value of the look comes from. */
export const LOOK_SOURCES = ['survey', 'workspace', 'default'] as const;

/** Returns for each value whether the survey, its workspace or neither sets it. */
export function lookSources(
  survey: Stored,
  workspace: Stored,
): Record<keyof Look, (typeof LOOK_SOURCES)[number]> {
  const sourceOf = (name: string) =>
    survey[name] !== undefined ? 'survey' : workspace[name] !== undefined ? 'workspace' : 'default';
  return Object.fromEntries(LOOK_NAMES.map((name) => [name, sourceOf(name)])) as ReturnType<
    typeof lookSources
  >;
}
