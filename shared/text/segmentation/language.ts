// The facts about a language that decide where its sentences end.

/** Words without their last full stop, in lower case unless only the capital form is an abbreviation. */
export type SentenceRules = {
  /** Abbreviations that never end a sentence, because a name, a noun or a number follows. */
  readonly open: ReadonlySet<string>
  /** Abbreviations before a number, which end a sentence before anything else. */
  readonly numbered: ReadonlySet<string>
  /** Abbreviations that end a sentence only before a word that usually starts one. */
  readonly short: ReadonlySet<string>
  /** Abbreviations that end a sentence before every capital. */
  readonly closing: ReadonlySet<string>
  /** Ends of compounds that are abbreviations before a number, such as "str" in "Goethestr. 5". */
  readonly suffixes: ReadonlySet<string>
  /** Words after which "no" is an answer and not an abbreviation. */
  readonly beforeNo: ReadonlySet<string>
  /** Words, in lower case, that start a sentence more often than they follow an abbreviation with a capital. */
  readonly starters: ReadonlySet<string>
  /** A number with a full stop is an ordinal after one of these words or before one of these nouns; null where ordinals have no full stop. */
  readonly ordinals: { readonly after: ReadonlySet<string>; readonly nouns: ReadonlySet<string> } | null
  /** A mark that ends a sentence in this language only. */
  readonly ends: '' | ';' | ':'
}

type Lists = {
  readonly open?: string
  readonly numbered?: string
  readonly short?: string
  readonly closing?: string
  readonly suffixes?: string
  readonly beforeNo?: string
  readonly starters?: string
  readonly ordinals?: { readonly after: string; readonly nouns: string }
  readonly ends?: SentenceRules['ends']
}

const words = (list = ''): ReadonlySet<string> => new Set(list.split(' ').filter((word) => word !== ''))

/** Rules from lists of words that are separated by blanks. */
export const sentenceRules = ({ ordinals, ends = '', ...lists }: Lists): SentenceRules => ({
  open: words(lists.open),
  numbered: words(lists.numbered),
  short: words(lists.short),
  closing: words(lists.closing),
  suffixes: words(lists.suffixes),
  beforeNo: words(lists.beforeNo),
  starters: words(lists.starters),
  ordinals: ordinals ? { after: words(ordinals.after), nouns: words(ordinals.nouns) } : null,
  ends,
})
