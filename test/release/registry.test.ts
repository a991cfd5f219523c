// One line of npx lends a machine: from a registry on this machine that has the packed programs and no way to another registry.
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
import { eventually, freePort, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'
import { nativeName, nativePlatforms } from '#tools/release/natives.ts'
import { pack } from '#tools/release/pack.ts'
import { programPath } from '#tools/setup/programs.ts'

const OWN = `${process.platform}-${process.arch}`
const registryProgram = findProgram('verdaccio', programPath(process.env['PATH']))
const missing =
  registryProgram === null
    ? 'verdaccio is not installed: ./studio setup --tests'
    : !nativePlatforms().includes(OWN) && `no native package for ${OWN}`
const skip = isLongRun ? missing : 'long: ./studio test --long'
/** Seconds from the line to a machine that waits for approval. On a loaded machine it takes longer, so it is reported and not asserted. */
const BAR_SECONDS = 15

const endings: (() => unknown)[] = []
const owner = { after: (run: () => unknown) => void endings.unshift(run) }
after(async () => {
  for (const end of endings) await end()
})
const open = sharedWorld({ withoutAgent: true })

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

test('npx joins a studio with one line, and the code is in no process afterwards', { skip, timeout: 600_000 }, async (t) => {
  const folder = temporaryFolder(owner)
  const registry = await startRegistry(folder)
  const npmrc = join(folder, 'npmrc')
  // npm publishes only with a token, of which this registry asks nothing.
  const login = `${registry.slice('http:'.length)}:${['_auth', 'Token'].join('')}=none`
  writeFileSync(npmrc, `registry = ${registry}\n${login}\naudit=false\nfund=false\nupdate-notifier=false\n`)
  const systemd = userSystemd(owner, folder)
  const env = {
    HOME: folder,
    npm_config_userconfig: npmrc,
    npm_config_cache: join(folder, 'cache'),
    STUDIO_DATA_DIR: join(folder, 'data'),
    ...systemd.env,
  }

  for (const { name, file } of pack({ out: join(folder, 'out'), draft: true, only: [PACKAGES.agent, nativeName(OWN)] })) {
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

  const world = await open()
  await world.post('/workers/enabled', { enabled: true })
  const { token } = (await world.post('/workers/enrollments', { label: 'attic' })).json()
  const line = joinLines({ published: true, image: null }).find(({ way }) => way === 'npx')?.line ?? ''
  const run = (words: string) => runToEnd('sh', ['-c', words], { env, cwd: folder })
  // Fills the cache of npm.
  const version = await run(line.replace('join CODE', '--version'))
  assert.equal(version.code, 0, version.errors)
  const start = performance.now()
  const joined = await run(line.replace('CODE', token))
  const seconds = (performance.now() - start) / 1000
  assert.equal(joined.code, 0, joined.errors)
  assert.match(joined.output, /^Joined /m)
  t.diagnostic(`from the line to a machine that waits for approval: ${seconds.toFixed(1)} s (bar: ${BAR_SECONDS} s)`)
  const { workers } = (await world.get('/workers')).json()
  assert.deepEqual(
    workers.map(({ name, consent_granted }: Record<string, unknown>) => [name, consent_granted]),
    [['attic', false]],
  )
  const processes = await runToEnd('ps', ['-eo', 'args'])
  assert.ok(!processes.output.includes(token), 'a process has the code in its arguments')
})
