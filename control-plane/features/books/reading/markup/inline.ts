// Elements inside of paragraphs that are more than their text: readings of characters, formulas, pictures. Pure.
import { visibleText } from '../book.ts'
import { READING } from '../chapters/block.ts'
import type { MarkupElement } from './markup.ts'

/** Base and reading as a pronunciation, so that names are read as they are printed. */
export function rubyOf(element: MarkupElement): string {
  const collect = (from: MarkupElement, isReading: boolean): string =>
    from.children
      .map((child) => {
        if (typeof child === 'string') return isReading === (from.name === 'rt') ? child.trim() : ''
        return child.name === 'rp' ? '' : collect(child, isReading)
      })
      .join('')
  const [base, reading] = [visibleText(collect(element, false)), visibleText(collect(element, true))]
  // Dots for emphasis are no reading.
  if (!/[\p{L}\p{N}]/u.test(reading)) return base
  const fits = base !== '' && base.length + reading.length < 256 && !/[[\]|\\\n]/.test(base + reading)
  return fits ? `${READING[0]}${base}|${reading}${READING[1]}` : `${base} (${reading})`
}

/** A formula in one line: its description, else its signs in order. */
export function formulaOf(element: MarkupElement): string {
  const described = visibleText(element.attributes.get('alttext') ?? '').trim()
  return described === '' ? visibleText(linear(element)).replaceAll(/\s+/g, ' ').trim() : described
}

function linear(element: MarkupElement): string {
  const parts = element.children.flatMap((child) => {
    if (typeof child === 'string') return child.trim() === '' ? [] : [child.trim()]
    return child.name === 'annotation' || child.name === 'annotation-xml' ? [] : [linear(child)]
  })
  const [first = '', second = '', third = ''] = parts
  const grouped = (part: string) => (part.includes(' ') ? `(${part})` : part)
  switch (element.name) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      return parts.join('')
    case 'mfrac':
      return `${grouped(first)} / ${grouped(second)}`
    case 'msup':
    case 'mover':
      return `${grouped(first)}^${grouped(second)}`
    case 'msub':
    case 'munder':
      return `${grouped(first)}_${grouped(second)}`
    case 'msubsup':
    case 'munderover':
      return `${grouped(first)}_${grouped(second)}^${grouped(third)}`
    case 'msqrt':
      return `√${grouped(parts.join(' '))}`
    case 'mroot':
      return `${grouped(second)}√${grouped(first)}`
    default:
      return parts.join(' ')
  }
}

const LETTER = /^["“„‘«»¿¡(]?\p{L}\p{M}?['’]?$/u
const ORNAMENT =
  /ornament|decorati|scene[-_ ]?break|section[-_ ]?break|text[-_ ]?break|divider|separator|fleuron|asterism|flourish|dinkus|dingbat|vignette|swash|(?:^|[^a-z])(?:break|rule|hr)\d{0,4}(?:$|[^a-z])/i
const FILE_NAME = /\.(?:jpe?g|png|gif|svg|webp|bmp|tiff?)$/i

export type Picture =
  /** The first letter of a paragraph. */
  | { readonly kind: 'letter'; readonly text: string }
  /** A line between scenes. */
  | { readonly kind: 'ornament' }
  /** `text`: empty where nothing describes it. File names and single words describe nothing. */
  | { readonly kind: 'picture'; readonly text: string }

export function pictureOf({ attributes }: MarkupElement): Picture {
  const alt = visibleText(attributes.get('alt') ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (LETTER.test(alt)) return { kind: 'letter', text: alt }
  const file = (attributes.get('src') ?? '').split('/').at(-1)!.slice(0, 200)
  const isBreak = alt === '' || FILE_NAME.test(alt) ? ORNAMENT.test(file) : ORNAMENT.test(alt) || /^[\s*⁂•~]+$/u.test(alt)
  if (isBreak && alt.length < 60) return { kind: 'ornament' }
  return { kind: 'picture', text: /\S\s+\S/.test(alt) ? alt : '' }
}
