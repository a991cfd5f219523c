// The tables at the start of an RTF document: fonts and styles.
import { type NamedStyle, styleNamed } from '../office/style-names.ts'
import { encodingOfCharset, encodingOfPage } from './encodings.ts'

type Font = { encoding: string | null; name: string }
type Style = { name: string; level: number | null; basedOn: number | null }

const DEEPEST_HEADING = 6
const BODY_LEVEL = 9
const LONGEST_CHAIN = 30
const LONGEST_NAME = 100
/** Entries that a table may have; a file without text could have millions. */
const MOST = 20_000

/** 1 to 6 for a heading, 0 for text. `value`: as RTF writes it, from 0. */
export const levelOf = (value: number): number => (value < 0 || value >= BODY_LEVEL ? 0 : Math.min(DEEPEST_HEADING, value + 1))

export function createHeader() {
  const fonts = new Map<number, Font>()
  let font: Font = { encoding: null, name: '' }
  const styles = new Map<number, Style>()
  let style: Style = { name: '', level: null, basedOn: null }
  return {
    /** A control word in the table of fonts. */
    fontWord(name: string, value: number): void {
      if (name === 'f') {
        font = { encoding: null, name: '' }
        if (fonts.size < MOST) fonts.set(value, font)
      } else if (name === 'fcharset') font.encoding ??= encodingOfCharset(value)
      else if (name === 'cpg' && value > 0) font.encoding = encodingOfPage(value)
    },
    fontText(text: string): void {
      if (font.name.length < LONGEST_NAME) font.name += text.slice(0, LONGEST_NAME)
    },
    /** Null for a font in the encoding of the document. */
    encodingOf: (number: number): string | null => fonts.get(number)?.encoding ?? null,
    isGreek: (number: number): boolean => /^symbol/i.test(fonts.get(number)?.name ?? ''),
    beginStyle(): void {
      style = { name: '', level: null, basedOn: null }
    },
    styleWord(name: string, value: number): void {
      if (name === 's' && styles.size < MOST) styles.set(value, style)
      else if (name === 'outlinelevel') style.level = levelOf(value)
      else if (name === 'sbasedon') style.basedOn = value
    },
    styleText(text: string): void {
      if (style.name.length < LONGEST_NAME) style.name += text.slice(0, LONGEST_NAME)
    },
    styleOf(number: number): NamedStyle {
      let found = styles.get(number)
      for (let left = LONGEST_CHAIN; found !== undefined && left > 0; left--) {
        const named = styleNamed(found.name.split(';', 1)[0]!)
        if (named.role !== 'text') return named
        const level = found.level ?? named.level
        if (level > 0 || found.level !== null) return { level, role: 'text' }
        found = found.basedOn === null ? undefined : styles.get(found.basedOn)
      }
      return { level: 0, role: 'text' }
    },
  }
}
