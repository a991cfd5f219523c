// The sentence rules of each language.
import { dutch, english, german } from './germanic.ts'
import type { SentenceRules } from './language.ts'
import { danish, finnish, norwegian, swedish } from './nordic.ts'
import { arabic, armenian, eastern, greek, hindi, hungarian, kazakh, persian, turkish, unknown } from './others.ts'
import { french, italian, portuguese, spanish } from './romance.ts'
import { bulgarian, czech, polish, russian, slovak, ukrainian } from './slavic.ts'

/** By ISO 639-1 code. */
export const SENTENCE_RULES: Readonly<Record<string, SentenceRules>> = {
  en: english,
  de: german,
  nl: dutch,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  ca: spanish,
  gl: portuguese,
  sv: swedish,
  da: danish,
  nb: norwegian,
  nn: norwegian,
  no: norwegian,
  fi: finnish,
  ru: russian,
  be: russian,
  uk: ukrainian,
  bg: bulgarian,
  pl: polish,
  cs: czech,
  sk: slovak,
  tr: turkish,
  az: turkish,
  hu: hungarian,
  el: greek,
  hy: armenian,
  kk: kazakh,
  ar: arabic,
  fa: persian,
  ur: persian,
  hi: hindi,
  mr: hindi,
  ne: hindi,
  zh: eastern,
  ja: eastern,
  ko: eastern,
}

/** For a tag such as `de`, `pt-BR` or `en_GB`; the rules for unknown languages for any other. */
export function sentenceRulesOf(language: string): SentenceRules {
  const code = language.trim().toLowerCase().split(/[-_]/, 1)[0]!
  return Object.hasOwn(SENTENCE_RULES, code) ? SENTENCE_RULES[code]! : unknown
}
