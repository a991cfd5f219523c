// Copies a cloned voice to the hosted library, at the explicit request of the owner. The recording of the statement is never sent.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Bus } from '#control-plane/events/bus.ts'
import { createSharedWork } from '#control-plane/kernel/shared-work.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import { changeSecret, secretFor } from '#control-plane/store/origin-secret.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { parseJson } from '#shared/protocol/json.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { trimEndOf } from '#shared/text/trim.ts'
import type { ProfileStore } from '../store/profile.store.ts'
import type { StoredProfile } from '../store/profile.ts'
import { unknownProfile } from '../store/profiles.service.ts'
import { isVerified } from '../store/public-row.ts'
import { voicesSettings } from '../voices.settings.ts'

/** The wording that speakers agree to. The library keeps its version and not the recording. */
const STATEMENT_VERSION = 'oss-spoken-consent-v1'
const DESCRIPTION_CHARS = 1_024
const PATIENCE_MS = 60_000
const MAX_REPLY_BYTES = 1024 * 1024
const VoiceId = z.string().min(1).max(200).overwrite(cleanLine)
const Created = z.union([z.object({ voice_id: VoiceId }), z.object({ id: VoiceId })])

type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly store: ProfileStore
  readonly artifacts: Pick<LocalArtifacts, 'pathOf'>
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
}

type Copied = { readonly profile_id: string; readonly hosted_voice_id: string; readonly state: 'synced' | 'already_synced' }

export function createHosted({ settings, store, artifacts, bus, clock }: Deps) {
  const shown = () => {
    const url = settings.read(voicesSettings.hostedUrl)
    return { url, has_key: secretFor(settings.read(voicesSettings.hostedKey), url) !== null }
  }
  /** Throws CONFLICT without settings and NOT_READY with half of them. */
  function library(): { readonly url: string; readonly key: string } {
    const url = settings.read(voicesSettings.hostedUrl)
    const tied = settings.read(voicesSettings.hostedKey)
    const key = secretFor(tied, url)
    if (url === '' && tied === null) throw new Failure('CONFLICT', 'The hosted library is not configured.')
    if (url === '' || key === null)
      throw new Failure('NOT_READY', 'The settings of the hosted library are incomplete: they need an address and a key.')
    return { url, key }
  }

  const copies = createSharedWork<Copied>()
  const uploads = new Set<{ readonly recording: string; readonly abort: AbortController }>()

  /** Throws INVALID_REQUEST unless the recording of the profile may leave now. */
  function speakable(profile: StoredProfile): void {
    // What another installation claims is no statement to this one.
    const said = store.statementOf(profile.id)
    if (profile.kind !== 'clone' || profile.staysHere)
      throw new Failure('INVALID_REQUEST', 'Only a cloned voice that need not stay on this machine can be copied.')
    if (!isVerified(said) || said?.method !== 'recorded')
      throw new Failure('INVALID_REQUEST', 'Record the statement of the speaker first. Only a voice with one can be copied.')
  }

  async function copy(id: string, signal: AbortSignal): Promise<Copied> {
    const { url, key } = library()
    const profile = store.find(id)
    if (!profile) throw unknownProfile()
    if (profile.hostedVoiceId !== '') return { profile_id: id, hosted_voice_id: profile.hostedVoiceId, state: 'already_synced' }
    speakable(profile)
    const recording = profile.refDigest
    const path = recording && artifacts.pathOf(recording)
    const audio = path && (await readFile(path).catch(() => null))
    if (!audio) throw new Failure('INVALID_REQUEST', 'The voice has no recording on this machine.')
    // The speaker may revoke the statement, or the owner may replace the recording, during each wait.
    const stillSpeakable = () => {
      const now = store.find(id)
      if (now?.refDigest !== recording) throw unknownProfile()
      speakable(now)
    }
    stillSpeakable()
    const form = new FormData()
    form.set('name', profile.name)
    form.set('description', (profile.description || profile.refText).slice(0, DESCRIPTION_CHARS))
    form.set('consent_version', STATEMENT_VERSION)
    form.set('audio', new Blob([audio], { type: 'audio/wav' }), 'reference.wav')
    const running = { recording, abort: new AbortController() }
    uploads.add(running)
    const either = AbortSignal.any([signal, running.abort.signal])
    const hosted = await upload(`${trimEndOf(url, '/')}/voices`, key, form, either).finally(() => uploads.delete(running))
    stillSpeakable()
    if (!store.setHosted(id, hosted, clock.now())) throw unknownProfile()
    bus.publish({ kind: 'profiles', action: 'updated', id })
    return { profile_id: id, hosted_voice_id: hosted, state: 'synced' }
  }

  return {
    shown,
    /** Throws BAD_REQUEST for an address that is no https address, or http to this machine. */
    async change({ url, key }: { readonly url?: string | null | undefined; readonly key?: string | null | undefined }) {
      const wanted = (url ?? settings.read(voicesSettings.hostedUrl)).trim()
      if (wanted !== '' && !isAllowed(wanted)) throw new Failure('BAD_REQUEST', 'url must be an https address without a password.')
      const { tied } = changeSecret(settings.read(voicesSettings.hostedKey), { url: wanted, given: key ?? null })
      await settings.write(voicesSettings.hostedKey, tied)
      await settings.write(voicesSettings.hostedUrl, wanted)
      return shown()
    },
    /**
     * Requests at the same time make one copy, which goes on when they leave. Throws NOT_READY, CONFLICT, NOT_FOUND, INVALID_REQUEST and
     * REMOTE_SERVICE_FAILED, checked in this order.
     */
    sync: (id: string, signal: AbortSignal): Promise<Copied> => copies.join(id, (stopping) => copy(id, stopping), signal),
    /** Ends the copies of these recordings: their speaker has withdrawn. */
    async withdrawn(recordings: readonly string[]): Promise<void> {
      const why = new Failure('INVALID_REQUEST', 'The voice was withdrawn while it was copied.')
      for (const { recording, abort } of uploads) if (recordings.includes(recording)) abort.abort(why)
    },
    /** Ends the copies that are running. */
    stop: () => void copies.stop(),
  }
}

/** The id of the new voice. Follows no redirect, so that the key stays with its server. */
async function upload(url: string, key: string, body: FormData, signal: AbortSignal): Promise<string> {
  const refused = (message: string, cause?: unknown) => new Failure('REMOTE_SERVICE_FAILED', `The hosted library ${message}.`, { cause })
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body,
    redirect: 'error',
    signal: limit,
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw refused('did not answer', cause)
  })
  if (!response.ok) {
    await response.body?.cancel().catch(() => {})
    throw refused(`answered with status ${response.status}`)
  }
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length
      if (size > MAX_REPLY_BYTES) break
      pieces.push(piece)
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw refused('ended its answer early', cause)
  }
  try {
    const created = Created.parse(parseJson(Buffer.concat(pieces), { bytes: MAX_REPLY_BYTES }))
    return 'voice_id' in created ? created.voice_id : created.id
  } catch (cause) {
    throw refused('sent an answer without the id of the voice', cause)
  }
}

/** Recordings of people leave this machine encrypted. */
function isAllowed(text: string): boolean {
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname))
}
