// The bundled pages of a checkout: made once for each state of the sources, by as many studios as there are, and never half.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '#test/support/world/world.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const PAGES = 'control-plane/features/operate/system/pages'
const run = promisify(execFile)

/** A checkout with what the bundler reads. */
function checkout(t: TestContext) {
  const root = temporaryFolder(t)
  for (const name of ['package.json', 'package-lock.json', 'control-plane/web', PAGES])
    cpSync(join(ROOT, name), join(root, name), { recursive: true })
  for (const name of ['node_modules', 'shared']) symlinkSync(join(ROOT, name), join(root, name))
  const build = async () => (await run(process.execPath, [join(root, PAGES, 'build.ts')])).stdout.trim()
  const failure = () =>
    build().then(
      () => assert.fail('it was built'),
      ({ stderr }: { stderr: string }) => stderr,
    )
  return { root, web: join(root, 'control-plane/web'), cache: join(root, '.toolchain/web'), build, failure }
}

test('two studios that bundle at once have one folder, and later ones use it', async (t) => {
  const { root, web, cache, build } = checkout(t)
  const [first, other] = await Promise.all([build(), build()])
  assert.equal(first, other)
  assert.deepEqual(readdirSync(cache), [first!.slice(cache.length + 1)])
  writeFileSync(join(first!, 'seen'), '')
  assert.equal(await build(), first)
  assert.ok(readdirSync(first!).includes('seen'), 'it is not bundled again')
  writeFileSync(join(web, 'lib/notices.ts'), `${readFileSync(join(web, 'lib/notices.ts'), 'utf8')}\nexport const MORE = 1\n`)
  const changed = await build()
  assert.notEqual(changed, first)
  assert.ok(readdirSync(changed).includes('first-views.json'))
  rmSync(join(web, 'app.tsx'))
  assert.equal(await build(), join(root, 'control-plane/web/dist'), 'a release has no sources')
})

test('a source that cannot be bundled is named with its place, and nothing is left', async (t) => {
  const { web, cache, build, failure } = checkout(t)
  const path = join(web, 'pages/home/page.tsx')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, `${text}\nexport const broken = <p>\n`)
  assert.match(await failure(), /pages\/home\/page\.tsx:\d+:\d+/)
  writeFileSync(path, `import { missing } from './missing.ts'\n${text}\nexport const kept = missing\n`)
  assert.match(await failure(), /missing\.ts/)
  assert.deepEqual(readdirSync(cache), [])
  writeFileSync(path, text)
  assert.ok((await build()).startsWith(cache))
})

test('a checkout that cannot be written says who has to bundle', async (t) => {
  const { root, cache, failure } = checkout(t)
  mkdirSync(join(root, '.toolchain'))
  writeFileSync(cache, '')
  const text = await failure()
  assert.ok(text.includes('cannot be written') && text.includes('./studio setup --pages') && text.includes(root), text)
})
