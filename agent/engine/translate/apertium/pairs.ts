// The installed language pairs of Apertium: one mode file each, named by three-letter codes. Pure.
import { languageOf } from '#agent/engine/translate/languages.ts'

/** ISO 639-3, used by Apertium, to ISO 639-1, used in requests. */
const SHORT_CODES: Readonly<Record<string, string>> = {
  afr: 'af',
  ara: 'ar',
  arg: 'an',
  ast: 'ast',
  bel: 'be',
  bre: 'br',
  bul: 'bg',
  cat: 'ca',
  cym: 'cy',
  dan: 'da',
  eng: 'en',
  epo: 'eo',
  eus: 'eu',
  fra: 'fr',
  glg: 'gl',
  hbs: 'sh',
  hin: 'hi',
  ind: 'id',
  isl: 'is',
  ita: 'it',
  kaz: 'kk',
  mkd: 'mk',
  mlt: 'mt',
  nld: 'nl',
  nno: 'nn',
  // Norwegian without further detail is usually Bokmål.
  no: 'nb',
  nob: 'nb',
  oci: 'oc',
  pol: 'pl',
  por: 'pt',
  ron: 'ro',
  rus: 'ru',
  slv: 'sl',
  spa: 'es',
  srd: 'sc',
  swe: 'sv',
  tat: 'tt',
  ukr: 'uk',
  urd: 'ur',
  zlm: 'ms',
}

/** `sh` has pairs here, although it is no longer a current code. */
const IN_USE: ReadonlySet<string> = new Set(Object.values(SHORT_CODES))

export type LanguagePair = { readonly mode: string; readonly source: string; readonly target: string }
const CODE = /^[a-z]{2,3}$/

export const shortCode = (language: string): string => {
  const code = language.trim().toLowerCase().split(/[-_]/)[0]!
  return SHORT_CODES[code] ?? (IN_USE.has(code) ? code : languageOf(code))
}

/** `files`: names of mode files, such as `eng-spa.mode`. Modes of a region or of a single stage are skipped. */
export function parsePairs(files: readonly string[]): LanguagePair[] {
  return files
    .flatMap((file): LanguagePair[] => {
      const mode = file.endsWith('.mode') ? file.slice(0, -5) : ''
      const [source = '', target = '', more] = mode.split('-')
      return CODE.test(source) && CODE.test(target) && more === undefined
        ? [{ mode, source: shortCode(source), target: shortCode(target) }]
        : []
    })
    .sort((left, right) => (left.mode < right.mode ? -1 : 1))
}

/** The model name of a pair, such as `en-es`. */
export const pairName = ({ source, target }: LanguagePair): string => `${source}-${target}`

export const findPair = (pairs: readonly LanguagePair[], source: string, target: string): LanguagePair | undefined =>
  pairs.find((pair) => pair.source === shortCode(source) && pair.target === shortCode(target))
