/**
 * What mails and the page for opting out say by themselves, in the languages of the respondent's page. `{n}` is the organization. The
 * default subject and message are templates (message-template.ts).
 */
const en = {
  default_subject: 'Invitation: {{survey}}',
  default_message:
    'Hello,\n\nyou are invited to take part in the survey “{{survey}}”. The link is for you only.\n\n{{link}}\n\nThank you for your time.',
  take_part: 'Take part',
  copy: 'Or copy this address into your browser:',
  why: 'You get this mail because {n} invites you to a survey.',
  unsubscribe: 'Do not write to me again',
  ask_title: 'No more mails?',
  ask_text: '{n} will not write to {m} any more, about this survey or any other.',
  ask_button: 'Do not write to me again',
  done_title: 'You will get no more mails',
  done_text: '{n} will not write to {m} any more.',
  undo_button: 'That was a mistake: do write to me',
  undone_title: 'You will get mails again',
  undone_text: '{n} may write to {m} about surveys.',
  unknown_title: 'There is nothing at this address',
  unknown_text: 'It may be incomplete. Please open the whole link in the mail.',
};
type InvitationMessages = Readonly<typeof en>;

const de: InvitationMessages = {
  default_subject: 'Einladung: {{survey}}',
  default_message:
    'Guten Tag,\n\nSie sind eingeladen, an der Umfrage „{{survey}}“ teilzunehmen. Der Link ist nur für Sie bestimmt.\n\n{{link}}\n\nVielen Dank für Ihre Zeit.',
  take_part: 'Zur Umfrage',
  copy: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
  why: 'Sie erhalten diese E-Mail, weil {n} Sie zu einer Umfrage einlädt.',
  unsubscribe: 'Keine weiteren E-Mails',
  ask_title: 'Keine E-Mails mehr?',
  ask_text: '{n} schreibt dann nicht mehr an {m}, weder zu dieser noch zu einer anderen Umfrage.',
  ask_button: 'Keine weiteren E-Mails',
  done_title: 'Sie erhalten keine E-Mails mehr',
  done_text: '{n} schreibt nicht mehr an {m}.',
  undo_button: 'Das war ein Versehen: bitte wieder schreiben',
  undone_title: 'Sie erhalten wieder E-Mails',
  undone_text: '{n} darf an {m} zu Umfragen schreiben.',
  unknown_title: 'Unter dieser Adresse gibt es nichts',
  unknown_text: 'Vielleicht ist sie unvollständig. Bitte öffnen Sie den ganzen Link in der E-Mail.',
};

const fr: InvitationMessages = {
  default_subject: 'Invitation : {{survey}}',
  default_message:
    'Bonjour,\n\nvous êtes invité(e) à répondre à l’enquête « {{survey}} ». Ce lien vous est réservé.\n\n{{link}}\n\nMerci pour votre temps.',
  take_part: 'Répondre à l’enquête',
  copy: 'Ou copiez cette adresse dans votre navigateur :',
  why: 'Vous recevez ce message parce que {n} vous invite à une enquête.',
  unsubscribe: 'Ne plus m’écrire',
  ask_title: 'Ne plus recevoir de messages ?',
  ask_text: '{n} n’écrira plus à {m}, ni pour cette enquête ni pour une autre.',
  ask_button: 'Ne plus m’écrire',
  done_title: 'Vous ne recevrez plus de messages',
  done_text: '{n} n’écrira plus à {m}.',
  undo_button: 'C’était une erreur : écrivez-moi de nouveau',
  undone_title: 'Vous recevrez de nouveau des messages',
  undone_text: '{n} peut écrire à {m} à propos d’enquêtes.',
  unknown_title: 'Il n’y a rien à cette adresse',
  unknown_text: 'Elle est peut-être incomplète. Veuillez ouvrir le lien entier du message.',
};

const es: InvitationMessages = {
  default_subject: 'Invitación: {{survey}}',
  default_message:
    'Hola:\n\nLe invitamos a participar en la encuesta «{{survey}}». El enlace es solo para usted.\n\n{{link}}\n\nGracias por su tiempo.',
  take_part: 'Participar',
  copy: 'O copie esta dirección en su navegador:',
  why: 'Recibe este correo porque {n} le invita a una encuesta.',
  unsubscribe: 'No escribirme más',
  ask_title: '¿No recibir más correos?',
  ask_text: '{n} no volverá a escribir a {m}, ni por esta encuesta ni por otra.',
  ask_button: 'No escribirme más',
  done_title: 'No recibirá más correos',
  done_text: '{n} no volverá a escribir a {m}.',
  undo_button: 'Fue un error: vuelvan a escribirme',
  undone_title: 'Volverá a recibir correos',
  undone_text: '{n} puede escribir a {m} sobre encuestas.',
  unknown_title: 'No hay nada en esta dirección',
  unknown_text: 'Puede que esté incompleta. Abra el enlace entero del correo.',
};

const pt: InvitationMessages = {
  default_subject: 'Convite: {{survey}}',
  default_message:
    'Olá,\n\nvocê está convidado(a) a participar da pesquisa “{{survey}}”. O link é só para você.\n\n{{link}}\n\nObrigado pelo seu tempo.',
  take_part: 'Participar',
  copy: 'Ou copie este endereço no seu navegador:',
  why: 'Você recebe este e-mail porque {n} convida você para uma pesquisa.',
  unsubscribe: 'Não me escrever mais',
  ask_title: 'Não receber mais e-mails?',
  ask_text: '{n} não escreverá mais para {m}, nem sobre esta pesquisa nem sobre outra.',
  ask_button: 'Não me escrever mais',
  done_title: 'Você não receberá mais e-mails',
  done_text: '{n} não escreverá mais para {m}.',
  undo_button: 'Foi um engano: voltem a me escrever',
  undone_title: 'Você voltará a receber e-mails',
  undone_text: '{n} pode escrever para {m} sobre pesquisas.',
  unknown_title: 'Não há nada neste endereço',
  unknown_text: 'Ele pode estar incompleto. Abra o link inteiro do e-mail.',
};

const ar: InvitationMessages = {
  default_subject: 'دعوة: {{survey}}',
  default_message:
    'مرحبًا،\n\nندعوك إلى المشاركة في استطلاع «{{survey}}». هذا الرابط مخصص لك وحدك.\n\n{{link}}\n\nشكرًا لوقتك.',
  take_part: 'المشاركة في الاستطلاع',
  copy: 'أو انسخ هذا العنوان إلى متصفحك:',
  why: 'تصلك هذه الرسالة لأن {n} تدعوك إلى استطلاع.',
  unsubscribe: 'لا تراسلوني بعد الآن',
  ask_title: 'إيقاف الرسائل؟',
  ask_text: 'لن تراسل {n} العنوان {m} بعد الآن، لا بشأن هذا الاستطلاع ولا غيره.',
  ask_button: 'لا تراسلوني بعد الآن',
  done_title: 'لن تصلك رسائل أخرى',
  done_text: 'لن تراسل {n} العنوان {m} بعد الآن.',
  undo_button: 'كان ذلك خطأ: راسلوني من جديد',
  undone_title: 'ستصلك الرسائل من جديد',
  undone_text: 'يمكن لـ {n} مراسلة العنوان {m} بشأن الاستطلاعات.',
  unknown_title: 'لا يوجد شيء على هذا العنوان',
  unknown_text: 'قد يكون ناقصًا. يرجى فتح الرابط كاملًا من الرسالة.',
};

const DICTIONARIES: ReadonlyMap<string, InvitationMessages> = new Map(
  Object.entries({ en, de, fr, es, pt, ar }),
);

export interface LocalizedMessages {
  language: string;
  direction: 'ltr' | 'rtl';
  messages: InvitationMessages;
}

/** In the first of these languages that there are words in, ignoring regions; English where there are none. */
export function messagesFor(...languages: (string | null)[]): LocalizedMessages {
  for (const language of [...languages, 'en']) {
    const base = language?.toLowerCase().split('-')[0] ?? '';
    const words = DICTIONARIES.get(base);
    if (words !== undefined)
      return { language: base, direction: base === 'ar' ? 'rtl' : 'ltr', messages: words };
  }
  return { language: 'en', direction: 'ltr', messages: en };
}

/** Fills in {n} and {m}. */
export const fillMessage = (words: string, organization: string, address = ''): string =>
  words.replace(/\{([nm])\}/g, (_match, placeholder) => (placeholder === 'n' ? organization : address));
