// POST /dub/generate: what can be refused is refused before the job begins.

import type { ToolsApi } from '#control-plane/features/base/tools/api.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub } from '#control-plane/features/dubbing/store/dub.ts'
import type { DubCasting } from '#control-plane/features/dubbing/voice/speak/casting.service.ts'
import {
  AUTO_VOICE,
  type DubManifest,
  isAutomatic,
  type RequestedLine,
  substituteSentence,
} from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import type { SpeechApi } from '#control-plane/features/speech/speech/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { DubGenerateBody } from './generate.contract.ts'
import type { GenerateJobs } from './generate-job.ts'
import { createLineReader, dubManifestOf } from './request.rules.ts'

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'dub'>
  readonly jobs: GenerateJobs
  readonly abort: Pick<AbortDub, 'requireNoOtherTracks' | 'startAlone'>
  readonly casting: Pick<DubCasting, 'cannotClone'>
  readonly speech: Pick<SpeechApi, 'synthesis'>
  readonly voices: Pick<VoicesApi, 'find'>
  readonly tools: ToolsApi
  /** The engine that is selected for speech. */
  readonly engine: () => string
  /** The machine that the owner chose for dubs. */
  readonly target: () => string
}
/** Lines between two turns of the event loop. */
const LINES_A_TURN = 25
export type DubGenerating = ReturnType<typeof createDubGenerating>

export function createDubGenerating({ core, jobs, abort, casting, speech: { synthesis }, voices, tools, engine, target }: Deps) {
  function requireEngine(model: string, isCloning: boolean): void {
    try {
      synthesis.choiceOf(model, { segments: [] }, target(), isCloning)
    } catch (cause) {
      throw new Failure('BAD_REQUEST', Failure.from(cause).message, { cause })
    }
  }

  /**
   * The speakers whose automatic voices are replaced, because the engine cannot clone. Throws BAD_REQUEST for an engine that cannot speak now, and
   * for a voice that it cannot have.
   */
  function refuseImpossible({ options }: Dub, { engine: model, lines }: DubManifest): string[] {
    const check = (isCloning: boolean): void => requireEngine(model, isCloning)
    check(false)
    const replaced = new Set<string>()
    for (const profileId of new Set(lines.map((line) => line.profileId))) {
      if (profileId.startsWith(AUTO_VOICE)) {
        const speaker = profileId.slice(AUTO_VOICE.length)
        const hasOwn = lines.some((line) => line.profileId === profileId && Object.hasOwn(options.segment_clones, line.id))
        if (!hasOwn && !Object.hasOwn(options.clone_files, speaker))
          throw new Failure(
            'BAD_REQUEST',
            `There is no recording of ${speaker.slice(0, 64)} in this film. Choose another voice for its lines.`,
          )
        const own = lines.filter((line) => line.profileId === profileId)
        if (own.every(isAutomatic) && casting.cannotClone(model)) replaced.add(speaker)
        else check(true)
      } else if (profileId !== '' && voices.find(profileId)) check(true)
    }
    return [...replaced]
  }

  async function accepted(dubId: string, body: DubGenerateBody): Promise<{ manifest: DubManifest; replaced: string[] }> {
    const dub = core.dub(dubId)
    if (!dub.sound) throw new Failure('BAD_REQUEST', 'The film is not prepared yet. Wait for the ready event of its upload.')
    const read = createLineReader(body, { stored: core.store.segments.list(dubId), tools })
    const lines: RequestedLine[] = []
    for (const [index, segment] of body.segments.entries()) {
      if (index % LINES_A_TURN === 0) await nextTurn()
      lines.push(read(segment, index))
    }
    const manifest = dubManifestOf(body, dubId, engine(), lines)
    return { manifest, replaced: refuseImpossible(dub, manifest) }
  }

  return {
    /** Throws NOT_FOUND. */
    require: (dubId: string): void => void core.dub(dubId),
    /** The lines of a request. Throws NOT_FOUND, BAD_REQUEST. */
    manifestOf: async (dubId: string, body: DubGenerateBody): Promise<DubManifest> => (await accepted(dubId, body)).manifest,
    /** True if the selected engine can speak with the voice of a recording now. */
    canClone(): boolean {
      try {
        requireEngine(engine(), true)
        return true
      } catch {
        return false
      }
    },
    /** Throws BAD_REQUEST when the selected engine cannot speak now, and for the voice of a recording when it cannot clone. */
    requireVoice(voice: string | null): void {
      requireEngine(engine(), false)
      if (voice !== null && (voice.startsWith(AUTO_VOICE) || voices.find(voice))) requireEngine(engine(), true)
    },
    /** Throws NOT_FOUND, BAD_REQUEST, CONFLICT for a dub that a batch or a repair makes, and what creating a job throws. */
    async start(dubId: string, body: DubGenerateBody): Promise<{ task_id: string; substitute?: string }> {
      core.dub(dubId)
      return await abort.startAlone(dubId, async () => {
        abort.requireNoOtherTracks(dubId)
        const { manifest, replaced } = await accepted(dubId, body)
        const task_id = await jobs.start(manifest)
        return replaced.length === 0 ? { task_id } : { task_id, substitute: substituteSentence(manifest.engine, replaced) }
      })
    },
  }
}
