// Blocks in the grammar of manuscripts (`shared/text/script`). Pure.
import { escapeScript } from '#shared/text/script/script.ts'
import { type Block, CELL_END, READING } from './block.ts'

const SCENE_BREAK = '* * *'
/** Kinds whose neighbours stand on lines without a blank line between them. */
const CLOSE: ReadonlySet<string> = new Set(['item', 'row'])

const escaped = (text: string): string => escapeScript(text).replaceAll(READING[0], '[[').replaceAll(READING[1], ']]')
const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
/** A bar would end the cell. */
const cellOf = (text: string): string => escaped(onOneLine(text).replaceAll('|', '/'))

/** The text of one block. */
export function written({ kind, text, marker }: Block): string {
  switch (kind) {
    case 'heading':
      return `## ${escaped(onOneLine(text))}`
    case 'item':
      return `${marker}${escaped(onOneLine(text))}`
    case 'quotation':
      return text
        .split('\n')
        .map((line) => `> ${escaped(line.trim())}`)
        .join('\n')
    case 'row':
      return `| ${text.split(CELL_END).map(cellOf).join(' | ')} |`
    case 'break':
      return SCENE_BREAK
    default:
      return escaped(text)
  }
}

/** The text of a chapter: scene breaks only between other blocks, and one at a place. */
export function manuscriptText(blocks: readonly Block[]): string {
  const pieces: string[] = []
  let previous: Block | null = null
  let isBroken = false
  for (const block of blocks) {
    if (block.kind === 'break') {
      isBroken = previous !== null
      continue
    }
    if (isBroken) pieces.push('\n\n', SCENE_BREAK)
    if (previous !== null) pieces.push(!isBroken && previous.kind === block.kind && CLOSE.has(block.kind) ? '\n' : '\n\n')
    pieces.push(written(block))
    previous = block
    isBroken = false
  }
  return pieces.join('')
}
