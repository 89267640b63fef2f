import { z } from 'zod';
import {
  attributeNameProblem,
  type Attributes,
  attributesProblem,
  attributeValueProblem,
  lineProblem,
  MAX_ATTRIBUTES,
} from './attributes.ts';

const MAX_EMAIL_CHARACTERS = 254;

const line = (maxCharacters: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(maxCharacters)
    .superRefine((text, context) => {
      const message = lineProblem(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });

/** The fields of a respondent in the API and in files. Each is a single line, because emails contain them. */
export const respondentEmail = z
  .string()
  .trim()
  .max(MAX_EMAIL_CHARACTERS)
  .pipe(z.email('must be an email address such as name@example.org'));
export const respondentName = line(200);
export const respondentExternalId = line(200);
export const respondentLanguage = z
  .string()
  .trim()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR');

export const respondentAttributes = z
  .record(z.string(), z.unknown())
  .transform((attributes, context): Attributes => {
    const attributesMessage = attributesProblem(attributes);
    if (attributesMessage !== null) context.addIssue({ code: 'custom', message: attributesMessage });
    for (const [name, value] of Object.entries(attributes).slice(0, MAX_ATTRIBUTES)) {
      const message = attributeNameProblem(name) ?? attributeValueProblem(value);
      if (message !== null) context.addIssue({ code: 'custom', message, path: [name] });
    }
    return attributes as Attributes;
  })
  .meta({
    override: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    description:
      `Up to ${MAX_ATTRIBUTES} texts (1,000 characters, one line), numbers and booleans by name, 20,000 characters as JSON together; ` +
      'names are letters and digits, and between them spaces, _, . and -',
  });
