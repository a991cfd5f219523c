// The script of a take: the parts of its text with their sounds, and the settings. Pure.
import { z } from 'zod'
import type { TextRange } from './places.ts'

/** A stretch of a file with s16le in the artifact folder. */
export type PartSound = {
  readonly digest: string
  /** Bytes of the file before it. */
  readonly at: number
  readonly samples: number
  readonly silent: boolean
}

/** The settings as they were asked for, and the engine and voice that spoke. */
const Settings = z.record(z.string(), z.unknown())
const Sound = z.object({
  /** Index in `files`. */
  file: z.int().min(0),
  at: z.int().min(0),
  samples: z.int().min(0),
  silent: z.literal(true).exactOptional(),
})
const Part = z.object({
  from: z.int().min(0),
  to: z.int().min(0),
  /** The text as the engine received it. */
  spoken: z.string(),
  pauseMs: z.number().min(0),
  seed: z.number(),
  /** Index in `sounds`. */
  chosen: z.int().min(0),
  /** The first one and its alternatives. */
  sounds: z.array(Sound).min(1),
})
export const TakeScript = z.object({
  /** Hz. */
  sampleRate: z.number().positive(),
  /** Milliseconds of silence before the first part. */
  leadMs: z.number().min(0),
  /** Samples by which neighbouring parts overlap at most. */
  crossfade: z.int().min(0),
  effects: z.string(),
  /** Speed and language of the task, which an SSML text may have set. */
  speed: z.number(),
  language: z.string().nullable(),
  asked: Settings,
  /** The engine, and the profile or the voice of the engine that spoke; '' for a voice that came with the request or has no name. */
  engine: z.string(),
  voice: z.string(),
  /** SHA-256 of the recording that the voice follows; '' without one. */
  reference: z.string(),
  /** True if the recording came with the request, so that no other request can name it. */
  wasUploaded: z.boolean(),
  files: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  parts: z.array(Part),
})
export type TakeScript = z.output<typeof TakeScript>
type ScriptPart = TakeScript['parts'][number]

/** Null for one that cannot be read, such as that of another version. */
export function parsedScript(json: string): TakeScript | null {
  try {
    const script = TakeScript.safeParse(JSON.parse(json)).data
    return script?.parts.every(({ chosen, sounds }) => sounds[chosen] && sounds.every(({ file }) => script.files[file])) ? script : null
  } catch {
    return null
  }
}

/** The sound of a part that is chosen. */
export function chosenSound({ files }: Pick<TakeScript, 'files'>, { sounds, chosen }: ScriptPart): PartSound {
  const { file, at, samples, silent = false } = sounds[chosen]!
  return { digest: files[file]!, at, samples, silent }
}

/** The seed of the sound that is chosen: each further one has the next seed. */
export const seedOfSound = ({ seed, chosen }: Pick<ScriptPart, 'seed' | 'chosen'>): number => (seed + chosen) % 2 ** 32

/** Parts with their sounds, in the form of a script. */
export function scriptParts(
  parts: readonly (TextRange & { readonly spoken: string; readonly pauseMs: number; readonly seed: number; readonly sound: PartSound })[],
): Pick<TakeScript, 'files' | 'parts'> {
  const files: string[] = []
  const indexOf = new Map<string, number>()
  const fileOf = (digest: string): number => {
    const known = indexOf.get(digest) ?? files.push(digest) - 1
    indexOf.set(digest, known)
    return known
  }
  return {
    files,
    parts: parts.map(({ sound: { digest, at, samples, silent }, ...part }) => ({
      ...part,
      chosen: 0,
      sounds: [{ file: fileOf(digest), at, samples, ...(silent && { silent: true as const }) }],
    })),
  }
}

type Layout = { readonly sampleRate: number; readonly leadMs: number; readonly crossfade: number }
/** Seconds in the file of each part, up to the beginning of the next one. A silent part was left out, so it has no length. */
export function partTimes(
  { sampleRate, leadMs, crossfade }: Layout,
  parts: readonly { readonly samples: number; readonly silent: boolean }[],
): { readonly start: number; readonly end: number }[] {
  let at = Math.round((leadMs * sampleRate) / 1000)
  let lastHalf = 0
  const times: { start: number; end: number }[] = []
  let last: { start: number; end: number } | null = null
  for (const { samples, silent } of parts) {
    if (silent || samples === 0) {
      times.push({ start: at / sampleRate, end: at / sampleRate })
      continue
    }
    const half = samples >> 1
    const start = at - Math.min(crossfade, half, lastHalf)
    at = start + samples
    lastHalf = half
    if (last) last.end = start / sampleRate
    last = { start: start / sampleRate, end: at / sampleRate }
    times.push(last)
  }
  return times
}
