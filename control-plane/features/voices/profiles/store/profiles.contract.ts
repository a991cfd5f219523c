// Voice profiles. Moments of the replies are epoch seconds.
import { z } from 'zod'
import { text, VOICE_CHARS } from '#control-plane/features/base/library/text.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'

const Flag = z.union([z.literal(0), z.literal(1)])
export const ProfileRow = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['clone', 'design']),
    ref_audio_path: z.string().nullable(),
    ref_text: z.string(),
    instruct: z.string(),
    language: z.string(),
    locked_audio_path: z.string(),
    seed: z.number().nullable(),
    is_locked: Flag,
    personality: z.string(),
    description: z.string(),
    is_demo: Flag,
    verified_own_voice: Flag,
    consent_text: z.string(),
    consent_audio_path: z.string(),
    consent_recorded_at: z.number().nullable(),
    /** JSON of the six categories; null for a clone. */
    vd_states: z.string().nullable(),
    hosted_voice_id: z.string(),
    image_url: z.string().nullable(),
    audio_url: z.string().nullable(),
    created_at: z.number(),
    // Extensions.
    updated_at: z.number(),
    origin: z.string(),
    origin_url: z.string(),
    stays_here: Flag,
    /** Bytes of the recordings and the picture on the disk; equal files of several voices count for each. */
    size_bytes: z.number(),
    quality: z.record(z.string(), z.unknown()),
    statement: z.object({ method: z.string(), checks: z.record(z.string(), z.unknown()) }).nullable(),
    made_with: z.object({ engine: z.string(), model_digest: z.string(), seed: z.number(), steps: z.number().nullable() }).nullable(),
  })
  .meta({ id: 'VoiceProfile' })
export type ProfileRow = z.output<typeof ProfileRow>

const optionalText = (chars: number) => text(chars).nullish()
const params = z.strictObject({ profile_id: z.string().max(64) })
const seed = z.union([z.int(), z.string().regex(/^(?:[+-]?\d{1,15})?$/, 'must be an integer')]).nullish()

export const CreateProfileForm = z
  .strictObject({
    name: text(VOICE_CHARS.name),
    kind: text(64).optional(),
    ref_text: text(VOICE_CHARS.refText).optional(),
    instruct: text(VOICE_CHARS.instruct).optional(),
    language: text(VOICE_CHARS.language).optional(),
    seed,
    personality: text(VOICE_CHARS.personality).optional(),
    /** JSON of the picks, such as {"Gender":"female"}. */
    vd_states: text(4_000).optional(),
    description: text(VOICE_CHARS.description).optional(),
  })
  .meta({ id: 'CreateVoiceProfile' })
export type CreateProfileForm = z.output<typeof CreateProfileForm>

export const ProfileChanges = z
  .strictObject({
    name: optionalText(VOICE_CHARS.name),
    ref_text: optionalText(VOICE_CHARS.refText),
    instruct: optionalText(VOICE_CHARS.instruct),
    language: optionalText(VOICE_CHARS.language),
    personality: optionalText(VOICE_CHARS.personality),
    description: optionalText(VOICE_CHARS.description),
    /** Extension: only the agent of this machine receives the recording. */
    stays_here: z.union([z.boolean(), Flag]).nullish(),
  })
  .meta({ id: 'VoiceProfileChanges' })
export type ProfileChanges = z.output<typeof ProfileChanges>

const TakeOfProfile = z.object({
  id: z.string(),
  text: z.string(),
  audio_path: z.string(),
  created_at: z.number(),
  generation_time: z.number(),
})
const Uses = z.object({ project_id: z.string(), project_name: z.string(), segment_count: z.number(), updated_at: z.number() })

export const profilesContracts = {
  personalities: contract({
    id: 'voices.listPersonalities',
    method: 'GET',
    path: '/personalities',
    access: 'consume',
    summary: 'Lists the built-in personalities.',
    reply: z.array(z.object({ id: z.string(), name: z.string(), instruct: z.string(), description: z.string(), icon: z.string() })),
  }),
  list: contract({
    id: 'voices.listProfiles',
    method: 'GET',
    path: '/profiles',
    access: 'consume',
    summary: 'Lists the voice profiles, newest first.',
    reply: z.array(ProfileRow),
  }),
  create: contract({
    id: 'voices.createProfile',
    method: 'POST',
    path: '/profiles',
    access: 'consume',
    summary: 'Creates a voice from a recording, or from the choices of a designed voice.',
    body: CreateProfileForm,
    form: ['ref_audio'],
    mayOmit: ['ref_audio'],
    spooled: true,
    reply: ProfileRow,
  }),
  read: contract({
    id: 'voices.readProfile',
    method: 'GET',
    path: '/profiles/{profile_id}',
    access: 'consume',
    summary: 'Returns a voice profile.',
    params,
    reply: ProfileRow,
  }),
  update: contract({
    id: 'voices.updateProfile',
    method: 'PUT',
    path: '/profiles/{profile_id}',
    access: 'consume',
    of: { kind: 'voice', param: 'profile_id' },
    summary: 'Changes the fields that are sent. A changed description of a designed voice drops its sample.',
    params,
    body: ProfileChanges,
    reply: ProfileRow,
  }),
  remove: contract({
    id: 'voices.removeProfile',
    method: 'DELETE',
    path: '/profiles/{profile_id}',
    access: 'consume',
    of: { kind: 'voice', param: 'profile_id' },
    summary: 'Deletes a voice with its recordings and statement. Its takes stay. Deleting an unknown voice is not an error.',
    params,
    reply: z.object({ deleted: z.string() }),
  }),
  usage: contract({
    id: 'voices.readProfileUsage',
    method: 'GET',
    path: '/profiles/{profile_id}/usage',
    access: 'consume',
    summary: 'Returns the newest takes in this voice and the projects that use it.',
    params,
    reply: z
      .object({
        synth_recent: z.array(TakeOfProfile),
        synth_total: z.number(),
        projects: z.array(Uses),
        project_total_segments: z.number(),
      })
      .meta({ id: 'VoiceUsage' }),
  }),
}
