import {
  joinTexts,
  type MarkdownElement,
  type MarkdownNode,
  markdownToPlainText,
} from '../markdown/markdown.ts';
import { parseBlocks } from '../markdown/parse-blocks.ts';
import { closeGaps } from '../../lib/close-gaps.ts';
import { quote } from '../../lib/error-messages.ts';
import { attributeNameProblem, type Attributes, lineProblem } from '../respondents/attributes.ts';

/**
 * The fixed texts of emails and of the unsubscribe page, in the languages of the respondent page. `{n}` is the organization, `{m}` the
 * email address. The default subject and message are templates.
 */
const en = {
  default_subject: 'Invitation: {{survey}}',
  default_message:
    'Hello,\n\nYou are invited to take part in the survey “{{survey}}”. The link is for you only.\n\n{{link}}\n\nThank you for your time.',
  take_part: 'Take part',
  copy: 'Or copy this address into your browser:',
  why: 'You received this email because {n} invited you to a survey.',
  unsubscribe: 'Unsubscribe',
  ask_title: 'Unsubscribe',
  ask_text: '{n} will stop sending emails to {m}, about this survey or any other.',
  ask_button: 'Unsubscribe',
  done_title: 'You have unsubscribed',
  done_text: '{n} will no longer send emails to {m}.',
  undo_button: 'Subscribe again',
  undone_title: 'You have subscribed again',
  undone_text: '{n} can send emails about surveys to {m} again.',
  unknown_title: 'Link not found',
  unknown_text: 'The link may be incomplete. Copy the complete link from the email.',
};
type InvitationMessages = Readonly<typeof en>;

const de: InvitationMessages = {
  default_subject: 'Einladung: {{survey}}',
  default_message:
    'Guten Tag,\n\nSie sind eingeladen, an der Umfrage „{{survey}}“ teilzunehmen. Der Link ist nur für Sie bestimmt.\n\n{{link}}\n\nVielen Dank für Ihre Zeit.',
  take_part: 'Zur Umfrage',
  copy: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
  why: 'Sie erhalten diese E-Mail, weil {n} Sie zu einer Umfrage einlädt.',
  unsubscribe: 'Abmelden',
  ask_title: 'Von E-Mails abmelden',
  ask_text: '{n} sendet dann keine E-Mails mehr an {m}, weder zu dieser noch zu einer anderen Umfrage.',
  ask_button: 'Abmelden',
  done_title: 'Sie sind abgemeldet',
  done_text: '{n} sendet keine E-Mails mehr an {m}.',
  undo_button: 'Wieder abonnieren',
  undone_title: 'Sie erhalten wieder E-Mails',
  undone_text: '{n} kann wieder E-Mails zu Umfragen an {m} senden.',
  unknown_title: 'Link nicht gefunden',
  unknown_text:
    'Der Link ist möglicherweise unvollständig. Kopieren Sie den vollständigen Link aus der E-Mail.',
};

const fr: InvitationMessages = {
  default_subject: 'Invitation : {{survey}}',
  default_message:
    'Bonjour,\n\nvous êtes invité(e) à répondre à l’enquête « {{survey}} ». Ce lien vous est réservé.\n\n{{link}}\n\nMerci pour votre temps.',
  take_part: 'Répondre à l’enquête',
  copy: 'Ou copiez cette adresse dans votre navigateur :',
  why: 'Vous recevez cet e-mail parce que {n} vous a invité(e) à une enquête.',
  unsubscribe: 'Se désabonner',
  ask_title: 'Se désabonner',
  ask_text: '{n} n’enverra plus d’e-mails à {m}, ni pour cette enquête ni pour une autre.',
  ask_button: 'Se désabonner',
  done_title: 'Vous êtes désabonné(e)',
  done_text: '{n} n’enverra plus d’e-mails à {m}.',
  undo_button: 'Se réabonner',
  undone_title: 'Vous êtes réabonné(e)',
  undone_text: '{n} peut de nouveau envoyer des e-mails sur ses enquêtes à {m}.',
  unknown_title: 'Lien introuvable',
  unknown_text: 'Le lien est peut-être incomplet. Copiez le lien complet depuis l’e-mail.',
};

const es: InvitationMessages = {
  default_subject: 'Invitación: {{survey}}',
  default_message:
    'Hola:\n\nLe invitamos a participar en la encuesta «{{survey}}». El enlace es solo para usted.\n\n{{link}}\n\nGracias por su tiempo.',
  take_part: 'Participar',
  copy: 'O copie esta dirección en su navegador:',
  why: 'Recibe este correo porque {n} le ha invitado a una encuesta.',
  unsubscribe: 'Cancelar la suscripción',
  ask_title: 'Cancelar la suscripción',
  ask_text: '{n} no enviará más correos a {m}, ni sobre esta encuesta ni sobre ninguna otra.',
  ask_button: 'Cancelar la suscripción',
  done_title: 'Ha cancelado la suscripción',
  done_text: '{n} no enviará más correos a {m}.',
  undo_button: 'Volver a suscribirme',
  undone_title: 'Ha vuelto a suscribirse',
  undone_text: '{n} puede volver a enviar correos sobre encuestas a {m}.',
  unknown_title: 'Enlace no encontrado',
  unknown_text: 'Puede que el enlace esté incompleto. Copie el enlace completo del correo.',
};

const pt: InvitationMessages = {
  default_subject: 'Convite: {{survey}}',
  default_message:
    'Olá,\n\nvocê está convidado(a) a participar da pesquisa “{{survey}}”. O link é só para você.\n\n{{link}}\n\nObrigado pelo seu tempo.',
  take_part: 'Participar',
  copy: 'Ou copie este endereço no seu navegador:',
  why: 'Você recebe este e-mail porque {n} convidou você para uma pesquisa.',
  unsubscribe: 'Cancelar inscrição',
  ask_title: 'Cancelar inscrição',
  ask_text: '{n} não enviará mais e-mails para {m}, nem sobre esta pesquisa nem sobre qualquer outra.',
  ask_button: 'Cancelar inscrição',
  done_title: 'Inscrição cancelada',
  done_text: '{n} não enviará mais e-mails para {m}.',
  undo_button: 'Inscrever-me novamente',
  undone_title: 'Você se inscreveu novamente',
  undone_text: '{n} pode voltar a enviar e-mails sobre pesquisas para {m}.',
  unknown_title: 'Link não encontrado',
  unknown_text: 'O link pode estar incompleto. Copie o link completo do e-mail.',
};

const ar: InvitationMessages = {
  default_subject: 'دعوة: {{survey}}',
  default_message:
    'مرحبًا،\n\nندعوك إلى المشاركة في استطلاع «{{survey}}». هذا الرابط مخصص لك وحدك.\n\n{{link}}\n\nشكرًا لوقتك.',
  take_part: 'المشاركة في الاستطلاع',
  copy: 'أو انسخ هذا العنوان إلى متصفحك:',
  why: 'تصلك هذه الرسالة لأن {n} تدعوك إلى استطلاع.',
  unsubscribe: 'إلغاء الاشتراك',
  ask_title: 'إلغاء الاشتراك',
  ask_text: 'لن ترسل {n} رسائل إلى {m} بعد الآن، لا بشأن هذا الاستطلاع ولا غيره.',
  ask_button: 'إلغاء الاشتراك',
  done_title: 'أُلغي اشتراكك',
  done_text: 'لن ترسل {n} رسائل إلى {m} بعد الآن.',
  undo_button: 'الاشتراك من جديد',
  undone_title: 'تم اشتراكك من جديد',
  undone_text: 'يمكن لـ {n} إرسال رسائل عن الاستطلاعات إلى {m} من جديد.',
  unknown_title: 'لم يُعثر على الرابط',
  unknown_text: 'قد يكون الرابط ناقصًا. يرجى نسخ الرابط كاملًا من الرسالة.',
};

const DICTIONARIES: ReadonlyMap<string, InvitationMessages> = new Map(
  Object.entries({ en, de, fr, es, pt, ar }),
);

export interface LocalizedMessages {
  language: string;
  direction: 'ltr' | 'rtl';
  messages: InvitationMessages;
}

/** Returns the texts in the first supported language, ignoring regions; English if none is supported. */
export function messagesFor(...languages: (string | null)[]): LocalizedMessages {
  for (const language of [...languages, 'en']) {
    const base = language?.toLowerCase().split('-')[0] ?? '';
    const words = DICTIONARIES.get(base);
    if (words !== undefined)
      return { language: base, direction: base === 'ar' ? 'rtl' : 'ltr', messages: words };
  }
  return { language: 'en', direction: 'ltr', messages: en };
}

/** Replaces {n} and {m}. */
export const fillMessage = (words: string, organization: string, address = ''): string =>
  words.replace(/\{([nm])\}/g, (_match, placeholder) => (placeholder === 'n' ? organization : address));

/** The variables of a subject or message, besides {{attribute.name}}. */
const VARIABLES = ['name', 'email', 'survey', 'link', 'unsubscribe'] as const;
type Variable = (typeof VARIABLES)[number] | { attribute: string };

export const VARIABLE_LIST = `{{${VARIABLES.join('}}, {{')}}}, {{attribute.<name>}}`;

/** The values of the variables for one person. */
export interface MessageValues {
  name: string | null;
  email: string;
  attributes: Attributes;
  survey: string;
  /** The personal survey link. */
  link: string;
  unsubscribe: string;
  /** The text of the unsubscribe link. */
  unsubscribeLabel: string;
}

const VARIABLE = /\{\{([^{}]*)\}\}/gu;
const LINK_LINE = /^[\t ]*\{\{[\t ]*link[\t ]*\}\}[\t ]*$/gmu;
/** Characters that are not allowed in a message, apart from line endings and tabs. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** A URL in a message, which can contain variables; excludes punctuation at the end. */
const ADDRESS = /https?:\/\/(?:\{\{[^{}]*\}\}|[^\s<>"{}])*(?:\{\{[^{}]*\}\}|[^\s<>"{}.,;:!?'’”»)\]])/giu;

function parseVariable(inner: string): Variable | null {
  const name = inner.trim();
  const known = VARIABLES.find((variable) => variable === name);
  if (known !== undefined) return known;
  if (!name.startsWith('attribute.')) return null;
  const attribute = name.slice('attribute.'.length);
  return attributeNameProblem(attribute) === null ? { attribute } : null;
}

/** The texts between the braces of all variables. */
const variablesIn = (text: string): string[] =>
  [...text.matchAll(VARIABLE)].flatMap(([, inner]) => inner ?? []);

/** Returns the problems of a subject or message; empty if it is valid. */
export function templateProblems(text: string, target: 'subject' | 'message'): string[] {
  const problems: string[] = [];
  if (target === 'subject') {
    const message = lineProblem(text);
    if (message !== null) problems.push(message);
  } else if (CONTROL.test(text.replace(/\r\n|[\n\t]/g, ''))) {
    problems.push('must not contain control characters other than line breaks and tabs');
  } else if (!text.isWellFormed()) {
    problems.push('contains a lone surrogate, which is not a character');
  }
  const inner = variablesIn(text);
  const unknown = [...new Set(inner.filter((one) => parseVariable(one) === null))];
  if (unknown.length > 0) {
    const unknownVariables = unknown.slice(0, 10).map((one) => quote(`{{${one}}}`));
    problems.push(`has unknown variables: ${unknownVariables.join(', ')}; accepted: ${VARIABLE_LIST}`);
  }
  if (/\{\{|\}\}/.test(text.replace(VARIABLE, ''))) problems.push('has {{ or }} without the other');
  if (target === 'subject' && inner.some((one) => ['link', 'unsubscribe'].includes(one.trim())))
    problems.push('cannot hold an address; {{link}} and {{unsubscribe}} belong into the message');
  return problems;
}

/** The values of the variables that not every person has. */
export type OptionalValues = Pick<MessageValues, 'name' | 'attributes'>;

/** Returns the variables of the texts that can be empty, each once: `name`, `attribute.region`. */
export function optionalVariables(texts: readonly string[]): string[] {
  const names = texts.flatMap(variablesIn).map((inner) => inner.trim());
  return [...new Set(names)].filter((name) => name === 'name' || name.startsWith('attribute.'));
}

/** Returns the value of an optional variable; empty if the person has none. */
export function optionalValue(name: string, { name: personName, attributes }: OptionalValues): string {
  if (name === 'name') return personName ?? '';
  const attribute = name.slice('attribute.'.length);
  return Object.hasOwn(attributes, attribute) ? String(attributes[attribute]) : '';
}

function valueOf(inner: string, values: MessageValues): string {
  const variable = parseVariable(inner);
  if (variable === null) return '';
  return typeof variable === 'string'
    ? (values[variable] ?? '')
    : optionalValue(`attribute.${variable.attribute}`, values);
}

/** Of a text that is split at its variables, the pieces at odd indices are the texts between braces. */
const isVariable = (index: number): boolean => index % 2 === 1;

/** Renders the subject for one person, in one line. */
export function renderSubject(template: string, values: MessageValues): string {
  const pieces = template
    .split(VARIABLE)
    .map((piece, index) => (isVariable(index) ? valueOf(piece, values) : piece));
  const filled = closeGaps(pieces).join('');
  return filled.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ').trim() || values.survey;
}

/** Variables that are addresses, so that a link can have them: `[Take part]({{link}})`. */
const isAddressVariable = (address: string): boolean => /^\{\{\s*(?:link|unsubscribe)\s*\}\}$/.test(address);

/**
 * Renders the message for one person, which can have Markdown; URLs become links. A line with only {{link}} becomes the button; without any
 * {{link}}, the button is added at the end. Values of variables are always plain text.
 */
export function renderMessage(template: string, values: MessageValues): EmailBlock[] {
  const blocks = template
    .replace(/\r\n?/g, '\n')
    .split(LINK_LINE)
    .flatMap((part, index): EmailBlock[] => [
      ...(index === 0 ? [] : [BUTTON]),
      ...parseBlocks(part, isAddressVariable).map((element) => ({
        kind: 'content' as const,
        element: fillElement(element, values),
      })),
    ]);
  const hasLink = /\{\{\s*link\s*\}\}/.test(template);
  return hasLink ? blocks : [...blocks, BUTTON];
}

function fillElement(element: MarkdownElement, values: MessageValues): MarkdownElement {
  const { href, children } = element;
  if (href === undefined)
    return { ...element, children: children.flatMap((child) => fillNode(child, values)) };
  const address = isAddressVariable(href) ? fillPlain(href, values) : fillAddress(href, values);
  return { ...element, href: address, children: [fillPlain(markdownToPlainText(children), values)] };
}

const fillNode = (node: MarkdownNode, values: MessageValues): MarkdownNode[] =>
  typeof node === 'string' ? fillText(node, values) : [fillElement(node, values)];

const fillAddress = (address: string, values: MessageValues): string =>
  address.replace(VARIABLE, (_whole, inner: string) => encodeURIComponent(valueOf(inner, values)));

const fillPlain = (text: string, values: MessageValues): string =>
  text.replace(VARIABLE, (_whole, inner: string) => valueOf(inner, values));

const link = (href: string, text = href): MarkdownElement => ({ tag: 'a', href, children: [text] });

/** Fills the variables of a text, and makes links of its URLs. */
function fillText(text: string, values: MessageValues): MarkdownNode[] {
  const nodes: MarkdownNode[] = [];
  let end = 0;
  for (const found of text.matchAll(ADDRESS)) {
    nodes.push(...fillVariables(text.slice(end, found.index), values), link(fillAddress(found[0], values)));
    end = found.index + found[0].length;
  }
  return joinTexts([...nodes, ...fillVariables(text.slice(end), values)]);
}

function fillVariables(text: string, values: MessageValues): MarkdownNode[] {
  const pieces = text.split(VARIABLE);
  const filled = closeGaps(
    pieces.map((piece, index) => (isVariable(index) ? valueOf(piece, values) : piece)),
  );
  return pieces.map((piece, index) => {
    const variable = isVariable(index) ? parseVariable(piece) : null;
    if (variable === 'link') return link(values.link);
    if (variable === 'unsubscribe') return link(values.unsubscribe, values.unsubscribeLabel);
    return filled[index] ?? '';
  });
}

/** `button`: the link to the survey, where the author placed it, or at the end. */
export type EmailBlock = { kind: 'content'; element: MarkdownElement } | { kind: 'button' };

const BUTTON: EmailBlock = { kind: 'button' };

/** The content of an invitation for one person, before rendering as text or HTML. All values are plain text. */
export interface InvitationEmail {
  /** A single line. */
  subject: string;
  blocks: EmailBlock[];
  surveyUrl: string;
  unsubscribeUrl: string;
  organization: string;
  /** The color of the survey. */
  button: { color: string; textColor: string };
  localized: LocalizedMessages;
}
