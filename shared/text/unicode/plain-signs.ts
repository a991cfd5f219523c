// Signs that stand for one another in a word: a book has ’ where people type '. Pure.

const APOSTROPHE = /[\u0060\u00b4\u02b9\u02bb-\u02bd\u2018\u2019\u201b\u2032\uff07]/g
/** Long dashes separate words, but the short one is written for a hyphen. */
const HYPHEN = /[\u058a\u2010-\u2013\u2212\ufe63\uff0d]/g

/** The text with `'` and `-` for their other forms. The number of UTF-16 units stays the same. */
export const withPlainSigns = (text: string): string => text.replace(APOSTROPHE, "'").replace(HYPHEN, '-')
