// The site of documents: what a document becomes, and which mistakes are found.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { buildSite } from '#tools/docs/site/build.ts'
import { addressOfPage, siteGroups } from '#tools/docs/site/pages.ts'
import { renderPage } from '#tools/docs/site/render.ts'

const addresses: Readonly<Record<string, string>> = {
  'README.md': 'index.html',
  'docs/a.md': 'docs/a.html',
  'docs/adr/b.md': 'docs/adr/b.html',
}
const render = (source: string, text: string) => renderPage(source, text, { addressOf: (path) => addresses[path] })

test('links lead to pages, headings have the anchors of forges, and other files are no links', () => {
  const text =
    '# A & `B`\n\n## Same: it\n\n## Same: it\n\n[b](adr/b.md#x) [up](../README.md) [here](#same-it) [code](../shared/x.ts) [out](https://example.org)'
  const page = render('docs/a.md', text)
  assert.equal(page.title, 'A & B')
  assert.deepEqual(
    page.headings.map(({ id }) => id),
    ['a--b', 'same-it', 'same-it-1'],
  )
  for (const part of [
    '<a href="adr/b.html#x">b</a>',
    '<a href="../index.html">up</a>',
    '<a href="#same-it">here</a>',
    'title="shared/x.ts">code<',
  ])
    assert.ok(page.html.includes(part), part)
  assert.deepEqual(page.links, ['docs/adr/b.md#x', 'README.md', 'docs/a.md#same-it', 'shared/x.ts'])
  assert.deepEqual(page.elsewhere, ['https://example.org'])
})

test('comments disappear, other HTML and a document without a title are refused, and code stays text', () => {
  const page = render('docs/a.md', '# T\n\n<!-- not run: card -->\n```sh\necho "<b>" && true\n```\n')
  assert.ok(page.html.includes('<code data-language="sh">echo &quot;&lt;b&gt;&quot; &amp;&amp; true</code>'))
  assert.ok(!page.html.includes('card'))
  assert.throws(() => render('docs/a.md', '# T\n\nThe <engine> speaks.'), /HTML in a document: <engine>/)
  assert.throws(() => render('docs/a.md', 'No title.'), /not a title/)
})

test('each document has a page of its own, and one group', () => {
  const pages = siteGroups(REPOSITORY).flatMap((group) => group.pages)
  assert.equal(new Set(pages.map(({ source }) => source)).size, pages.length)
  assert.equal(new Set(pages.map(({ address }) => address)).size, pages.length)
  assert.equal(addressOfPage('deploy/README.md'), 'deploy/index.html')
})

test('the site is whole: no link leads nowhere, and no page asks another host for anything', (t) => {
  const out = join(temporaryFolder(t), 'site')
  const { pages, broken } = buildSite(REPOSITORY, out)
  assert.deepEqual(broken, [])
  assert.ok(pages > 60)
  const files = (readdirSync(out, { recursive: true }) as string[]).filter((name) => name.endsWith('.html'))
  assert.equal(files.length, pages)
  for (const name of files) {
    const html = readFileSync(join(out, name), 'utf8')
    for (const [, address = ''] of html.matchAll(/<(?:img|script|link)\b[^>]*\b(?:src|href)="([^"]*)"/g))
      assert.ok(!/^[a-z]+:|^\//.test(address) && existsSync(join(out, dirname(name), address)), `${name}: ${address}`)
    for (const [, address = ''] of html.matchAll(/<a [^>]*href="([^"#]+)[^"]*"/g))
      assert.ok(/^(https?|mailto):/.test(address) || existsSync(join(out, dirname(name), address)), `${name}: ${address}`)
    assert.doesNotMatch(html, /<script>|<style|\sstyle=|\son\w+=/, name)
  }
})

test('broken links, anchors and pictures are named, and a folder of something else is kept', (t) => {
  const root = temporaryFolder(t)
  for (const { source } of siteGroups(REPOSITORY).flatMap((group) => group.pages)) {
    mkdirSync(dirname(join(root, source)), { recursive: true })
    writeFileSync(join(root, source), '# Title\n')
  }
  mkdirSync(join(root, 'control-plane/web'), { recursive: true })
  writeFileSync(join(root, 'control-plane/web/icon.svg'), '<svg/>')
  writeFileSync(join(root, 'docs/voices.md'), '# Voices\n\n[a](gone.md) [b](models.md#gone) [c](#voices)\n\n![](gone.webp)\n')
  const out = join(root, 'out')
  assert.deepEqual(buildSite(root, out).broken, [
    'docs/voices.md: docs/gone.md does not exist.',
    'docs/voices.md: docs/models.md has no heading #gone.',
    'docs/voices.md: the picture docs/gone.webp does not exist.',
    'docs/voices.md: a picture has no description.',
  ])
  writeFileSync(join(root, 'docs/new.md'), '# New\n')
  assert.throws(() => buildSite(root, out), /docs\/new\.md: in no group/)
  assert.throws(() => buildSite(REPOSITORY, join(root, 'docs')), /not a site of documents/)
})
