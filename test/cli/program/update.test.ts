// Updates of a small program with the real launcher: start, update, failure, rollback, and kills at every step.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readSwitches } from '#cli/program/state.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { installSmall, packSmall } from '#test/support/starting/small-program.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

function open(t: TestContext) {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'database'), '1 made by 1.0.0')
  const command = installSmall(join(folder, 'npm'), '1.0.0')
  const tarballs = packSmall(join(folder, 'new'), '1.1.0')
  const env = { STUDIO_DATA_DIR: data, HOME: folder }
  const run = (words: readonly string[], more: Record<string, string> = {}, path = command) =>
    runToEnd(process.execPath, [path, ...words], { env: { ...env, ...more }, cwd: folder })
  return {
    folder,
    data,
    command,
    tarballs,
    env,
    run,
    database: () => readFileSync(join(data, 'database'), 'utf8'),
    current: () => readlinkSync(join(data, 'program/current')),
  }
}

test('an update switches the running program in its process, and a rollback restores the database', async (t) => {
  const { folder, data, command, tarballs, env, run, database, current } = open(t)
  const early = await run(['update', '--from', tarballs])
  assert.match(early.errors, /has no program yet\. Start it once with small/)
  const program = startProgram(t, [command, 'start'], env, { cwd: folder })
  await program.says(new RegExp(`Small 1\\.0\\.0 runs in 1\\.0\\.0, process ${program.pid}\\.`))
  const updated = await run(['update', '--from', tarballs])
  assert.equal(updated.code, 0, updated.errors)
  assert.match(updated.output, /Installing version 1\.1\.0 beside 1\.0\.0 .*\nTrying it .*\nFinishing .*\nVersion 1\.1\.0 runs\.\n/s)
  await program.says(new RegExp(`Small 1\\.1\\.0 runs in 1\\.1\\.0, process ${program.pid}\\.`))
  assert.deepEqual([database(), current()], ['2 made by 1.0.0', '1.1.0'])
  assert.match((await run(['update', '--from', tarballs])).output, /Version 1\.1\.0 is the current one already/)
  assert.match(
    (await run(['update', '--from', packSmall(join(folder, 'old'), '1.0.5')])).errors,
    /older than 1\.1\.0\. To go back, run small rollback/,
  )

  // The package that npm has is older now; it starts the current version.
  writeFileSync(join(data, 'database'), '2 made by 1.1.0')
  const unasked = await run(['rollback'])
  assert.equal(unasked.code, 1)
  assert.match(unasked.output, /cannot read the database of 1\.1\.0\. It goes back to the copy of .* are lost\./)
  assert.match(unasked.errors, /Add the option --yes/)
  const back = await run(['rollback', '--yes'])
  assert.equal(back.code, 0, back.errors)
  await program.says(/Small 1\.0\.0 runs[\s\S]*Small 1\.1\.0 runs[\s\S]*Small 1\.0\.0 runs/)
  assert.deepEqual([database(), current()], ['1 made by 1.0.0', '1.0.0'])
  assert.equal(readFileSync(join(data, 'database.before-restore-1'), 'utf8'), '2 made by 1.1.0', 'what is lost is kept aside')
  assert.match((await run(['rollback', '--yes'])).errors, /no version before 1\.0\.0/)
  assert.equal(await program.end('SIGTERM'), 0)
  // The version that was left is not brought back by its package.
  const newer = installSmall(join(folder, 'npm-new'), '1.1.0')
  const started = await run(['start', 'once'], {}, newer)
  assert.match(started.output, /Small 1\.0\.0 runs/)
  assert.match(started.errors, /Runs version 1\.0\.0, the current one/)
})

test('a version that does not start gives its place back, and the database is as before', async (t) => {
  const { folder, command, tarballs, env, run, database, current, data } = open(t)
  const program = startProgram(t, [command, 'start'], { ...env, SMALL_BROKEN: '1.1.0' }, { cwd: folder })
  await program.says(/Small 1\.0\.0 runs/)
  const updated = await run(['update', '--from', tarballs])
  assert.equal(updated.code, 1)
  assert.match(updated.errors, /Version 1\.1\.0 did not take over: It ended with status 1\. Version 1\.0\.0 stays\./)
  await program.says(/Version 1\.1\.0 did not start\. [\s\S]*Small 1\.0\.0 runs/)
  assert.deepEqual([database(), current(), readSwitches(data).pending], ['1 made by 1.0.0', '1.0.0', null])
  assert.equal(await program.end('SIGTERM'), 0)
})

test('a rollback to a version that does not start brings back the version and the database from before it', async (t) => {
  const { folder, data, command, tarballs, env, run, database, current } = open(t)
  const program = startProgram(t, [command, 'start'], env, { cwd: folder })
  await program.says(/Small 1\.0\.0 runs/)
  assert.equal((await run(['update', '--from', tarballs])).code, 0)
  await program.says(/Small 1\.1\.0 runs/)
  writeFileSync(join(data, 'database'), '2 made by 1.1.0')
  writeFileSync(join(data, 'broken-1.0.0'), '')
  const back = await run(['rollback', '--yes'])
  assert.equal(back.code, 1)
  assert.match(
    back.errors,
    /Version 1\.0\.0 did not take over: It ended with status 1\. Version 1\.1\.0 stays, with the database from before the rollback\./,
  )
  await program.says(/Small 1\.1\.0 runs[\s\S]*Small 1\.1\.0 runs/)
  assert.deepEqual([database(), current(), readSwitches(data).pending], ['2 made by 1.1.0', '1.1.0', null])
  assert.equal(await program.end('SIGTERM'), 0)
  rmSync(join(data, 'broken-1.0.0'))
  assert.equal((await run(['rollback', '--yes'])).code, 0, 'the copy from before the update is still there')
  assert.match((await run(['start', 'once'])).output, /Small 1\.0\.0 runs/)
  assert.equal(database(), '1 made by 1.0.0')
})

test('of two commands at once one gets a conflict, and one that was killed blocks none', async (t) => {
  const { folder, data, tarballs, run, env, current } = open(t)
  assert.equal((await run(['start', 'once'])).code, 0)
  // The trial of a version that does not answer, and ends with the command that reads its output.
  const silent = packSmall(join(folder, 'silent'), '1.2.0', "setInterval(() => process.stdout.write('.'), 200)")
  const first = startProgram(t, [installSmall(join(folder, 'npm-again'), '1.0.0'), 'update', '--from', silent], env, { cwd: folder })
  await first.says(/Trying it/)
  for (const words of [
    ['update', '--from', tarballs],
    ['rollback', '--yes'],
  ]) {
    const { code, errors } = await run(words)
    assert.equal(code, 1)
    assert.match(
      errors,
      new RegExp(`Another update or rollback is under way \\(process ${first.pid}\\)\\. Wait for it to end, or end that`),
    )
  }
  assert.equal(await first.end('SIGKILL'), 'SIGKILL')
  assert.equal((await run(['update', '--from', tarballs])).code, 0)
  assert.match((await run(['start', 'once'])).output, /Small 1\.1\.0 runs/)
  assert.equal(current(), '1.1.0')
  assert.deepEqual(
    readdirSync(join(data, 'program')).filter((name) => /^\.|\.new$|^1\.2/.test(name)),
    [],
  )
})

test('a newer package that is started by hand takes over, and two old versions are kept', async (t) => {
  const { folder, run, data, database } = open(t)
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) {
    const { output, errors } = await run(['start', 'once'], {}, installSmall(join(folder, `npm-${version}`), version))
    assert.match(output, new RegExp(`Small ${version} runs in ${version}`), errors)
  }
  assert.deepEqual(readdirSync(join(data, 'program')).sort(), ['1.1.0', '1.2.0', '1.3.0', 'current', 'lock-3', 'state.json'])
  assert.equal(database(), '2 made by 1.0.0')
  assert.match((await run(['start', 'once'])).output, /Small 1\.3\.0 runs/, 'an older package starts the current version')
})

const PRELOAD = join(REPOSITORY, 'test/support/chaos/kills/killed-at-change.ts')
/** Steps between two kills of the suite; every step with `--long`. */
const EVERY = isLongRun ? 1 : 23
const killedAt = (step: number) => ({ NODE_OPTIONS: `--import ${PRELOAD}`, VOICE_STUDIO_TEST_KILL_AT: String(step) })

test('an update or a start that is killed at any step leaves one version that works', { timeout: 1_800_000 }, async (t) => {
  const { run, data, tarballs, database, folder, current } = open(t)
  assert.equal((await run(['start', 'once'])).code, 0)
  const before = join(folder, 'before')
  cpSync(data, before, { recursive: true, verbatimSymlinks: true })
  const seen = new Set<string>()
  async function works(step: number): Promise<void> {
    const started = await run(['start', 'once'])
    assert.equal(started.code, 0, `step ${step}: ${started.errors}`)
    const [, version = ''] = /Small (\S+) runs/.exec(started.output) ?? []
    assert.equal(version, current(), `step ${step}: ${started.output}`)
    assert.equal(database(), version === '1.0.0' ? '1 made by 1.0.0' : '2 made by 1.0.0', `step ${step}`)
    assert.deepEqual([readSwitches(data).pending, existsSync(join(data, 'program', version))], [null, true], `step ${step}`)
    seen.add(version)
  }
  for (const killed of ['update', 'start']) {
    let kills = 0
    for (let step = 1; ; step += EVERY) {
      rmSync(data, { recursive: true })
      cpSync(before, data, { recursive: true, verbatimSymlinks: true })
      const update = ['update', '--from', tarballs]
      if (killed === 'start') assert.equal((await run(update)).code, 0)
      const { code } = await run(killed === 'update' ? update : ['start', 'once'], killedAt(step))
      await works(step)
      if (code !== null) break
      kills++
      const again = await run(update)
      assert.equal(again.code, 0, `step ${step}: ${again.errors}`)
      await works(step)
      assert.equal(current(), '1.1.0', `step ${step}`)
      assert.deepEqual(
        readdirSync(join(data, 'program')).filter((name) => /^\.|\.new$/.test(name)),
        [],
        `step ${step}`,
      )
    }
    t.diagnostic(`${killed}: ${kills} kills`)
    assert.ok(kills > 0, killed)
  }
  assert.ok(seen.has('1.0.0') || !isLongRun)
})

test('a rollback that is killed at any step leaves one version that works, with its own database', { timeout: 1_800_000 }, async (t) => {
  const { run, data, tarballs, database, folder, current } = open(t)
  for (const words of [
    ['start', 'once'],
    ['update', '--from', tarballs],
    ['start', 'once'],
  ])
    assert.equal((await run(words)).code, 0)
  writeFileSync(join(data, 'database'), '2 made by 1.1.0')
  const updated = join(folder, 'updated')
  cpSync(data, updated, { recursive: true, verbatimSymlinks: true })
  for (const killed of ['rollback', 'start of a version that is broken']) {
    let kills = 0
    for (let step = 1; ; step += EVERY) {
      rmSync(data, { recursive: true })
      cpSync(updated, data, { recursive: true, verbatimSymlinks: true })
      const back = ['rollback', '--yes']
      if (killed !== 'rollback') {
        assert.equal((await run(back)).code, 0)
        writeFileSync(join(data, 'broken-1.0.0'), '')
      }
      const { code } = await run(killed === 'rollback' ? back : ['start', 'once'], killedAt(step))
      const { output, errors } = await run(['start', 'once'])
      const [, version = ''] = [...output.matchAll(/Small (\S+) runs/g)].at(-1) ?? []
      assert.equal(version, current(), `step ${step}: ${output}${errors}`)
      if (killed !== 'rollback') assert.equal(version, '1.1.0', `step ${step}`)
      assert.equal(database(), version === '1.0.0' ? '1 made by 1.0.0' : '2 made by 1.1.0', `${killed}, step ${step}`)
      assert.equal(readSwitches(data).pending, null, `step ${step}`)
      if (code !== null) break
      kills++
    }
    t.diagnostic(`${killed}: ${kills} kills`)
    assert.ok(kills > 0, killed)
  }
})
