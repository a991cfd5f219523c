// `translate`: a text in another language, line by line, by the running studio.

import { text as readText } from 'node:stream/consumers'
import { type CommandRun, Misuse, parseArguments, type Terminal } from '#cli/lib/command.ts'
import { languageNamed } from '#cli/lib/dub/languages.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { printable } from '#cli/views/table.ts'
import { translationContracts } from '#control-plane/features/listening/translation/translation.contract.ts'
import type { TranslateReply } from '#control-plane/features/listening/translation/translation.schema.ts'
import { linesOf } from '#shared/text/lines.ts'

const OPTIONS = { to: { type: 'string' }, from: { type: 'string' }, json: { type: 'boolean' } } as const
const FORM = 'translate "Good morning." --to es'
/** UTF-16 units of a line, as the studio accepts them. */
const LINE_CHARS = 5_000
/** A request has at most this many lines and about as many UTF-16 units. */
const AT_ONCE = { lines: 1_000, chars: 200_000 }

type Line = { readonly text: string; readonly error?: string | undefined }
type Languages = { readonly target: string; readonly source: string | undefined }

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (positionals.length === 0) throw new Misuse(`The text is missing: ${FORM}`)
  if (values.to === undefined) throw new Misuse(`Name a language to translate to: ${FORM}`)
  const target = languageNamed(values.to).code
  const source = values.from === undefined ? undefined : languageNamed(values.from).code
  const given = positionals.join(' ')
  const text = given === '-' ? await readText(terminal.input) : given
  if (text.trim() === '') throw new Misuse(`The text is empty: ${FORM}`)
  const texts = linesOf(text).map((line) => line.replace(/\r?\n$/, ''))
  const long = texts.findIndex(({ length }) => length > LINE_CHARS)
  if (long !== -1) throw new Misuse(`Line ${long + 1} has more than ${LINE_CHARS} characters. Break it into several lines.`)
  const { lines, notices, source: spoken } = await translated(texts, { target, source }, terminal)
  if (values.json) {
    const value = { text: lines.map((line) => line.text).join('\n'), source_lang: spoken, target_lang: target, lines, notices }
    terminal.output.write(`${JSON.stringify(value)}\n`)
  } else terminal.output.write(lines.map((line) => `${line.text}\n`).join(''))
  for (const notice of notices) terminal.errors.write(`studio: ${printable(notice)}\n`)
  const failed = lines.flatMap(({ error }, at) => (error === undefined ? [] : [`Line ${at + 1} keeps its words: ${printable(error)}`]))
  const { errors, alerts = errors } = terminal
  for (const sentence of failed) alerts.write(`studio: ${sentence}\n`)
  return failed.length > 0 ? 1 : 0
}

/** Blank lines stay. `source`: of the first request, which the later ones use. */
async function translated(texts: readonly string[], { target, source }: Languages, { env, interrupted }: Terminal) {
  const signal = interrupted()
  const lines: Line[] = texts.map((text) => ({ text }))
  const notices = new Set<string>()
  let spoken = source
  for (const part of requestsOf(texts)) {
    const body = {
      segments: part.map((at) => ({ id: String(at), text: texts[at]! })),
      target_lang: target,
      ...(spoken !== undefined && { source_lang: spoken }),
    }
    const reply: TranslateReply = translationContracts.translate.reply.parse(await requestJson(env, 'POST', '/dub/translate', body, signal))
    spoken ??= reply.source_lang
    for (const notice of reply.notices ?? []) notices.add(notice)
    const rows = new Map(reply.translated.map((row) => [row.id, row]))
    for (const at of part) {
      const row = rows.get(String(at))
      lines[at] = row ? { text: row.text, error: row.error } : { text: texts[at]!, error: 'The studio did not return it.' }
    }
  }
  return { lines, notices: [...notices], source: spoken! }
}

/** The places of the lines with text, in groups that fit into a request. */
function requestsOf(texts: readonly string[]): number[][] {
  const groups: number[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const [at, text] of texts.entries()) {
    if (text.trim() === '') continue
    if (chars + text.length > AT_ONCE.chars || groups.at(-1)!.length >= AT_ONCE.lines) {
      groups.push([])
      chars = 0
    }
    groups.at(-1)!.push(at)
    chars += text.length
  }
  return groups
}
