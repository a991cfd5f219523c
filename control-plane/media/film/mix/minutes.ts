// Minutes of an earlier voice track that are the same in a new one. After one line of a film of hours was changed, all but one or two are: their
// files get a second name instead of being made and written again.
import { createHash } from 'node:crypto'
import { link, lstat, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { blockName, SOUND_BLOCK_SECONDS, type SoundBlock } from '../sound/blocks.ts'
import { FILM_RATE } from '../sound/extract.ts'
import type { PlacedTake } from './plan.ts'

/** Version of the code that makes the sound of a line. */
const VERSION = 1
const FILE = 'lines.json'
const MINUTE = SOUND_BLOCK_SECONDS * FILM_RATE
const SAMPLE_BYTES = 4

/** In frames of the track. `key`: equal lines have equal keys. */
export type TrackLine = { readonly from: number; readonly length: number; readonly key: string }
export type EarlierMinutes = {
  /** The minutes that are taken over, by number. */
  readonly ready: ReadonlyMap<number, SoundBlock>
  /** Microseconds that were cut from the end of lines, by key. Lines without an entry were not cut. */
  readonly cuts: ReadonlyMap<string, number>
}

const Digest = z.string().regex(/^[0-9a-f]{64}$/)
const Made = z.strictObject({
  version: z.literal(VERSION),
  minutes: z.array(z.strictObject({ key: Digest, digest: Digest, isSilent: z.boolean() })).max(10_000),
  cuts: z.array(z.tuple([Digest, z.int().min(0)])).max(1_000_000),
})

/** Key of everything that decides the sound of a line and its place. */
export const lineKey = ({ take, part, tempo, gainDb }: PlacedTake, from: number, length: number): string => {
  const { path, offsetBytes, sampleRate, samples } = take
  const spoken = [basename(path), offsetBytes, sampleRate, samples, part?.from ?? null, part?.to ?? null]
  return createHash('sha256')
    .update(JSON.stringify([VERSION, spoken, tempo, gainDb, from, length]))
    .digest('hex')
}

/** The numbers of the minutes in which a line is heard. */
export function minutesOf({ from, length }: Pick<TrackLine, 'from' | 'length'>): number[] {
  const first = Math.floor(from / MINUTE)
  const last = Math.floor((from + Math.max(1, length) - 1) / MINUTE)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

/**
 * Keys of everything that decides the sound of each minute of a track of `samples` frames. `lines`: in the order in which they are added
 * up.
 */
export function minuteKeys(lines: readonly TrackLine[], samples: number): string[] {
  const frames = (minute: number) => Math.min(MINUTE, samples - minute * MINUTE)
  const hashes = Array.from({ length: Math.ceil(samples / MINUTE) }, (_, minute) => createHash('sha256').update(`${frames(minute)}`))
  for (const line of lines) for (const minute of minutesOf(line)) hashes[minute]?.update(line.key)
  return hashes.map((hash) => hash.digest('hex'))
}

/**
 * Links the minutes of `earlier` with the same keys into `to`. A minute whose file is missing or damaged, or cannot be linked on this disk, is not
 * taken over; neither is any of a track of an earlier version.
 */
export async function linkMinutes(earlier: string | null, keys: readonly string[], samples: number, to: string): Promise<EarlierMinutes> {
  const made = earlier === null ? null : await readMade(earlier)
  const ready = new Map<number, SoundBlock>()
  if (earlier === null || made === null) return { ready, cuts: new Map() }
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const [minute, key] of keys.entries()) {
    const before = made.minutes[minute]
    if (before?.key !== key) continue
    const { digest, isSilent } = before
    const bytes = Math.min(MINUTE, samples - minute * MINUTE) * SAMPLE_BYTES
    const name = blockName(minute)
    if (isSilent || (await linked(join(earlier, name), join(to, name), bytes))) ready.set(minute, { digest, isSilent })
  }
  return { ready, cuts: new Map(made.cuts) }
}

async function readMade(folder: string): Promise<z.output<typeof Made> | null> {
  try {
    return Made.safeParse(JSON.parse(await readFile(join(folder, FILE), 'utf8'))).data ?? null
  } catch {
    return null
  }
}

async function linked(from: string, to: string, bytes: number): Promise<boolean> {
  try {
    const found = await lstat(from)
    if (!found.isFile() || found.size !== bytes) return false
    await link(from, to)
    return true
  } catch {
    return false
  }
}

/** Stores what the minutes of a track were made from, for the next one. Throws the errors of the disk. */
export async function keepMinutes(
  folder: string,
  keys: readonly string[],
  blocks: readonly SoundBlock[],
  cuts: ReadonlyMap<string, number>,
): Promise<void> {
  const minutes = blocks.map(({ digest, isSilent }, minute) => ({ key: keys[minute]!, digest, isSilent }))
  const made: z.output<typeof Made> = { version: VERSION, minutes, cuts: [...cuts] }
  await writeFile(join(folder, FILE), JSON.stringify(made), { mode: 0o600, flush: true })
}
