/** Of texts with Markdown. */
const FORMAT = 'Format: **bold**, _italic_, [link](https://…), # heading, - list.';

/** Texts of the settings of a survey. Not part of `texts`, which every page loads. */
export const surveySettingsTexts = {
  title: 'Survey settings',
  name: 'Survey name',
  nameHint:
    'The name of the project in this studio. Respondents see it too, unless there is a title for them.',
  respondentTitle: 'Title for respondents',
  respondentTitleHint:
    'Shown on the page, in its tab, in shared links and invitations. Leave empty to use the survey name.',
  description: 'Description',
  descriptionHint: 'Respondents see it below the title. Leave empty for none.',
  defaultLanguage: 'Language of the questions',
  commonLanguages: ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'sv', 'tr', 'ar', 'zh'],
  languages: 'Further languages',
  languagesHint:
    'Language codes separated by commas, such as de, fr, or choose them below. You translate the texts under “Translate”.',
  addLanguage: 'Add a language…',
  color: 'Color',
  colorHint: 'Color of buttons and bars, such as #2563eb. Leave empty for the color of Canvass.',
  pickColor: 'Pick from a palette',
  layout: 'Layout',
  layouts: { pages: 'Page by page', one_question: 'One question at a time' },
  layoutHint:
    'One question at a time shows each question on a screen of its own, with keys for the answers. Logic and data are the same in both.',
  showProgress: 'Show a progress bar',
  showPageNumber: 'Show numbers, such as “Page 2 of 6”',
  allowBack: 'Allow going back',
  messages: {
    completion_message: 'Message at the end',
    screened_out_message: 'Message after a screen-out',
    closed_message: 'Message when the survey is closed',
    over_quota_message: 'Message when a quota is full',
    consent_text: 'Consent before the first page',
  },
  messageHints: {
    completion_message: `Leave empty for a short thank-you. ${FORMAT}`,
    screened_out_message: `Leave empty for a short thank-you. ${FORMAT}`,
    closed_message: `Leave empty for a standard text. ${FORMAT}`,
    over_quota_message: `Leave empty for a standard text. ${FORMAT}`,
    consent_text: `Leave empty to ask for no consent. ${FORMAT}`,
  },
  groups: { welcome: 'Welcome page', end: 'End page', sharing: 'Icon and shared links' },
  groupLabels: {
    welcome_title: 'Heading of the welcome page',
    welcome_text: 'Text of the welcome page',
    welcome_image: 'Image of the welcome page',
    welcome_image_alt: 'What the welcome image shows',
    welcome_minutes: 'Minutes that the survey takes',
    welcome_button: 'Button of the welcome page',
    end_title: 'Heading of the end page',
    end_image: 'Image of the end page',
    end_image_alt: 'What the image at the end shows',
    end_button: 'Button of the end page',
    end_url: 'Web address of the button',
    icon: 'Icon of the browser tab',
    share_description: 'Text for shared links',
    share_image: 'Image for shared links',
  },
  groupHints: {
    welcome_title: 'Respondents see the welcome page first if it has a heading, a text or an image.',
    welcome_text: `Leave empty to use the description. ${FORMAT}`,
    welcome_image: 'A web address, or upload an image.',
    welcome_image_alt: 'Read to people who cannot see it. Leave empty if the image is only decoration.',
    welcome_minutes: 'Leave empty to show no duration.',
    welcome_button: 'Leave empty for “Start”.',
    end_title: 'Leave empty for “Thank you!”.',
    end_image: 'A web address, or upload an image.',
    end_image_alt: 'Read to people who cannot see it. Leave empty if the image is only decoration.',
    end_button: 'Leave empty for “Continue”.',
    end_url: 'Leave empty for no button. Respondents who are redirected do not see it.',
    icon: 'A square image.',
    share_description:
      'Messengers and social networks show it below the title. Leave empty to use the description.',
    share_image: 'Leave empty to use the image of the welcome page.',
  },
  redirectUrl: 'Web address after the end',
  redirectHint: 'Respondents continue there. Leave empty to keep them on the last page.',
  hiddenValues: 'Values from the link to store',
  hiddenValuesHint:
    'Names separated by commas, such as source, campaign. Responses then store “panel” from a link that ends in ?source=panel. Values that logic, texts or quotas use are always stored.',
  save: 'Save settings',
  saved: 'Settings saved. Respondents get them with the next published version.',
} as const;

export const privacyTexts = {
  title: 'Privacy, time zone and sender',
  anonymous: 'Anonymous',
  anonymousAbout:
    'Responses are stored without the address, device and name of the person, and with the day instead of the time. You cannot switch this off once there are responses.',
  confidential: 'Confidential figures',
  confidentialAbout:
    'Clients and viewers of public dashboards see rounded figures, and no small groups. Members of the workspace see everything.',
  minBase: 'Smallest group shown',
  minBaseHint: 'Number of respondents, from 3 to 1,000. Applies to confidential figures.',
  timezone: 'Time zone',
  timezoneAbout: 'Days in results, waves and closing times follow it.',
  senderName: 'Sender name of invitations',
  senderNameHint: 'For example the name of your institute. The email address is that of the installation.',
} as const;
