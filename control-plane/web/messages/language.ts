// The part of a language beside its texts: plural forms, numbers, lists and dates. Plural rules take a browser 1 ms of processor time, but a format of
// numbers or of lists 20 to 30 ms, more than all else of a first view: so the marks of numbers and lists are named here.

/** A text for each plural form of a language. `#` stands for the number; nothing else may be put into these texts, because it may contain a `#`. */
type Forms<Form extends Intl.LDMLPluralRule> = Readonly<Record<Form, string>>

type Language<Form extends Intl.LDMLPluralRule> = {
  /** Its tag: the `lang` of the pages. */
  readonly lang: string
  /** Its name in itself. */
  readonly name: string
  readonly direction?: 'ltr' | 'rtl'
  /** The plural forms of whole numbers, those of Intl. A text that lacks one does not compile. */
  readonly forms: readonly Form[]
  /** Between ones and tenths, between the items of a list, and between groups of three digits. */
  readonly marks: { readonly decimal: string; readonly list: string; readonly groups: string }
  /** Least number with groups. Default: 1000. */
  readonly groupsFrom?: number
  /** Digits of the groups before the last three. Default: 3. */
  readonly groupDigits?: number
}

const LAST_GROUP = 3

export function languageOf<const Form extends Intl.LDMLPluralRule>({
  lang,
  name,
  direction = 'ltr',
  forms,
  marks,
  groupsFrom = 1000,
  groupDigits = LAST_GROUP,
}: Language<Form>) {
  let rules: Intl.PluralRules | undefined
  // With the digits of all other figures, also in languages that have their own.
  const locale = `${lang}-u-nu-latn`
  const formOf = (count: number): Form => {
    rules ??= new Intl.PluralRules(lang)
    const rule = rules.select(count)
    return forms.find((form) => form === rule) ?? forms[0]!
  }
  /** 10,000. `count`: whole, not negative */
  const grouped = (count: number): string => {
    const digits = String(count)
    if (count < groupsFrom) return digits
    const groups = [digits.slice(-LAST_GROUP)]
    for (let end = digits.length - LAST_GROUP; end > 0; end -= groupDigits)
      groups.unshift(digits.slice(Math.max(0, end - groupDigits), end))
    return groups.filter(Boolean).join(marks.groups)
  }
  return {
    lang,
    name,
    direction,
    grouped,
    /** The text for this number of things. `count`: whole, not negative */
    plural: (count: number, texts: Forms<Form>): string => texts[formOf(count)].replaceAll('#', grouped(count)),
    /** 3.30 with two digits. */
    decimal: (value: number, digits: number): string => value.toFixed(digits).replace('.', marks.decimal),
    /** a, b, c */
    list: (items: readonly string[]): string => items.join(marks.list),
    /** Nov 29, 2026, in local time. `at`: epoch milliseconds */
    day: (at: number, month: 'short' | 'long'): string =>
      new Date(at).toLocaleDateString(locale, { day: 'numeric', month, year: 'numeric' }),
  }
}
