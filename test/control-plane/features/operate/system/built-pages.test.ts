// The bundled pages of a checkout: made once for each state of the sources, by as many studios as there are, and never half.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { PagesNotBuilt, pagesNotBuilt } from '#control-plane/features/operate/system/pages/failure.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const PAGES = 'control-plane/features/operate/system/pages'
const run = promisify(execFile)
/** Root may read and write everything, so it runs as an unprivileged user where access is to be refused. */
const REFUSED = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
/** Reason to skip the tests of that user: a checkout in a private folder of root is closed to it as a whole. */
const CLOSED = (() => {
  const path = join(ROOT, 'package.json')
  const { status } = spawnSync(process.execPath, ['-e', 'require("node:fs").accessSync(process.argv[1])', path], { cwd: '/', ...REFUSED })
  return status === 0 ? false : `${ROOT} is closed to other users`
})()

/** A checkout with what the bundler reads. */
function checkout(t: TestContext) {
  const root = temporaryFolder(t)
  for (const name of ['package.json', 'package-lock.json', 'control-plane/web', PAGES])
    cpSync(join(ROOT, name), join(root, name), { recursive: true })
  for (const name of ['node_modules', 'shared']) symlinkSync(join(ROOT, name), join(root, name))
  chmodSync(root, 0o755)
  // A whole run keeps its folders in a private one, which the unprivileged user has to pass.
  const parent = dirname(root)
  if ((statSync(parent).mode & 0o001) === 0) chmodSync(parent, 0o711)
  const build = async (who = {}) => (await run(process.execPath, [join(root, PAGES, 'build.ts')], who)).stdout.trim()
  const failure = (who = {}) =>
    build(who).then(
      () => assert.fail('it was built'),
      ({ stderr }: { stderr: string }) => stderr,
    )
  return { root, web: join(root, 'control-plane/web'), cache: join(root, '.toolchain/web'), build, failure }
}

test('two studios that bundle at once have one folder, and later ones use it', async (t) => {
  const { root, web, cache, build, failure } = checkout(t)
  const [first, other] = await Promise.all([build(), build()])
  assert.equal(first, other)
  assert.deepEqual(readdirSync(cache), [first!.slice(cache.length + 1)])
  writeFileSync(join(first!, 'seen'), 'yes')
  assert.equal(await build(), first)
  assert.ok(readdirSync(first!).includes('seen'), 'it is not bundled again')
  writeFileSync(join(web, 'lib/notices.ts'), `${readFileSync(join(web, 'lib/notices.ts'), 'utf8')}\nexport const MORE = 1\n`)
  const changed = await build()
  assert.notEqual(changed, first)
  assert.ok(readdirSync(changed).includes('first-views.json'))
  rmSync(join(web, 'app.tsx'))
  const dist = join(web, 'dist')
  assert.equal(await failure(), `The pages in ${dist} are missing or damaged. Install this release again.\n`)
  cpSync(changed, dist, { recursive: true })
  assert.equal(await build(), dist, 'a release has no sources')
  assert.ok(changed.startsWith(join(root, '.toolchain')))
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

test('a checkout that cannot be written says who has to bundle, before the bundler starts', { skip: CLOSED }, async (t) => {
  const { root, cache, failure } = checkout(t)
  chmodSync(root, 0o555)
  const text = await failure(REFUSED)
  assert.ok(text.includes('cannot be written') && text.includes('./studio setup --pages') && text.includes(root), text)
  chmodSync(root, 0o755)
  mkdirSync(cache, { recursive: true })
  chmodSync(cache, 0o555)
  const other = await failure(REFUSED)
  assert.ok(other.includes(`${cache} cannot be written: EACCES`) && other.includes('./studio setup --pages'), other)
  assert.doesNotMatch(other, /rolldown/)
})

test('another user is named only where the system refuses access', { skip: CLOSED }, async (t) => {
  const { root, web, cache, failure } = checkout(t)
  mkdirSync(join(root, '.toolchain'))
  writeFileSync(cache, '')
  const text = await failure()
  assert.ok(text.includes(`${cache} cannot be written: EEXIST`) && !text.includes('setup --pages'), text)
  rmSync(join(root, 'node_modules'))
  mkdirSync(join(root, 'node_modules'))
  for (const name of ['zod', 'pino']) symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name))
  rmSync(cache)
  assert.match(
    await failure(),
    /^Cannot find package 'rolldown'.*\nFiles are missing in .*\. Run \.\/studio there once, which installs its packages/,
  )
  const source = join(web, 'lib/notices.ts')
  chmodSync(source, 0)
  assert.equal(await failure(REFUSED), `Make ${source} readable for the user who runs the studio.\n`)

  for (const full of ['ENOSPC: no space left on device, write', 'No space left on device (os error 28)'])
    assert.match(pagesNotBuilt(new Error(full)).message, /^The disk is full\. Free some space/)
  const gone = pagesNotBuilt(Object.assign(new Error('ENOENT: no such file or directory, open'), { code: 'ENOENT' }))
  assert.ok(gone instanceof PagesNotBuilt, 'never a bare error')
  assert.match(
    gone.message,
    /^ENOENT: no such file or directory, open\nFiles are missing in .*\. Run \.\/studio there once, which installs/,
  )
  assert.equal(pagesNotBuilt(gone), gone, 'wrapped once')
})

test('every user can read the bundles of a studio with private files, also those that were made private', { skip: CLOSED }, async (t) => {
  const { cache, build, root } = checkout(t)
  const script = 'umask 077 && exec "$0" "$1"'
  const { stdout } = await run('/bin/sh', ['-c', script, process.execPath, join(root, PAGES, 'build.ts')])
  const folder = stdout.trim()
  const all = () => [
    join(root, '.toolchain'),
    cache,
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ]
  const closed = () =>
    all().filter(
      (path) => (statSync(path).mode & 0o444) !== 0o444 || (statSync(path).isDirectory() && (statSync(path).mode & 0o111) !== 0o111),
    )
  assert.deepEqual(closed(), [])
  for (const path of all().slice(2)) chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600)
  assert.ok(closed().length > 30)
  assert.equal(await build(), folder)
  assert.deepEqual(closed(), [])
  assert.equal(await build(REFUSED), folder)
})

test('a bundle with files that a power cut left empty is made again', async (t) => {
  const { build } = checkout(t)
  const folder = await build()
  for (const name of ['first-views.json', 'app.js', 'sign-in/index.html']) {
    truncateSync(join(folder, name))
    assert.equal(await build(), folder)
    assert.ok(statSync(join(folder, name)).size > 0, name)
  }
  rmSync(join(folder, 'first-views.json'))
  assert.equal(await build(), folder)
  assert.ok(readdirSync(folder).includes('first-views.json'))
})
