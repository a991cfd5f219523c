// Units after a number, and what a price or a rate is for. Pure.
import { endsSentence } from '#shared/text/segmentation/borders.ts'
import { sayCounted } from '../amounts.ts'
import type { Language, Noun } from '../language.ts'
import { matchAt, type Replacement } from '../match.ts'

const UNIT = /[ \u00a0\u202f]?([%‰¢]|[°º][CFС]?|[µμ]?\p{L}{1,5}(?:\/\p{L}{1,3})?[²³]?)(?![\p{L}\p{M}])/uy
const POWER = /[23](?![\p{L}\p{N}])/uy
const RATE = /[ \u00a0\u202f]?\/[ \u00a0\u202f]?(\p{L}{1,12}[²³]?)(?![\p{L}\p{M}\d/])/uy

/** The unit at `at`: by its usual letters, by others ("12 KG", "2 kwh"), or with a figure for its power ("12 cm2"). Null for another word. */
export function unitAt(text: string, at: number, { units, sentences }: Language): { readonly noun: Noun; readonly end: number } | null {
  const found = matchAt(UNIT, text, at)
  if (!found) return null
  const written = found[1]!.replace('º', '°').replace('μ', 'µ')
  const power = /^\p{L}{1,3}$/u.test(written) ? matchAt(POWER, text, at + found[0].length) : null
  const name = power ? `${written}${power[0] === '2' ? '²' : '³'}` : written
  const noun = Object.hasOwn(units, name)
    ? units[name]
    : ANY_CASE_UNIT.test(name) && !MEGABIT.test(name)
      ? inAnyCase(units).get(name.toLowerCase())
      : undefined
  if (!noun) return null
  const end = at + found[0].length + (power?.[0].length ?? 0)
  const hasOwnStop = text[end] === '.' && Object.hasOwn(units, `${name}.`) && !endsSentence(text, end, sentences)
  return { noun, end: hasOwnStop ? end + 1 : end }
}

const ANY_CASE = new WeakMap<Language['units'], ReadonlyMap<string, Noun>>()
/** Megabits and their like, which are not megabytes. */
const MEGABIT = /^[MKGT]b$/
/** Names that are found in any case. Others of two letters are words as well, as "to" beside the French To. */
const ANY_CASE_UNIT = /^(?:[kcm]m|[km]g|ml|[kmgt]b|kwh?|[mk]v|[kmg]?hz|[kmg]bps|km\/h|mph|dba?)$/iu
/** Units by their small letters, where those stand for one unit only. */
function inAnyCase(units: Language['units']): ReadonlyMap<string, Noun> {
  const known = ANY_CASE.get(units)
  if (known) return known
  const found = new Map<string, Noun>()
  const twice = new Set<string>()
  for (const [name, noun] of Object.entries(units)) {
    const small = name.toLowerCase()
    const earlier = found.get(small)
    if (earlier && earlier.many !== noun.many) twice.add(small)
    found.set(small, noun)
  }
  for (const small of twice) found.delete(small)
  ANY_CASE.set(units, found)
  return found
}

/** "… per month": a slash and a unit or a word after a sum or a measure. */
export function withRate(text: string, said: Replacement, language: Language): Replacement {
  const found = matchAt(RATE, text, said.end)
  if (!found) return said
  const name = found[1]!
  const thing = Object.hasOwn(language.rates, name)
    ? language.rates[name]!
    : Object.hasOwn(language.units, name)
      ? language.units[name]!.one
      : name.length > 2
        ? name
        : null
  return thing === null ? said : { words: `${said.words} ${language.say.per} ${thing}`, end: said.end + found[0].length }
}

/** A unit behind a slash, without one before it: "12/kg", "4,51/s". */
export function perUnit(text: string, at: number, language: Language): Replacement | null {
  const found = matchAt(RATE, text, at)
  const noun = found && Object.hasOwn(language.units, found[1]!) ? language.units[found[1]!]! : null
  return found && noun ? { words: `${language.say.per} ${noun.one}`, end: at + found[0].length } : null
}

/** A fraction with the unit that it counts, in the plural or in the form behind parts. */
export function withUnit(text: string, said: Replacement, language: Language): Replacement {
  const unit = unitAt(text, said.end, language)
  return unit ? { words: `${said.words} ${unit.noun.part ?? unit.noun.many}`, end: unit.end } : said
}

const DURATION = /(\d{1,3}) ?(?:h|hr|hrs|hours?) ?(\d{1,2}) ?(?:m|min|mins)(?: ?(\d{1,2}) ?s(?:ec|eg)?)?(?![\p{L}\p{M}\d])/uy
/** Hours, minutes and seconds with their letters: "3h 20m", "1h02m05s". Null without minutes. */
export function sayDuration(text: string, at: number, language: Language): Replacement | null {
  const found = matchAt(DURATION, text, at)
  if (!found) return null
  const parts = (['h', 'min', 's'] as const).flatMap((unit, index) => {
    const digits = found[index + 1]
    if (digits === undefined) return []
    return [sayCounted({ whole: String(Number(digits)), decimals: '', isGrouped: false }, language.units[unit]!, language)]
  })
  return { words: parts.join(', '), end: at + found[0].length }
}
