// Programs of others in the Python that STUDIO_BENCH_PYTHON names, as processes that answer line by line.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { lastText, linesIn } from '#shared/runtime/lines.ts'

const PYTHON = process.env['STUDIO_BENCH_PYTHON']
const SCRIPT = join(import.meta.dirname, 'peer.py')
const LINE_LIMIT = 10_000
const ERRORS_SHOWN = 1_000
/**
 * One request: seconds of sound, processor seconds of the engine, milliseconds to the first sound (null for recognition) and to the end, and the peak of
 * its memory so far.
 */
export type EngineRun = {
  readonly seconds: number
  readonly cpu: number
  readonly firstMs: number | null
  readonly totalMs: number
  readonly memoryMib: number
}
export type PeerRequest = { readonly text: string } | { readonly audio: string }
export type PythonPeer = {
  readonly label: string
  readonly run: (request: PeerRequest) => Promise<EngineRun>
  readonly end: () => Promise<void>
}
export type PeerProgram = 'kokoro-onnx' | 'fastkokoro' | 'piper-tts' | 'faster-whisper'

/** Null when the program is there, else why it is not. */
export function withoutPeer(program: PeerProgram): string | null {
  if (!PYTHON) return 'STUDIO_BENCH_PYTHON names no Python'
  const { status, error } = spawnSync(PYTHON, ['-c', `import importlib.metadata; importlib.metadata.version('${program}')`])
  if (error) return `STUDIO_BENCH_PYTHON does not start: ${error.message}`
  return status === 0 ? null : 'not installed in STUDIO_BENCH_PYTHON'
}

export async function startPythonPeer(program: PeerProgram, options: object): Promise<PythonPeer> {
  const env = { ...childEnvironment(process.env), HF_HUB_OFFLINE: '1' }
  const child = spawn(PYTHON!, [SCRIPT, program, JSON.stringify(options)], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const errors = lastText(child.stderr, ERRORS_SHOWN)
  child.stdin.on('error', () => {}) // it may have ended
  const replies = linesIn(child.stdout, LINE_LIMIT)
  /** Next reply of `peer.py`. */
  const read = async <T>(): Promise<T> => {
    const { value, done } = await replies.next()
    if (done) throw new Error(`${program} ended: ${errors()}`)
    return JSON.parse(value) as T
  }
  const { version } = await read<{ readonly version: string }>()
  return {
    label: `${program} ${version}`,
    async run(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`)
      return await read<EngineRun>()
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}
