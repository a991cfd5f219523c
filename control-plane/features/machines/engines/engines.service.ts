// The engines of each family, the selected engine, and the health of an engine. Only the selection is stored; everything else is computed
// from the current offers for each request, so a response is never outdated.

import { type Offer, offersAt, runs } from '#control-plane/inference/offers.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { ENGINE_FAMILIES, ENGINES_BY_FAMILY, type EngineFamily, NATIVE_ENGINE, PREFERRED_ENGINES } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { AsrBackend, LlmBackend, TtsBackend } from './engines.schema.ts'
import { engineSettings } from './engines.settings.ts'
import { MODEL_ENGINE, rowsOf, type Scene, ttsRows } from './rows.ts'

type Deps = {
  readonly settings: Pick<OwnerSettings, 'override' | 'stored' | 'write'>
  /** The offers of every connected machine. */
  readonly offered: () => readonly Offer[]
  /** The current target of this operation: 'local', 'auto' or a worker id. */
  readonly target: (operation: string) => string
  readonly lastErrors: () => ReadonlyMap<string, string>
  /** Engines whose licence has to be accepted and is not. */
  readonly unlicensed: () => ReadonlySet<string>
  /** True if the owner configured a language model. */
  readonly isLlmReady: () => boolean
  readonly clock: Clock
}
export type Engines = ReturnType<typeof createEngines>
type Row = TtsBackend | AsrBackend | LlmBackend
const LLM_ENDPOINT = 'openai-compat'
const isFamily = (word: string): word is EngineFamily => (ENGINE_FAMILIES as readonly string[]).includes(word)

export function createEngines({ settings, offered, target, lastErrors, unlicensed, isLlmReady, clock }: Deps) {
  function scene(family: EngineFamily): Scene {
    const where = family === 'llm' ? 'local' : target(family)
    const offers = offersAt(offered(), where)
    return {
      offers,
      connected: offers.length > 0,
      lastErrors: lastErrors(),
      unlicensed: unlicensed(),
      endpoints: isLlmReady() ? [LLM_ENDPOINT] : [],
    }
  }
  const rows = (family: EngineFamily): Row[] => rowsOf(family, scene(family))

  /** An id that no longer exists counts as no selection. */
  const existing = (family: EngineFamily, id: string | null): string | null =>
    id !== null &&
    (ENGINES_BY_FAMILY[family].some((row) => row.id === id) || (family === 'tts' && offered().some(({ engine }) => engine === id)))
      ? id
      : null
  const isPinned = (family: EngineFamily): boolean => existing(family, settings.override(engineSettings[family])) !== null

  function active(family: EngineFamily): string {
    const chosen = existing(family, settings.override(engineSettings[family])) ?? existing(family, settings.stored(engineSettings[family]))
    if (chosen !== null) return chosen
    if (family === 'tts') return NATIVE_ENGINE
    const all = rows(family)
    return PREFERRED_ENGINES[family].find((id) => all.find((row) => row.id === id)?.available) ?? PREFERRED_ENGINES[family].at(1)!
  }
  const view = <R extends Row>(family: EngineFamily, backends: R[]) => ({
    active: active(family),
    env_override: isPinned(family),
    backends,
  })
  const find = (id: string): Row | undefined => ENGINE_FAMILIES.flatMap(rows).find((row) => row.id === id)

  return {
    active,
    tts: () => view('tts', ttsRows(scene('tts'))),
    asr: () => view('asr', rows('asr') as AsrBackend[]),
    llm: () => view('llm', rows('llm') as LlmBackend[]),
    find,
    /** True if any of its operations runs on a connected machine. */
    runsAnywhere: (id: string): boolean => offered().some((offer) => offer.engine === id && offer.operation !== 'verify' && runs(offer)),

    /** Throws BAD_REQUEST with the reason why an engine cannot be selected. A selection by environment variable stays in effect; see the reply. */
    async select(family: string, id: string, modelId: string | null) {
      if (!isFamily(family)) throw new Failure('BAD_REQUEST', `Unknown family '${family}'. Use one of ${ENGINE_FAMILIES.join(', ')}.`)
      const all = rows(family)
      const row = all.find((each) => each.id === id)
      if (!row) throw new Failure('BAD_REQUEST', `Unknown ${family} engine '${id}'. Use one of ${all.map((each) => each.id).join(', ')}.`)
      if (modelId !== null && id !== MODEL_ENGINE)
        throw new Failure('BAD_REQUEST', `'${id}' has no models to choose from. Leave model_id out.`)
      if (!row.available || row.routing_status === 'unavailable')
        throw new Failure('BAD_REQUEST', `'${id}' cannot be used: ${inSentences(row.reason, row.install_hint)}`)
      await settings.write(engineSettings[family], id)
      const now = active(family)
      const used = all.find((each) => each.id === now) ?? row
      return {
        family,
        active: now,
        env_override: isPinned(family),
        routing_status: used.routing_status,
        effective_device: used.effective_device,
        routing_reason: used.routing_reason,
      }
    },

    /** Throws NOT_FOUND for an unknown id, and nothing else. */
    health(id: string) {
      const from = clock.mono()
      const row = find(id)
      if (!row) throw new Failure('NOT_FOUND', `Unknown engine '${id}'.`)
      const message = row.available ? 'Healthy' : 'Engine unavailable; the list of engines gives the reason.'
      return { id, ok: row.available, message, latency_ms: Math.round((clock.mono() - from) * 1000) / 1000 }
    },
  }
}
