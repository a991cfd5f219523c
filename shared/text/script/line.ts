// Marks of layout at the beginning of a line of a manuscript. Pure; each line is looked at once.

/** Kinds of the paragraphs of a text. A line of `listItem`, `verse` and `tableRow` stands for itself; a `sceneBreak` is a pause. */
export const PARAGRAPH_KINDS = ['heading', 'paragraph', 'listItem', 'verse', 'dialogue', 'quotation', 'tableRow', 'sceneBreak'] as const
export type ParagraphKind = (typeof PARAGRAPH_KINDS)[number]
export type ScriptLine = {
  /** Null for a blank line; `paragraph` also for lines that turn out to be verse. */
  readonly kind: Exclude<ParagraphKind, 'verse'> | null
  /** Without marks: one for each cell of a table row, which has none if it is a rule. */
  readonly texts: readonly string[]
  /** True for the further line of a list item, which is indented. */
  readonly isIndented: boolean
}

/** Start of a line that may have a mark, a tag or a quotation mark. Most lines have none. */
const MARKED = /^[ \t]{0,40}[^ \t\p{L}]/u
const DEEPER = /^#{2,}[ \t](.*)$/
/** A backslash before a mark, which makes the line text. The marks are those of `TO_ESCAPE`. */
const ESCAPED = /^([ \t]{0,40})\\(?=- |\d{1,9}\. |>(?: |$)|\||\*[* ]{2,60}$)/
/** Characters of tags and titles, and the blanks before another mark of a line. */
export const TO_ESCAPE = /[\\[]|^#|^[ \t]{0,40}(?=- |\d{1,9}\. |>(?: |$)|\||\*[* ]{2,60}$)/gm
const SCENE_BREAK = /^[ \t]{0,40}\*(?: ?\*){2,29} {0,2}$/
const BULLET = /^[ \t]{0,40}- /
const NUMBERED = /^[ \t]{0,40}\d{1,9}\. /
const QUOTED = /^(?:[ \t]{0,40}>(?: |$)){1,40}/
/** UTF-16 units of a row. */
const ROW_CHARS = 20_000
const ROW = /^[ \t]{0,40}\|.*\|[ \t]*$/
/** An escaped character or a pronunciation, which have no border of a cell, or such a border. */
const CELL = /\\[\\[#|]|\[\[[^[\]]{1,512}\]\]|\|/g
const RULE = /^:?-+:?$/
const INDENTED = /^(?: {2,}|\t)/
const TAGS = /^(?:[ \t]*\[[^[\]]{1,210}\]){0,8}[ \t]*/
const SPEECH = /^(?:[“„«‹»›「『]|[‘‚”"](?=[^\s\p{M}])|[—–―] ?(?=[\p{L}\p{N}¡¿…"“«]))/u
/** A straight mark that closes after a stop; alone it is an apostrophe. */
const STRAIGHT = /^'(?=\p{L})[^']*[.,!?…—–]'(?!\p{L})/u

const plain = (text: string): string => text.replace(ESCAPED, '$1')

export function readScriptLine(line: string): ScriptLine {
  const of = (kind: ScriptLine['kind'], ...texts: readonly string[]): ScriptLine => ({ kind, texts, isIndented: false })
  if (line.trim() === '') return of(null)
  if (!MARKED.test(line)) return { kind: 'paragraph', texts: [line], isIndented: INDENTED.test(line) }
  const heading = DEEPER.exec(line)?.[1]
  if (heading !== undefined) return heading.trim() === '' ? of(null) : of('heading', plain(heading))
  if (SCENE_BREAK.test(line)) return of('sceneBreak', line.trim())
  if (BULLET.test(line)) return of('listItem', plain(line.replace(BULLET, '')))
  const number = NUMBERED.exec(line)?.[0]
  if (number !== undefined) return of('listItem', number + plain(line.slice(number.length))) // its number is spoken
  const quoted = QUOTED.exec(line)?.[0]
  if (quoted !== undefined) {
    const rest = line.slice(quoted.length)
    return rest.trim() === '' ? of(null) : of('quotation', plain(rest.replace(BULLET, '')))
  }
  if (line.length <= ROW_CHARS && ROW.test(line)) return of('tableRow', ...cellsOf(line.trim()))
  const words = line.replace(TAGS, '')
  return {
    kind: SPEECH.test(words) || STRAIGHT.test(words) ? 'dialogue' : 'paragraph',
    texts: [plain(line)],
    isIndented: INDENTED.test(line),
  }
}

function cellsOf(row: string): string[] {
  const cells: string[] = []
  let from = 1
  for (const { 0: found, index } of row.matchAll(CELL)) {
    if (found !== '|' || index === 0) continue
    cells.push(plain(row.slice(from, index)).replaceAll('\t', ' ').trim())
    from = index + 1
  }
  return cells.every((cell) => RULE.test(cell)) ? [] : cells.filter((cell) => cell !== '')
}

/** The line of a table row. `cells`: in the grammar of manuscripts, each of one line. */
export const tableRowOf = (cells: readonly string[]): string => `| ${cells.map(escapeBars).join(' | ')} |`
const escapeBars = (cell: string): string =>
  cell.replaceAll(/[\n\r\u2028\u2029]+/g, ' ').replaceAll(CELL, (found) => (found === '|' ? '\\|' : found))
