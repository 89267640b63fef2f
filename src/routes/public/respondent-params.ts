import { z } from 'zod';

const token = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'is not a link token');

export const linkParams = z.strictObject({ token });

export const responseParams = z.strictObject({
  token,
  responseToken: z.string().regex(/^[A-Za-z0-9]{16,64}$/, 'is not a response token'),
});
