import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS } from '#cli/commands/command-list.ts'
import { FAILURES } from '#shared/protocol/failure.ts'
import { diagram, PHASES } from '#shared/protocol/task.ts'
import { DOCUMENTS, staleDocuments } from '#tools/docs/documents.ts'
import { DEVELOPER_COMMANDS } from '#tools/main.ts'
import { allSources } from './source.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('every generated document says what the code says', async () => {
  assert.deepEqual(
    DOCUMENTS.map(({ path }) => path),
    [
      'docs/errors.md',
      'docs/task-lifecycle.md',
      'docs/openapi.json',
      'docs/settings.md',
      'shared/protocol/generated/wire.ts',
      'test/architecture/access.txt',
      'test/architecture/roles.txt',
    ],
  )
  assert.deepEqual(await staleDocuments(), [], 'run ./studio docs')
})

test('the life of a task is drawn whole and each phase explained', () => {
  const text = read('docs/task-lifecycle.md')
  assert.ok(text.includes(diagram()))
  for (const phase of PHASES) assert.match(text, new RegExp(`^\\| ${phase} \\| .{20,} \\|$`, 'm'))
})

test('every failure code has its row', () => {
  const text = read('docs/errors.md')
  for (const [code, { http }] of Object.entries(FAILURES)) assert.match(text, new RegExp(`^\\| ${code} \\| \\w+ \\| ${http} \\|`, 'm'))
})

test('the description of the API resolves all its references', () => {
  const text = read('docs/openapi.json')
  const { components, paths } = JSON.parse(text) as { components: Record<string, Record<string, unknown>>; paths: Record<string, object> }
  const references = [...text.matchAll(/"\$ref": "([^"]*)"/g)].map(([, target = '']) => target)
  assert.ok(references.length > 20)
  for (const target of references) {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(target) ?? []
    assert.ok(Object.hasOwn(components[kind] ?? {}, name), target)
  }
  assert.ok('post' in paths['/v1/audio/speech']!)
})

test('files, commands and settings that documents name exist', () => {
  const sources = allSources()
  const code = sources
    .filter(({ path }) => !path.endsWith('.md'))
    .map(({ text }) => text)
    .join('\n')
  const commands = new Set(['help', ...[...COMMANDS, ...DEVELOPER_COMMANDS].map(({ name }) => name)])
  const wrong: string[] = []
  /** Also by the end of its path, such as `store/database.ts`. */
  const isFile = (from: string, name: string) =>
    existsSync(join(ROOT, dirname(from), name)) || sources.some(({ path }) => path === name || path.endsWith(`/${name}`))
  for (const { path, text } of sources.filter((source) => source.path.endsWith('.md') && source.path !== 'CHANGELOG.md')) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g))
      if (!/^[a-z]+:/.test(target) && !existsSync(join(ROOT, dirname(path), target))) wrong.push(`${path}: ${target}`)
    for (const [, command = ''] of text.matchAll(/\.\/studio ([a-z][a-z-]*)/g))
      if (!commands.has(command)) wrong.push(`${path}: ./studio ${command}`)
    // A decision names the files of its time.
    for (const [, name = ''] of path.startsWith('docs/adr/') ? [] : text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|sh|md))`/g))
      if (!isFile(path, name)) wrong.push(`${path}: ${name}`)
    for (const [setting] of text.matchAll(/\bSTUDIO_[A-Z_]*[A-Z]\b/g)) if (!code.includes(setting)) wrong.push(`${path}: ${setting}`)
  }
  assert.deepEqual(wrong, [])
})

test('the drawing in README.md names every folder, and no other', () => {
  const [, drawing = ''] = /## Project layout\n\n```text\n([\s\S]*?)\n```/.exec(read('README.md')) ?? []
  const drawn = new Map<string, string[]>()
  let folder = ''
  for (const line of drawing.split('\n')) {
    const [, indent = '', names = ''] = /^( *)(\S+(?: \S+)*) {2,}/.exec(line) ?? []
    if (indent === '') folder = names.replace(/\/$/, '')
    drawn.set(folder, [...(drawn.get(folder) ?? []), ...(indent === '' ? [] : names.split(' '))])
  }
  const foldersIn = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(({ name }) => name)
      .sort()
  assert.deepEqual([...drawn.keys()].sort(), foldersIn('.'))
  for (const [name, rooms] of drawn) if (rooms.length > 0) assert.deepEqual(rooms.sort(), foldersIn(name), name)
})
