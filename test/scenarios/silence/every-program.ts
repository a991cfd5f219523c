// Runs everything once, for silence.test.ts, which traces it in a network without an exit: a studio and all that its pages read, a borrowed
// machine, an engine of each family, the programs of the system, a sidecar, and commands. Last comes a process named LOUD that loads the runtime as its maker ships it:
// when its report is in the trace, those of the others would be, too. Arguments: the trace, and the HOME of that process.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '#shared/runtime/program.ts'
import { wav } from '#test/agent/engine/audio/recording.ts'
import { plantedWhisper } from '#test/agent/engine/runtimes/sherpa/planted-whisper.ts'
import { placeKokoroAndMoonshine } from '#test/support/models/kokoro-and-moonshine.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { placeOmnivoice } from '#test/support/models/placed.ts'
import { studio } from '#test/support/world/cli.ts'
import { ROOT } from '#test/support/world/process.ts'
import { installSidecar, PYTHON } from '#test/support/world/sidecar.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'
import { isReport, LOUD } from './trace.ts'

/** Contact the model server, unless they are told not to. */
const CHECKS = ['/setup/preflight', '/system/diagnose']
const [, , trace = '', loudHome = ''] = process.argv
const endings: (() => unknown)[] = []
const ending = { after: (run: () => unknown) => void endings.unshift(run) }
const has = (program: string) => findProgram(program, process.env['PATH']) !== null

const world = await openWorld(ending, {
  remote: true,
  prepare(dataDir) {
    placeKokoroAndMoonshine(dataDir)
    placeOmnivoice(dataDir)
    placeModel(join(dataDir, 'local-agent/models'), 'sherpa-onnx-asr', 'whisper-tiny', plantedWhisper())
    if (PYTHON !== null) installSidecar(join(dataDir, 'sidecars'), 'cosyvoice')
  },
})
const box = await world.machine('box')
await world.approve(box)

const worked = ({ status, body }: { status: number; body: Buffer }, what: string) =>
  assert.equal(status, 200, `${what}: ${body.toString().slice(0, 500)}`)
const say = async (model: string, more: object = {}) =>
  worked(await world.post('/v1/audio/speech', { input: 'Good morning.', model, response_format: 'wav', ...more }), model)
const samples = Float32Array.from({ length: 16_000 }, (_, at) => 0.5 * Math.sin(at / 8))
async function hear(model: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([wav(samples) as Uint8Array<ArrayBuffer>]), 'recording.wav')
  form.set('model', model)
  worked(await world.post('/v1/audio/transcriptions', form), model)
}
const verify = async (engine: string, target = 'local') =>
  worked(await world.post('/models/verify', { repo_id: engine, target }), `verification of ${engine}`)

// WebAssembly, native libraries, programs, a sidecar: on this machine, and on the borrowed one.
await say('svc-engine')
await say('tone')
for (const engine of ['silero', 'rnnoise', 'moonshine', 'sherpa-onnx-lid']) await verify(engine)
await verify('silero', box.workerId)
await hear('moonshine')
if (has('ffmpeg')) await say('tone', { response_format: 'opus' })
if (has('espeak-ng')) {
  await say('espeak-ng')
  await say('kokoro')
}
if (has('pocketsphinx_continuous')) await hear('pocketsphinx')
if (has('apertium')) {
  const segments = [{ id: 'a', text: 'Hello' }]
  await world.post('/dub/translate', { segments, source_lang: 'en', target_lang: 'es', provider: 'apertium' })
}
if (PYTHON !== null) await say('cosyvoice')

// Everything that a page reads.
const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { paths: Record<string, object> }
const readable = Object.keys(paths).filter((path) => 'get' in paths[path]! && !path.includes('{'))
for (const path of CHECKS) assert.ok(readable.includes(path))
for (const path of readable) {
  const response = await fetch(`${world.url}${path}${CHECKS.includes(path) ? '?network=false' : ''}`)
  await response.body?.cancel() // some never end
}

const env = { STUDIO_DATA_DIR: world.dataDir, STUDIO_PORT: new URL(world.url).port }
for (const command of ['version', 'help', 'doctor', 'models', 'engines', 'workers', 'tasks', 'settings', 'voices', 'logs', 'audit'])
  await studio([command], { env })
assert.equal((await studio(['say', 'Good evening.', '-o', join(temporaryFolder(ending), 'out.wav')], { env })).code, 0)
assert.equal((await studio(['agent', 'status'], { env: { STUDIO_DATA_DIR: box.dataDir } })).code, 0)

const script = `process.title = '${LOUD}'
  const { InferenceSession } = await import('onnxruntime-node')
  await InferenceSession.create(process.argv[1])
  process.stdin.resume()`
const { PATH = '' } = process.env
const graph = join(world.dataDir, 'local-agent/models/kokoro/default/onnx/model.onnx')
const loud = spawn(process.execPath, ['--input-type=module', '-e', script, graph], {
  env: { PATH, HOME: loudHome },
  stdio: ['pipe', 'inherit', 'inherit'],
})
ending.after(() => loud.stdin.end())
await eventually(() =>
  readFileSync(trace, 'utf8')
    .split('\n')
    .some((line) => line.includes(LOUD) && isReport(line)),
)

// An orderly end, after which no socket is left.
for (const program of [box.program, world.studio]) assert.equal(await program.end('SIGTERM'), 0)
for (const end of endings) await end()
