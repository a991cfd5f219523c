// The studio for development, as ./studio starts it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('the studio starts with the flags of ./studio and the development routes, and a signal ends it', async (t) => {
  const flags = ['--import', './test/support/starting/without-agent.ts', '--import', 'data:text/javascript,console.log("flagged")']
  const program = startProgram(t, [...flags, 'cli/main.ts', 'dev'], { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_PORT: '0' })
  const [, url] = await program.says(/listens on (\S+)/)
  const page = await (await fetch(url!)).text()
  await program.end('SIGTERM') // SIGKILL would leave the watched studio.
  assert.match(page, /<meta name="studio-development" content="yes" \/>/)
  assert.ok(program.output().split('flagged').length > 2, 'the studio has the flags too')
  assert.match(program.output(), /the studio is stopping/)
})

test('the scripts of npm are commands of ./studio, which installs what they need', () => {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
  assert.deepEqual(scripts, { dev: './studio dev', test: './studio test', check: './studio check' })
})
