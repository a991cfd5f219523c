// The recordings of a voice profile: its sound, its lock, the statement of its speaker, its portrait, and its copy in the hosted library.
import { z } from 'zod'
import { contract } from '../../../http/contract.ts'
import { text, VOICE_CHARS } from '../../library/text.schema.ts'
import { ProfileRow } from '../profiles/profiles.contract.ts'

const params = z.strictObject({ profile_id: z.string().max(64) })
const path = (rest: string) => `/profiles/{profile_id}/${rest}` as const
const seed = z.union([z.int(), z.string().regex(/^(?:[+-]?\d{1,15})?$/, 'must be an integer')]).nullish()

export const soundContracts = {
  audio: contract({
    id: 'voices.readProfileAudio',
    method: 'GET',
    path: path('audio'),
    access: 'consume',
    summary: 'Returns the locked take or the recording as WAV. Renders the sample of a designed voice that has none.',
    params,
    media: ['audio/wav'],
  }),
  replaceAudio: contract({
    id: 'voices.replaceProfileAudio',
    method: 'PUT',
    path: path('audio'),
    access: 'consume',
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
    media: ['image/jpeg'],
  }),
  replaceImage: contract({
    id: 'voices.replaceProfileImage',
    method: 'PUT',
    path: path('image'),
    access: 'consume',
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
    summary: 'Makes the recording the reference of a voice again.',
    params,
    reply: z.object({ unlocked: z.literal(true), profile_id: z.string() }),
  }),
  state: contract({
    id: 'voices.recordConsent',
    method: 'POST',
    path: path('consent'),
    access: 'consume',
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
    summary: 'Ends the statement of the speaker and deletes its recording.',
    params,
    reply: z.object({ id: z.string(), verified_own_voice: z.literal(false) }),
  }),
  hostedSync: contract({
    id: 'voices.syncHostedProfile',
    method: 'POST',
    path: path('hosted-sync'),
    access: 'consume',
    summary: 'Copies a cloned voice with a statement to the hosted library. Never sends the recording of the statement.',
    params,
    reply: z.object({ profile_id: z.string(), hosted_voice_id: z.string(), state: z.enum(['synced', 'already_synced']) }),
  }),
}
