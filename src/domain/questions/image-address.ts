import { isHttpUrl } from '../../lib/urls.ts';

/** Path of the addresses of uploaded images; the token follows. */
export const SURVEY_IMAGES_PATH = '/images';
export const IMAGE_TOKEN_CHARACTERS = 32;

const UPLOADED_IMAGE = new RegExp(`^${SURVEY_IMAGES_PATH}/[A-Za-z0-9]{${IMAGE_TOKEN_CHARACTERS}}$`);

/** Whether a text can be the path of an uploaded image on this server. */
export const isUploadedImagePath = (text: string): boolean => UPLOADED_IMAGE.test(text);

/** What `isImageAddress` accepts, for error messages. */
export const IMAGE_ADDRESS_RULE = `must be an http or https address, or the address of an uploaded image (${SURVEY_IMAGES_PATH}/…)`;

/** Whether a text can be the address of an image of a question or an option: a URL, or the path of an uploaded image on this server. */
export const isImageAddress = (text: string): boolean => isHttpUrl(text) || isUploadedImagePath(text);
