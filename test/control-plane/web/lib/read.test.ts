// Answers that are requested before the modules have arrived: used once, and only while they are new.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { replaceGlobals } from '#test/support/web/globals.ts'

type Read = { value: unknown; answered: Promise<void> }
const WEB = join(import.meta.dirname, '../../../../control-plane/web')
const FIRST = stripTypeScriptTypes(readFileSync(join(WEB, 'first.ts'), 'utf8'))

/** Runs first.ts for an address. `answer`: of a path. */
function start(hash: string, answer: (path: string) => Response = () => Response.json([]), rights = 'admin') {
  const preloaded: string[] = []
  const metas: Record<string, string> = {
    'studio-pages': JSON.stringify({
      base: './panel/1',
      pages: ['home', 'dub', 'files', 'machines', 'jobs', 'speak', 'projects', 'voices', 'audiobook'],
    }),
    'studio-rights': rights,
  }
  const context: Record<string, unknown> = {
    document: {
      querySelector: (selector: string) => ({ getAttribute: () => metas[/name="(.*)"/.exec(selector)![1]!] }),
      createElement: () => ({}),
      head: { append: ({ href }: { href: string }) => preloaded.push(href) },
    },
    location: { hash },
    fetch: async (path: string) => answer(path),
  }
  context['globalThis'] = context
  runInNewContext(FIRST, context)
  return { preloaded, reads: context['studioReads'] as Map<string, Read> }
}

test('the page in the address is requested, with what it reads', () => {
  assert.deepEqual(start('').preloaded, ['./panel/1/pages/home/page.js'])
  assert.ok(start('#/').reads.has('/projects'))
  const film = start('#/dub/a%2Fb?lang=es')
  assert.deepEqual(film.preloaded, ['./panel/1/pages/dub/page.js'])
  assert.deepEqual([...film.reads.keys()].slice(0, 2), ['/jobs?limit=50&q=a%2Fb', '/dub/history/a%2Fb'])
  assert.deepEqual(start('#/../secret').preloaded, [], 'only pages that exist')
})

test('each of these reads is made by the page, so that its answer is used', () => {
  const pages = globSync('**/*.{ts,tsx}', { cwd: WEB }).filter((name) => name !== 'first.ts')
  const texts = pages.map((name) => readFileSync(join(WEB, name), 'utf8')).join('\n')
  for (const hash of ['', '#/speak', '#/dub', '#/audiobook', '#/projects', '#/voices', '#/files', '#/dub/ID', '#/machines', '#/jobs/work'])
    for (const path of start(hash).reads.keys()) {
      const written = path
        .replace(/limit=(?:6|12)$/, `limit=\${SHOWN}`)
        .replace('limit=100', `limit=\${PAGE}`)
        .replace(/ID$/, `\${encodeURIComponent(id)}`)
      assert.ok(
        ['useRead', 'usePolled', 'getFirst'].some((read) =>
          ["'", '`'].some((quote) => texts.includes(`${read}(${quote}${written}${quote}`)),
        ),
        path,
      )
    }
})

test('the lists of machines and tasks are requested for the pages that show them, by administrators', () => {
  const lists = ['/workers', '/workers/tasks?limit=100&always=true']
  for (const [hash, isShown] of [
    ['#/machines', true],
    ['#/machines/w1', true],
    ['#/jobs/work', true],
    ['#/jobs', false],
    ['', false],
  ] as const)
    for (const path of lists) {
      assert.equal(start(hash).reads.has(path), isShown, `${hash} ${path}`)
      assert.ok(!start(hash, undefined, 'consume').reads.has(path))
    }
})

test('an answer is used once; a failure is asked for again', async (t) => {
  const { reads } = start('#/files', (path) =>
    path === './history' ? Response.json([{ id: 'first' }]) : new Response('', { status: 500 }),
  )
  replaceGlobals(t, { studioReads: reads, fetch: async () => Response.json([{ id: 'second' }]) })
  // A module of its own: other tests of this process may have loaded it, and it takes the reads when it is loaded.
  const own = new URL('../../../../control-plane/web/lib/read.ts?own', import.meta.url).href
  const { answeredFirst, dropFirstReads, getFirst }: typeof import('#control-plane/web/lib/read.ts') = await import(own)
  await answeredFirst()
  assert.deepEqual([await getFirst('/history'), await getFirst('/history')], [[{ id: 'first' }], [{ id: 'second' }]])
  assert.deepEqual(await getFirst('/dub/summaries'), [{ id: 'second' }])
  dropFirstReads()
  assert.deepEqual(await getFirst('/longform/jobs?limit=500'), [{ id: 'second' }])
})
