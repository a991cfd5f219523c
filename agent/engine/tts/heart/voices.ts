// The voices of heart: one network each, of the same form. One is part of the agent, the others are models of the catalogue.

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EngineVoice } from '#agent/engine/seam/engine.ts'
import type { Variety } from '#agent/engine/speech/english/assets.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'

export const HEART_ID = 'heart'
export const EMBEDDED_VOICE = 'heart'
export type HeartVoice = EngineVoice & { readonly language: Variety }

const named = (id: string, name: string, language: Variety): HeartVoice => ({ id, name, language })
const VOICES: readonly HeartVoice[] = [
  named(EMBEDDED_VOICE, 'Heart (US, female)', 'en-us'),
  named('af_kore', 'Kore (US, female)', 'en-us'),
  named('am_fenrir', 'Fenrir (US, male)', 'en-us'),
  named('bf_emma', 'Emma (British, female)', 'en-gb'),
  named('bm_fable', 'Fable (British, male)', 'en-gb'),
]

export const heartAsset = (name: string): string => fileURLToPath(new URL(`./assets/${name}`, import.meta.url))
export const EMBEDDED_GRAPH = 'hibari.onnx'
/** SHA-256 of the embedded network. */
export const HEART_DIGEST = '5f70741d4e900f4e85d0037498736cc1b3e1b9a63a13546a5da1e63abf4fccd8'

/** Files of the other voices. */
export const HEART_GRAPHS: readonly string[] = CATALOGUE.filter(({ engine }) => engine === HEART_ID).flatMap(({ sources }) =>
  sources.flatMap(({ files }) => files.map(({ path }) => basename(path))),
)

/** The network of a voice; null if it is not on this machine. */
export function graphOf(voice: string, filesOf: FilesOf): string | null {
  if (voice === EMBEDDED_VOICE) return existsSync(heartAsset(EMBEDDED_GRAPH)) ? heartAsset(EMBEDDED_GRAPH) : null
  const files = filesOf(HEART_ID, voice) ?? new Map<string, string>()
  return [...files].find(([name]) => name.endsWith('.onnx'))?.[1] ?? null
}

/** The voices on this machine, the embedded one first. */
export const heartVoices = (filesOf: FilesOf): HeartVoice[] => VOICES.filter(({ id }) => graphOf(id, filesOf) !== null)
