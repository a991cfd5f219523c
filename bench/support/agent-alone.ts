// The code of the agent without a studio: loads all of it, opens its engines and speaks with the embedded voice. Says {audio: true} with the
// first sample, then what it is asked for: {hosts} are the process ids of its engine hosts.
import '#agent/build.ts'
import { createEnginePool } from '#agent/engine/host/pool.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'

const TEXT = 'The meeting begins at nine on Monday. '
let host = 0
let forgetDeath = () => {}
const nothing = () => {}
const info = (fields: object, message: string) => {
  if (message === 'engine host started') host = (fields as { pid: number }).pid
}
const warn = (_fields: object, message: string) => {
  if (message === 'engine host ended') forgetDeath()
}
const log: Log = { debug: nothing, info, warn, error: nothing, child: () => log }
const environment = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
const pool = createEnginePool({ clock: systemClock, random: systemRandom, log, development: false, environment })
await pool.start()

const speak = (count: number, signal: AbortSignal) =>
  pool.run({ id: 'bench', engine: 'svc-engine', model: '', operation: 'tts', params: { segments: [{ text: TEXT.repeat(count) }] }, signal })

async function untilAudio(): Promise<void> {
  for await (const event of speak(1, new AbortController().signal)) if (event.kind === 'audio') return
  throw new Error('the engine made no sound')
}

/** Milliseconds from the death of the host to the first sample of the next run. */
async function restart(): Promise<number> {
  const dead = new Promise<void>((resolve) => {
    forgetDeath = resolve
  })
  const from = performance.now()
  process.kill(host, 'SIGKILL')
  await dead
  await untilAudio()
  return performance.now() - from
}

/** Milliseconds from the wish to stop, in the middle of a long text, to the answer that it was stopped. */
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
  throw new Error('it was not stopped')
}

process.on('message', async (ask: 'restart' | 'cancel' | 'end') => {
  if (ask === 'end') {
    await pool.stop()
    process.exit(0)
  }
  process.send?.({ ms: await (ask === 'restart' ? restart() : cancel()) })
})
process.once('disconnect', () => process.exit())
await untilAudio()
process.send?.({ audio: true })
