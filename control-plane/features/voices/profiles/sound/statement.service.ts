// A speaker's statement about the use of their voice: a text and its recording, which belong to one recording of the voice. Checks inform
// the owner and refuse nothing.

import type { Audit } from '#control-plane/audit/audit.ts'
import type { Bus } from '#control-plane/events/bus.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { type Blobs, MAX_BYTES } from '../files/blobs.ts'
import { measuredQuality } from '../files/measure.ts'
import { subjectOf } from '../store/profile.rules.ts'
import type { ProfileStore } from '../store/profile.store.ts'
import { tooLarge, unknownProfile } from '../store/profiles.service.ts'
import { MIN_STATEMENT_BYTES } from '../store/public-row.ts'
import type { Withdrawal } from '../withdraw.ts'
import type { Background } from './background.ts'

const MIN_SPEECH_SECONDS = 1.5
const UNKNOWN = 'unknown'

type Deps = {
  readonly store: ProfileStore
  readonly blobs: Pick<Blobs, 'keepFile'>
  readonly artifacts: Pick<LocalArtifacts, 'pathOf'>
  readonly intake: Pick<Intake, 'read'>
  readonly recognition: Pick<RecognitionApi, 'transcribe'>
  readonly background: Pick<Background, 'add'>
  readonly audit: Pick<Audit, 'record'>
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Pick<Clock, 'now'>
  readonly withdrawal: Pick<Withdrawal, 'revoked'>
}

export function createStatements({ store, blobs, artifacts, intake, recognition, background, audit, bus, clock, withdrawal }: Deps) {
  /** Stores the findings. The recording goes to the recogniser of this machine and nowhere else. */
  async function check(id: string, digest: string, text: string, size: number, signal: AbortSignal): Promise<void> {
    const upload = { filename: 'statement', path: artifacts.pathOf(digest), size }
    const speech = await intake.read(upload.path, signal, REFERENCE).then(
      async ({ wav }) => {
        const { seconds, speech_share } = await measuredQuality(wav)
        return Math.round(seconds * speech_share * 10) / 10
      },
      () => null,
    )
    signal.throwIfAborted()
    const recognised = speech === null ? null : await recognition.transcribe(upload, { signal, traceparent: '' }).catch(() => null)
    signal.throwIfAborted()
    const checks = {
      speech_seconds: speech ?? UNKNOWN,
      enough_speech: speech === null ? UNKNOWN : speech >= MIN_SPEECH_SECONDS,
      words: recognised === null ? UNKNOWN : shareOfWords(text, recognised.text),
      // No installed model compares speakers.
      same_speaker: UNKNOWN,
    }
    if (store.setChecks(id, digest, checks)) bus.publish({ kind: 'profiles', action: 'updated', id })
  }

  return {
    /** Replaces an earlier statement. Throws INVALID_REQUEST for a blank text or less than 1,000 bytes, NOT_FOUND, CONFLICT, STORAGE_FULL. */
    async state(id: string, text: string, upload: Upload) {
      if (text.trim() === '') throw new Failure('INVALID_REQUEST', 'consent_text must not be blank.')
      if (upload.size < MIN_STATEMENT_BYTES)
        throw new Failure('INVALID_REQUEST', `consent_audio must have at least ${MIN_STATEMENT_BYTES} bytes.`)
      if (upload.size > MAX_BYTES) throw tooLarge()
      const profile = store.find(id)
      if (!profile) throw unknownProfile()
      const { digest, bytes } = await blobs.keepFile(upload.path)
      const subject = subjectOf(profile) ?? ''
      const recordedAt = clock.now()
      const said = {
        text,
        audioDigest: digest,
        audioBytes: bytes,
        audioName: bareName(upload.filename),
        refDigest: subject,
        method: 'recorded' as const,
        checks: {},
        recordedAt,
      }
      if (!store.state(id, said, (now) => (subjectOf(now) ?? '') === subject)) {
        if (!store.find(id)) throw unknownProfile()
        throw new Failure('CONFLICT', 'The recording of the voice was replaced meanwhile. Record the statement again.')
      }
      bus.publish({ kind: 'profiles', action: 'consent_recorded', id })
      background.add((signal) => check(id, digest, text, bytes, signal))
      return { id, verified_own_voice: true as const, consent_recorded_at: recordedAt / 1000 }
    },
    /** Throws NOT_FOUND. Revoking without a statement is not an error. */
    async revoke(id: string) {
      const profile = store.find(id)
      if (!profile) throw unknownProfile()
      const said = store.statementOf(id)
      if (said && store.revoke(id, clock.now())) {
        audit.record('voice-revoke', id, { statement: said.audioDigest, recording: said.refDigest })
        bus.publish({ kind: 'profiles', action: 'consent_revoked', id })
        await withdrawal.revoked([profile.refDigest, profile.lockedDigest])
      }
      return { id, verified_own_voice: false as const }
    },
  }
}

/** Share of the words of the statement that was recognised, in two decimals. */
export function shareOfWords(text: string, recognised: string): number {
  const wanted = wordsOf(text)
  const found = new Set(wordsOf(recognised))
  if (wanted.length === 0) return 0
  return Math.round((wanted.filter((word) => found.has(word)).length / wanted.length) * 100) / 100
}
/** Each sign of a script without spaces is a word. */
const wordsOf = (text: string): string[] =>
  composed(text, 'NFKC')
    .toLowerCase()
    .replaceAll(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu, ' $& ')
    .match(/[\p{L}\p{N}]+/gu) ?? []
