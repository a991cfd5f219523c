// Reads a bundle that may come from anyone. Everything in it is checked before anything is kept: documents by schemas, recordings by reading
// them whole. The files lie in the private folder of the request.
import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import type { MadeWith, NewRecording, VoiceAttributes, VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { REFERENCE, type RecordingFormat } from '#control-plane/media/recording.ts'
import { digestOfFile } from '#control-plane/store/files/file-digest.ts'
import { type Unzipped, unzip } from '#shared/archive/unzip.ts'
import { Failure, isFault } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { licenceOf, type RecordingName, recordingOf, STATEMENT_BYTES, sourceUrl } from './bundle.rules.ts'
import { BundleManifest, Consent, DOCUMENT_BYTES, Metadata, SCHEMA_VERSION } from './bundle.schema.ts'
import type { Work } from './private-work.ts'

/** The voice of a bundle. Recordings are files of the private folder; their names are those in the bundle, without extension checks. */
export type VoiceBundle = {
  readonly format: 'persona' | 'legacy'
  readonly schemaVersion: number
  readonly isAhead: boolean
  readonly name: string
  readonly kind: 'clone' | 'design'
  readonly language: string
  readonly instruct: string
  readonly personality: string
  readonly description: string
  readonly refText: string
  readonly seed: number | null
  readonly attributes: VoiceAttributes | null
  readonly source: { readonly url: string; readonly staysHere: boolean; readonly madeWith: MadeWith | null }
  readonly licence: { readonly spdx: string; readonly replaced: string | null }
  readonly tags: readonly string[]
  readonly reference: NewRecording | null
  readonly locked: { readonly recording: NewRecording; readonly text: string | null } | null
  readonly portrait: Buffer | null
  readonly preview: { readonly recording: NewRecording; readonly isMarked: boolean; readonly text: string } | null
  readonly consent: {
    readonly isClaimed: boolean
    readonly method: string
    readonly text: string
    readonly recording: NewRecording | null
    /** Text and a long enough recording are there. */
    readonly isVerified: boolean
  } | null
  /** Files that were not used: a bundle does not have them, or the statement or the portrait cannot be read here. */
  readonly skipped: readonly string[]
  /** SHA-256 of the archive. */
  readonly digest: string
}
/** `convertsReference`: the caller reads the reference before it stores anything, so that a long one is not converted twice. */
export type ReadBundle = (path: string, work: Work, signal: AbortSignal, convertsReference?: boolean) => Promise<VoiceBundle>

const ENTRIES = 32
const RECORDING_BYTES = 64 * 1024 ** 2
const TOTAL_BYTES = 200 * 1024 ** 2
const UNNAMED = 'Imported voice'
const MANIFEST = 'manifest.json'
const METADATA = 'metadata.json'
const CONSENT = 'consent.json'
const PREVIEW = 'preview.wav'
export const PORTRAIT = 'portrait.jpg'
const PORTRAIT_BYTES = 5_000_000
const DOCUMENTS: ReadonlySet<string> = new Set([MANIFEST, METADATA, CONSENT])
/** People speak freely when they state something. */
const STATEMENT: RecordingFormat = { ...REFERENCE, longestSeconds: 300, shortestSeconds: 0 }

export const memberBytes = (name: string): number | null =>
  DOCUMENTS.has(name)
    ? DOCUMENT_BYTES
    : name === PORTRAIT
      ? PORTRAIT_BYTES
      : name === PREVIEW || recordingOf(name) !== null
        ? RECORDING_BYTES
        : null

type Deps = { readonly intake: Pick<Intake, 'read'>; readonly voices: Pick<VoicesApi, 'portraitOf'> }

export function createReadBundle({ intake, voices }: Deps): ReadBundle {
  /** Null without a portrait, and for one that cannot be used here: the voice is complete without it. */
  async function portraitIn(members: Unzipped['members'], signal: AbortSignal): Promise<Buffer | null> {
    const member = members.get(PORTRAIT)
    if (!member) return null
    return voices.portraitOf({ path: member.path, size: member.bytes }, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      if (!(error instanceof Failure) || isFault(error.code)) throw error
      return null
    })
  }

  /** Null for a recording that can be read, otherwise the reason. */
  async function objectionTo(path: string, wanted: RecordingFormat, signal: AbortSignal): Promise<Failure | null> {
    try {
      await intake.read(path, signal, wanted)
      return null
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Failure) || error.code !== 'BAD_REQUEST') throw error
      return error
    }
  }

  return async (path, { folder, take }, signal, convertsReference = false) => {
    const limits = { entries: ENTRIES, totalBytes: TOTAL_BYTES, bytesOf: memberBytes, reserve: take }
    // Beside the conversions, which run in other threads.
    const digest = digestOfFile(path)
    digest.catch(() => {}) // it is awaited below, unless the bundle is refused
    const { members, skipped } = await unzip(path, folder, limits, signal)
    const recordings = recordingsIn(members)
    const manifest = await document(members, MANIFEST, BundleManifest)
    const consent = await document(members, CONSENT, Consent)
    const about = manifest
      ? { ...manifest.persona, format: 'persona' as const, tags: manifest.tags, origin: manifest.origin }
      : legacy(await document(members, METADATA, Metadata))
    for (const [name, { path: file }] of members) {
      const kind = recordingOf(name)
      if (DOCUMENTS.has(name) || name === PORTRAIT || kind === 'consent_audio' || (kind === 'ref_audio' && convertsReference)) continue
      const objection = await objectionTo(file, REFERENCE, signal)
      if (objection) throw refused(`${name} is not usable. ${objection.message}`, objection)
    }
    const preview = members.get(PREVIEW)
    const locked = recordings.get('locked_audio') ?? null
    // A statement that cannot be heard proves nothing, but the voice can be used without one.
    const said = recordings.get('consent_audio') ?? null
    const isReadable = said !== null && (await objectionTo(said.recording.path, STATEMENT, signal)) === null
    const statement = isReadable ? said : null
    const portrait = await portraitIn(members, signal)
    const unused = [
      ...(said !== null && !isReadable ? [said.recording.name] : []),
      ...(members.has(PORTRAIT) && !portrait ? [PORTRAIT] : []),
    ]
    const text = (consent?.text || consent?.consent_text || '').trim()
    const schemaVersion = manifest?.schema_version ?? SCHEMA_VERSION
    return {
      format: about.format,
      schemaVersion,
      isAhead: schemaVersion > SCHEMA_VERSION,
      name: about.name.trim() || UNNAMED,
      kind: about.kind,
      language: about.language,
      instruct: about.instruct,
      personality: about.personality,
      description: about.description,
      refText: about.ref_text,
      seed: about.seed,
      attributes: about.vd_states,
      source: {
        url: sourceUrl(about.origin?.source_url ?? ''),
        staysHere: about.origin?.stays_here ?? false,
        madeWith: madeWithOf(about.origin?.made_with ?? null),
      },
      licence: licenceOf(manifest?.license.spdx ?? ''),
      tags: about.tags,
      reference: recordings.get('ref_audio')?.recording ?? null,
      locked: locked && about.is_locked ? { recording: locked.recording, text: about.locked_text } : null,
      portrait,
      preview: preview
        ? {
            recording: { path: preview.path, name: PREVIEW },
            isMarked: manifest?.preview?.watermarked ?? false,
            text: manifest?.preview?.text ?? '',
          }
        : null,
      consent: consent && {
        isClaimed: consent.verified ?? consent.verified_own_voice ?? false,
        method: consent.method,
        text,
        recording: statement?.recording ?? null,
        isVerified: text !== '' && statement !== null && statement.bytes >= STATEMENT_BYTES,
      },
      skipped: [...skipped, ...unused],
      digest: await digest,
    }
  }
}

type Recorded = { readonly recording: NewRecording; readonly bytes: number }

function recordingsIn(members: Unzipped['members']): ReadonlyMap<RecordingName, Recorded> {
  const found = new Map<RecordingName, Recorded>()
  for (const [name, { path, bytes }] of members) {
    const kind = recordingOf(name)
    if (kind === null) continue
    if (found.has(kind)) throw refused(`it has two files ${kind}`)
    found.set(kind, { recording: { path, name }, bytes })
  }
  return found
}

function legacy(metadata: z.output<typeof Metadata> | null) {
  if (metadata === null) throw refused(`it has neither ${MANIFEST} nor ${METADATA}`)
  return { ...metadata, format: 'legacy' as const, name: metadata.profile_name }
}

type Made = { readonly engine: string; readonly model_digest: string; readonly seed: number; readonly steps: number | null }
const madeWithOf = (made: Made | null): MadeWith | null =>
  made && { engine: made.engine, modelDigest: made.model_digest, seed: made.seed, steps: made.steps }

/** Null if the bundle does not have it. */
async function document<T>(members: Unzipped['members'], name: string, schema: z.ZodType<T>): Promise<T | null> {
  const member = members.get(name)
  if (!member) return null
  let value: unknown
  try {
    value = parseJson(await readFile(member.path), { bytes: DOCUMENT_BYTES })
  } catch (cause) {
    throw refused(`${name} is not valid JSON`, cause)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw refused(`${name}: ${issue!.path.join('.').slice(0, 100) || 'the document'} is wrong (${issue!.message})`, parsed.error)
}

const refused = (why: string, cause?: unknown) => new Failure('BAD_REQUEST', `The bundle cannot be read: ${why}.`, { cause })
