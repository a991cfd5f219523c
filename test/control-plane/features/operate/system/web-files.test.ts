// The files of the web pages as browsers receive them: compressed where they accept it, and once while they have not changed.
import assert from 'node:assert/strict'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parseSync } from 'rolldown/utils'
import { builtFolder } from '#control-plane/features/operate/system/pages/built.ts'
import { LANGUAGE, readFirstViews } from '#control-plane/features/operate/system/pages/folder.ts'
import { answerWith, brotliOf, listWebFiles, versionOf } from '#control-plane/features/operate/system/web-files.ts'

const always = { 'x-content-type-options': 'nosniff' }
const folder = await builtFolder()
const files = await listWebFiles(folder)
const file = files.get('texts/en/create-dub.js')!
const answer = (headers: Record<string, string>, of = file) => answerWith(of, headers, { cache: 'immutable', always })

test('a file is compressed where gzip is accepted', () => {
  for (const header of ['gzip', 'deflate, GZIP;q=0.5', 'gzip, deflate, zstd']) {
    const { type, body, headers } = answer({ 'accept-encoding': header })
    assert.equal(headers!['content-encoding'], 'gzip', header)
    assert.deepEqual(gunzipSync(body as Uint8Array), Buffer.from(file.body))
    assert.ok((body as Uint8Array).length < file.body.length / 2)
    assert.deepEqual([type, headers!['vary'], headers!['x-content-type-options']], [file.type, 'accept-encoding', 'nosniff'])
  }
  for (const header of ['', 'identity', 'gzip;q=0', 'gzip;q=x', 'xgzip', 'br', ','.repeat(10_000)]) {
    const { body, headers } = answer({ 'accept-encoding': header })
    assert.deepEqual([headers!['content-encoding'], body], [undefined, file.body], header)
  }
})

test('the smallest form is sent once it is made', async () => {
  const small = await brotliOf(file.body)
  assert.deepEqual(brotliDecompressSync(small), Buffer.from(file.body))
  assert.ok(small.length < file.gzip().length)
  const made = { ...file, brotli: () => small }
  const { body, headers } = answer({ 'accept-encoding': 'gzip, br' }, made)
  assert.deepEqual([headers!['content-encoding'], body], ['br', small])
  assert.equal(answer({ 'accept-encoding': 'gzip, br;q=0' }, made).headers!['content-encoding'], 'gzip')
  assert.equal(answer({ 'accept-encoding': 'gzip, br' }).headers!['content-encoding'], 'gzip', 'until then')
})

test('a file that could not be made smaller is sent as gzip, and tried again', async () => {
  const small = await brotliOf(file.body)
  const ends = [() => Promise.reject(new Error('out of memory')), () => Promise.resolve(small)]
  const listed = await listWebFiles(folder, () => ends.shift()!())
  const encoding = () => answer({ 'accept-encoding': 'gzip, br' }, listed.get('app.js')!).headers!['content-encoding']
  assert.equal(encoding(), 'gzip')
  await new Promise(setImmediate)
  assert.equal(encoding(), 'gzip')
  await new Promise(setImmediate)
  assert.deepEqual([encoding(), ends], ['br', []])
})

test('a file that the browser has is not sent again, in any encoding', () => {
  const tag = String(answer({}).headers!['etag'])
  assert.match(tag, /^W\/"[0-9a-f]{32}"$/)
  for (const known of [tag, tag.slice(2), `"other", ${tag}`]) {
    const { status, type, body, headers } = answer({ 'if-none-match': known, 'accept-encoding': 'gzip' })
    assert.deepEqual([status, type, (body as Uint8Array).length, headers!['etag']], [304, '', 0, tag])
  }
  assert.equal(answer({ 'if-none-match': '"other"' }).status, undefined)
})

test('scripts are small, and import nothing but scripts that exist', () => {
  const scripts = [...files].filter(([name]) => name.endsWith('.js'))
  assert.ok(scripts.length > 30)
  let loaded = 0
  for (const [name, { body }] of scripts) {
    const text = Buffer.from(body).toString()
    assert.doesNotMatch(text, /\/\*\*|^ *\/\/(?!#)|\beval\(|new Function\(/m, name)
    const { module } = parseSync(name, text)
    const later = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end))
    // The frame loads modules of texts by their names.
    for (const [, texts] of text.matchAll(/\{\w+:\w+(?:,\w+:\w+)*\}=await \w+\(`([a-z-]+)`\)/g)) {
      assert.ok(files.has(`texts/en/${texts}.js`), `${name}: ${texts}`)
      loaded++
    }
    const named = later.filter((one) => !one.startsWith('new URL(')).map((one) => one.slice(1, -1))
    assert.ok(later.length - named.length <= (name.startsWith('chunk/frame') ? 1 : 0), name)
    for (const specifier of [...module.staticImports.map((one) => one.moduleRequest.value), ...named])
      assert.ok(specifier.startsWith('.') && files.has(join(dirname(name), specifier)), `${name}: ${specifier}`)
  }
  assert.ok(loaded > 15, `${loaded} modules of texts are loaded`)
})

test('the version changes with each file', async () => {
  const changed = new Map([...files, ['texts/en/create-dub.js', { ...file, digest: '0'.repeat(32) }]])
  assert.match(versionOf(files), /^[0-9a-f]{16}$/)
  assert.notEqual(versionOf(changed), versionOf(files))
  assert.equal(versionOf(await listWebFiles(folder)), versionOf(files))
})

test('the first view of each page keeps its budget of requests and of compressed bytes', async () => {
  const views = await readFirstViews(folder)
  const inEnglish = (name: string) => name.replace(LANGUAGE, 'en')
  const bytes = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + files.get(inEnglish(name))!.gzip().length, 0)
  const frame = ['app.js', ...views.frame]
  const texts = frame.filter((name) => name.startsWith('texts/'))
  assert.ok(texts.length === 1 && frame.length - texts.length <= 2, `${frame} are one response, and its texts`)
  const pages = [...files.keys()].filter((one) => /^pages\/[^/]+\/page\.js$/.test(one))
  assert.deepEqual(pages.map((name) => basename(dirname(name))).sort(), Object.keys(views.pages).sort())
  assert.ok(pages.length > 10)
  for (const [page, needs] of Object.entries(views.pages)) {
    const own = [`pages/${page}/page.js`, ...needs]
    assert.ok(bytes([...frame, ...own]) <= 50_000, `${page}: ${bytes([...frame, ...own])} bytes`)
    assert.ok(own.length <= 9, `${page} needs ${own.length} requests`)
    for (const name of own) assert.ok(!frame.includes(name), 'pages are loaded when they are opened')
  }
  const all = [...files].filter(([name]) => name.endsWith('.js') && !/^(?:sign-in|pages\/design|texts)\//.test(name))
  // All pages together, as they are sent once they are compressed.
  const sent = async (bodies: readonly Uint8Array[]) =>
    (await Promise.all(bodies.map((body) => brotliOf(body)))).reduce((sum, { length }) => sum + length, 0)
  const scripts = await sent(all.map(([, { body }]) => body))
  assert.ok(scripts <= 200_000, `${scripts} bytes of scripts`)
  const styles = await sent([files.get('styles/studio.css')!.body])
  assert.ok(styles <= 20_000, `${styles} bytes of styles`)
  for (const language of Object.keys(views.languages)) {
    const texts = [...files.keys()].filter((name) => name.startsWith(`texts/${language}/`) && name.endsWith('.js'))
    const whole = await sent([Buffer.concat(texts.map((name) => files.get(name)!.body))])
    // All of them together; a page loads its own. A letter of Hindi has three bytes.
    assert.ok(whole <= (language === 'hi' ? 38_500 : 37_500), `${language}: ${whole} bytes`)
    // Loaded by itself when an answer has a rare sentence.
    const file = files.get(`texts/${language}/remarks.txt`)
    assert.equal(file === undefined, language === 'en')
    const remarks = file ? await sent([file.body]) : 6_000
    assert.ok(remarks > 5_000 && remarks <= 17_000, `${language}: ${remarks} bytes of remarks`)
    // Those of one page, which are what a visitor waits for.
    const ofPages = Object.values(views.pages).map((names) => names.filter((name) => name.startsWith('texts/')))
    for (const names of ofPages) {
      const own = [...frame, ...names].filter((name) => name.startsWith('texts/')).map((name) => name.replace(LANGUAGE, language))
      const size = await sent(own.map((name) => files.get(name)!.body))
      assert.ok(size <= 10_000, `${own}: ${size} bytes`)
    }
  }
})

test('what must be at an address is there', () => {
  const needed = ['sign-in/en.js', 'sign-in/tokens.css', 'sign-in/icon.svg', 'pages/transcribe/capture.js', 'first.js', 'styles/studio.css']
  for (const name of [...needed, 'fonts/inter-latin.woff2', 'icon.svg']) assert.ok(files.has(name), name)
  assert.equal(files.has('first-views.json') || files.has('index.html'), false)
})
