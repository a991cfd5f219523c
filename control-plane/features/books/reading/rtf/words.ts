// Tables of RTF: characters that have names, and groups that are not the text. Pure.

/** Control word or symbol -> text. */
export const CHARACTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ tab: '\t', emdash: '—', endash: '–', emspace: ' ', enspace: ' ', qmspace: ' ', bullet: '•', lquote: '‘', rquote: '’' },
    ...{ ldblquote: '“', rdblquote: '”', zwj: '\u200d', zwnj: '\u200c', ltrmark: '\u200e', rtlmark: '\u200f' },
    ...{ '~': '\u00a0', '-': '\u00ad', _: '\u2011', '{': '{', '}': '}', '\\': '\\' },
  }),
)

/** Groups whose text is not read. One that begins with a star and is unknown is not read either. */
export const UNREAD: ReadonlySet<string> = new Set(
  'colortbl filetbl listtable listoverridetable revtbl rsidtbl generator header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn nonshppict objdata private tc tcn xe rxe bxe txe shprslt fldinst nonesttables sp template keywords doccomm operator company manager category comment subject hlinkbase creatim revtim printim buptim userprops bkmkstart bkmkend pntxta pntxtb'.split(
    ' ',
  ),
)
/** Groups without text of their own, in which there are others that have some. */
export const QUIET: ReadonlySet<string> = new Set(['info', 'shppict', 'shpinst', 'do', 'upr'])

/** Number of a language of Windows, without its country -> code. */
const LANGUAGES: Readonly<Record<number, string>> = {
  ...{ 1: 'ar', 2: 'bg', 3: 'ca', 4: 'zh', 5: 'cs', 6: 'da', 7: 'de', 8: 'el', 9: 'en', 10: 'es', 11: 'fi', 12: 'fr', 13: 'he', 14: 'hu' },
  ...{ 16: 'it', 17: 'ja', 18: 'ko', 19: 'nl', 20: 'no', 21: 'pl', 22: 'pt', 24: 'ro', 25: 'ru', 26: 'hr', 27: 'sk', 29: 'sv', 30: 'th' },
  ...{ 31: 'tr', 33: 'id', 34: 'uk', 36: 'sl', 37: 'et', 38: 'lv', 39: 'lt', 41: 'fa', 42: 'vi', 57: 'hi' },
}
const COUNTRY_BITS = 0x3ff
/** Null for no language, or an unknown one. */
export const languageOfId = (number: number): string | null => LANGUAGES[number & COUNTRY_BITS] ?? null
