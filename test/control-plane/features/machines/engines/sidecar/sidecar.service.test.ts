// Installing sidecars with real programs: from a folder, and every failure with its step, reason and remedy.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSidecars } from '#control-plane/features/machines/engines/sidecar/sidecar.service.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { noPython, SIDECAR_PROGRAM } from '#test/support/world/sidecar.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const limit = { skip: noPython, timeout: 120_000 }
const engine = 'cosyvoice'
function open(t: TestContext, path = process.env['PATH'] ?? '') {
  const folder = join(temporaryFolder(t), 'sidecars')
  let changes = 0
  const changed = async () => void changes++
  const sidecars = createSidecars({ folder, environment: { PATH: path, HOME: process.env['HOME'] ?? '' }, clock, log, changed })
  t.after(() => sidecars.stop())
  return { folder, sidecars, changes: () => changes }
}
function sourceIn(t: TestContext, program: string | null = null): string {
  const folder = join(temporaryFolder(t), 'source')
  mkdirSync(join(folder, '.git'), { recursive: true })
  if (program === null) copyFileSync(SIDECAR_PROGRAM, join(folder, 'voice_sidecar.py'))
  else if (program !== '') writeFileSync(join(folder, 'voice_sidecar.py'), program)
  return folder
}
async function ended(sidecars: ReturnType<typeof createSidecars>) {
  while (sidecars.status(engine).job?.state === 'running') await clock.sleep(20)
  return sidecars.status(engine).job!
}
const states = ({ steps }: { steps: { id: string; state: string }[] }) => steps.map(({ id, state }) => `${id} ${state}`)

test('a folder is copied, verified and installed; removal keeps the original', limit, async (t) => {
  const { folder, sidecars, changes } = open(t)
  assert.deepEqual(sidecars.status(engine), { engine_id: engine, installed: false, managed: false, install_dir: null, job: null })
  const source = sourceIn(t)
  assert.deepEqual(sidecars.install(engine, source), { status: 'started', engine })
  assert.equal(sidecars.install(engine, source).status, 'already_running')
  await assert.rejects(sidecars.uninstall(engine), { code: 'CONFLICT' })
  const job = await ended(sidecars)
  assert.equal(job.error, null)
  assert.deepEqual(states(job), [
    'preflight done',
    'fetch_source done',
    'create_venv skipped',
    'install_deps skipped',
    'verify done',
    'fetch_weights skipped',
    'persist done',
  ])
  assert.ok(job.log.some((line) => /Python 3/.test(line)) && job.log.includes('the test sidecar starts'))
  const { installed, managed, install_dir } = sidecars.status(engine)
  assert.deepEqual([installed, managed, install_dir], [true, true, join(folder, engine)])
  assert.equal(existsSync(join(folder, engine, '.git')), false)
  assert.deepEqual([sidecars.install(engine, source).status, changes()], ['already_installed', 1])
  assert.deepEqual(await sidecars.uninstall(engine), { status: 'uninstalled', engine })
  assert.deepEqual(await sidecars.uninstall(engine), { status: 'not_installed', engine })
  assert.deepEqual([readdirSync(folder), changes(), existsSync(join(source, 'voice_sidecar.py'))], [[], 2, true])
})

test('a source that another user owns or can change is refused before it is copied', limit, async (t) => {
  const asRoot = process.getuid?.() === 0
  for (const [make, error] of [
    [(source: string) => chmodSync(join(source, 'voice_sidecar.py'), 0o666), /Other users can change .*voice_sidecar\.py \(mode 666\)\./],
    [(source: string) => chmodSync(join(source, '..'), 0o777), /Other users can change .* \(mode 777\)\./],
    [(source: string) => symlinkSync('/nowhere', join(source, 'module.py')), /module\.py is a link to a file that does not exist\./],
    ...(asRoot ? [[(source: string) => chownSync(source, 12_345, 12_345), /source belongs to another user \(uid 12345\)\./] as const] : []),
  ] as const) {
    const { folder, sidecars } = open(t)
    const source = sourceIn(t, 'import pathlib\npathlib.Path(__file__).parent.joinpath("ran").touch()')
    make(source)
    sidecars.install(engine, source)
    const job = await ended(sidecars)
    assert.equal(job.steps.find(({ state }) => state === 'error')?.id, 'fetch_source')
    assert.match(job.error!, error)
    assert.match(job.remediation!, /chmod (-R )?go-w|chown|rm/)
    assert.deepEqual([readdirSync(folder), existsSync(join(source, 'ran'))], [[], false])
  }
})

test('each failure names its step, reason and remedy, and leaves no files behind', limit, async (t) => {
  const python = programFolder(
    join(temporaryFolder(t), 'bin'),
    { git: '[ "$1" = --version ] && exit 0; echo "fatal: could not resolve host" >&2; exit 128' },
    ['python3', 'sh', 'bash'],
  )
  const cases: [string, string | null, string, RegExp, RegExp][] = [
    ['/nowhere', sourceIn(t), 'preflight', /python3: it is not on PATH/, /apt-get install python3/],
    [python, null, 'fetch_source', /git: fatal: could not resolve host/, /local folder as source/],
    ['', 'relative/path', 'fetch_source', /not an absolute path/, /Enter the full path/],
    ['', '/nowhere/at/all', 'fetch_source', /There is no folder/, /docs\/sidecar\.md/],
    ['', sourceIn(t, ''), 'fetch_source', /no voice_sidecar\.py/, /Add one/],
    ['', sourceIn(t, 'raise SystemExit(4)'), 'verify', /died \(exit code 4\)/, /by hand/],
    ['', sourceIn(t, 'print("Loading...", flush=True)\nimport time\ntime.sleep(60)'), 'verify', /not a JSON object/, /by hand/],
  ]
  for (const [path, source, step, error, remediation] of cases) {
    const real = `${process.env['PATH']}`
    const { folder, sidecars, changes } = open(t, path === '' ? real : path === python ? `${python}:${real}` : path)
    sidecars.install(engine, source)
    const job = await ended(sidecars)
    assert.equal(job.state, 'failed')
    assert.equal(job.steps.find(({ state }) => state === 'error')?.id, step, job.error ?? '')
    assert.match(job.error!, error)
    assert.match(job.remediation!, remediation)
    assert.deepEqual([readdirSync(folder), changes(), sidecars.status(engine).installed], [[], 0, false])
    assert.equal(sidecars.lastErrors().get(engine), 'The last installation failed.')
  }
})

test('engines without an installer, engines of the owner, and the leftovers of a crash', limit, async (t) => {
  const { folder, sidecars } = open(t)
  for (const id of ['svc-engine', 'unknown', '../x'])
    for (const act of [() => sidecars.install(id, null), () => sidecars.status(id)]) assert.throws(act, { code: 'NOT_FOUND' })
  mkdirSync(join(folder, '.staging-cosyvoice'), { recursive: true })
  mkdirSync(join(folder, engine))
  const manifest = { protocol: 1, engine, command: ['python3', 'own.py'], describe: { sample_rate: 24_000 } }
  writeFileSync(join(folder, engine, 'sidecar.json'), JSON.stringify(manifest))
  sidecars.start()
  assert.deepEqual(readdirSync(folder), [engine])
  const { installed, managed } = sidecars.status(engine)
  assert.deepEqual([installed, managed], [true, false])
  await assert.rejects(sidecars.uninstall(engine), { code: 'BAD_REQUEST' })
})

test('stopping the studio ends a running installation', limit, async (t) => {
  const { sidecars, folder } = open(t)
  sidecars.install(engine, sourceIn(t, 'import time\ntime.sleep(600)'))
  while (sidecars.status(engine).job!.steps[4]!.state !== 'running') await clock.sleep(20)
  await sidecars.stop()
  assert.deepEqual([sidecars.status(engine).job!.state, readdirSync(folder)], ['failed', []])
})
