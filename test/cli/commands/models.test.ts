import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { run as models } from '#cli/commands/models.ts'
import { modelToInstall, modelToRemove, modelToVerify } from '#cli/lib/names/model-names.ts'
import { barLine } from '#cli/views/model-views.ts'
import { catalogueOf } from '#shared/models/catalogue.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { CARDED, GATED, open, REPO, server } from '#test/support/models/model-studio.ts'
import { jsonIn, REPOSITORY, studio } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually } from '#test/support/world/world.ts'

test('a progress bar fits the terminal and shows size, rate and time left', () => {
  const event = { bytes_done: 500_000_000, total_bytes: 2_000_000_000, rate: 12_300_000, eta_seconds: 122 }
  assert.equal(barLine(event, 0), ' 25 %  500 MB of 2.0 GB  12.3 MB/s  2 min left')
  const bar = barLine(event, 80)
  assert.match(bar, /^█{8}░{22} /)
  for (const columns of [20, 40, 60, 80, 200]) assert.ok(barLine(event, columns).length < columns)
  assert.equal(barLine({ bytes_done: 0, total_bytes: 0 }, 0), '  0 %  0 B of 0 B')
  assert.deepEqual([0, 999, 1000, 12_345, 999_999_999, 3.2e12].map(shortBytes), ['0 B', '999 B', '1.0 kB', '12.3 kB', '1000 MB', '3.2 TB'])
})

const CATALOGUE = catalogueOf(false).map(({ id, label, engine }) => ({ repo_id: id, label, engine }))
const codeOf = (find: () => unknown): string => {
  try {
    find()
    return ''
  } catch (error) {
    return (error as Failure).code
  }
}

test('a model is found by its id, its engine or words of its names', () => {
  for (const [name, id] of [
    ['kokoro', 'onnx-community/Kokoro-82M-v1.0-ONNX'],
    ['Kokoro q8', 'onnx-community/Kokoro-82M-v1.0-ONNX:q8'],
    ['kokoro-82m-v1.0-onnx:fp16', 'onnx-community/Kokoro-82M-v1.0-ONNX:fp16'],
    ['kittentts', 'KittenML/kitten-tts-nano-0.8-fp32'],
    ['kitten mini', 'KittenML/kitten-tts-mini-0.8'],
    ['whisper-small', 'onnx-community/whisper-small_timestamped'],
    ['pocket german', 'KevinAHM/pocket-tts-web:de'],
    ['en-de', 'Xenova/opus-mt-en-de'],
    ['supertonic', 'Supertone/supertonic-3'],
    ['demucs', 'StemSplitio/htdemucs-onnx:fp16'],
  ] as const)
    assert.equal(modelToInstall(CATALOGUE, name).repo_id, id, name)
  for (const { repo_id } of CATALOGUE) assert.equal(modelToInstall(CATALOGUE, repo_id).repo_id, repo_id)
  for (const kind of ['cpu', 'gpu'] as const) {
    const recommended = catalogueOf(false)
      .filter(({ curatedOn }) => curatedOn.includes(kind))
      .map(({ id }) => id)
    const right = kind === 'cpu' ? 'whisper-base_timestamped:q8' : 'whisper-large-v3-turbo_timestamped'
    assert.equal(modelToInstall(CATALOGUE, 'whisper', recommended).repo_id, `onnx-community/${right}`, kind)
  }
  assert.equal(
    codeOf(() => modelToInstall(CATALOGUE, 'whisper')),
    'CONFLICT',
  )
  assert.equal(
    codeOf(() => modelToInstall(CATALOGUE, 'kitten')),
    'CONFLICT',
  )
  assert.equal(
    codeOf(() => modelToInstall(CATALOGUE, 'x'.repeat(100_000))),
    'NOT_FOUND',
  )
})

test('a removal never chooses between two models that are installed', () => {
  const kokoros = CATALOGUE.filter(({ engine }) => engine === 'kokoro')
  assert.equal(
    codeOf(() => modelToRemove(kokoros, 'kokoro')),
    'CONFLICT',
  )
  assert.equal(
    codeOf(() => modelToRemove(kokoros.slice(0, 2), 'Kokoro-82M')),
    'CONFLICT',
  )
  assert.equal(modelToRemove(kokoros, 'kokoro q8').repo_id, 'onnx-community/Kokoro-82M-v1.0-ONNX:q8')
  assert.equal(modelToRemove(kokoros, kokoros[0]!.repo_id), kokoros[0])
  assert.equal(modelToRemove(kokoros.slice(1, 2), 'kokoro'), kokoros[1])
  assert.equal(
    codeOf(() => modelToRemove([], 'kokoro')),
    'NOT_FOUND',
  )
})

test('a name to verify means an id, an installed model, an engine without models, or what to install', () => {
  const kokoro = 'onnx-community/Kokoro-82M-v1.0-ONNX'
  const find = (name: string, ...installed: string[]) =>
    modelToVerify(
      CATALOGUE.map((model) => ({ ...model, installed: installed.includes(model.repo_id) })),
      name,
    )
  assert.equal(find('kokoro', `${kokoro}:q8`), `${kokoro}:q8`)
  assert.equal(find(kokoro, `${kokoro}:q8`), kokoro)
  assert.equal(find('kokoro'), kokoro)
  assert.equal(find('Silero'), 'silero')
  assert.equal(find('sherpa-onnx-lid'), 'sherpa-onnx-lid')
  assert.equal(
    codeOf(() => find('kokoro', kokoro, `${kokoro}:q8`)),
    'CONFLICT',
  )
  assert.equal(
    codeOf(() => find('espeak-ng')),
    'NOT_FOUND',
  )
})

test('models of one studio', async (t) => {
  const world = await open()
  const env = { STUDIO_PORT: new URL(world.url).port }

  await t.test('they are listed, installed with progress lines instead of a bar, and removed', async () => {
    const list = async () => (await studio(['models'], { env })).output
    assert.match(await list(), /^not installed +1\.0 MB +TTS +Test tone\n {4}voice-studio\/tone/m)

    const installed = await studio(['models', 'install', 'tone'], { env })
    assert.equal(installed.code, 0, installed.errors)
    assert.match(installed.output, /3 files, 3\.0 MB to download/)
    assert.match(installed.output, /100 %/)
    assert.match(installed.output, /Installed voice-studio\/tone\.\nUse it for speech by default: \.\/studio engines use tone\n$/)
    assert.equal(installed.output.includes('\r'), false)
    assert.match(await list(), /^installed +3\.0 MB +TTS +Test tone/m)
    assert.match(await list(), /^not installed +≥ 21\.0 MB +TTS +Piper voices: Ukrainian \(5\)\n +uk_UA-lada-x_low, /m)
    assert.match(
      await list(),
      /^not installed +63\.0 MB +TTS +Piper: Romanian \(RO\), mihai, medium\n +piper\/ro_RO-mihai-medium \(see its card, must be accepted first\)$/m,
    )
    assert.equal(jsonIn((await studio(['models', '--json'], { env })).output).models.at(-1).installed, true)
    assert.match((await studio(['models', 'remove', 'TONE', '--yes'], { env })).output, /freed 3\.0 MB/)

    const verified = await studio(['models', 'verify', 'silero'], { env })
    assert.deepEqual([verified.code, verified.errors], [0, ''])
    assert.match(
      verified.output,
      /^Verification of silero\nResult: {4}PASS: 5 of 5 checks pass, 0 differ\nEngine: {4}silero, follows Silero VAD/,
    )
    assert.match(
      verified.output,
      /^Machine: {3}this machine, \S+ \S+, device cpu\nVersions: {2}studio \S+, agent \S+, node \S+, .*onnxruntime-node \S+\n/m,
    )
    assert.match(
      verified.output,
      /^ {2}1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3 {2}2327524 {2}silero_vad_v6\.onnx\n/m,
    )
    assert.equal(jsonIn((await studio(['models', 'verify', 'rnnoise', '--json'], { env })).output).passed, true)
    const missing = await studio(['models', 'verify', 'kokoro'], { env })
    assert.deepEqual([missing.code, missing.output], [1, ''])
    assert.match(missing.errors, /is not installed on this machine\. Install it with \.\/studio models install onnx-community\/Kokoro-82M/)

    const unknown = await studio(['models', 'install', 'kokro'], { env })
    assert.equal(unknown.code, 5)
    assert.match(
      unknown.errors,
      /^studio: There is no model kokro\. The nearest are: Kokoro-82M-v1\.0-ONNX, (\S+, )\S+\. List all with \.\/studio models\.\n$/,
    )
    for (const args of [
      ['models', 'buy'],
      ['models', 'install'],
      ['models', 'remove', 'a', 'b'],
      ['models', 'verify'],
      ['models', 'install', 'kokoro', '--worker', 'attic'],
    ])
      assert.equal((await studio(args, { env })).code, 2)
  })

  await t.test('a licence that is not accepted on a terminal ends the installation before it starts', async (t) => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    const output = new PassThrough()
    input.write('n\n')
    const terminal = { env, cwd: '/', input, output, errors: output, interrupted: () => t.signal }
    await assert.rejects(models(['install', GATED], terminal), { message: /was not installed, because its licence was not accepted\.$/ })
    assert.match(String(output.read()), /is licensed under [\s\S]*\[y\/N\]/)
    const { models: listed } = (await world.get('/models')).json() as { models: Record<string, unknown>[] }
    const row = listed.find(({ repo_id }) => repo_id === GATED)!
    assert.deepEqual([row['installing'], row['installed'], row['licence_accepted']], [false, false, false])
  })

  await t.test('the licence card of a voice is shown before it is downloaded', async (t) => {
    const ask = async (answer: string) => {
      const input = Object.assign(new PassThrough(), { isTTY: true })
      const [output, errors] = [new PassThrough(), new PassThrough()]
      input.write(`${answer}\n`)
      const terminal = { env, cwd: '/', input, output, errors, interrupted: () => t.signal }
      const refused = await models(['install', 'en_US-joe-medium'], terminal).catch((error: Failure) => error.message)
      return { refused, card: String(errors.read()) }
    }
    const declined = await ask('n')
    assert.match(String(declined.refused), /was not installed, because its licence was not accepted\.$/)
    assert.match(
      declined.card,
      /^The licence card of Piper: English \(US\), joe, medium:\n-+\n# Model card for joe \(medium\)\n\n\* License: CC0\n-+\nDo you accept this licence\? \[y\/N\]/,
    )

    const silent = await studio(['models', 'install', CARDED], { env })
    assert.equal(silent.code, 1)
    assert.match(silent.errors, /\* License: CC0\n[\s\S]*Read the licence card of [\s\S]*--accept-licence/)
    // The server of this test has the card alone.
    const accepted = await studio(['models', 'install', CARDED, '--accept-licence'], { env })
    assert.match(accepted.errors, /\* License: CC0\n[\s\S]*The server has no piper\/en_US-joe-medium \(status 404\)/)
    const { models: listed } = (await world.get('/models')).json() as { models: Record<string, unknown>[] }
    const states = listed.filter(({ repo_id }) => String(repo_id).startsWith('piper/en_US-j')).map((row) => [row['repo_id'], row['gated'], row['licence_accepted']]) // biome-ignore format: one line
    assert.deepEqual(states, [[CARDED, true, true], ['piper/en_US-john-medium', true, false]]) // biome-ignore format: one line
  })

  await t.test('the command follows the installation over a restart of the studio', async (t) => {
    const weights = server.fileOf(REPO, 'model.onnx')
    const before = server.count(weights)
    server.fail(weights, { kind: 'stall', after: 500_000 })
    const program = startProgram(t, ['cli/main.ts', 'models', 'install', REPO], { STUDIO_PORT: new URL(world.url).port })
    await program.says(/ to download/)
    await eventually(() => server.count(weights) > before)
    await world.restart('SIGKILL')
    assert.equal(await program.ended, 0, program.output())
    assert.match(program.output(), /Waiting for it to come back\.[\s\S]*\nInstalled voice-studio\/tone\.\n/)
    await world.delete(`/models/${REPO}`)
  })

  await t.test('Ctrl-C cancels the installation', async (t) => {
    const weights = server.fileOf(REPO, 'model.onnx')
    const before = server.count(weights)
    server.fail(weights, { kind: 'stall', after: 500_000 })
    const child = spawn(process.execPath, [join(REPOSITORY, 'cli/main.ts'), 'models', 'install', REPO], {
      env: { ...process.env, STUDIO_PORT: new URL(world.url).port },
    })
    t.after(() => child.kill('SIGKILL'))
    let output = ''
    const ended = new Promise((resolve) => child.once('close', resolve))
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (piece) => {
        output += piece
        if (output.includes(' to download')) resolve()
      }),
    )
    await eventually(() => server.count(weights) > before)
    child.kill('SIGINT')
    assert.equal(await ended, 130)
    assert.match(output, /Cancelled\. Downloaded data of voice-studio\/tone is kept/)
    await world.delete(`/models/${REPO}`)
  })
})
