// Versions two minors apart work together in both directions, and the newer studio keeps the data of the older one.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isLongRun } from '#test/support/long-run.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { oldestWorkingRelease, unpackRelease } from '#test/support/world/old-release.ts'
import { type Program, startProgram } from '#test/support/world/process.ts'
import { eventually, freePort, temporaryFolder } from '#test/support/world/world.ts'

const release = isLongRun ? oldestWorkingRelease() : null
const skip = !isLongRun ? 'long: ./studio test --long' : release === null && 'the history of this checkout has no release to compare with'

const endings: (() => unknown)[] = []
const world = { after: (run: () => unknown) => void endings.unshift(run) }
after(async () => {
  for (const end of endings) await end()
})

const data = temporaryFolder(world)
const home = temporaryFolder(world)
const settings: Record<string, string> = {
  HOME: home,
  STUDIO_DATA_DIR: data,
  STUDIO_WORKER_ENDPOINT_HOST: '127.0.0.1',
  STUDIO_LOG_FORMAT: 'json',
}
let studio: Program
let url = ''
const start = async (checkout: string) => {
  studio = startProgram(world, ['cli/main.ts', 'start'], settings, { cwd: checkout })
  ;[, url = ''] = await studio.says(/listens on (http:[^\s"]+)/)
}
const ask = async (path: string, body?: unknown) => {
  const answer = await fetch(url + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(answer.status, 200, `${path}: ${bytes}`)
  return bytes
}
const list = async (path: string) => JSON.parse((await ask(path)).toString())
const isReady = async (id: string) => {
  const { workers } = await list('/workers')
  return workers.some(
    (each: { id: string; connected: boolean; consent_granted: boolean }) => each.id === id && each.connected && each.consent_granted,
  )
}

/** A machine that runs the program of a checkout: it joined, and is approved and chosen. */
async function lend(checkout: string, label: string): Promise<{ id: string; program: Program }> {
  const { token } = JSON.parse((await ask('/workers/enrollments', { label })).toString())
  const env = { HOME: home, STUDIO_DATA_DIR: temporaryFolder(world), STUDIO_LOG_FORMAT: 'json' }
  // A service would run a second agent here, and stay after the test. The first releases know none.
  const words = existsSync(join(checkout, 'cli/service/lend.ts')) ? ['--no-service'] : []
  const joined = await runToEnd(process.execPath, ['cli/main.ts', 'agent', 'join', token, ...words], { cwd: checkout, env })
  const [, id = ''] = / as ([0-9a-f]+)\./.exec(joined.output) ?? []
  assert.notEqual(id, '', joined.output + joined.errors)
  const program = startProgram(world, ['cli/main.ts', 'agent'], env, { cwd: checkout })
  await studio.says(new RegExp(`"workerId":"${id}".*a machine is connected`))
  await ask(`/workers/${id}/consent`, {})
  await ask('/workers/target', { target: id })
  return { id, program }
}
async function speaksOn({ program }: { readonly program: Program }, input: string): Promise<void> {
  const from = program.output().length
  assert.equal((await ask('/v1/audio/speech', { input, response_format: 'wav' })).toString('latin1', 0, 4), 'RIFF')
  await program.says(/an attempt is complete/, { from })
}

test(`an agent of today works for a studio of ${release?.version}, whose data and machine outlive its update; an agent of ${release?.version} works for that`, {
  skip,
  timeout: 600_000,
}, async (t) => {
  assert.ok(release)
  const old = temporaryFolder(world)
  const missing = await unpackRelease(release, old)
  if (missing !== null) return t.skip(missing)
  settings['STUDIO_PORT'] = String(await freePort())
  settings['STUDIO_WORKER_PORT'] = String(await freePort())

  await start(old)
  await ask('/workers/enabled', { enabled: true })
  const machine = await lend(REPOSITORY, 'of-today')
  await speaksOn(machine, 'The old studio speaks.')
  await ask('/v1/audio/speech', { input: 'Kept.', response_format: 'wav' })
  const tasks = (await list('/workers/tasks')).tasks.map(({ id }: { id: string }) => id)
  assert.ok(tasks.length >= 2)
  assert.equal(await studio.end('SIGTERM'), 0)

  await start(REPOSITORY)
  await eventually(() => isReady(machine.id))
  const kept = (await list('/workers/tasks')).tasks.map(({ id }: { id: string }) => id)
  assert.deepEqual(
    tasks.filter((id: string) => !kept.includes(id)),
    [],
  )
  await speaksOn(machine, 'The new studio speaks.')

  const older = await lend(old, 'of-the-release')
  await speaksOn(older, 'The old agent speaks.')
  for (const program of [older.program, machine.program, studio]) assert.equal(await program.end('SIGTERM'), 0)
})
