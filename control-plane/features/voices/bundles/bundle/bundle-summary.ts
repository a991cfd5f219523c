// The description of a bundle in the marketplace folder. Reads its documents and no recording.

import { readFile } from 'node:fs/promises'
import type { UploadDisk } from '#control-plane/http/input/form.ts'
import { unzip } from '#shared/archive/unzip.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJson } from '#shared/protocol/json.ts'
import { recordingOf } from './bundle.rules.ts'
import { DOCUMENT_BYTES, Metadata } from './bundle.schema.ts'
import { withPrivateWork } from './private-work.ts'

export type Summary = {
  readonly name: string
  readonly language: string
  readonly tags: readonly string[]
  readonly is_locked: boolean
  readonly personality: string
  readonly published_at: number | string | null
  readonly has_ref_audio: boolean
  readonly has_locked_audio: boolean
}
/** Null for a file that is no bundle. */
export type ReadSummary = (path: string, signal: AbortSignal) => Promise<Summary | null>

const ENTRIES = 32
const METADATA = 'metadata.json'

export const createReadSummary =
  (uploadDisk: UploadDisk): ReadSummary =>
  (path, signal) =>
    withPrivateWork(uploadDisk, async ({ folder, take }) => {
      try {
        const bytesOf = (name: string) => (name === METADATA ? DOCUMENT_BYTES : null)
        const limits = { entries: ENTRIES, totalBytes: DOCUMENT_BYTES, bytesOf, reserve: take }
        const { members, skipped } = await unzip(path, folder, limits, signal)
        const document = members.get(METADATA)
        if (!document) return null
        const metadata = Metadata.safeParse(parseJson(await readFile(document.path), { bytes: DOCUMENT_BYTES })).data
        if (!metadata) return null
        const { profile_name: name, language, tags, is_locked, personality, published_at } = metadata
        const has = (kind: string) => skipped.some((each) => recordingOf(each) === kind)
        const has_locked_audio = has('locked_audio')
        return { name, language, tags, is_locked, personality, published_at, has_ref_audio: has('ref_audio'), has_locked_audio }
      } catch (error) {
        signal.throwIfAborted()
        const isBroken = error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError
        if (isBroken || (error instanceof Failure && error.code === 'BAD_REQUEST')) return null
        throw error
      }
    })
