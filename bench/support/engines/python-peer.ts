// Programs of others in the Python that STUDIO_BENCH_PYTHON names, as processes that answer line by line.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { childEnvironment } from '#shared/runtime/child/environment.ts'

const PYTHON = process.env['STUDIO_BENCH_PYTHON']
const SCRIPT = join(import.meta.dirname, 'peer.py')
const Started = z.object({ version: z.string() })
const EngineRun = z.object({
  seconds: z.number(),
  cpu: z.number(),
  firstMs: z.number().nullable(),
  totalMs: z.number(),
  memoryMib: z.number(),
})
/**
 * One request: seconds of sound, processor seconds of the engine, milliseconds to the first sound (null for recognition) and to the end, and the peak of
 * its memory so far.
 */
export type EngineRun = z.output<typeof EngineRun>
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
  let errors = ''
  child.stderr.on('data', (text: Buffer) => {
    errors = (errors + text).slice(-2_000)
  })
  child.stdin.on('error', () => {}) // it may have ended
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<unknown> => {
    const { value, done } = await replies.next()
    if (done) throw new Error(`${program} ended: ${errors.trim().split('\n').slice(-3).join('\n')}`)
    return JSON.parse(value)
  }
  const { version } = Started.parse(await read())
  return {
    label: `${program} ${version}`,
    async run(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`)
      return EngineRun.parse(await read())
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}
