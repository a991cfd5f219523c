// Modules of the web pages in joined responses: each runs once, after those that it imports.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { joinModules } from '#control-plane/features/operate/system/web-modules.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const COUNT = 'globalThis.runs ??= []\n'
const SOURCES = {
  'app.js': `import { state } from './lib/state.js'
import { kind } from './lib/passed.js'
${COUNT}globalThis.runs.push('app')
export const found = () => [state.count++, kind]
export const open = () => import('./pages/one/page.js')
export const openOther = () => import('./pages/two/page.js')
`,
  'lib/state.js': `${COUNT}globalThis.runs.push('state')
export const state = { count: 0 }
`,
  'lib/passed.js': `import { kind as own } from './kind.js'

export { kind } from './kind.js'
${COUNT}globalThis.runs.push(own)
`,
  'lib/kind.js': `export const kind = 'kind'
`,
  'lib/shared.js': `${COUNT}globalThis.runs.push('shared')
export class Shared {}
`,
  'pages/one/page.js': `import { basename as nameOf } from 'node:path'
import {
  state,
} from '../../lib/state.js'
import { Shared } from '../../lib/shared.js'
export async function One() {
  return [nameOf('/a/one'), state.count, Shared]
}
export const more = () => import('../two/more.js')
`,
  'pages/two/page.js': `import { Shared } from '../../lib/shared.js'
export function Two() {
  return Shared
}
`,
  'pages/two/more.js': `import { Shared } from '../../lib/shared.js'
export const Third = Shared
`,
  'worklet.js': 'register()\n',
}
const sources = (more: Readonly<Record<string, string>> = {}) => new Map(Object.entries({ ...SOURCES, ...more }))

test('a module runs once, also when several responses contain it', async (t) => {
  const folder = temporaryFolder(t)
  const { responses, contained } = joinModules(sources(), 'app.js')
  assert.deepEqual([...responses.keys()].sort(), ['app.js', 'pages/one/page.js', 'pages/two/more.js', 'pages/two/page.js'])
  assert.ok(!contained.has('worklet.js'))
  for (const [name, text] of responses) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const app = await import(pathToFileURL(join(folder, 'app.js')).href)
  assert.deepEqual(
    [app.found(), app.found()],
    [
      [0, 'kind'],
      [1, 'kind'],
    ],
  )
  const [one, two] = [await app.open(), await app.openOther()]
  const [name, count, Shared] = await one.One()
  assert.deepEqual([name, count], ['one', 2], 'with the state of the frame')
  assert.deepEqual([two.Two() === Shared, (await one.more()).Third === Shared], [true, true])
  assert.deepEqual((globalThis as unknown as { runs: string[] }).runs, ['state', 'kind', 'app', 'shared'])
})

test('a response leaves out what has run whenever it is requested', () => {
  const { responses } = joinModules(sources(), 'app.js')
  const scope = (module: string) => `loaded[${[...sources().keys()].indexOf(module)}] ??=`
  const contains = (name: string, module: string) => responses.get(name)!.includes(scope(module))
  assert.deepEqual(
    ['app.js', 'pages/one/page.js', 'pages/two/page.js', 'pages/two/more.js'].map((name) => contains(name, 'lib/shared.js')),
    [false, true, true, false],
  )
  assert.ok(contains('app.js', 'lib/state.js') && !contains('pages/one/page.js', 'lib/state.js'))
  const alsoFromTwo = { 'pages/two/page.js': "export const more = () => import('./more.js')\n" }
  const { responses: others } = joinModules(sources(alsoFromTwo), 'app.js')
  assert.ok(others.get('pages/two/more.js')!.includes(scope('lib/shared.js')), 'the second page has not run it')
})

test('a module that several parts of a page need is sent with the page, and one that many pages need with the frame', async (t) => {
  const folder = temporaryFolder(t)
  const pages = ['three', 'four', 'five']
  const more = {
    'app.js': `${SOURCES['app.js']}${pages.map((name) => `export const ${name} = () => import('./pages/${name}/page.js')\n`).join('')}`,
    ...Object.fromEntries(
      pages.map((name) => [`pages/${name}/page.js`, "import { Shared } from '../../lib/shared.js'\nexport const Page = Shared\n"]),
    ),
    'pages/three/page.js': `export const Page = () => [import('./left.js'), import('./right.js')]\n`,
    'pages/three/left.js': "import { words } from './words.js'\nimport { parse } from './parse.js'\nexport const left = words + parse\n",
    'pages/three/right.js': "import { words } from './words.js'\nimport { parse } from './parse.js'\nexport const right = words + parse\n",
    'pages/three/words.js': `${COUNT}globalThis.runs.push('words')\nexport const words = 'words'\n`,
    'pages/three/parse.js': "import { parse as node } from 'node:querystring'\nexport const parse = typeof node\n",
  }
  const { responses } = joinModules(sources(more), 'app.js')
  const scope = (module: string) => `loaded[${[...sources(more).keys()].indexOf(module)}] ??=`
  const holders = (module: string) => [...responses].filter(([, text]) => text.includes(scope(module))).map(([name]) => name)
  assert.deepEqual(holders('lib/shared.js'), ['app.js'], 'four pages need it')
  assert.deepEqual(holders('pages/three/words.js'), ['pages/three/page.js'])
  assert.deepEqual(
    holders('pages/three/parse.js').sort(),
    ['pages/three/left.js', 'pages/three/right.js'],
    'the frame does not have its library',
  )
  for (const [name, text] of responses) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const app = await import(pathToFileURL(join(folder, 'app.js')).href)
  const [left, right] = await Promise.all((await app.three()).Page())
  assert.deepEqual([left.left, right.right], ['wordsfunction', 'wordsfunction'])
})

test('modules that import each other or a missing one are refused', () => {
  const circle = {
    'lib/kind.js': "import { state } from './state.js'\nexport const kind = state\n",
    'lib/state.js': "import { kind } from './kind.js'\nexport const state = kind\n",
  }
  assert.throws(() => joinModules(sources(circle), 'app.js'), /import each other: .*lib\/kind\.js/)
  assert.throws(() => joinModules(sources({ 'lib/kind.js': "import { a } from './none.js'\n" }), 'app.js'), /have no module lib\/none\.js/)
})
