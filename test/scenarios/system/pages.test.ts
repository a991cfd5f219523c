// A studio without its pages: it runs, and says why to its owner.
import assert from 'node:assert/strict'
import { cpSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

test('each page answers with the reason and the way out, the log has it once, and pages that are there again are shown', async (t) => {
  const checkout = temporaryFolder(t)
  for (const name of ['package.json', 'package-lock.json', 'proto', 'shared', 'agent', 'control-plane'])
    cpSync(join(REPOSITORY, name), join(checkout, name), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules'), join(checkout, 'node_modules'))
  const source = join(checkout, 'control-plane/web/app.tsx')
  renameSync(source, `${source}.away`)
  const preloads = ['--import', './test/support/starting/without-agent.ts']
  const env = { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_PORT: '0', STUDIO_LOG_FORMAT: 'json' }
  const program = startProgram(t, [...preloads, join(checkout, 'control-plane/main.ts')], env)
  const [, url = ''] = await program.says(/listens on (\S+)/)

  for (const path of ['/', '/sign-in', '/', '/']) {
    const answer = await fetch(url + path)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [503, 'text/html; charset=utf-8'], path)
    const text = await answer.text()
    assert.match(text, /The pages in .*\/control-plane\/web\/dist are missing or damaged\. Install this release again\./)
  }
  for (const path of ['/panel/0123456789abcdef/app.js', '/sign-in/sign-in.css']) assert.equal((await fetch(url + path)).status, 404, path)
  assert.equal(program.lines().filter(({ msg }) => msg === 'the web pages cannot be shown').length, 1)

  renameSync(`${source}.away`, source)
  await eventually(async () => (await fetch(`${url}/`)).status === 200)
  await program.end('SIGTERM')
})
