// Preloaded into a studio: its catalogue and that of its agent have the digests of the exports of `exports.ts`. Only pins change: files are downloaded
// and verified as always.
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { KOKORO_GRAPHS, WHISPER } from '#shared/models/pins.ts'
import { KOKORO_EXPORT, pinLine, WHISPER_EXPORT } from './exports.ts'

Object.assign(KOKORO_GRAPHS, { q8: pinLine(KOKORO_EXPORT) })
Object.assign(WHISPER, { base: { ...WHISPER['base'], lines: WHISPER_EXPORT.map(pinLine).join('\n') } })

const { spawn } = childProcess
const isAgent = (args: unknown): boolean => Array.isArray(args) && String(args[0]).endsWith('agent/main.ts')
const replaced = (program: string, args: readonly string[], options: childProcess.SpawnOptions): childProcess.ChildProcess =>
  spawn(program, isAgent(args) ? ['--import', import.meta.filename, ...args] : args, options)
childProcess.spawn = replaced as typeof spawn
syncBuiltinESMExports()
