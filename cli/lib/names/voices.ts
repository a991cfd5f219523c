// Voices of the running studio, by the names that a person types.
import { z } from 'zod'
import { enginesContracts } from '#control-plane/features/machines/engines/engines.contract.ts'
import { speechContracts } from '#control-plane/features/speech/speech/speech.contract.ts'
import { engineRow, NATIVE_ENGINE } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseBlend } from '#shared/voices/blend.ts'
import type { Environment } from '../command.ts'
import { nearestOf } from '../nearest.ts'
import { requestJson } from '../studio/api.ts'

const Answer = z.object({
  voices: z.array(z.object({ voice_id: z.string(), name: z.string(), type: z.string() })),
  engines: z.array(speechContracts.listVoices.reply.shape.engines.element.pick({ id: true, display_name: true, voices: true })),
})
const Engines = z.object({ tts: enginesContracts.list.reply.shape.tts.pick({ active: true }) })
const SUGGESTIONS = 3
const SHOWN = 8

/** The id of the voice that `name` means for `engine`, the chosen engine without one. Throws NOT_FOUND with the nearest voices. */
export async function chosenVoice(env: Environment, name: string, engine: string | undefined): Promise<string> {
  const answer = Answer.parse(await requestJson(env, 'GET', '/v1/audio/voices'))
  return voiceNamed(name, engine ?? Engines.parse(await requestJson(env, 'GET', '/engines')).tts.active, answer)
}

/** A voice of that engine, a name of the public API or a saved profile, in any case. */
export function voiceNamed(name: string, engine: string, { voices, engines }: z.output<typeof Answer>): string {
  const wanted = name.toLowerCase()
  const common = voices.find(({ voice_id, name: shown }) => voice_id === name || shown.toLowerCase() === wanted)
  if (wanted === 'default' || common) return common?.voice_id ?? 'default'
  const own = engines.find(({ id }) => id === engine)?.voices ?? []
  const voice = own.find(({ id }) => id === name) ?? own.find(({ id }) => id.toLowerCase() === wanted)
  if (voice) return voice.id
  const idOf = (part: string) => own.find(({ id }) => id.toLowerCase() === part.toLowerCase())?.id
  const blend = engineRow(engine)?.blends === true ? parseBlend(name, idOf) : null
  if (blend) return blend.id
  const other = engines.find((each) => each.voices.some(({ id }) => id === name))
  // The engine that has it answers for the native one.
  if (other && engine === NATIVE_ENGINE) return name
  if (other) throw new Failure('NOT_FOUND', `${name} is a voice of ${other.display_name}. Add --engine ${other.id} to use it.`)
  const profiles = voices.filter(({ type }) => type === 'profile')
  const known = [...own.map(({ id }) => id), ...profiles.map((each) => each.name)]
  const some = known.length <= SHOWN ? known : nearestOf(name, known, (each) => [each], SUGGESTIONS)
  const list =
    known.length === 0 ? `${engine} has no named voices.` : `The ${some === known ? 'voices' : 'nearest'} are: ${some.join(', ')}.`
  throw new Failure('NOT_FOUND', `There is no voice ${name} for ${engine}. ${list} Without --voice the default voice is used.`)
}
