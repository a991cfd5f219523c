// `dictate`: what is said into the microphone, as text while it is spoken.

import { once } from 'node:events'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type CommandRun, Misuse, parseArguments, print, type Terminal } from '#cli/lib/command.ts'
import { refuseUnwritable, save } from '#cli/lib/file-transfer.ts'
import { findRecorder, RECORDED_RATE, RECORDER_NAMES } from '#cli/lib/sound/recorder.ts'
import { dictated } from '#cli/lib/studio/dictation.ts'
import { printable, WIDTH } from '#cli/views/table.ts'
import type { LiveMessage } from '#control-plane/features/listening/dictation/live/messages.ts'
import { Failure } from '#shared/protocol/failure.ts'

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  model: { type: 'string' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const STDIN = '-'
const CLEAR = '\r\u001b[K'

export const run: CommandRun = async (args, terminal) => {
  const { env, cwd, input, errors, output } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [source, ...more] = positionals
  if (more.length > 0 || (source !== undefined && source !== STDIN))
    throw new Misuse('Write dictate, or dictate - for sound on standard input.')
  if (source === STDIN && input.isTTY)
    throw new Misuse('Standard input is this terminal. Send it sound, or leave out the - to use the microphone.')
  const target = values.output === undefined ? null : resolve(cwd, values.output)
  if (target !== null) await refuseUnwritable(target, values.force === true)
  const signal = terminal.interrupted()
  const sound = source === STDIN ? (input as AsyncIterable<Uint8Array>) : microphone(terminal, signal)
  const query = {
    ...(source !== STDIN && { pcm: '1', sr: String(RECORDED_RATE) }),
    ...(values.model !== undefined && { model: values.model }),
  }

  const isWatched = errors.isTTY === true
  const show = (text: string) => {
    if (isWatched) errors.write(CLEAR + printable(text).slice(1 - WIDTH))
  }
  const lines: string[] = []
  let last = { language: 'unknown', engine: '', duration_s: 0 }
  const say = (text: string) => {
    show('')
    if (text === '') return
    lines.push(text)
    if (!values.json && target === null) output.write(`${text}\n`)
  }
  const rate = source === STDIN ? null : RECORDED_RATE
  const use = (message: LiveMessage) => {
    if (message.type === 'partial') show(message.text)
    else if (message.type === 'error')
      throw new Failure(message.kind === 'asr_model_missing' ? 'MODEL_NOT_DOWNLOADED' : 'WORKER_FAILED', message.message)
    else if (message.type === 'status') {
      if (message.stage !== 'ready') show(message.stage === 'loading' ? 'The model is being loaded…' : 'The model is being downloaded…')
      else if (message.notice) errors.write(`${isWatched ? CLEAR : ''}studio: ${message.notice}\n`)
    } else {
      const { language, engine, duration_s } = message
      last = { language, engine, duration_s }
      if (message.final_kind !== 'summary') say(message.refined_text ?? message.text)
    }
  }
  const textNow = () => lines.map((line) => `${line}\n`).join('')
  try {
    for await (const message of dictated(env, { sound, rate, query, signal })) use(message)
  } catch (error) {
    show('')
    // What was recognised until then is kept.
    if (target !== null && lines.length > 0 && !signal.aborted) await save(Readable.from([textNow()]), target, signal)
    else if (values.json) errors.write(textNow())
    throw error
  }
  show('')
  const text = textNow()
  if (target !== null) await save(Readable.from([text]), target, signal)
  const value = { text: lines.join(' '), utterances: lines, ...last, ...(target !== null && { path: target }) }
  if (values.json || target !== null) print({ value, lines: [`${target}, ${text.length} characters`] }, values.json, output)
  return 0
}

/** The microphone until Enter is pressed, or standard input ends. It begins when the studio listens. */
function microphone({ env, input, errors }: Terminal, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const recorder = findRecorder(env)
  if (recorder === null)
    throw new Failure(
      'NOT_FOUND',
      `No program that records is on PATH (${RECORDER_NAMES.join(', ')}). Install one, or send sound to dictate -`,
    )
  return (async function* () {
    const ending = new AbortController()
    void Promise.race([once(input, 'data'), once(input, 'end'), once(input, 'close')])
      .catch(() => {})
      .then(() => {
        ending.abort()
        input.pause()
      })
    input.resume()
    errors.write(`Recording with ${recorder.name}. Press Enter to end.\n`)
    yield* recorder.record(env, AbortSignal.any([signal, ending.signal]))
  })()
}
