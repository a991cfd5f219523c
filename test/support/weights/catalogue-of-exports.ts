// Preloaded into a studio: its catalogue and that of its agent have the digests of the exports of `exports.ts`, and of files at hand in place of
// those that no package has. Only pins change: files are downloaded and verified as always.
import childProcess from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { EMBEDDING, HIBARI, KOKORO_GRAPHS, SEGMENTATION, WHISPER } from '#shared/models/pins.ts'
import { DIARISATION_FOLDER, EMBEDDED_HEART, KOKORO_EXPORT, pinLine, WHISPER_EXPORT } from './exports.ts'

const pinOf = (file: string, path: string): string => {
  const bytes = readFileSync(file)
  return pinLine({ path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
}
Object.assign(KOKORO_GRAPHS, { q8: pinLine(KOKORO_EXPORT) })
Object.assign(WHISPER, { base: { ...WHISPER['base'], lines: WHISPER_EXPORT.map(pinLine).join('\n') } })
for (const [voice, line] of Object.entries(HIBARI)) Object.assign(HIBARI, { [voice]: pinOf(EMBEDDED_HEART, line.split(' ').at(-1)!) })
const folder = process.env[DIARISATION_FOLDER]
if (folder !== undefined) {
  Object.assign(SEGMENTATION, { lines: pinOf(join(folder, 'segmentation.onnx'), 'model.onnx') })
  Object.assign(EMBEDDING, { lines: pinOf(join(folder, 'campplus.onnx'), 'campplus.onnx') })
}

const { spawn } = childProcess
const isAgent = (args: unknown): boolean => Array.isArray(args) && String(args[0]).endsWith('agent/main.ts')
/** The studio gives its agent only the variables that programs need. */
const environment = folder === undefined ? {} : { [DIARISATION_FOLDER]: folder }
const replaced = (program: string, args: readonly string[], options: childProcess.SpawnOptions): childProcess.ChildProcess =>
  isAgent(args)
    ? spawn(program, ['--import', import.meta.filename, ...args], { ...options, env: { ...options.env, ...environment } })
    : spawn(program, args, options)
childProcess.spawn = replaced as typeof spawn
syncBuiltinESMExports()
