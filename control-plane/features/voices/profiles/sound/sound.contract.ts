// The recordings of a voice profile: its sound, its lock, the statement of its speaker, its portrait, and its copy in the hosted library.
import { z } from 'zod'
import { text, VOICE_CHARS } from '#control-plane/features/base/library/text.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { ProfileRow } from '../store/profiles.contract.ts'

const params = z.strictObject({ profile_id: z.string().max(64) })
const of = { kind: 'voice', param: 'profile_id' } as const
const path = (rest: string) => `/profiles/{profile_id}/${rest}` as const
/** Players expect the reason as text. */
const alsoAnswers = { 404: { media: 'text/plain', reply: z.string() } }
const seed = z.union([z.int(), z.string().regex(/^(?:[+-]?\d{1,15})?$/, 'must be an integer')]).nullish()

export const soundContracts = {
  audio: contract({
    id: 'voices.readProfileAudio',
    method: 'GET',
    path: path('audio'),
    access: 'consume',
    summary: 'Returns the locked take or the recording as WAV. Renders the sample of a designed voice that has none.',
    params,
    alsoAnswers,
    media: ['audio/wav'],
  }),
  clip: contract({
    id: 'voices.readClip',
    method: 'GET',
    path: '/voice_audio/{filename}',
    access: 'consume',
    summary: 'Returns the recording or the locked take that ref_audio_path or locked_audio_path of a voice names, as WAV.',
    extension: true,
    params: z.strictObject({ filename: z.string().max(128) }),
    media: ['audio/wav'],
  }),
  replaceAudio: contract({
    id: 'voices.replaceProfileAudio',
    method: 'PUT',
    path: path('audio'),
    access: 'consume',
    of,
    summary: 'Replaces the recording of a cloned voice. Ends its lock and the statement of its speaker.',
    extension: true,
    params,
    body: z.strictObject({ ref_text: text(VOICE_CHARS.refText).optional() }),
    form: ['ref_audio'],
    spooled: true,
    reply: ProfileRow,
  }),
  image: contract({
    id: 'voices.readProfileImage',
    method: 'GET',
    path: path('image'),
    access: 'consume',
    summary: 'Returns the portrait of a voice.',
    extension: true,
    params,
    alsoAnswers,
    media: ['image/jpeg'],
  }),
  replaceImage: contract({
    id: 'voices.replaceProfileImage',
    method: 'PUT',
    path: path('image'),
    access: 'consume',
    of,
    summary: 'Stores a JPEG, PNG or WebP as the portrait of a voice. Needs ffmpeg.',
    extension: true,
    params,
    body: z.strictObject({}),
    form: ['image'],
    spooled: true,
    reply: ProfileRow,
  }),
  lock: contract({
    id: 'voices.lockProfile',
    method: 'POST',
    path: path('lock'),
    access: 'consume',
    of,
    summary: 'Makes a take of the history the reference of a voice.',
    params,
    body: z.strictObject({ history_id: z.string().max(64), seed }).meta({ id: 'LockVoice' }),
    isPlainForm: true,
    reply: z.object({ locked: z.literal(true), profile_id: z.string(), locked_audio_path: z.string() }),
  }),
  unlock: contract({
    id: 'voices.unlockProfile',
    method: 'POST',
    path: path('unlock'),
    access: 'consume',
    of,
    summary: 'Makes the recording the reference of a voice again.',
    params,
    reply: z.object({ unlocked: z.literal(true), profile_id: z.string() }),
  }),
  state: contract({
    id: 'voices.recordConsent',
    method: 'POST',
    path: path('consent'),
    access: 'consume',
    of,
    summary: 'Stores what the speaker says about the use of the voice, as text and recording.',
    params,
    body: z.strictObject({ consent_text: text(4_000) }),
    form: ['consent_audio'],
    spooled: true,
    reply: z.object({ id: z.string(), verified_own_voice: z.literal(true), consent_recorded_at: z.number() }),
  }),
  revoke: contract({
    id: 'voices.revokeConsent',
    method: 'DELETE',
    path: path('consent'),
    access: 'consume',
    of,
    summary: 'Ends the statement of the speaker and deletes its recording.',
    params,
    reply: z.object({ id: z.string(), verified_own_voice: z.literal(false) }),
  }),
  hostedSync: contract({
    id: 'voices.syncHostedProfile',
    method: 'POST',
    path: path('hosted-sync'),
    access: 'consume',
    of,
    summary: 'Copies a cloned voice with a statement to the hosted library. Never sends the recording of the statement.',
    params,
    reply: z.object({ profile_id: z.string(), hosted_voice_id: z.string(), state: z.enum(['synced', 'already_synced']) }),
  }),
}
