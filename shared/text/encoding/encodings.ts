// The encodings of texts. Plain data.

/** Names of the encodings that are recognised and can be chosen: those of the Encoding Standard. The usual ones are first. */
export const TEXT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'koi8-r',
  'koi8-u',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-15',
  'ibm866',
  'macintosh',
  'x-mac-cyrillic',
] as const
export type TextEncoding = (typeof TEXT_ENCODINGS)[number]

const WESTERN = 'en fr de es pt it ca nl da no sv fi is et sq'
const CENTRAL = 'cs sk pl hu hr sl ro sq de'
const CYRILLIC = 'ru uk be bg sr mk'
const NATIVE: { readonly [E in TextEncoding]?: string } = {
  ...{ 'windows-1252': WESTERN, macintosh: WESTERN, 'iso-8859-15': WESTERN },
  ...{ 'windows-1250': CENTRAL, 'iso-8859-2': CENTRAL },
  ...{
    'windows-1251': CYRILLIC,
    'koi8-r': 'ru bg',
    'koi8-u': 'uk ru be',
    ibm866: 'ru uk be bg',
    'iso-8859-5': CYRILLIC,
    'x-mac-cyrillic': CYRILLIC,
  },
  ...{ 'windows-1253': 'el', 'iso-8859-7': 'el', 'windows-1254': 'tr', 'windows-1255': 'he', 'iso-8859-8': 'he' },
  ...{ 'windows-1256': 'ar fa', 'iso-8859-6': 'ar', 'windows-1257': 'lt lv et', 'windows-1258': 'vi', 'windows-874': 'th' },
  ...{ shift_jis: 'ja', 'euc-jp': 'ja', gb18030: 'zh', big5: 'zh', 'euc-kr': 'ko' },
}
/** The languages that are written in an encoding; null for all. */
export const languagesIn = (encoding: TextEncoding): readonly string[] | null => NATIVE[encoding]?.split(' ') ?? null
