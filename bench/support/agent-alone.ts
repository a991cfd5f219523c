// The agent without a studio: loads its code, opens its engines and generates speech with the embedded voice. Sends {audio: true} with the first
// sample, then answers each request with {ms}.
import '#agent/build.ts'
import { createEnginePool } from '#agent/engine/host/pool.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'

const TEXT = 'The meeting begins at nine on Monday. '
let host = 0
let onHostEnd = () => {}
const ignore = () => {}
const log: Log = {
  debug: ignore,
  info(fields: object, message: string) {
    if (message === 'engine host started') host = (fields as { pid: number }).pid
  },
  warn(_fields: object, message: string) {
    if (message === 'engine host ended') onHostEnd()
  },
  error: ignore,
  child: () => log,
}
const environment = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
const pool = createEnginePool({ clock: systemClock, random: systemRandom, log, development: false, environment })
await pool.start()

const speak = (count: number, signal: AbortSignal) =>
  pool.run({ id: 'bench', engine: 'svc-engine', model: '', operation: 'tts', params: { segments: [{ text: TEXT.repeat(count) }] }, signal })

async function untilAudio(): Promise<void> {
  for await (const event of speak(1, new AbortController().signal)) if (event.kind === 'audio') return
  throw new Error('the engine made no sound')
}

/** Milliseconds from the end of the host to the first sample of the next run. */
async function restart(): Promise<number> {
  const ended = new Promise<void>((resolve) => {
    onHostEnd = resolve
  })
  const from = performance.now()
  process.kill(host, 'SIGKILL')
  await ended
  await untilAudio()
  return performance.now() - from
}

/** Milliseconds from a cancellation in the middle of a long text to its acknowledgement. */
async function cancel(): Promise<number> {
  const abort = new AbortController()
  let from = 0
  try {
    for await (const event of speak(500, abort.signal)) {
      if (event.kind !== 'audio' || from > 0) continue
      from = performance.now()
      abort.abort()
    }
  } catch {
    return performance.now() - from
  }
  throw new Error('the run was not cancelled')
}

process.on('message', async (request: 'restart' | 'cancel' | 'end') => {
  if (request === 'end') {
    await pool.stop()
    process.exit(0)
  }
  process.send?.({ ms: await (request === 'restart' ? restart() : cancel()) })
})
process.once('disconnect', () => process.exit())
await untilAudio()
process.send?.({ audio: true })
