// The rows of GET /engines, computed from the current offers. Pure.

import { bestOf, type Offer, runs } from '#control-plane/inference/offers.ts'
import { deviceRouting } from '#control-plane/inference/routing.ts'
import { ENGINES_BY_FAMILY, type EngineFamily, type EngineRow, engineRow } from '#shared/engines.ts'
import type { AsrBackend, LlmBackend, TtsBackend } from './engines.schema.ts'
import { installHint, needOfEngine } from './install-hint.ts'

/** The offers of the machines that may run tasks of the family. */
export type Scene = {
  readonly offers: readonly Offer[]
  /** False: none of them is connected, so their engines are unknown. */
  readonly connected: boolean
  /** Engine id -> reason of its last failed sidecar installation. */
  readonly lastErrors?: ReadonlyMap<string, string>
  /** Engines whose licence has to be accepted and is not. */
  readonly unlicensed?: ReadonlySet<string>
  /** Engines behind an endpoint that is configured. */
  readonly endpoints?: readonly string[]
}
type Routing = Pick<TtsBackend, 'effective_device' | 'routing_status' | 'routing_reason'>

const AWAY = 'No selected machine is connected.'
/** Followed by the install hint: choose another engine. */
const UNADAPTED = 'This version has no adapter for it.'
/** The engine whose row lists models to choose from. */
export const MODEL_ENGINE = 'mlx-audio'
/** Clients look for these three words, in this spelling, to offer the dialog for the licence. */
const UNLICENSED = 'Its model is not installed: license not accepted.'

/** The reason why no machine can run the engine, from the offer that is closest to running; '' for a configured endpoint. */
export function missing(row: EngineRow, { offers, connected, unlicensed, endpoints = [] }: Scene, operation: string): string {
  if (row.packaging === 'endpoint') return endpoints.includes(row.id) ? '' : 'No endpoint is configured for it.'
  if (unlicensed?.has(row.id)) return UNLICENSED
  if (!connected) return AWAY
  const own = offers.filter((offer) => offer.engine === row.id && offer.operation === operation)
  const substitute = own.find(({ stands_in }) => stands_in !== '')?.stands_in
  if (own.some(({ supported, installed }) => supported && installed)) return substitute || 'Its model is not installed.'
  if (own.some(({ supported }) => supported)) return substitute || 'It is not installed on any selected machine.'
  if (own.length > 0) return substitute || 'No selected machine has the hardware that it needs.'
  return row.packaging === 'none' ? UNADAPTED : 'It is not installed on any selected machine.'
}

const routing = (best: Offer | undefined, offers: readonly Offer[], reason: string): Routing =>
  best ? deviceRouting(best, offers) : { effective_device: 'none', routing_status: 'unavailable', routing_reason: reason }

function shared(row: EngineRow, scene: Scene, operation: string) {
  const best = bestOf(scene.offers, row.id, operation)
  const reason = missing(row, scene, operation)
  const isSidecar = row.packaging === 'sidecar' || (best?.implementation.startsWith('sidecar') ?? false)
  return {
    best,
    fields: {
      id: row.id,
      display_name: row.name,
      available: best !== undefined,
      reason: best ? null : reason,
      // With a substitute the engine itself can still be installed.
      install_hint: best && best.stands_in === '' ? '' : installHint(row),
      needs: best && best.stands_in === '' ? null : needOfEngine(row),
      last_error: scene.lastErrors?.get(row.id) ?? null,
      isolation_mode: isSidecar ? ('subprocess' as const) : ('in-process' as const),
      gpu_compat: [...row.gpu],
      ...routing(best, scene.offers, reason),
    },
  }
}

/** The rows of a family, plus one row for each other engine that a machine offers. */
function withOthers(family: EngineFamily, { offers }: Scene, operation: string): readonly EngineRow[] {
  const others = new Set(offers.filter((one) => one.operation === operation && runs(one)).map(({ engine }) => engine))
  const rows = ENGINES_BY_FAMILY[family]
  for (const { id } of rows) others.delete(id)
  return [...rows, ...[...others].sort().map((id) => engineRow(id) ?? unlisted(id, operation))]
}

/** An engine that is not in the table: a sidecar that the owner installed. */
const unlisted = (id: string, operation: string): EngineRow => ({
  id,
  name: id,
  family: null,
  operations: [operation as EngineRow['operations'][number]],
  languages: [],
  licence: '',
  packaging: 'built-in',
  group: null,
  gpu: ['cpu'],
})

export const ttsRows = (scene: Scene): TtsBackend[] =>
  withOthers('tts', scene, 'tts').map((row) => {
    const { best, fields } = shared(row, scene, 'tts')
    return {
      ...fields,
      hint: best?.stands_in || null,
      supports_cloning: best ? best.cloning : (row.cloning ?? null),
      supports_emotion: row.emotion ?? false,
      setup_snippet: row.packaging === 'sidecar' ? `POST /engines/sidecar/${row.id}/install {"source": "/path/to/its/folder"}` : '',
      one_click_install: false,
      min_vram_gb: row.minVramGb ?? null,
      voices: best ? best.voices.map(({ id, name, language }) => ({ id, name, language })) : [],
      // The studio curates no models of this engine.
      ...(row.id === MODEL_ENGINE && { curated_models: [], active_model_id: '' }),
    }
  })

export const asrRows = (scene: Scene): AsrBackend[] =>
  withOthers('asr', scene, 'asr').map((row) => {
    if (row.packaging === 'endpoint') return inNetwork(row, { ...scene, endpoints: bestOf(scene.offers, row.id, 'asr') ? [row.id] : [] })
    return shared(row, scene, 'asr').fields
  })

export const llmRows = (scene: Scene): LlmBackend[] =>
  ENGINES_BY_FAMILY.llm.map((row) => ({ ...inNetwork(row, { ...scene, endpoints: [...(scene.endpoints ?? []), 'off'] }), hint: null }))

/** A network service uses no local device. */
function inNetwork(row: EngineRow, scene: Scene): AsrBackend {
  const reason = missing(row, scene, '')
  return {
    id: row.id,
    display_name: row.name,
    available: reason === '',
    reason: reason || null,
    install_hint: reason === '' ? '' : installHint(row),
    needs: null,
    last_error: null,
    isolation_mode: 'in-process',
    gpu_compat: [],
    effective_device: 'network',
    routing_status: 'n/a',
    routing_reason: null,
  }
}

export const rowsOf = (family: EngineFamily, scene: Scene): (TtsBackend | AsrBackend | LlmBackend)[] =>
  family === 'tts' ? ttsRows(scene) : family === 'asr' ? asrRows(scene) : llmRows(scene)
