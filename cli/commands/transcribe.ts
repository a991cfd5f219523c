// `transcribe`: a recording as text, subtitles or JSON, by the running studio.

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type CommandRun, Misuse, parseArguments, print, type Terminal } from '#cli/lib/command.ts'
import { languageNamed } from '#cli/lib/dub/languages.ts'
import { createStages } from '#cli/lib/dub/stages.ts'
import { fileAt, refuseUnwritable, save } from '#cli/lib/file-transfer.ts'
import { noticesIn } from '#cli/lib/studio/api.ts'
import { transcribed, transcriptOf } from '#cli/lib/studio/transcription.ts'
import { spokenText } from '#cli/views/transcript-view.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  language: { type: 'string' },
  speakers: { type: 'boolean' },
  engine: { type: 'string' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
/** The names of the formats in the public API. */
const FORMATS: Readonly<Record<string, string>> = { txt: 'text', srt: 'srt', vtt: 'vtt', json: 'verbose_json' }
const WITH_SPEAKERS = 'diarized_json'
/** The value of FILE for standard input and standard output. */
const STDIO = '-'

export const run: CommandRun = async (args, terminal) => {
  const { env, cwd, errors } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Misuse('Name one recording: transcribe talk.mp3 -o talk.txt')
  if (file === STDIO && terminal.input.isTTY) throw new Misuse('Standard input is this terminal. Name a file, or send it a recording.')
  const target = values.output === undefined || values.output === STDIO ? null : resolve(cwd, values.output)
  const format = formatFor(target, values.format)
  const spoken = values.language ?? terminal.defaults?.language
  const language = spoken === undefined ? undefined : languageNamed(spoken).code
  if (target !== null) await refuseUnwritable(target, values.force === true)
  const signal = terminal.interrupted()
  const { speakers = false, engine } = values
  // Standard output may be a file while a person looks at standard error.
  const stages = createStages({ output: errors, errors })
  const stage = stages.begin('Transcribing')
  const id = await withRecording(file, terminal, signal, (recording) =>
    transcribed(env, { ...recording, language, engine, speakers }, signal, (fraction) => stage.at(fraction)),
  ).finally(stages.clear)
  const response = await transcriptOf(env, id, speakers ? WITH_SPEAKERS : FORMATS[format]!, signal)
  const notices = noticesIn(response)
  const content = speakers && format !== 'json' ? await withSpeakers(response, format) : response
  if (values.json && target === null) {
    const text = await readText(content)
    const transcript: unknown = format === 'json' ? JSON.parse(text) : text
    const value = { format, content: transcript, notices }
    print({ value, lines: [] }, true, terminal.output)
  } else await write(content, { target, format, notices, json: values.json }, terminal, signal)
  for (const notice of notices) errors.write(`studio: ${notice}\n`)
  return 0
}

function formatFor(target: string | null, chosen: string | undefined): string {
  const format = chosen ?? (target === null ? 'txt' : extname(target).slice(1).toLowerCase())
  if (Object.hasOwn(FORMATS, format)) return format
  const known = Object.keys(FORMATS).join(', ')
  if (chosen === undefined) throw new Misuse(`${target} names no format of text. Choose one of ${known} with --format.`)
  throw new Misuse(`The format '${chosen}' is not supported. Choose one of ${known} with --format.`)
}

type Recording = { readonly content: Blob; readonly name: string }
async function withRecording<T>(
  file: string,
  { cwd, input }: Terminal,
  signal: AbortSignal,
  use: (recording: Recording) => Promise<T>,
): Promise<T> {
  if (file !== STDIO) return use({ content: await contentOf(resolve(cwd, file)), name: basename(file) })
  // A form needs the size before the content.
  const folder = await mkdtemp(join(tmpdir(), 'studio-transcribe-'))
  try {
    const path = join(folder, 'recording')
    await pipeline(input, createWriteStream(path), { signal })
    return await use({ content: await contentOf(path, 'Standard input'), name: 'recording' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function contentOf(path: string, shown = path): Promise<Blob> {
  const content = await fileAt(path)
  if (content.size === 0) throw new Failure('BAD_REQUEST', `${shown} is empty.`)
  return content
}

async function withSpeakers(response: IncomingMessage, format: string): Promise<Readable> {
  return Readable.from([spokenText(JSON.parse(await readText(response)), format)])
}

/** Ends with a line feed, so that the prompt of a shell begins on a line of its own. */
async function* lined(content: Readable): AsyncGenerator<Buffer> {
  let last: number | undefined
  for await (const piece of content as AsyncIterable<Uint8Array | string>) {
    const bytes = Buffer.from(piece as Uint8Array)
    if (bytes.length > 0) last = bytes.at(-1)
    yield bytes
  }
  if (last !== undefined && last !== 0x0a) yield Buffer.from('\n')
}

type Written = {
  readonly target: string | null
  readonly format: string
  readonly notices: readonly string[]
  readonly json: boolean | undefined
}
async function write(content: Readable, { target, json, ...facts }: Written, { output }: Terminal, signal: AbortSignal): Promise<void> {
  const text = Readable.from(lined(content))
  if (target === null) {
    // As texts, so that a terminal shows control characters and does not obey them.
    if (output.isTTY) text.setEncoding('utf8')
    return pipeline(text, output, { signal, end: false })
  }
  const bytes = await save(text, target, signal)
  print({ value: { path: target, bytes, ...facts }, lines: [`${basename(target)}, ${shortBytes(bytes)}`] }, json, output)
}
