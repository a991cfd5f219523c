// One line of npx starts a studio, and one lends a machine: from a registry on this machine that has the packed programs and no way to another one.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { joinLines } from '#shared/protocol/codes/join-code.ts'
import { PACKAGES } from '#shared/protocol/version.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { userSystemd } from '#test/support/services/user-systemd.ts'
import { runToEnd } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, freePort, temporaryFolder } from '#test/support/world/world.ts'
import { nativeName, nativePlatforms } from '#tools/release/natives.ts'
import { pack } from '#tools/release/pack.ts'
import { programPath } from '#tools/setup/programs.ts'

const OWN = `${process.platform}-${process.arch}`
const registryProgram = findProgram('verdaccio', programPath(process.env['PATH']))
const missing =
  registryProgram === null
    ? 'verdaccio is not installed: ./studio setup --tests'
    : !nativePlatforms().includes(OWN) && `no native package for ${OWN}`
const npx = findProgram('npx', process.env['PATH']) ?? ''
const skip = isLongRun ? missing : 'long: ./studio test --long'
/** Seconds from an empty folder to sound, and from the line of a lender to its approval and its first task. On a loaded machine they take longer. */
const BARS = { heard: 60, joined: 15, lent: 30 }

const endings: (() => unknown)[] = []
const owner = { after: (run: () => unknown) => void endings.unshift(run) }
after(async () => {
  for (const end of endings) await end()
})

/** Starts a registry that has only what is published to it, and returns its address. */
async function startRegistry(folder: string): Promise<string> {
  const config = join(folder, 'registry.yaml')
  const rules = { access: '$all', publish: '$all' }
  // JSON is YAML too. Without uplinks no name leads to another registry.
  const settings = {
    storage: join(folder, 'storage'),
    web: { enable: false },
    uplinks: {},
    packages: { '@*/*': rules, '**': rules },
    max_body_size: '100mb',
  }
  writeFileSync(config, JSON.stringify(settings))
  const port = await freePort()
  startProgram(owner, [registryProgram ?? '', '--config', config, '--listen', `127.0.0.1:${port}`], { HOME: folder }, { cwd: folder })
  const url = `http://127.0.0.1:${port}/`
  await eventually(async () => (await fetch(`${url}-/ping`).catch(() => null))?.ok ?? false)
  return url
}

/** Seconds that the work took, with its result. */
async function timed<T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly result: T }> {
  const start = performance.now()
  const result = await work()
  return { seconds: (performance.now() - start) / 1000, result }
}
const post = async (url: string, body: object = {}) => {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  assert.equal(answer.status, 200, bytes.toString())
  return bytes
}

test('from an empty folder, npx starts a studio that is heard, and one line lends a machine that does a task', {
  skip,
  timeout: 900_000,
}, async (t) => {
  const folder = temporaryFolder(owner)
  const registry = await startRegistry(folder)
  const npmrc = join(folder, 'npmrc')
  // npm publishes only with a token, of which this registry asks nothing.
  const login = `${registry.slice('http:'.length)}:${['_auth', 'Token'].join('')}=none`
  writeFileSync(npmrc, `registry = ${registry}\n${login}\naudit=false\nfund=false\nupdate-notifier=false\n`)
  const systemd = userSystemd(owner, folder)
  const env = { HOME: folder, npm_config_userconfig: npmrc, npm_config_cache: join(folder, 'cache'), ...systemd.env }

  for (const { name, file } of pack({ out: join(folder, 'out'), draft: true, only: [PACKAGES.studio, PACKAGES.agent, nativeName(OWN)] })) {
    const unpacked = join(folder, 'unpacked', name)
    mkdirSync(unpacked, { recursive: true })
    assert.equal((await runToEnd('tar', ['-xzf', file, '-C', unpacked])).code, 0)
    const path = join(unpacked, 'package/package.json')
    // A release publishes with a proof of its origin; names that are not published yet are private.
    const { private: _private, publishConfig: _config, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify(manifest))
    const published = await runToEnd('npm', ['publish', '--ignore-scripts', '--access', 'public', join(unpacked, 'package')], {
      env,
      cwd: folder,
    })
    assert.equal(published.code, 0, published.errors)
  }

  const studioEnv = {
    ...env,
    STUDIO_DATA_DIR: join(folder, 'studio'),
    STUDIO_PORT: String(await freePort()),
    STUDIO_WORKER_PORT: String(await freePort()),
    STUDIO_WORKER_ENDPOINT_HOST: '127.0.0.1',
  }
  // npx hands no signal to the program that it runs, which has this folder in its arguments.
  owner.after(() => runToEnd('pkill', ['-f', studioEnv.STUDIO_DATA_DIR]))
  const heard = await timed(async () => {
    const studio = startProgram(owner, ['--yes', PACKAGES.studio], studioEnv, { node: npx, cwd: folder })
    const [, url = ''] = await studio.says(/listens on (http:\S+)/)
    const sound = await post(`${url}/v1/audio/speech`, { input: 'Good morning.', response_format: 'wav' })
    assert.equal(sound.toString('latin1', 0, 4), 'RIFF')
    return url
  })
  t.diagnostic(`from an empty folder to the first sound: ${heard.seconds.toFixed(1)} s (bar: ${BARS.heard} s)`)
  const url = heard.result

  await post(`${url}/workers/enabled`, { enabled: true })
  const { token } = JSON.parse((await post(`${url}/workers/enrollments`, { label: 'attic' })).toString())
  const line = joinLines({ published: true, image: null }).find(({ way }) => way === 'npx')?.line ?? ''
  const agentEnv = { ...env, STUDIO_DATA_DIR: join(folder, 'agent') }
  const run = (words: string) => runToEnd('sh', ['-c', words], { env: agentEnv, cwd: folder })
  const machines = async () => {
    const { workers } = (await (await fetch(`${url}/workers`)).json()) as { workers: Record<string, unknown>[] }
    return workers.filter(({ name }) => name === 'attic')
  }
  // Fills the cache of npm.
  const version = await run(line.replace('join CODE', '--version'))
  assert.equal(version.code, 0, version.errors)
  const lent = await timed(async () => {
    const joined = await timed(() => run(line.replace('CODE', token)))
    assert.equal(joined.result.code, 0, joined.result.errors)
    assert.match(joined.result.output, /^Joined /m)
    const [machine, ...others] = await machines()
    assert.deepEqual([machine?.['consent_granted'], others], [false, []])
    await eventually(async () => (await machines())[0]?.['connected'] === true)
    await post(`${url}/workers/${machine?.['id']}/consent`)
    await post(`${url}/workers/target`, { target: machine?.['id'] })
    await post(`${url}/v1/audio/speech`, { input: 'Good evening.', response_format: 'wav' })
    return joined.seconds
  })
  t.diagnostic(`from the line to a machine that waits for approval: ${lent.result.toFixed(1)} s (bar: ${BARS.joined} s)`)
  t.diagnostic(`from the line to the first speech of that machine: ${lent.seconds.toFixed(1)} s (bar: ${BARS.lent} s)`)
  assert.match(systemd.journal(), /engine host started/, 'the lent machine spoke')
  const processes = await runToEnd('ps', ['-eo', 'args'])
  assert.ok(!processes.output.includes(token), 'a process has the code in its arguments')
})
