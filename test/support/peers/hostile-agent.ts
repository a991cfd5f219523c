// A program that joins a studio as a lent machine and offers the engine `tone`, but sends results that no engine would. The text of a task
// contains the name of what it sends. Arguments: a join code, and how many runs it collects before it answers the first one. With a digest as
// the third, it says that its model has this digest, and declines every task as a machine whose model was replaced since then. With `answer` as
// the fourth, it answers all the same, and offers the other operations of a dub as well.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AgentService, ServedRun } from '#shared/link/rpc.ts'
import { SERVER_OPTIONS } from '#shared/link/transport/options.ts'
import { INPUTS_FEATURE } from '#shared/protocol/messages.ts'
import { wireCapability } from '../builders/wire.ts'
import { scriptedService, serveStudio } from './scripted-agent.ts'

const DEEP = 400_000
const MEGABYTE = 1024 * 1024
const good = { sample_rate: 16_000, parts: [{ samples: 1 }], voice: 'tone', notices: [] }
const SOUND = Buffer.alloc(2)
/** The result of each task that names it: as many parts as texts, and no sound in them. */
export const SILENCE = 'silence'
const SILENT_SAMPLES = 24_000

/** Result text by the name that a test requests. Each comes with two bytes of sound in part 0. */
const RESULTS: Readonly<Record<string, () => string>> = {
  length: () => JSON.stringify({ ...good, parts: { length: 1e9 } }),
  rate: () => JSON.stringify({ ...good, sample_rate: 3e9 }),
  null: () => 'null',
  list: () => '[]',
  deep: () => `{"parts":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
  large: () => JSON.stringify({ ...good, voice: 'x'.repeat(30 * MEGABYTE) }),
  samples: () => JSON.stringify({ ...good, parts: [{ samples: 2 ** 29 }] }),
  part: () => JSON.stringify(good),
}
export const HOSTILE_RESULTS = Object.keys(RESULTS)

type Answer = { readonly part: number; readonly sound: Buffer; readonly result: Buffer }

function answerTo(texts: readonly string[]): Answer {
  if (texts[0]!.includes(SILENCE)) {
    const parts = texts.map(() => ({ samples: SILENT_SAMPLES }))
    const result = Buffer.from(JSON.stringify({ ...good, parts }))
    return { part: 0, sound: Buffer.alloc(2 * SILENT_SAMPLES * parts.length), result }
  }
  const name = HOSTILE_RESULTS.find((each) => texts[0]!.includes(each))!
  return { part: name === 'part' ? 7 : 0, sound: SOUND, result: Buffer.from(RESULTS[name]!()) }
}

function send(call: ServedRun, { part, sound, result: result_json }: Answer): void {
  const sha256 = createHash('sha256').update(sound).digest()
  call.write({
    events: [
      { seq: 1, fact: 'accepted', accepted: {} },
      { seq: 2, fact: 'running', running: { machine: '' } },
      { seq: 3, fact: 'output', output: { part, offset: 0, payload: sound } },
    ],
  })
  call.write({ events: [{ seq: 4, fact: 'completed', completed: { result_json, sha256, size: sound.length } }] })
}

/** Other operations that a dub needs of machines. The studio asks its own machine only. */
const OTHERS = [
  { engine: 'tone', operation: 'asr' },
  { engine: 'apertium', operation: 'translate' },
  { engine: 'demucs', operation: 'separate' },
  { engine: 'silero-vad', operation: 'vad' },
]

function createHostileService(collected: number, digest: string, isAnswering: boolean): AgentService {
  const speech = wireCapability({ model_digest: digest, cloning: digest !== '', stands_in: digest === '' ? '' : 'A test tone.' })
  const others = isAnswering ? OTHERS.map((other) => wireCapability({ ...other, implementation: other.engine })) : []
  let release: () => void = () => {}
  const all = new Promise<void>((resolve) => {
    release = resolve
  })
  let runs = 0
  const run = async (call: ServedRun): Promise<void> => {
    if (digest !== '' && !isAnswering) {
      process.stdout.write(`declined ${call.header.model_digest}.\n`)
      call.write({ events: [{ seq: 1, fact: 'declined', declined: { code: 'MODEL_DIGEST_MISMATCH', message: 'Another model.' } }] })
      return call.end()
    }
    const { segments = [] } = JSON.parse(call.header.params_json.toString())
    if (segments.length === 0) process.stdout.write(`asked for ${call.header.operation}.\n`)
    if (++runs >= collected) release()
    await all
    send(call, answerTo(segments.map(({ text }: { text: string }) => text)))
    if (!call.signal.aborted) await once(call.signal, 'abort')
  }
  return scriptedService({ run }, { features: digest === '' ? [] : [INPUTS_FEATURE], capabilities: [speech, ...others] })
}

async function main(code: string, collected: number, digest: string, isAnswering: boolean): Promise<void> {
  // An honest agent cannot even send more than the studio accepts.
  Object.assign(SERVER_OPTIONS, { 'grpc.max_send_message_length': -1 })
  const service = createHostileService(collected, digest, isAnswering)
  await serveStudio(code, service, { joined: (workerId) => process.stdout.write(`joined as ${workerId}.\n`) })
}

if (import.meta.main) await main(process.argv[2]!, Number(process.argv[3]), process.argv[4] ?? '', process.argv[5] === 'answer')
