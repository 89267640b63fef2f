/**
 * The fixed texts of emails and of the unsubscribe page, in the languages of the respondent page. `{n}` is the organization, `{m}` the
 * email address. The default subject and message are templates (message-template.ts).
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
