/** Names of a language in the packages. */
export interface PackagedNames {
  lexicon?: string;
  stemmer?: string;
  stopwords?: string;
}

/** `language lexicon stemmer stopwords`, the language in ISO 639-1; a dash: the package does not support it. */
const TABLE = `
  af af - afr
  ar ar arabic ara
  az az - -
  be be - -
  bg bg - bul
  bn bn - ben
  ca ca catalan cat
  cs cs czech ces
  da da danish dan
  de de german deu
  el el - ell
  en en english eng
  es es spanish spa
  et et - est
  eu eu basque eus
  fa fa - fas
  fi fi finnish fin
  fr fr french fra
  gl gl - glg
  gu gu - guj
  he iw - heb
  hi hi - hin
  hr hr - hrv
  hu hu hungarian hun
  hy hy armenian hye
  id id - ind
  is is - -
  it it italian ita
  ja ja - jpn
  ka ka - -
  kn kn - -
  ko ko - kor
  ku ku - kur
  lo lo - -
  lt lt - lit
  lv lv - lav
  ml ml - -
  mr mr - mar
  ms ms - msa
  nl nl dutch nld
  no no norwegian nob
  pa pa - panGu
  pl pl - pol
  pt pt portuguese por
  ro ro romanian ron
  ru ru russian rus
  sk sk - slk
  sl sl slovene slv
  sq sq - -
  sr sr - -
  sv sv swedish swe
  sw sw - swa
  ta ta tamil -
  te te - -
  th th - tha
  tl tl - tgl
  tr tr turkish tur
  uk uk - ukr
  ur ur - urd
  vi vi - vie
  yo yo - yor
  zh zh - zho
`;

export const PACKAGED_NAMES: ReadonlyMap<string, PackagedNames> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [language, lexicon, stemmer, stopwords] = line
        .trim()
        .split(' ')
        .map((name) => (name === '-' ? undefined : name));
      return [
        language!,
        {
          ...(lexicon !== undefined && { lexicon }),
          ...(stemmer !== undefined && { stemmer }),
          ...(stopwords !== undefined && { stopwords }),
        },
      ];
    }),
);
