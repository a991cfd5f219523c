// Levels and roles of paragraphs by the names of their styles in office documents. Pure.

/** `byline`: the subtitle, the author or the date below the title of a document. */
export type ParagraphRole = 'text' | 'quote' | 'title' | 'byline' | 'toc' | 'index' | 'bibliography'
export type NamedStyle = { readonly level: number; readonly role: ParagraphRole }

/** Word stores its own names in English; other programs and old files have translations. */
const HEADING =
  /^(?:heading|überschrift|titre|título|titolo|título|заголовок|nagłówek|kop|rubrik|overskrift|nadpis|otsikko|başlık|标题|標題|見出し|제목)[ _]?([1-9])$/
const ROLES: readonly (readonly [RegExp, ParagraphRole])[] = [
  [/^title$/, 'title'],
  [/^(?:subtitle|author|date)$/, 'byline'],
  [/^(?:toc \d|toc heading|contents \d{1,2}|contents heading|table of figures|table of authorities|toa heading)$/, 'toc'],
  [/^index (?:\d|heading)$/, 'index'],
  [/^bibliography(?: \d| heading)?$/, 'bibliography'],
  [/^(?:intense )?quote$|^block (?:text|quotation)$|^quotations$/, 'quote'],
]
export const DEEPEST_HEADING = 6
/** Programs write it into every document, so that as the language of a whole document it says nothing. */
export const TEMPLATE_LANGUAGE = 'en-US'

/** `level`: 1 to 6 for a heading, 0 for text. */
export function styleNamed(name: string): NamedStyle {
  const plain = name.trim().toLowerCase()
  const heading = HEADING.exec(plain)?.[1]
  if (heading !== undefined) return { level: Math.min(DEEPEST_HEADING, Number(heading)), role: 'text' }
  return { level: 0, role: ROLES.find(([pattern]) => pattern.test(plain))?.[1] ?? 'text' }
}
