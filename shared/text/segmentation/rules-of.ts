// The sentence rules of each language.
import { dutchSentences, englishSentences, germanSentences } from './germanic.ts'
import type { SentenceRules } from './language.ts'
import { danishSentences, finnishSentences, norwegianSentences, swedishSentences } from './nordic.ts'
import {
  arabicSentences,
  armenianSentences,
  easternSentences,
  greekSentences,
  hindiSentences,
  hungarianSentences,
  kazakhSentences,
  persianSentences,
  turkishSentences,
  unknownSentences,
} from './others.ts'
import { frenchSentences, italianSentences, portugueseSentences, spanishSentences } from './romance.ts'
import { bulgarianSentences, czechSentences, polishSentences, russianSentences, slovakSentences, ukrainianSentences } from './slavic.ts'

/** By ISO 639-1 code. */
export const SENTENCE_RULES: Readonly<Record<string, SentenceRules>> = {
  en: englishSentences,
  de: germanSentences,
  nl: dutchSentences,
  fr: frenchSentences,
  es: spanishSentences,
  it: italianSentences,
  pt: portugueseSentences,
  ca: spanishSentences,
  gl: portugueseSentences,
  sv: swedishSentences,
  da: danishSentences,
  nb: norwegianSentences,
  nn: norwegianSentences,
  no: norwegianSentences,
  fi: finnishSentences,
  ru: russianSentences,
  be: russianSentences,
  uk: ukrainianSentences,
  bg: bulgarianSentences,
  pl: polishSentences,
  cs: czechSentences,
  sk: slovakSentences,
  tr: turkishSentences,
  az: turkishSentences,
  hu: hungarianSentences,
  el: greekSentences,
  hy: armenianSentences,
  kk: kazakhSentences,
  ar: arabicSentences,
  fa: persianSentences,
  ur: persianSentences,
  hi: hindiSentences,
  mr: hindiSentences,
  ne: hindiSentences,
  zh: easternSentences,
  ja: easternSentences,
  ko: easternSentences,
}

/** For a tag such as `de`, `pt-BR` or `en_GB`; the rules for unknown languages for any other. */
export function sentenceRulesOf(language: string): SentenceRules {
  const code = language.trim().toLowerCase().split(/[-_]/, 1)[0]!
  return Object.hasOwn(SENTENCE_RULES, code) ? SENTENCE_RULES[code]! : unknownSentences
}
