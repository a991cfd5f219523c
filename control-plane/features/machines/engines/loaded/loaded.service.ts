// The models in the memory of the machines that run speech, and unloading them. Nothing is stored here: each answer asks the machines for a
// snapshot, because the regular ones are seconds old.
import { freemem, totalmem } from 'node:os'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { engineRow, SIDECAR_ENGINES } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { Gpu, UnloadedMessage } from '#shared/protocol/messages.ts'
import { collectGarbage } from '#shared/runtime/memory/collect-garbage.ts'
import type { Engines } from '../engines.service.ts'

/** The part of a session that this area needs. */
export type Resident = {
  readonly workerId: string
  readonly residentModels: () => readonly string[]
  /** Makes `residentModels` current; false when the machine did not answer in time. Never rejects. */
  readonly refreshSnapshot: () => Promise<boolean>
  readonly unload: (engine: string) => Promise<UnloadedMessage>
}
type Deps = {
  readonly engines: Pick<Engines, 'active' | 'find'>
  readonly sessions: () => Iterable<Resident>
  readonly target: (operation: string) => string
  readonly offered: () => readonly Offer[]
  /** The name of a machine for people. */
  readonly labelOf: (target: string) => string
  readonly live: () => Iterable<TaskRecord>
  /** GPUs of this machine, as its agent measured them. */
  readonly gpus: () => readonly Gpu[]
}
export type Loaded = ReturnType<typeof createLoaded>
const DIARIZATION = 'pyannote'
const gib = (bytes: number): number => Math.round((bytes / 2 ** 30) * 100) / 100
const displayName = (engine: string): string => engineRow(engine)?.name ?? engine

export function createLoaded({ engines, sessions, target, offered, labelOf, live, gpus }: Deps) {
  const machines = (): Resident[] => {
    const where = target('tts')
    return [...sessions()].filter(({ workerId }) => where === 'auto' || workerId === where)
  }
  /** `isCurrent`: every machine has answered. Of one that has not, the newest regular snapshot counts. */
  async function residents() {
    const current = machines()
    const answers = await Promise.all(current.map(({ refreshSnapshot }) => refreshSnapshot()))
    const held = current.flatMap(({ workerId, residentModels }) =>
      residentModels().map((name) => {
        const [engine = '', model = ''] = name.split(/:(.*)/s)
        return { workerId, engine, model }
      }),
    )
    return { held, isCurrent: answers.every(Boolean) }
  }
  const isSidecar = (engine: string) => SIDECAR_ENGINES.includes(engine)
  const publicId = (engine: string): string =>
    engine === engines.active('tts')
      ? 'tts'
      : engine === engines.active('asr')
        ? 'asr'
        : isSidecar(engine)
          ? `sidecar:${engine}`
          : `engine:${engine}`

  /** The engines behind an id of this API; null for an unknown id. */
  function enginesOf(id: string): string[] | null {
    if (id === 'tts') return [engines.active('tts')]
    if (id === 'asr' || id === 'capture-asr') return [engines.active('asr')]
    if (id === 'diarization') return [DIARIZATION]
    if (id === 'sidecars') return [...SIDECAR_ENGINES]
    const [kind, engine = ''] = id.split(/:(.*)/s)
    if (kind === 'sidecar' && isSidecar(engine)) return [engine]
    if (kind === 'engine' && (engines.find(engine) || offered().some((one) => one.engine === engine))) return [engine]
    return null
  }

  async function unload(ids: readonly string[]): Promise<{ count: number; reason: string }> {
    const { held } = await residents()
    let count = 0
    const isLoading = [...live()].some(({ task, spec }) => task.phase === 'loading' && ids.includes(spec.engine))
    let reason = isLoading ? 'not running or busy' : 'not loaded'
    for (const machine of machines())
      for (const engine of ids.filter((each) => held.some((one) => one.engine === each && one.workerId === machine.workerId))) {
        // An agent that is disconnected or too old for this call unloads its models after ten idle minutes.
        const answer = await machine.unload(engine).catch((error: unknown) => ({ unloaded: [], reason: Failure.from(error).message }))
        if (answer.unloaded.length > 0) count++
        else reason = answer.reason || 'not running or busy'
      }
    return { count, reason }
  }

  return {
    async status() {
      const engine = engines.active('tts')
      const loaded = (await residents()).held.some((one) => one.engine === engine)
      const loading = [...live()].some(({ task, spec }) => spec.operation === 'tts' && spec.engine === engine && task.phase === 'loading')
      const status = loading ? ('loading' as const) : loaded ? ('ready' as const) : ('idle' as const)
      const sub_stage = loading ? 'loading_weights' : loaded ? 'ready' : ''
      return { status, loaded, loading, checkpoint: null, loaded_at: null, sub_stage, detail: loading ? `loading ${engine}` : '' }
    },

    async list() {
      const all = offered()
      const { held, isCurrent } = await residents()
      const models = held.map(({ engine, model, workerId }) => {
        const offer = all.find((one) => one.workerId === workerId && one.engine === engine && one.model === model)
        const id = publicId(engine)
        const notes = [workerId === 'local' ? '' : `On ${labelOf(workerId)}.`, offer?.stands_in ?? ''].filter(Boolean)
        return {
          id,
          name: displayName(engine),
          checkpoint: model,
          device: offer?.device ?? 'unknown',
          vram_mb: 0, // not measured yet
          unloadable: id !== 'asr',
          engine_id: engine,
          is_active_engine: id === 'tts' || id === 'asr',
          ...(notes.length > 0 && { note: inSentences(...notes) }),
        }
      })
      const system = { ram_available_gb: gib(freemem()), ram_total_gb: gib(totalmem()) }
      return { models, count: models.length, system, degraded_sources: isCurrent ? [] : ['engines'] }
    },

    /** An engine that is not loaded is reported in the result. Throws BAD_REQUEST for an unknown id. */
    async unload(id: string) {
      const engineIds = enginesOf(id)
      if (!engineIds)
        throw new Failure('BAD_REQUEST', `Unknown model '${id}'. Use tts, diarization, capture-asr, sidecars, sidecar:<id> or engine:<id>.`)
      if (id === 'asr') {
        const isHeld = (await residents()).held.some(({ engine }) => engineIds.includes(engine))
        return { unloaded: id, success: false, reason: isHeld ? 'in use by dictation' : 'not loaded' }
      }
      const { count, reason } = await unload(engineIds)
      const success = count > 0
      return { unloaded: id, success, ...(!success && { reason }), ...(id === 'sidecars' && { count }) }
    },

    /** Unloads every idle engine if requested, which ends its process, and returns the unused memory of this process to the system. */
    async flush(unloadModel: boolean) {
      const { count } = unloadModel ? await unload([...new Set((await residents()).held.map(({ engine }) => engine))]) : { count: 0 }
      collectGarbage()
      const vram = gpus().reduce((sum, { memory_bytes: all, free_memory_bytes: free }) => sum + Math.max(0, all - free), 0)
      return {
        flushed: true as const,
        unloaded_model: count > 0,
        ram_after: gib(totalmem() - freemem()),
        vram_after: gib(vram),
        vram_reserved: gib(vram),
      }
    },
  }
}
