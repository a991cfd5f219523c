// Bundles of voices as other programs would write them, and their contents.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzip } from '#shared/archive/unzip.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { speech } from '#test/shared/audio/signal.ts'
import type { Ending } from '../world/process.ts'
import { temporaryFolder } from '../world/world.ts'
import type { RawEntry } from './raw-zip.ts'

/** Synthetic speech as WAV, mono, 16 bit. */
export function speechWav(seconds: number, sampleRate: number, seed: number): Buffer<ArrayBuffer> {
  const pcm = toS16(speech(seconds, sampleRate, seed))
  return Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: pcm.length / 2 }), pcm])
}

export const document = (name: string, value: unknown): RawEntry => ({ name, content: JSON.stringify(value), isDeflated: true })

/** The entries of a persona bundle. `manifest` and `persona` change its documents. */
export function personaEntries({
  manifest = {},
  persona = {},
  recordings = { 'ref_audio.wav': speechWav(3, 24_000, 7) },
}: {
  readonly manifest?: Record<string, unknown>
  readonly persona?: Record<string, unknown>
  readonly recordings?: Readonly<Record<string, Uint8Array>>
} = {}): RawEntry[] {
  const about = { name: 'Traveller', kind: 'clone', language: 'English', ref_text: 'Good morning.', ...persona }
  return [
    document('manifest.json', { format: 'svc-persona', schema_version: 1, persona: about, license: { spdx: 'CC-BY-4.0' }, ...manifest }),
    ...Object.entries(recordings).map(([name, content]) => ({ name, content })),
  ]
}

/** A form with a bundle. */
export function bundleForm(bytes: Uint8Array<ArrayBuffer>, filename = 'voice.svcvoice'): FormData {
  const data = new FormData()
  data.set('file', new Blob([bytes]), filename)
  return data
}

/** Reads the members of our bundles. */
export function memberReader(t: Ending) {
  const parent = temporaryFolder(t)
  let count = 0
  return async (bytes: Uint8Array): Promise<Record<string, Buffer>> => {
    const folder = join(parent, String(count++))
    mkdirSync(folder)
    writeFileSync(`${folder}.zip`, bytes)
    const limits = { entries: 100, totalBytes: 2 ** 30, bytesOf: () => 2 ** 30, reserve: async () => {} }
    const { members } = await unzip(`${folder}.zip`, folder, limits, new AbortController().signal)
    return Object.fromEntries([...members].map(([name, { path }]) => [name, readFileSync(path)]))
  }
}
