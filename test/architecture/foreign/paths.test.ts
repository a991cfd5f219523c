// A name that is no constant becomes a path only through `fileIn`, which refuses a name that leads out of its folder: rows and parameters of jobs
// may come from a database that was written elsewhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources, type Source, typescript } from '../source.ts'

/** The rooms that read rows. */
const ROOMS = /^control-plane\/(?:features|jobs|store|tasks)\/(?!.*\/web\/)/
/** Files whose names are paths in a tree of this program, or of a program that it installs. */
const OF_THIS_PROGRAM: readonly string[] = [
  'control-plane/features/machines/engines/sidecar/steps.ts',
  'control-plane/features/books/import/reader-process.ts',
  'control-plane/features/base/media-tools/acquisition.ts',
  'control-plane/features/operate/system/diagnose/diagnose.service.ts',
  'control-plane/features/operate/system/web-files.ts',
  'control-plane/features/operate/system/web.routes.ts',
  'control-plane/features/operate/system/pages/built.ts',
  'control-plane/features/operate/system/pages/bundle.ts',
  'control-plane/features/operate/system/pages/failure.ts',
  'control-plane/features/operate/system/pages/folder.ts',
  'control-plane/features/operate/system/pages/messages.ts',
  'control-plane/store/database.ts',
  'control-plane/store/postgres/migrate.ts',
]
const IMPORTS_JOIN = /import \{[^}]*\bjoin\b[^}]*\} from 'node:path'/
const CONSTANT = /^(?:'[^']*'|`[^$`]*`|[A-Z][A-Z_]*)$/

/** The arguments of the call that `from` is in. */
function argumentsAt(text: string, from: number): string[] {
  const found: string[] = []
  let [depth, start, quote] = [1, from, '']
  for (let at = from; at < text.length && depth > 0; at++) {
    const char = text[at]!
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '`') quote = char
    else if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    if (depth === 0 || (depth === 1 && quote === '' && char === ',')) {
      found.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return found.filter((argument) => argument !== '')
}

const variableNames = ({ path, text }: Source): string[] =>
  !ROOMS.test(path) || OF_THIS_PROGRAM.includes(path) || !IMPORTS_JOIN.test(text)
    ? []
    : [...text.matchAll(/(?<![.\w])join\(/g)].flatMap(({ index, 0: { length } }) =>
        argumentsAt(text, index + length)
          .slice(1)
          .filter((argument) => !CONSTANT.test(argument))
          .map((argument) => `${path}: join(…, ${argument}); use fileIn`),
      )

test('names that are no constants become paths through fileIn', () => {
  const sources = typescript(allSources())
  assert.deepEqual(sources.flatMap(variableNames), [])
  for (const path of OF_THIS_PROGRAM)
    assert.ok(
      sources.some((source) => source.path === path),
      path,
    )
})

test('a name of a row is reported, in whatever form; a constant is not', () => {
  const found = (code: string, path = 'control-plane/features/base/library/x.ts') =>
    variableNames({ path, text: `import { dirname, join } from 'node:path'\n${code}` }).length
  assert.equal(found('join(folder, row.audio_path)'), 1)
  assert.equal(found('join(privateFolder(join(a, "b")), `${id}.wav`)'.replaceAll('"', "'")), 1)
  assert.equal(found("join(folder, 'a', name)"), 1)
  assert.equal(found("join(folder, 'a.b', NAME)\nnames.join(row.name)\njoin(dataDir, `x`)"), 0)
  assert.equal(found('join(folder, name)', 'control-plane/media/x.ts'), 0)
})
