// An installed sidecar for a test: the Python program next to this file, with a manifest.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '#shared/runtime/program.ts'
import { writeSidecarManifest } from '#shared/sidecar/manifest.ts'

export const PYTHON = findProgram('python3', process.env['PATH'])
export const noPython = PYTHON === null && 'python3 is not installed'
export const SIDECAR_PROGRAM = join(import.meta.dirname, 'sidecar.py')

export function installSidecar(folder: string, engine: string, ...flags: string[]): void {
  const own = join(folder, engine)
  mkdirSync(own, { recursive: true })
  copyFileSync(SIDECAR_PROGRAM, join(own, 'voice_sidecar.py'))
  writeSidecarManifest(own, {
    protocol: 1,
    engine,
    version: '1.0',
    command: [PYTHON ?? 'python3', '-u', 'voice_sidecar.py', ...flags],
    managed: true,
    describe: {
      operation: 'tts',
      device: 'cpu',
      sample_rate: 16_000,
      languages: ['en'],
      voices: [{ id: 'tone', name: 'Tone', language: 'en' }],
      cloning: false,
      memory_bytes: 0,
      silence_seconds: 1,
    },
  })
}
