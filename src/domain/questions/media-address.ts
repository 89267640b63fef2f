/** Path of the addresses of uploaded sound, video and captions; the token and the extension follow. */
export const SURVEY_MEDIA_PATH = '/media';
export const MEDIA_TOKEN_CHARACTERS = 32;

/** The files that a question can play or show as captions, by extension. */
export const MEDIA_CONTENT_TYPES = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  vtt: 'text/vtt; charset=utf-8',
} as const;

export type MediaType = keyof typeof MEDIA_CONTENT_TYPES;
export type MediaKind = 'audio' | 'video' | 'captions';

const UPLOADED = new RegExp(
  `^${SURVEY_MEDIA_PATH}/([A-Za-z0-9]{${MEDIA_TOKEN_CHARACTERS}})\\.(${Object.keys(MEDIA_CONTENT_TYPES).join('|')})$`,
);

export const mediaAddress = (token: string, type: MediaType): string =>
  `${SURVEY_MEDIA_PATH}/${token}.${type}`;

/** Returns the parts of the address of an uploaded file; null for another text. */
export function parseMediaAddress(address: string): { token: string; type: MediaType } | null {
  const [, token, type] = UPLOADED.exec(address) ?? [];
  return token === undefined ? null : { token, type: type as MediaType };
}

export function mediaKind(type: MediaType): MediaKind {
  if (type === 'vtt') return 'captions';
  return type === 'mp4' || type === 'webm' ? 'video' : 'audio';
}

/** What `isMediaAddress` accepts, for error messages. */
export const MEDIA_ADDRESS_RULES = {
  playable: `must be the address of uploaded sound or of an uploaded video (${SURVEY_MEDIA_PATH}/….mp3, .m4a, .ogg, .mp4 or .webm)`,
  captions: `must be the address of uploaded captions (${SURVEY_MEDIA_PATH}/….vtt)`,
};

/** Whether a text is the address of an uploaded file of this kind; `playable`: sound or video. */
export function isMediaAddress(address: string, kind: 'playable' | 'captions'): boolean {
  const parsed = parseMediaAddress(address);
  return parsed !== null && (mediaKind(parsed.type) === 'captions') === (kind === 'captions');
}
