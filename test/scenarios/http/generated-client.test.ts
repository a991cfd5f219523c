// docs/sdk.md: its commands and its example run as they are printed, but for the address and the installation, which is kept between runs. The studio is
// in server mode: everything needs the key.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { pythonWith } from '#test/support/python/python-packages.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const run = promisify(execFile)
const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/sdk.md'), 'utf8')
const ADDRESS = 'http://127.0.0.1:3900'
/** The text of the one block in this language. */
function block(language: string): string {
  const [found, another] = [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))]
  assert.ok(found && !another, language)
  return found[1]!
}
const [installation, ...commands] = block('sh').trim().split('\n')
const [, packages] = /^python -m pip install (.*)$/.exec(installation!) ?? []
const found = await pythonWith(packages?.split(' ') ?? [])

test('a public generator makes a working client from the description', { skip: 'skip' in found ? found.skip : false }, async (t) => {
  assert.ok('python' in found)
  const key = randomBytes(24).toString('base64url')
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_SERVER_MODE: '1', STUDIO_API_KEY: key } })
  const folder = temporaryFolder(t)
  const at = (text: string) => text.replaceAll(ADDRESS, world.url)
  const env = { PATH: `${dirname(found.python)}${delimiter}${process.env['PATH']}`, HOME: folder, STUDIO_API_KEY: key }
  const options = { cwd: folder, env, maxBuffer: 2 ** 24 }
  writeFileSync(join(folder, 'client.yaml'), block('yaml'))

  await t.test('without a warning', async () => {
    assert.ok(commands.length > 0)
    const { stdout, stderr } = await run('sh', ['-e', '-c', at(commands.join('\n'))], options)
    assert.equal(`${stdout}${stderr}`.trim(), 'Generating voice_studio_client')
  })

  await t.test('the example prints what the studio has', async () => {
    writeFileSync(join(folder, 'example.py'), at(block('python')))
    const { stdout } = await run('python', ['example.py'], options)
    const { version } = (await world.get('/health')).json()
    const [first, ...others] = stdout.trim().split('\n')
    assert.equal(first, `version ${version}`)
    assert.deepEqual(others.slice(0, 2), ['voices []', 'takes []'])
    assert.equal(others.length, 4)
  })

  await t.test('replies and refusals arrive as the models of their schemas', async () => {
    copyFileSync(join(import.meta.dirname, 'generated-client.py'), join(folder, 'calls.py'))
    const { stdout } = await run('python', ['calls.py', world.url], options)
    assert.deepEqual(JSON.parse(stdout), {
      health: ['Health', 'ok'],
      voices: ['Voices', true],
      direction: ['Direction', true],
      'unknown voice': ['Failure', 404, 'Profile not found'],
      'a text that is too long': ['InvalidInput', 422, ['body', 'text']],
      'no credential': ['Failure', 401, true],
      'a form with a file': ['VoiceProfile', 'Ada'],
      'a file': ['File', 'RIFF'],
      history: [],
    })
  })
})
