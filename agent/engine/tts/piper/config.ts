// The configuration of a Piper voice, NAME.onnx.json, as piper-tts reads it.

import { readFileSync, type Stats, statSync } from 'node:fs'
import { z } from 'zod'
import { readModelJson } from '#agent/engine/seam/model-files.ts'

/** That of a voice with 904 speakers has 20 kB. */
const LIMIT_BYTES = 1024 ** 2
const MAX_SYMBOLS = 2_000
const MAX_SPEAKERS = 5_000
/** Symbols that begin a sentence, stand between two symbols, and end it. */
export const [BEGIN, PAD, END] = ['^', '_', '$'] as const

const Tag = z.string().regex(/^[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{1,8}){0,3}$/)
const scale = (usual: number, least: number, most: number) => z.number().min(least).max(most).default(usual)
const INFERENCE = { noise_scale: 0.667, length_scale: 1, noise_w: 0.8 }

export const PiperConfig = z
  .object({
    audio: z.object({ sample_rate: z.int().min(8_000).max(48_000) }),
    espeak: z
      .object({ voice: z.string().regex(/^[A-Za-z][A-Za-z0-9_+-]{0,31}$/) })
      .optional()
      .catch(undefined),
    /** `espeak`: symbols are IPA; `text`: they are the letters of the text. Others need a program of their own. */
    phoneme_type: z.string().max(32).default('espeak'),
    phoneme_id_map: z
      .record(z.string().min(1).max(16), z.array(z.int().min(0).max(10_000)).max(8))
      .refine((map) => Object.keys(map).length <= MAX_SYMBOLS, `has more than ${MAX_SYMBOLS} symbols`)
      .refine((map) => [BEGIN, PAD, END].every((symbol) => map[symbol]), `lacks one of the symbols ${BEGIN} ${PAD} ${END}`),
    num_speakers: z.int().min(0).max(MAX_SPEAKERS).default(1),
    speaker_id_map: z
      .record(z.string().min(1).max(64), z.int().min(0).max(MAX_SPEAKERS))
      .refine((map) => Object.keys(map).length <= MAX_SPEAKERS, `has more than ${MAX_SPEAKERS} speakers`)
      .default({}),
    default_speaker_id: z.int().min(0).max(MAX_SPEAKERS).default(0),
    inference: z
      .object({
        noise_scale: scale(INFERENCE.noise_scale, 0, 5),
        length_scale: scale(INFERENCE.length_scale, 0.1, 10),
        noise_w: scale(INFERENCE.noise_w, 0, 5),
      })
      .default(INFERENCE),
    /** Symbols that are one together. */
    vowel_clusters: z
      .array(z.array(z.string().min(1).max(8)).min(2).max(8))
      .max(500)
      .default([]),
    language: z.object({ code: Tag }).optional().catch(undefined),
  })
  .refine(({ phoneme_type, espeak }) => phoneme_type !== 'espeak' || espeak !== undefined, 'names no voice of espeak-ng')
export type PiperConfig = z.output<typeof PiperConfig>

/** Throws MODEL_NOT_DOWNLOADED that names the file. */
export const readPiperConfig = (path: string, name: string): Promise<PiperConfig> => readModelJson(path, name, PiperConfig, LIMIT_BYTES)

/** By path: descriptions are made often, and each file takes milliseconds. */
const peeked = new Map<string, { readonly stamp: string; readonly config: PiperConfig | null }>()
const MAX_PEEKED = 500

/** For descriptions: null for a file that is missing or not valid, which a run reports. A file is read again when it has changed. */
export function peekPiperConfig(path: string): PiperConfig | null {
  const found = statOf(path)
  if (!found || found.size > LIMIT_BYTES) return null
  const stamp = `${found.ino} ${found.size} ${found.mtimeMs}`
  const known = peeked.get(path)
  if (known?.stamp === stamp) return known.config
  const config = parsed(path)
  if (peeked.size >= MAX_PEEKED) peeked.clear()
  peeked.set(path, { stamp, config })
  return config
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function parsed(path: string): PiperConfig | null {
  try {
    return PiperConfig.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    return null
  }
}
