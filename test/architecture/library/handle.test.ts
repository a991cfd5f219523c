// The handle of SQLite belongs to the features that keep rows of their own, which a pool does not have. Everything else reads and writes through
// the journal, so that its state can be in another database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allSources, type Source, typescript } from '../source.ts'

/** Folders and files that may hold the handle. A bench compares the ledger with the bare database. */
const HOLDERS: readonly string[] = [
  'bench/',
  'control-plane/build/platform.ts', // opens it
  'control-plane/kernel/platform.ts', // names its type
  'control-plane/store/database.ts',
  'control-plane/store/files/',
  'control-plane/store/open.ts',
  'control-plane/store/sqlite/',
  // Figures and limits of people of one studio.
  'control-plane/people/',
  'control-plane/features/operate/people/',
  'control-plane/features/base/library/',
  'control-plane/features/base/pronunciation/',
  'control-plane/features/books/',
  'control-plane/features/dubbing/',
  'control-plane/features/listening/translation/',
  'control-plane/features/operate/mcp/',
  'control-plane/features/voices/',
  // The quarters of an hour of the last month, and nothing else of the tasks.
  'control-plane/features/machines/tasks/activity.store.ts',
  'control-plane/features/machines/tasks/area.ts',
]

const HANDLE = [
  /^import (?:type )?\{[^}]*\b(?:Database|openDatabase|emptyDatabase|openCopy|readCopy)\b[^}]*\} from '[^']*\/database\.ts'/m,
  /\bfrom 'better-sqlite3'/,
  /\b(?:Library|openLibrary)\b[^}]*\} from '[^']*\/open\.ts'/,
  /\blibrary: \{ db\b|\blibrary\??\.db\b|\bPlatform,[^>]*'library'|\bPlatform\['library'\]/,
]

const isPart = ({ path }: Source) =>
  /^(?:control-plane|agent|cli|bench|shared|tools)\//.test(path) && !path.startsWith('control-plane/web/')
const holds = ({ text }: Source) => HANDLE.some((word) => word.test(text))
const strayHolders = (sources: readonly Source[]) =>
  sources
    .filter((source) => isPart(source) && holds(source) && !HOLDERS.some((place) => source.path.startsWith(place)))
    .map(({ path }) => path)

const sources = typescript(allSources())

test('only library features and the SQLite body hold the raw database', () => {
  assert.deepEqual(strayHolders(sources), [])
})

test('every place of the table holds it', () => {
  const holders = sources.filter(holds)
  assert.deepEqual(
    HOLDERS.filter((place) => !holders.some(({ path }) => path.startsWith(place))),
    [],
  )
})

test('a stray handle is reported, however it is taken', () => {
  const path = 'control-plane/features/machines/workers/x.store.ts'
  for (const text of [
    "import type { Database } from '#control-plane/store/database.ts'",
    "import { type Database, storageChecked } from '#control-plane/store/database.ts'",
    "import {\n  openCopy,\n} from '#control-plane/store/database.ts'",
    "import Sqlite from 'better-sqlite3'",
    "import { openLibrary } from '#control-plane/store/open.ts'",
    'open: ({ clock, library: { db }, log }) => create({ db })',
    'createStore({ db: platform.library.db })',
    "type Deps = Pick<Platform, 'library' | 'clock'>",
  ])
    assert.deepEqual(strayHolders([{ path, text }]), [path], text)
  for (const path of ['control-plane/store/group-commit.ts', 'control-plane/tasks/ledger.ts', 'cli/commands/audit.ts'])
    assert.equal(strayHolders([{ path, text: "import type { Database } from '../store/database.ts'" }]).length, 1, path)
  assert.deepEqual(strayHolders([{ path, text: "import { storageChecked } from '#control-plane/store/database.ts'" }]), [])
})
