// Transcripts of recordings that come without one, by a recogniser of this machine. A transcript that a person writes meanwhile stays.

import type { Bus } from '#control-plane/events/bus.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import { engineRow } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { ProfileStore } from '../store/profile.store.ts'
import type { StoredProfile } from '../store/profile.ts'
import type { Background } from './background.ts'

const MAX_CHARS = 10_000
const NO_RECOGNISER = 'There is no transcript, because no recogniser works on this machine. Write it, or install one.'
const guessedBy = (engine: string) =>
  `There is no transcript, because ${engineRow(engine)?.name ?? engine} mistakes too many words. Write it, or install another recogniser.`
const NO_WORDS = 'No words were recognised. Write the transcript if the recording has speech.'

type Deps = {
  readonly store: ProfileStore
  readonly recognition: Pick<RecognitionApi, 'transcribe'>
  readonly artifacts: Pick<LocalArtifacts, 'pathOf'>
  readonly background: Pick<Background, 'add'>
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
}
export type Transcripts = ReturnType<typeof createTranscripts>

export function createTranscripts({ store, recognition, artifacts, background, bus, clock }: Deps) {
  async function transcribe(id: string, digest: string, signal: AbortSignal): Promise<void> {
    const profile = store.find(id)
    if (!profile || !isMissing(profile) || profile.refDigest !== digest) return
    const upload = { filename: 'voice.wav', path: artifacts.pathOf(digest), size: profile.refBytes }
    const recognised = await recognition.transcribe(upload, { signal, traceparent: '' }).catch((error: unknown) => {
      signal.throwIfAborted()
      const { code, message } = Failure.from(error)
      return { text: '', isGuess: false, missing: code === 'MODEL_NOT_DOWNLOADED' ? NO_RECOGNISER : `There is no transcript. ${message}` }
    })
    const text = recognised.isGuess ? '' : recognised.text.slice(0, MAX_CHARS)
    const isAdded = text !== '' && store.addTranscript(id, digest, text, clock.now())
    const remark =
      text !== '' ? null : 'missing' in recognised ? recognised.missing : recognised.isGuess ? guessedBy(recognised.engine) : NO_WORDS
    const { quality } = profile
    store.setQuality(id, digest, { ...quality, transcript: 'done', ...(remark && { warnings: [...(quality.warnings ?? []), remark] }) })
    if (isAdded || remark) bus.publish({ kind: 'profiles', action: 'updated', id })
  }

  const request = ({ id, refDigest }: Pick<StoredProfile, 'id' | 'refDigest'>) =>
    background.add((signal) => transcribe(id, refDigest!, signal))
  return {
    /** Starts if the recording of a clone has no transcript and none was tried. */
    request: (profile: StoredProfile): void => {
      if (isMissing(profile)) request(profile)
    },
    /** Requests the transcripts that an earlier run of the studio left. */
    requestAll(): void {
      for (const profile of store.untranscribed()) request(profile)
    },
  }
}

const isMissing = ({ kind, refText, refDigest, quality }: StoredProfile): boolean =>
  kind === 'clone' && refText === '' && refDigest !== null && quality.transcript === 'pending'
