// Writes bundles. Members are stored without compression, sorted and undated, so that the same voice gives the same bytes.
import { open, stat, writeFile } from 'node:fs/promises'
import type { VoiceProfile, VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import { writeZip, type ZipEntry } from '#shared/archive/zip.ts'
import { WAV_HEADER_BYTES } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { audioExtensionOf, type RecordingName } from './bundle.rules.ts'
import { PORTRAIT } from './bundle-read.ts'
import { consentOf, type Members, manifestOf, metadataOf } from './documents.ts'
import { type Marking, samplesOf } from './marking.ts'
import type { Work } from './private-work.ts'

type Deps = {
  readonly voices: Pick<VoicesApi, 'find' | 'resolve' | 'statementOf'>
  readonly artifacts: Pick<LocalArtifacts, 'pathOf'>
  readonly marking: Marking
  readonly version: string
  /** The selected engine for speech. */
  readonly engine: () => string
  readonly clock: Pick<Clock, 'now'>
}
export type BundleWriter = ReturnType<typeof createBundleWriter>
export type PersonaOptions = { readonly licence: string; readonly tags: readonly string[]; readonly includesReference: boolean }
type Voice = { readonly profile: VoiceProfile; readonly work: Work; readonly signal: AbortSignal }
/** A canonical recording by its digest, as a WAV file with the mark. */
type Marked = (digest: string) => Promise<Buffer>

/** A larger original is replaced by the converted recording, so that the bundle can be read again. */
const ORIGINAL_BYTES = 64 * 1024 ** 2
const HEAD_BYTES = 16

const json = (name: string, value: unknown): ZipEntry => ({ name, content: `${JSON.stringify(value, null, 2)}\n`, isStored: true })
const sorted = (entries: readonly ZipEntry[]): ZipEntry[] => [...entries].sort((left, right) => (left.name < right.name ? -1 : 1))
const nameIn = (entries: readonly ZipEntry[], kind: RecordingName): string | null =>
  entries.find(({ name }) => name.startsWith(`${kind}.`))?.name ?? null

export function createBundleWriter({ voices, artifacts, marking, version, engine, clock }: Deps) {
  const written = () => ({ version, at: clock.now() })

  async function member(kind: RecordingName, path: string): Promise<ZipEntry> {
    const file = await open(path, 'r')
    try {
      const { buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return { name: `${kind}.${audioExtensionOf(buffer)}`, file: path }
    } finally {
      await file.close()
    }
  }

  /** Marks each recording of one bundle once. */
  function markedOnce(signal: AbortSignal): Marked {
    const done = new Map<string, Promise<Buffer>>()
    const marked: Marked = async (digest) => marking.marked(await samplesOf(artifacts.pathOf(digest)), digest, signal)
    return (digest) => {
      const wav = done.get(digest) ?? marked(digest)
      done.set(digest, wav)
      return wav
    }
  }

  /** A recording that an engine made. */
  async function synthetic(kind: RecordingName, digest: string, { work }: Voice, marked: Marked): Promise<ZipEntry> {
    const wav = await marked(digest)
    const path = fileIn(work.folder, kind)
    await work.take(wav.length)
    await writeFile(path, wav, { mode: 0o600 })
    return { name: `${kind}.wav`, file: path }
  }

  async function reference(voice: Voice, marked: Marked): Promise<ZipEntry[]> {
    const { refDigest, originalDigest, originalBytes, madeWith } = voice.profile
    if (refDigest === null) {
      // A design is rendered when it is needed.
      if (voice.profile.kind === 'design') return []
      throw new Failure('BAD_REQUEST', 'This voice has no recording. Set a recording first.')
    }
    if (madeWith !== null) return [await synthetic('ref_audio', refDigest, voice, marked)]
    const original = originalDigest !== null && originalBytes <= ORIGINAL_BYTES ? artifacts.pathOf(originalDigest) : null
    const path = original !== null && (await exists(original)) ? original : artifacts.pathOf(refDigest)
    if (!(await exists(path)))
      throw new Failure('BAD_REQUEST', 'The file of the recording is missing. Set the recording of the voice again.')
    return [await member('ref_audio', path)]
  }

  /** A take comes from an engine. */
  const locked = async (voice: Voice, marked: Marked): Promise<ZipEntry[]> =>
    voice.profile.lockedDigest === null ? [] : [await synthetic('locked_audio', voice.profile.lockedDigest, voice, marked)]

  async function portrait({ imageDigest }: VoiceProfile): Promise<ZipEntry[]> {
    if (imageDigest === null) return []
    const file = artifacts.pathOf(imageDigest)
    return (await exists(file)) ? [{ name: PORTRAIT, file }] : []
  }

  return {
    /**
     * Writes a legacy bundle to `path`. `published`: for the marketplace folder. Throws BAD_REQUEST if the file of the recording is missing,
     * STORAGE_FULL.
     */
    async legacy(voice: Voice, path: string, published: { readonly tags: readonly string[] } | null): Promise<void> {
      const marked = markedOnce(voice.signal)
      const recordings = [...(await reference(voice, marked)), ...(await locked(voice, marked))]
      await writeZip(path, sorted([json('metadata.json', metadataOf(voice.profile, written(), published)), ...recordings]), null).catch(
        full,
      )
    },

    /** Writes a persona bundle to `path`. Throws a failure of status 503 if no preview can be made, STORAGE_FULL. */
    async persona(voice: Voice, path: string, { licence, tags, includesReference }: PersonaOptions): Promise<void> {
      const { signal } = voice
      // Renders the sample of a design that has none.
      const { reference: heard } = await voices.resolve(voice.profile.id, '', signal).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error
        throw new Failure('VOICE_UNAVAILABLE', 'This voice has no recording, so the bundle can have no preview. Set a recording first.')
      })
      const profile = voices.find(voice.profile.id)
      if (heard === null || profile === null) throw new Failure('NOT_FOUND', 'Profile not found')
      const current = { ...voice, profile }
      const marked = markedOnce(signal)
      const { sha256 } = heard.input
      const isSynthetic = profile.lockedDigest !== null || profile.madeWith !== null
      const audible = isSynthetic ? (await marked(sha256)).subarray(WAV_HEADER_BYTES) : await samplesOf(artifacts.pathOf(sha256))
      const preview = await marking.preview(audible, sha256, signal)
      const recordings = includesReference ? [...(await reference(current, marked)), ...(await locked(current, marked))] : []
      // A recorded statement proves something about the recording beside it.
      const statement = voices.statementOf(profile.id)
      const consent = consentOf(profile.kind, statement)
      const said = statement && includesReference && (await exists(artifacts.pathOf(statement.audioDigest)))
      if (said) recordings.push(await member('consent_audio', artifacts.pathOf(statement.audioDigest)))
      const members: Members = {
        ref_audio: nameIn(recordings, 'ref_audio'),
        locked_audio: nameIn(recordings, 'locked_audio'),
        consent_audio: nameIn(recordings, 'consent_audio'),
      }
      const previewText = preview.isWhole ? heard.text : null
      const manifest = manifestOf({ profile, engine: engine(), licence, tags, preview, previewText, members, written: written() })
      const entries = [
        json('manifest.json', manifest),
        json('metadata.json', metadataOf(profile, written(), null)),
        ...(consent ? [json('consent.json', consent)] : []),
        { name: 'preview.wav', content: preview.wav, isStored: true as const },
        ...(await portrait(profile)),
        ...recordings,
      ]
      await writeZip(path, sorted(entries), null).catch(full)
    },
  }

  function full(cause: NodeJS.ErrnoException): never {
    throw new Failure('STORAGE_FULL', `The bundle could not be written (${cause.code ?? cause.message}).`, { cause })
  }
}

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
