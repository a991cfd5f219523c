// The tables and functions that a language provides to the normaliser.
import type { SentenceRules } from '../segmentation/language.ts'
import type { Replacement } from './match.ts'

/** Grammatical gender of the counted noun. */
export type Gender = 'm' | 'f' | 'n'
/** `few` and `part`: after 2 to 4, and after decimals, in languages with more than two forms. */
export type Noun = {
  readonly one: string
  readonly many: string
  readonly gender: Gender
  readonly few?: string
  readonly part?: string
}
export type NounForm = 'one' | 'few' | 'many' | 'part'

/** `whole` has digits only; `decimals` is '' for an integer. */
export type Amount = { readonly whole: string; readonly decimals: string; readonly isGrouped: boolean }
/** `isDayFirst`: true if the text has the day before the month. */
export type DayDate = { readonly day: number; readonly month: number; readonly year: number | null; readonly isDayFirst?: boolean }
export type TimeOfDay = { readonly hours: number; readonly minutes: number; readonly seconds: number | null }

export type Language = {
  /** Cardinal of an integer below MAX_CARDINAL. */
  readonly cardinal: (value: number, gender?: Gender) => string
  readonly ordinal: (value: number, gender?: Gender) => string
  /** Words of an integer with four digits that stands alone. */
  readonly year: (value: number) => string
  readonly decimalMark: '.' | ','
  /** True if a full stop inside a number that is no mark of groups is read as a decimal mark, as in "3.5". */
  readonly hasDecimalPoint?: boolean
  /**
   * The language with its numbers and counted nouns in the case that a word before them asks for; null for the usual case. `before`: the end of
   * the text before the number, in lower case; `after`: the text from the number.
   */
  readonly inCase?: (before: string, after: string) => Language | null
  /** Form of a noun behind an amount; absent: `one` behind 1, `many` behind others. */
  readonly formFor?: (amount: Amount) => NounForm
  /** Words of a number with decimals; null for the usual form: the whole, a word for the mark, the decimals. */
  readonly decimal?: (whole: string, decimals: string) => string | null
  /** Characters between groups of three digits. */
  readonly groupMarks: string
  /** True if decimals are read as a number where possible, instead of digit by digit. */
  readonly readsDecimalsAsNumber: boolean
  /** Marks of dates in figures whose year is short or missing; absent: a full stop and a slash. */
  readonly dateMarks?: string
  /** Day of a month that is named further on, as in "1–15 czerwca" and "с 1 по 15 июня"; absent: a cardinal. */
  readonly dayOfMonth?: (day: number) => string
  /** The order of a date in figures with slashes. */
  readonly dateOrder: 'mdy' | 'dmy'
  /** A street address that starts with its number; absent in languages that put it last. */
  readonly address?: (text: string, at: number) => Replacement | null
  readonly say: {
    readonly point: string
    readonly minus: string
    readonly to: string
    /** Between the parts of a score or a ratio. */
    readonly ratio: string
    readonly plus: string
    /** Between the sides of an area: "3 x 4 m". */
    readonly by: string
    /** Before the thing or the time that a price or a rate is for. */
    readonly per: string
    /** Between the parts of a version or an address. */
    readonly dot: string
    readonly over: string
    readonly and: string
    /** Between the units of a currency and its hundredths; '' for none. */
    readonly moneyAnd: string
    /** Between a scale such as "millions" and a noun. */
    readonly ofScale: (noun: string) => string
  }
  readonly telephone: {
    /** Matches a text that ends with a word which announces a number. */
    readonly before: RegExp
    /** Groups of a local number that no word announces, such as 555-0148; null if the language has none. Sticky. */
    readonly local: RegExp | null
    /** True if a country code of two digits is read as a number. */
    readonly readsCountryAsNumber: boolean
  }
  /** Words of the marks of addresses, and of @ and # before a name. */
  readonly marks: Readonly<Record<string, string>>
  /** Words of signs before a number, such as § and ±. */
  readonly signs: Readonly<Record<string, string>>
  /** Words of signs between numbers. */
  readonly operators: Readonly<Record<string, string>>
  readonly date: (date: DayDate, before: string) => string
  /** Words before a day and a month in figures without a year, in lower case. */
  readonly dateWords: ReadonlySet<string>
  /** Word for the year behind the year of a date, which the words of the date have already. Sticky. */
  readonly yearMark?: RegExp
  /** `before`: the end of the text before the time, in lower case. */
  readonly time: (time: TimeOfDay, before: string) => string
  /** Words for "a.m." and "p.m."; null if the language counts to 24. */
  readonly halfDay: { readonly a: string; readonly p: string } | null
  /** Hour before a half of the day. */
  readonly hourOnly: (hours: number) => string
  /** Minutes after the hour by another mark than a colon, as in "14h30": hours, minutes. Sticky. */
  readonly timeForm: RegExp | null
  /** Words before a time whose minutes follow a full stop, as in "alle 8.30"; in lower case. */
  readonly timeWords?: ReadonlySet<string>
  /** Word for the hour after a time in figures, which the words of the time have already. Sticky. */
  readonly hourMark: RegExp | null
  /** Null if the language has no short form for this fraction. */
  readonly fraction: (numerator: number, denominator: number) => string | null
  /** A whole number with a fraction, where it is one word, as in "eineinhalb"; null for the usual form. */
  readonly mixed?: (whole: string, fraction: string) => string | null
  /** The suffix of an ordinal in figures, and the gender that it marks. Sticky, one group. */
  readonly ordinalMark: RegExp | null
  readonly genderOfMark: (mark: string) => Gender
  /** Words of a number with its mark, where the mark has a case or is the rest of a compound; null for no such word. */
  readonly ofMark?: (value: number, mark: string) => string | null
  /** Nouns that make ordinals of the numbers and roman numerals before them, such as years and centuries. */
  readonly ordinalNoun?: {
    /** Sticky, with the blank; one group for the noun as it is written. */
    readonly form: RegExp
    /** Ordinal and noun in the case that the noun and the word before have; null for a counted noun. */
    readonly say: (value: number, noun: string, before: string) => readonly [ordinal: string, noun: string] | null
  }
  /** Lower-case names and short forms of months without full stop, numbered from 1. */
  readonly months: ReadonlyMap<string, number>
  /** True if names of months have a capital. */
  readonly capitalMonths: boolean
  /** By code, such as EUR: the unit and its hundredth; null without hundredths. */
  readonly currencies: Readonly<Record<string, readonly [Noun, Noun | null]>>
  /** Codes of currencies by their short forms in letters, such as "zł". */
  readonly currencyMarks?: Readonly<Record<string, string>>
  /** Scales that follow a sum: as written -> as spoken in the plural, or a noun that agrees with the sum. */
  readonly scales: Readonly<Record<string, string | Noun>>
  readonly scaleGender: Gender
  /** A key with a full stop beside one without: the full stop belongs to the unit. */
  readonly units: Readonly<Record<string, Noun>>
  /** Short forms of times and things after a slash, as in "$20/mo". */
  readonly rates: Readonly<Record<string, string>>
  /** Keys have no final full stop. */
  readonly abbreviations: {
    /** Abbreviations before a name: a blank and a capital. */
    readonly name: Readonly<Record<string, string>>
    /** Abbreviations before a blank and a digit. */
    readonly number: Readonly<Record<string, string>>
    /** Abbreviations before a blank, a closing mark or the end. */
    readonly any: Readonly<Record<string, string>>
    /** Keys that are also used without a full stop. */
    readonly bare: ReadonlySet<string>
    /** Abbreviations with a slash or a hyphen inside, such as "t/m". */
    readonly tied?: Readonly<Record<string, string>>
    /** Forms of spoken words behind a word such as a preposition: word -> word before -> form. */
    readonly forms?: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  /** Short forms with a slash before a blank, such as "w/". */
  readonly slashed?: Readonly<Record<string, string>>
  /** Words of a number of four digits behind the name of a product, such as "RTX 4090"; null behind other words. */
  readonly productNumber?: (name: string, value: number) => string | null
  /** Decides whether the full stop of an abbreviation also ends its sentence. */
  readonly sentences: SentenceRules
  /** Names of rulers, before a roman numeral. */
  readonly regnalNames: ReadonlySet<string>
  readonly regnal: (value: number, name: string) => string
  /** Words before a roman numeral, such as "Chapter", in lower case; a gender is the one of its ordinal. */
  readonly chapterWords: Readonly<Record<string, 'cardinal' | 'ordinal' | Gender>>
  /** A roman numeral with an ordinal suffix, as in "XIXe". Sticky, one group for the numeral. */
  readonly romanOrdinal: RegExp | null
  /** An ordinal that a full stop marks after this word, as in "der 3. Platz"; null if it marks none. */
  readonly stopOrdinal: ((value: number, before: string, next: string) => string | null) | null
  /** The gender of a counted noun by its form behind `value`; undefined if that is unclear or has no effect. */
  readonly genderOf: (noun: string, value: number) => Gender | undefined
  /** True if "I" is a word, so that it is a numeral only before a mark or the end. */
  readonly isIWord: boolean
  /** A decade such as "1990s" or "90er"; null if the language writes none. */
  readonly decade: {
    /** Sticky, one group. */
    readonly form: RegExp
    /** Words before two digits that make them seconds; null if the form has no other meaning. */
    readonly notAfter: ReadonlySet<string> | null
    readonly say: (year: string) => string
  } | null
}

/** Cardinals have fewer digits than this; longer numbers are read digit by digit. */
export const MAX_CARDINAL_DIGITS = 15

/** 'kilometre|kilometres', 'hora|horas|f', or one form for both numbers. */
export function noun(forms: string): Noun {
  const [one = '', many, gender] = forms.split('|')
  return { one, many: many || one, gender: gender === 'f' || gender === 'n' ? gender : 'm' }
}

export const nouns = (table: Readonly<Record<string, string>>): Readonly<Record<string, Noun>> =>
  Object.fromEntries(Object.entries(table).map(([key, forms]) => [key, noun(forms)]))

/**
 * 'gram|gramy|gramów|grama|m': one, few, many, part, gender. Without `part` it is `few`, with one form it is every form, and without a gender
 * the end of the first word decides.
 */
export function inflectedNoun(forms: string): Noun {
  const [one = '', second, third, fourth, gender] = forms.split('|')
  const few = second || one
  const head = one.split(' ', 1)[0]!
  const byEnd = /[aая]$/.test(head) ? 'f' : /[oое]$/.test(head) ? 'n' : 'm'
  return { one, few, many: third || few, part: fourth || few, gender: gender === 'm' || gender === 'f' || gender === 'n' ? gender : byEnd }
}

export const inflectedNouns = (table: Readonly<Record<string, string>>): Readonly<Record<string, Noun>> =>
  Object.fromEntries(Object.entries(table).map(([key, forms]) => [key, inflectedNoun(forms)]))

/** 'EUR': ['euro|euros', 'cent|cents'] by code. */
export const currencies = (table: Readonly<Record<string, readonly [string, string?]>>): Language['currencies'] =>
  Object.fromEntries(
    Object.entries(table).map(([code, [unit, hundredth]]) => [code, [noun(unit), hundredth === undefined ? null : noun(hundredth)]]),
  )

export const inflectedCurrencies = (table: Readonly<Record<string, readonly [string, string?]>>): Language['currencies'] =>
  Object.fromEntries(
    Object.entries(table).map(([code, [unit, hundredth]]) => [
      code,
      [inflectedNoun(unit), hundredth === undefined ? null : inflectedNoun(hundredth)],
    ]),
  )

/** Months in order, each with its short forms: 'january jan|february feb|…'. */
export const monthNames = (list: string): ReadonlyMap<string, number> =>
  new Map(list.split('|').flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])))

/** A table from 'Dr=Doctor|St=Saint'. */
export const pairs = (list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(list.split('|').map((pair) => pair.split('=') as [string, string]))

/** A table of forms from 'o po=godzinie|od do=godziny': each word of the left side has the form of the right side. */
export const formsAfter = (list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    list.split('|').flatMap((each) => {
      const [words = '', form = ''] = each.split('=')
      return words.split(' ').map((word) => [word, form] as const)
    }),
  )

export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))
