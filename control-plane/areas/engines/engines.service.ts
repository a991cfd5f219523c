// Which engines there are, which of them is chosen, and whether one works. The choice is a word in the settings; what stands behind it is
// looked up at every question, so that the answer is never older than the machines.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Offer } from '../../inference/substitutes.ts'
import type { SettingStore } from '../../store/setting.store.ts'
import type { AsrBackend, LlmBackend, TtsBackend } from './engines.schema.ts'
import { FAMILIES, type Family, KNOWN, NATIVE, PREFERRED } from './known.ts'
import { rowsOf, runs, type Scene, ttsRows } from './rows.ts'

type Deps = {
  readonly settings: SettingStore
  /** What every connected machine offers. */
  readonly offered: () => readonly Offer[]
  /** Where a task of this operation goes now: 'local', 'auto' or a worker id. */
  readonly target: (operation: string) => string
  /** Choices that the environment made and that no request can change. */
  readonly pinned: Readonly<Record<Family, string | null>>
  readonly lastErrors: () => ReadonlyMap<string, string>
  readonly clock: Clock
}
export type Engines = ReturnType<typeof createEngines>
type Row = TtsBackend | AsrBackend | LlmBackend
const KEY: Readonly<Record<Family, string>> = { tts: 'tts_backend', asr: 'asr_backend', llm: 'llm_backend' }
const isFamily = (word: string): word is Family => (FAMILIES as readonly string[]).includes(word)

export function createEngines({ settings, offered, target, pinned, lastErrors, clock }: Deps) {
  function scene(family: Family): Scene {
    const where = family === 'llm' ? 'local' : target(family)
    const offers = offered().filter(({ workerId }) => where === 'auto' || workerId === where)
    return { offers, connected: offers.length > 0, lastErrors: lastErrors() }
  }
  const rows = (family: Family): Row[] => rowsOf(family, scene(family))

  /** An id that is not known any more reads as nothing chosen. */
  const known = (family: Family, id: string | null): string | null =>
    id !== null && (KNOWN[family].some((row) => row.id === id) || (family === 'tts' && offered().some(({ engine }) => engine === id)))
      ? id
      : null
  const isPinned = (family: Family): boolean => known(family, pinned[family]) !== null

  function active(family: Family): string {
    const chosen = known(family, pinned[family]) ?? known(family, settings.get(KEY[family]))
    if (chosen !== null) return chosen
    if (family === 'tts') return NATIVE
    const all = rows(family)
    return PREFERRED[family].find((id) => all.find((row) => row.id === id)?.available) ?? PREFERRED[family].at(1)!
  }
  const view = <R extends Row>(family: Family, backends: R[]) => ({ active: active(family), env_override: isPinned(family), backends })
  const find = (id: string): Row | undefined => FAMILIES.flatMap(rows).find((row) => row.id === id)

  return {
    active,
    tts: () => view('tts', ttsRows(scene('tts'))),
    asr: () => view('asr', rows('asr') as AsrBackend[]),
    llm: () => view('llm', rows('llm') as LlmBackend[]),
    find,
    /** Anything of it runs on some connected machine. */
    runsAnywhere: (id: string): boolean => offered().some((one) => one.engine === id && runs(one)),

    /** Throws BAD_REQUEST that says why an engine cannot be chosen. What the environment chose stays in force and is told. */
    select(family: string, id: string, modelId: string | null) {
      if (!isFamily(family)) throw new Failure('BAD_REQUEST', `Unknown family '${family}'. Use one of ${FAMILIES.join(', ')}.`)
      const all = rows(family)
      const row = all.find((each) => each.id === id)
      if (!row) throw new Failure('BAD_REQUEST', `Unknown ${family} engine '${id}'. Use one of ${all.map((each) => each.id).join(', ')}.`)
      if (modelId !== null && id !== 'mlx-audio') throw new Failure('BAD_REQUEST', `'${id}' has no models to choose from.`)
      if (!row.available || row.routing_status === 'unavailable')
        throw new Failure('BAD_REQUEST', `'${id}' cannot be used: ${[row.reason, row.install_hint].filter(Boolean).join(' ')}`)
      settings.set(KEY[family], id)
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

    /** Throws NOT_FOUND for an id nobody knows, and nothing else. */
    health(id: string) {
      const from = clock.mono()
      const row = find(id)
      if (!row) throw new Failure('NOT_FOUND', `Unknown engine '${id}'.`)
      const message = row.available ? 'Healthy' : 'Engine unavailable; GET /engines tells why.'
      return { id, ok: row.available, message, latency_ms: Math.round((clock.mono() - from) * 1000) / 1000 }
    },
  }
}
