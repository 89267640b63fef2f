import { z } from 'zod';
import { isHttpUrl } from '../../lib/urls.ts';
import { IMAGE_ADDRESS_RULE, isImageAddress } from '../questions/image-address.ts';
import { LOOK_IMAGES } from './look.ts';

/** Text of one line. */
const line = (maxCharacters: number, description: string) =>
  z.string().trim().min(1).max(maxCharacters).nullable().describe(description);

const imageAddress = (description: string) =>
  z
    .string()
    .max(2_000)
    .refine(isImageAddress, IMAGE_ADDRESS_RULE)
    .nullable()
    .describe(`${description}: an address, or the \`image_url\` of an uploaded image`);

/** Settings of the survey: what respondents see besides its pages and messages. */
export const presentationShape = {
  title: line(
    500,
    'Title that respondents see on the page, in its browser tab, in shared links and in invitations; null: `survey_name`, which is the name of the project for its authors',
  ),
  welcome_title: line(
    500,
    'Heading of the welcome page. The page is shown before the consent and the first page if its heading, text or image is set; null: `title`',
  ),
  welcome_text: z
    .string()
    .max(10_000)
    .nullable()
    .describe('Plain text of the welcome page; null: `survey_description`'),
  welcome_image: imageAddress('Image of the welcome page'),
  welcome_image_alt: line(500, 'What the image of the welcome page shows; null: it is decoration'),
  welcome_minutes: z
    .int()
    .min(1)
    .max(600)
    .nullable()
    .describe('Minutes that the survey takes, which the welcome page shows'),
  welcome_button: line(100, 'Label of the button of the welcome page; null: "Start"'),
  end_title: line(
    500,
    'Heading of the page after a complete response; null: a standard text. `completion_message` is its text',
  ),
  end_image: imageAddress('Image of the page after a complete response'),
  end_image_alt: line(500, 'What that image shows; null: it is decoration'),
  end_button: line(100, 'Label of a button with a link on that page; null: "Continue"'),
  end_url: z
    .string()
    .max(2_000)
    .refine(isHttpUrl, 'must be an http or https address')
    .nullable()
    .describe('Address of the button. Not shown where respondents are redirected'),
  share_description: line(
    500,
    'Description where the link of the survey is shared, such as in a messenger; null: `survey_description`',
  ),
};

export const PRESENTATION_DEFAULTS = {
  title: null,
  welcome_title: null,
  welcome_text: null,
  welcome_image: null,
  welcome_image_alt: null,
  welcome_minutes: null,
  welcome_button: null,
  end_title: null,
  end_image: null,
  end_image_alt: null,
  end_button: null,
  end_url: null,
  share_description: null,
} as const satisfies Record<keyof typeof presentationShape, null>;

/** Settings that are addresses of images. */
export const IMAGE_SETTINGS = ['welcome_image', 'end_image', ...LOOK_IMAGES] as const;
