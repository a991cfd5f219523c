// Plants faults in the spoken lines of a dub whose studio does not run, with the code that the studio itself uses.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { audiblePart } from '#control-plane/features/dubbing/voice/speak/audible.rules.ts'
import { openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { interleaved, readStereo } from '#control-plane/media/film/sound/samples.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'

/** `keepsHead`: the silence before the voice is taken for a part of it. */
export type PlantedTake = { readonly samples: Float32Array; readonly sampleRate: number; readonly keepsHead?: boolean }
export type Planting = {
  /** By line: another sound in place of the one that was spoken. */
  readonly takes: Readonly<Record<string, (spoken: PlantedTake) => PlantedTake>>
  /** The isolated voice of the film, as a share of its whole sound at each second. */
  readonly vocals?: (seconds: number) => number
}

export async function plantFaults(dataDir: string, dubId: string, language: string, { takes, vocals }: Planting): Promise<void> {
  const db = openDatabase(join(dataDir, 'studio.db'))
  try {
    const [store, rows] = [createDubStore({ db }), createFileRows({ db })]
    const pathOf = (digest: string) => join(dataDir, 'dub_store', 'files', digest)
    const add = (digest: string, kind: 'take' | 'vocals', bytes: number, detail: object) => {
      rows.add({ digest, kind, bytes, detail: JSON.stringify(detail), maker: 'test', used_at: Date.now() })
      rows.use(dubId, digest)
    }
    for (const [id, change] of Object.entries(takes)) {
      const take = store.tracks.takesOfLine(dubId, language, id).at(-1)!
      const { samples, sampleRate, keepsHead = false } = change(parseWav(readFileSync(pathOf(take.digest))))
      const pcm = toS16(samples)
      const wav = Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: samples.length }), pcm])
      const digest = createHash('sha256').update(wav).digest('hex')
      writeFileSync(pathOf(digest), wav)
      const part = { ...audiblePart(pcm, sampleRate)!, ...(keepsHead && { from: 0 }) }
      add(digest, 'take', wav.length, { sampleRate, samples: samples.length, part, recordings: [] })
      const naturalUs = Math.round(((part.to - part.from) / sampleRate) * 1e6)
      store.tracks.addTake(dubId, language, { ...take, takeNo: take.takeNo + 1, digest, naturalUs, sampleRate })
    }
    if (vocals) {
      const sound = await openBlocks(pathOf(store.dubs.find(dubId)!.sound!.sound))
      const digest = createHash('sha256').update(`vocals ${dubId}`).digest('hex')
      const writer = await writeBlocks(pathOf(digest), sound)
      const [left, right] = await readStereo(sound, 0, sound.samples)
      const shared = (channel: Float32Array) => channel.map((sample, at) => sample * vocals(at / sound.sampleRate))
      await writer.write(interleaved(shared(left), shared(right)))
      await writer.seal()
      add(digest, 'vocals', 1, {})
      store.dubs.change(dubId, { vocals: digest })
    }
  } finally {
    db.close()
  }
}
