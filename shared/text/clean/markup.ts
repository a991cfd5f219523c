// Removes what a reader sees and a listener must not hear: the marks of Markdown, marks of notes and invisible characters. Pure; linear.

/** Characters without a sound. Joiners stay: Persian and Indic scripts need them. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]/g
/** Three or more marks alone on a line: a rule, or the line below a heading. */
const RULE = /^[ \t]{0,8}(?:(?:-[ \t]{0,3}){3,80}|(?:\*[ \t]{0,3}){3,80}|(?:_[ \t]{0,3}){3,80}|={3,80})$/
/** With the name of a language. */
const FENCE = /^[ \t]{0,8}(?:```|~~~)[`~]{0,17}[ \t]{0,3}[\w+#.-]{0,30}[ \t]{0,8}$/
const TABLE_RULE = /^[ \t]{0,8}\|?[ \t]{0,8}:?-{3,80}:?(?:[ \t]{0,8}\|[ \t]{0,8}:?-{1,80}:?){0,40}[ \t]{0,8}\|?[ \t]{0,8}$/
const TABLE_ROW = /^[ \t]{0,8}\|(.{1,2000})\|[ \t]{0,8}$/
/** A row of a table without a rule. Others are absolute values: |x| + |y|. */
const SPACED_ROW = /^[ \t]{0,8}\|[ \t].{0,2000}[ \t]\|[ \t]{0,8}$/
/** A heading, a quotation, an item of a list or of a list of tasks. Numbers of items are spoken. */
const LINE_MARK = /^[ \t]{0,8}(?:#{1,6}[ \t]{1,8}|(?:>[ \t]{0,3}){1,8}|[-*+•◦▪‣–][ \t]{1,8}(?:\[[ xX]\][ \t]{1,8})?)/
const HEADING_END = /[ \t]{1,8}#{1,6}[ \t]{0,8}$/
/** A target has a sign of an address: arr[10](x) is a call. */
const PICTURE_OR_LINK = /!?\[([^[\]\n]{1,300})\]\([^()\s./#:]{0,100}[./#:][^()\s]{0,500}(?:[ \t]{1,3}"[^"\n]{0,200}")?\)/g
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^<>\s]{1,500})>/g
const CODE = /(?<!`)`{1,2}(?!`)([^`\n]{1,500})`{1,2}(?!`)/g
const BOTH = /(?<![\p{L}\p{N}*])\*\*\*(?=[^\s*])([^*\n]{1,500})(?<=[^\s*])\*\*\*(?![\p{L}\p{N}*])/gu
const STRONG = /(?<![\p{L}\p{N}*])\*\*(?=[^\s*])([^*\n]{1,500})(?<=[^\s*])\*\*(?![\p{L}\p{N}*])/gu
const STRONG_LINE = /(?<![\p{L}\p{N}_\\/])__(?=[^\s_])([^_\n]{1,500})(?<=[^\s_])__(?![\p{L}\p{N}_])/gu
const EMPHASIS = /(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,500})(?<=[^\s*])\*(?![\p{L}\p{N}*])/gu
const EMPHASIS_LINE = /(?<![\p{L}\p{N}_\\/@])_(?=[^\s_])([^_\n]{1,500})(?<=[^\s_])_(?![\p{L}\p{N}_])/gu
const STRUCK = /(?<!~)~~(?=[^\s~])([^~\n]{1,500})(?<=[^\s~])~~(?!~)/g
/** Behind a word or the end of a sentence: [1], [12][13], [^note]. Not x[1], list[0] and row[2] = 5, which are places in lists. */
const NOTE = /(?<=[\p{L}][\p{L}\p{M}]{2}|[.,;:!?"'”’»)\]])\[(?:[1-9]\d{0,2}|\^[\w-]{1,20})\](?![\p{L}\p{N}(]|[ \t]?[-+*/]?=)/gu
const PAIRS = [BOTH, STRONG, STRONG_LINE, EMPHASIS, EMPHASIS_LINE, STRUCK]

/** The text without invisible characters. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')

/** The words of a text. Each line keeps its end, where an engine pauses; lines of marks alone are empty. */
export function withoutMarkup(text: string): string {
  let isCode = false
  const lines = withoutInvisible(text).split(/\r\n|[\n\r]/)
  const rows = lines.some((line) => TABLE_RULE.test(line)) ? TABLE_ROW : SPACED_ROW
  const words = lines.map((line) => {
    if (FENCE.test(line)) {
      isCode = !isCode
      return ''
    }
    return isCode ? line : wordsOf(line, rows)
  })
  return words.join('\n')
}

function wordsOf(line: string, rows: RegExp): string {
  if (RULE.test(line) || TABLE_RULE.test(line)) return ''
  const row = rows.test(line) ? TABLE_ROW.exec(line)?.[1] : undefined
  if (row !== undefined) return inline(cellsOf(row))
  const mark = LINE_MARK.exec(line)?.[0] ?? ''
  const rest = line.slice(mark.length)
  return inline(mark.trimStart().startsWith('#') ? rest.replace(HEADING_END, '') : rest)
}

const cellsOf = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(', ')

function inline(line: string): string {
  const plain = line.replace(PICTURE_OR_LINK, '$1').replace(AUTOLINK, '$1').replace(CODE, '$1').replace(NOTE, '')
  return PAIRS.reduce((text, pair) => text.replace(pair, '$1'), plain)
}
