// What GET /engines says of each engine, from what the connected machines offer now. Pure: the same offers give the same rows.
import type { Offer } from '../../inference/substitutes.ts'
import type { AsrBackend, LlmBackend, TtsBackend } from './engines.schema.ts'
import { ASR, type Family, installHint, type Known, LLM, TTS } from './known.ts'

/** The machines that a task of the family may go to, and the words for them. */
export type Scene = {
  readonly offers: readonly Offer[]
  /** False: none of them is connected, so nothing is known about them. */
  readonly connected: boolean
  /** An engine and the last reason why a sidecar installation failed. */
  readonly lastErrors?: ReadonlyMap<string, string>
  /** Engines behind an endpoint that is configured. */
  readonly endpoints?: readonly string[]
}
type Routing = Pick<TtsBackend, 'effective_device' | 'routing_status' | 'routing_reason'>

const AWAY = 'The machine that would run it is not connected.'
/** The hint of such a row goes on: choose another. */
const UNADAPTED = 'This version has no adapter for it.'

export const runs = ({ supported, installed, downloaded }: Offer): boolean => supported && installed && downloaded

/** The offer that a task would meet: one that runs, the real engine before a stand-in, a GPU before a processor. */
export function bestOf(offers: readonly Offer[], engine: string, operation: string): Offer | undefined {
  const mine = offers.filter((one) => one.engine === engine && one.operation === operation && runs(one))
  const rank = (one: Offer) => (one.stands_in === '' ? 0 : 2) + (one.device === 'cpu' ? 1 : 0)
  return mine.toSorted((left, right) => rank(left) - rank(right))[0]
}

/** Why nothing can run it, from the offer that is nearest to running. */
export function missing(row: Known, { offers, connected, endpoints = [] }: Scene, operation: string): string {
  if (row.way === 'endpoint') return endpoints.includes(row.id) ? '' : 'No endpoint is configured for it.'
  if (!connected) return AWAY
  const mine = offers.filter((one) => one.engine === row.id && one.operation === operation)
  const said = mine.find(({ stands_in }) => stands_in !== '')?.stands_in
  if (mine.some(({ supported, installed }) => supported && installed)) return said || 'Its model is not downloaded.'
  if (mine.some(({ supported }) => supported)) return said || 'It is not installed on any machine that may run it.'
  if (mine.length > 0) return said || 'No machine that may run it has the hardware that it needs.'
  return row.way === 'none' ? UNADAPTED : 'It is not installed on any machine that may run it.'
}

export function routing({ gpu }: Pick<Known, 'gpu'>, best: Offer | undefined, offers: readonly Offer[], reason: string): Routing {
  if (!best) return { effective_device: 'none', routing_status: 'unavailable', routing_reason: reason }
  const { device, stands_in, workerId } = best
  if (device !== 'cpu') return { effective_device: device, routing_status: 'accelerated', routing_reason: stands_in || null }
  if (stands_in !== '') return { effective_device: 'cpu', routing_status: 'cpu_fallback', routing_reason: stands_in }
  const hasGpu = offers.some((one) => one.workerId === workerId && !['cpu', ''].includes(one.device))
  if (hasGpu && gpu.some((target) => target !== 'cpu'))
    return { effective_device: 'cpu', routing_status: 'cpu_fallback', routing_reason: 'It did not start on the graphics device.' }
  return { effective_device: 'cpu', routing_status: 'cpu_only', routing_reason: null }
}

function shared(row: Known, scene: Scene, operation: string) {
  const best = bestOf(scene.offers, row.id, operation)
  const reason = missing(row, scene, operation)
  const isSidecar = row.way === 'sidecar' || (best?.implementation.startsWith('sidecar') ?? false)
  return {
    best,
    fields: {
      id: row.id,
      display_name: row.name,
      available: best !== undefined,
      reason: best ? null : reason,
      // A stand-in works, and there would be something to install all the same.
      install_hint: best && best.stands_in === '' ? '' : installHint(row),
      last_error: scene.lastErrors?.get(row.id) ?? null,
      isolation_mode: isSidecar ? ('subprocess' as const) : ('in-process' as const),
      gpu_compat: [...row.gpu],
      ...routing(row, best, scene.offers, reason),
    },
  }
}

/** The known rows, and one for each engine that a machine offers besides. */
function withOthers(known: readonly Known[], { offers }: Scene, operation: string): readonly Known[] {
  const others = new Set(offers.filter((one) => one.operation === operation && runs(one)).map(({ engine }) => engine))
  for (const { id } of known) others.delete(id)
  return [...known, ...[...others].sort().map((id): Known => ({ id, name: id, gpu: ['cpu'], way: 'built-in' }))]
}

export const ttsRows = (scene: Scene): TtsBackend[] =>
  withOthers(TTS, scene, 'tts').map((row) => {
    const { best, fields } = shared(row, scene, 'tts')
    return {
      ...fields,
      hint: best?.stands_in || null,
      supports_cloning: best ? best.cloning : (row.cloning ?? null),
      supports_emotion: row.emotion ?? false,
      setup_snippet: row.way === 'sidecar' ? `POST /engines/sidecar/${row.id}/install {"source": "/path/to/its/folder"}` : '',
      one_click_install: false,
      min_vram_gb: row.minVramGb ?? null,
      voices: best ? best.voices.map((voice) => ({ ...voice })) : [],
    }
  })

export const asrRows = (scene: Scene): AsrBackend[] =>
  withOthers(ASR, scene, 'asr').map((row) => {
    if (row.way === 'endpoint') return inNetwork(row, { ...scene, endpoints: bestOf(scene.offers, row.id, 'asr') ? [row.id] : [] })
    return shared(row, scene, 'asr').fields
  })

export const llmRows = (scene: Scene): LlmBackend[] =>
  LLM.map((row) => ({ ...inNetwork(row, { ...scene, endpoints: [...(scene.endpoints ?? []), 'off'] }), hint: null }))

/** What answers from elsewhere has no device of ours. */
function inNetwork(row: Known, scene: Scene): AsrBackend {
  const reason = missing(row, scene, '')
  return {
    id: row.id,
    display_name: row.name,
    available: reason === '',
    reason: reason || null,
    install_hint: reason === '' ? '' : installHint(row),
    last_error: null,
    isolation_mode: 'in-process',
    gpu_compat: [],
    effective_device: 'network',
    routing_status: 'n/a',
    routing_reason: null,
  }
}

export const rowsOf = (family: Family, scene: Scene): (TtsBackend | AsrBackend | LlmBackend)[] =>
  family === 'tts' ? ttsRows(scene) : family === 'asr' ? asrRows(scene) : llmRows(scene)
