// list_voices, list_personalities and clone_voice. The studio has the voices of its engines; it cannot store further ones in this version.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { EnginesApi } from '../../engines/api.ts'
import { BODY_BYTES } from '../mcp.contract.ts'
import { tool } from './tool.ts'

const MOST = 500
const text = (chars: number) => z.string().max(chars).nullish()

export const listVoices = ({ engines }: { readonly engines: Pick<EnginesApi, 'tts'> }) =>
  tool({
    name: 'list_voices',
    title: 'List voices',
    description:
      'Lists the voices of the engines that can speak now. The id of a voice is the profile_id of generate_speech. This version has no cloned voices.',
    input: z.object({
      engine: text(64).describe('Only the voices of this engine.'),
      language: text(35).describe('Only voices of this language, such as en.'),
    }),
    readOnly: true,
    run({ engine, language }) {
      const { active, backends } = engines.tts()
      const speaking = backends.filter(({ id, available }) => available && (!engine || id === engine))
      const isWanted = (tag: string) => !language || primary(tag) === primary(language)
      const all = speaking.flatMap(({ id, voices }) =>
        voices.filter((voice) => isWanted(voice.language)).map((voice) => ({ ...voice, engine: id, type: 'preset' as const })),
      )
      return {
        fields: {
          active_engine: active,
          engines: speaking.map(({ id, display_name, voices }) => ({ id, name: display_name, voices: voices.length })),
          voices: all.slice(0, MOST),
          total: all.length,
          ...(all.length > MOST && { omitted: `Only ${MOST} of ${all.length} voices are listed. Name an engine or a language.` }),
        },
      }
    },
  })

export const listPersonalities = () =>
  tool({
    name: 'list_personalities',
    title: 'List personalities',
    description: 'Personality presets for voices. Not available in this version: the answer is an error.',
    input: z.object({}),
    readOnly: true,
    run() {
      throw new Failure('NOT_FOUND', 'This version has no personalities. Describe the style with the field instruct of generate_speech.')
    },
  })

export const cloneVoice = () =>
  tool({
    name: 'clone_voice',
    title: 'Clone a voice',
    description: 'Stores the voice of a recording. Not available in this version: the answer is an error, and nothing is stored.',
    input: z.object({
      name: text(200),
      ref_audio_base64: text(BODY_BYTES),
      ref_text: text(10_000),
      instruct: text(4096),
      language: text(35),
    }),
    readOnly: false,
    run() {
      throw new Failure(
        'NOT_FOUND',
        'This version cannot store voices. For a single take in the voice of a recording, send the recording as ref_audio with POST /generate.',
      )
    },
  })

const primary = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!
