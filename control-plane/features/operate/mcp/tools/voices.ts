// list_voices, list_personalities and clone_voice.
import { z } from 'zod'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { keepUpload, type UploadDisk } from '#control-plane/http/input/form.ts'
import { BODY_BYTES } from '../mcp.contract.ts'
import { tool } from './tool.ts'
import { bytesOf } from './transcribe.ts'

const MOST = 500
const text = (chars: number) => z.string().max(chars).nullish()

type Deps = { readonly engines: Pick<EnginesApi, 'tts'>; readonly voices: Pick<VoicesApi, 'list'> }
export const listVoices = ({ engines, voices: profiles }: Deps) =>
  tool({
    name: 'list_voices',
    title: 'List voices',
    description:
      'Lists the saved voices and the voices of the engines that can speak now. The id of a voice is the profile_id of generate_speech. A saved voice needs an engine that clones.',
    input: z.object({
      engine: text(64).describe('Only the voices of this engine.'),
      language: text(35).describe('Only voices of this language, such as en.'),
    }),
    output: z.object({
      active_engine: z.string(),
      engines: z.array(z.object({ id: z.string(), name: z.string(), voices: z.int() })),
      voices: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          language: z.string(),
          engine: z.string().nullable().describe('Null for a saved voice.'),
          type: z.enum(['profile', 'preset']),
        }),
      ),
      total: z.int(),
      omitted: z.string().optional(),
    }),
    readOnly: true,
    run({ engine, language }) {
      const { active, backends } = engines.tts()
      const speaking = backends.filter(({ id, available }) => available && (!engine || id === engine))
      const isWanted = (tag: string) => !language || primary(tag) === primary(language)
      // A saved voice is spoken by any engine that clones, and one without a language speaks every language.
      const saved = engine ? [] : profiles.list().filter((profile) => isAny(profile.language) || isWanted(profile.language))
      const presets = speaking.flatMap(({ id, voices }) =>
        voices.filter((voice) => isWanted(voice.language)).map((voice) => ({ ...voice, engine: id, type: 'preset' as const })),
      )
      const all = [...saved.map(({ id, name, language }) => ({ id, name, language, engine: null, type: 'profile' as const })), ...presets]
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

export const listPersonalities = ({ voices }: { readonly voices: Pick<VoicesApi, 'personalities'> }) =>
  tool({
    name: 'list_personalities',
    title: 'List personalities',
    description: 'Lists ready descriptions of a way to speak. Pass the instruct of one as instruct to generate_speech or clone_voice.',
    input: z.object({}),
    output: z.object({
      personalities: z.array(z.object({ id: z.string(), name: z.string(), description: z.string(), instruct: z.string() })),
      total: z.int(),
    }),
    readOnly: true,
    run() {
      const personalities = voices.personalities().map(({ id, name, description, instruct }) => ({ id, name, description, instruct }))
      return { fields: { personalities, total: personalities.length } }
    },
  })

type CloneDeps = { readonly voices: Pick<VoicesApi, 'create'>; readonly uploadDisk: UploadDisk }
export const cloneVoice = ({ voices, uploadDisk }: CloneDeps) =>
  tool({
    name: 'clone_voice',
    title: 'Clone a voice',
    description:
      'Stores the voice of a recording of at most 3 MB: 3 to 15 seconds of clear speech of one person who agreed to it. Returns the profile_id for generate_speech.',
    input: z.object({
      name: z.string().trim().min(1).max(200).describe('The name of the voice.'),
      ref_audio_base64: z.string().min(1).max(BODY_BYTES).describe('The recording in base64: WAV, MP3, FLAC, Ogg, M4A or WebM.'),
      ref_text: text(10_000).describe('The exact words of the recording. Without it they are recognised, if a recogniser is installed.'),
      instruct: text(4096).describe('How the voice speaks by default. Only some engines follow it.'),
      language: text(35).describe('Language of the voice, such as en.'),
    }),
    output: z.object({ profile_id: z.string(), name: z.string(), kind: z.string() }),
    readOnly: false,
    runsTask: true,
    async run({ name, ref_audio_base64, ref_text, instruct, language }, { madeBy, signal }) {
      const { upload, close } = await keepUpload(uploadDisk, bytesOf(ref_audio_base64, 'ref_audio_base64'), 'recording')
      try {
        const profile = await voices.create(
          {
            name,
            madeBy,
            kind: 'clone',
            language: language || 'Auto',
            instruct: instruct ?? '',
            refText: ref_text ?? '',
            personality: '',
            description: '',
            attributes: null,
            seed: null,
            origin: 'own',
            originUrl: '',
            staysHere: false,
            recording: { path: upload.path, name: 'recording' },
            madeWith: null,
            locked: null,
            portrait: null,
            statement: null,
          },
          signal,
        )
        return { fields: { profile_id: profile.id, name: profile.name, kind: profile.kind } }
      } finally {
        await close()
      }
    },
  })

const isAny = (language: string): boolean => language === '' || language.toLowerCase() === 'auto'
const primary = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!
