// The environment of the children of a process, whichever function starts them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { childEnvironment, SILENT, silentEnvironment } from '#shared/runtime/child/environment.ts'
import { spawnGroup } from '#shared/runtime/child/group.ts'
import { execFile, execFileSync, fork, spawn } from '#shared/runtime/child/process.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const FILTER = 'VK_LOADER_DRIVERS_DISABLE'
const PRINT = ['-e', 'process.stdout.write(JSON.stringify(process.env))']
type Env = Record<string, string>
const timeout = 60_000

async function environments(t: Parameters<typeof temporaryFolder>[0], env?: Env): Promise<Env[]> {
  const own = env === undefined ? {} : { env }
  const module = join(temporaryFolder(t), 'print.mjs')
  writeFileSync(module, 'process.send(process.env)')
  const sent = once(fork(module, [], { ...own, execArgv: [] }), 'message')
  const found: string[] = [
    await text(spawn(process.execPath, PRINT, { ...own, stdio: ['ignore', 'pipe', 'inherit'] }).stdout),
    await text(spawnGroup(process.execPath, PRINT, { ...own, stdio: ['ignore', 'pipe', 'inherit'] }).stdout),
    execFileSync(process.execPath, PRINT, { ...own, timeout }),
    await new Promise<string>((resolve) => execFile(process.execPath, PRINT, { ...own, timeout }, (_, output) => resolve(output))),
  ]
  return [((await sent) as [Env])[0], ...found.map((each) => JSON.parse(each) as Env)]
}

test('every child is silent, and gets no variable that is not named', async (t) => {
  process.env['STUDIO_API_KEY'] = 'a-secret-of-the-studio'
  t.after(() => delete process.env['STUDIO_API_KEY'])
  for (const found of await environments(t)) {
    assert.equal(found['STUDIO_API_KEY'], undefined)
    assert.equal(found['PATH'], process.env['PATH'])
    for (const [name, value] of Object.entries(SILENT)) assert.equal(found[name], value, name)
    assert.match(found[FILTER]!, /lvp/)
  }
})

test('a named environment is used whole, and stays silent', async (t) => {
  const named = { ONE: '1', ORT_DISABLE_TELEMETRY: '0', [FILTER]: '' }
  for (const found of await environments(t, named)) {
    assert.deepEqual([found['ONE'], found['ORT_DISABLE_TELEMETRY'], found[FILTER]], ['1', '1', ''])
    assert.equal(found['HOME'], undefined)
  }
})

test('the owner selects Vulkan drivers, and cannot turn reports on', () => {
  const env = { [FILTER]: '*nvidia*', VK_DRIVER_FILES: '/driver.json', DO_NOT_TRACK: '0', STUDIO_API_KEY: 'secret', HOME: undefined }
  const { [FILTER]: filter, VK_DRIVER_FILES: files, DO_NOT_TRACK: track, ...others } = childEnvironment(env, ['EXTRA'])
  assert.deepEqual([filter, files, track], ['*nvidia*', '/driver.json', '1'])
  assert.deepEqual(
    Object.keys(others).filter((name) => !(name in SILENT)),
    ['PULSE_SERVER'],
  )
  assert.equal(childEnvironment({})[FILTER], '*lvp*,*swiftshader*')
  assert.equal(silentEnvironment({})[FILTER], undefined, 'a named environment is used as it is')
})

test('a process silences the libraries that it loads itself', () => {
  const script = `const { silenceProcess } = await import('#shared/runtime/child/environment.ts')
    silenceProcess()
    process.stdout.write(JSON.stringify(process.env))`
  const found = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout })) as Env
  for (const [name, value] of Object.entries(SILENT)) assert.equal(found[name], value, name)
})
