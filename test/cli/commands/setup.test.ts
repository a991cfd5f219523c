import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setupUnattended } from '#cli/commands/setup.ts'
import { studio } from '#test/support/world/cli.ts'
import { programFolder } from '#test/support/world/programs.ts'

// Notes how it was called; `install` works once the file named in `needs` lies beside it.
const APT = `echo "$DEBIAN_FRONTEND $*" >> "\${0%/*}/log"
case $1 in
  update) touch "\${0%/*}/updated" ;;
  install) [ -e "\${0%/*}/$(cat "\${0%/*}/needs")" ] || { echo "E: Unable to locate package"; exit 100; } ;;
esac`

function openMachine(t: TestContext, scripts: Record<string, string>, needs = 'log') {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'))
  t.after(() => rmSync(folder, { recursive: true }))
  // `sudo` stands in for a person's rights when these tests do not run as root; `needs` names what makes installing succeed.
  const sudo = '[ "$1" != -n ] || shift\nexec "$@"'
  const path = programFolder(folder, { sudo, ...scripts }, ['env', 'touch', 'cat', 'sh', 'true'])
  writeFileSync(join(folder, 'needs'), needs)
  return {
    setup: (...args: string[]) => studio(['setup', ...args], { env: { PATH: path } }),
    // Answers with what was complained about.
    unattended: async () => {
      const errors = new PassThrough()
      const [input, output] = [new PassThrough(), new PassThrough().resume()]
      await setupUnattended({ env: { PATH: path }, cwd: folder, input, output, errors, interrupted: () => t.signal })
      return text(errors.end())
    },
    calls: () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n'),
  }
}

test('installs what is missing when told not to ask', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT })
  const { code, output } = await setup('--yes')
  assert.equal(code, 0, output)
  assert.match(output, /ffmpeg: missing \(203 MB to install\)\. It adds: .*Opus/)
  assert.deepEqual(calls(), [
    'noninteractive install --yes --no-install-recommends -o DPkg::Lock::Timeout=120 ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa',
  ])
})

test('fetches the lists of packages when the first try fails', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT }, 'updated')
  assert.equal((await setup('--yes')).code, 0)
  assert.deepEqual(
    calls().map((call) => call.split(' ')[1]),
    ['install', 'update', 'install'],
  )
})

test('shows what apt-get said when it cannot install', async (t) => {
  const { setup } = openMachine(t, { 'apt-get': APT }, 'never')
  const { code, errors } = await setup('--yes')
  assert.equal(code, 1)
  assert.match(errors, /Unable to locate package/)
})

test('changes nothing when nobody agrees', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT })
  const { code, output } = await setup()
  assert.equal(code, 1)
  assert.match(output, /\(y\/N\)/)
  assert.throws(calls, { code: 'ENOENT' })
})

test('says what to install where there is no apt-get', async (t) => {
  const { setup } = openMachine(t, {})
  const { code, output } = await setup('--yes')
  assert.equal(code, 1)
  assert.match(output, /your system's own tools: ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa/)
})

test('has nothing to do where everything is there', async (t) => {
  const { setup, calls } = openMachine(t, { 'apt-get': APT, ffmpeg: '', pocketsphinx_continuous: '', 'espeak-ng': '', apertium: '' })
  const { code, output } = await setup('--yes')
  assert.equal(code, 0)
  assert.doesNotMatch(output, /chromium/, 'users have a browser')
  assert.match(output, /ffmpeg: here\./)
  assert.throws(calls, { code: 'ENOENT' })
})

test('installs the browser of the tests when asked for it, unless there is one', async (t) => {
  const programs = { ffmpeg: '', pocketsphinx_continuous: '', 'espeak-ng': '', apertium: '' }
  const { setup, calls } = openMachine(t, { 'apt-get': APT, ...programs })
  const { code, output } = await setup('--yes', '--tests')
  assert.equal(code, 0, output)
  assert.match(output, /chromium: missing \(290 MB to install\)\. It adds: the tests/)
  assert.match(calls().join(), / chromium$/)
  const { output: there } = await openMachine(t, { ...programs, 'google-chrome': '' }).setup('--tests')
  assert.match(there, /chromium: here\./)
})

test('unattended, installs without asking', async (t) => {
  const { unattended, calls } = openMachine(t, { 'apt-get': APT })
  assert.equal(await unattended(), '')
  const [programs, browser, ...more] = calls()
  assert.match(programs!, /^noninteractive install .* ffmpeg pocketsphinx pocketsphinx-en-us espeak-ng apertium-eng-spa$/)
  assert.match(browser!, /^noninteractive install .* chromium$/)
  assert.deepEqual(more, [])
})

test('unattended, names what will be skipped where it may not install or cannot', async (t) => {
  for (const machine of [openMachine(t, {}), openMachine(t, { 'apt-get': APT }, 'never')]) {
    const said = await machine.unattended()
    assert.match(said, /tests that need ffmpeg, pocketsphinx_continuous, espeak-ng, apertium will be skipped/)
    assert.match(said, /tests that need chromium will be skipped/)
  }
})
