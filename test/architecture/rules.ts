// The rules of the house as functions from a list of files to a list of complaints. An empty list is a clean house.
import { ROOMS } from './house/room-table.ts'
import { importsOf, type Source } from './source.ts'

const roomOf = (path: string) =>
  Object.keys(ROOMS)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]

/** Rows that no file belongs to: what they describe was moved or removed. */
export function emptyRooms(sources: readonly Source[]): string[] {
  const used = new Set(sources.map(({ path }) => roomOf(path)))
  return Object.keys(ROOMS).filter((room) => !used.has(room))
}

const inTests = (path: string) => path.startsWith('test/')

/** Imports against the arrows, and files that belong nowhere. Tests may import everything; nothing but benches may import tests. */
export function strayImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    if (inTests(source.path)) return []
    const room = roomOf(source.path)
    if (!room) return [`${source.path}: belongs to no room`]
    return importsOf(source).flatMap(({ target }) => {
      const allowed = target.startsWith(`${room}/`) || ROOMS[room]!.some((prefix) => target.startsWith(prefix))
      return allowed ? [] : [`${source.path} -> ${target}`]
    })
  })
}

type Placed = { readonly word: RegExp; readonly where: RegExp; readonly why: string }

/** Words that belong to one place. `where` matches the paths that may hold them. */
export const PLACED: readonly Placed[] = [
  {
    word: /\bprocess\.env\b/,
    where: /^(control-plane|agent)\/main\.ts$|^cli\/terminal\.ts$|^tools\/release\/start-file\.ts$|^shared\/runtime\/child\/|^bench\//,
    why: 'the environment is read once, at the start',
  },
  {
    word: /^(?!import type\b).*node:child_process/m,
    where: /^shared\/runtime\/child\/process\.ts$|^bench\//,
    why: 'children are started through #shared/runtime/child, which silences them',
  },
  {
    word: /^import \{[^}]*\bspawn\b[^}]*\} from '#shared\/runtime\/child\/process\.ts'/m,
    // Our own programs, those that share the terminal, and a window that outlives the studio.
    where: /^(control-plane\/(sessions\/local|features\/base\/library\/exports\/show-folder)|cli\/lib\/child)\.ts$/,
    why: 'a foreign program ends together with what it started: spawnGroup of #shared/runtime/child/group.ts',
  },
  {
    word: /\bdetached: (?:true|HAS_GROUPS)\b/,
    // The agent of the studio ends when its channel to the studio closes, and a window outlives the studio.
    where: /^(shared\/runtime\/child\/group|control-plane\/(sessions\/local|features\/base\/library\/exports\/show-folder))\.ts$/,
    why: 'process groups are started by #shared/runtime/child/group.ts',
  },
  {
    word: /'node:readline'/,
    where: /^cli\/lib\/secret-argument\.ts$/, // a terminal
    why: 'lines of children and peers are bounded: #shared/runtime/lines.ts',
  },
  {
    word: /\.split\([^)\n]*\\n[^)\n]*\)[\s\S]{0,80}\.pop\(\)|stderr[!?]?\.(?:setEncoding\([^)]*\)\.)?on\('data', \(/,
    where: /^(cli\/lib\/child\.ts$|bench\/)/,
    why: 'text of children and peers is bounded: #shared/runtime/lines.ts',
  },
  { word: /\.prepare[(<]/, where: /\.store\.ts$|^control-plane\/store\/|^bench\//, why: 'SQL lies with the table it belongs to' },
  { word: /from ['"]better-sqlite3['"]/, where: /\.store\.ts$|^control-plane\/store\/|^bench\//, why: 'only stores know the database' },
  {
    word: /\btasks\.(?:submit|open)\(/,
    where: /^control-plane\/inference\/run\.ts$|^control-plane\/features\/machines\/tasks\/|^bench\//,
    why: 'operations run through control-plane/inference',
  },
  {
    word: /\.normalize\(/,
    where: /^shared\/text\/unicode\/compose\.ts$|^control-plane\/web\/|^test\//,
    why: 'normalising a run of combining marks takes the square of its length; composed() does not',
  },
  {
    word: /\bupdate task\b/i,
    where: /^control-plane\/store\/sqlite\/writer\.ts$/,
    why: 'a task changes only through the ledger and its journal',
  },
  {
    word: /\b(?:Date\.now|Math\.random|setTimeout|setInterval)\(|\bnew Date\(\)/,
    where: /^(shared\/runtime|cli|bench|control-plane\/web)\//,
    why: 'time and chance are arguments',
  },
  {
    word: /(?<!process)\.kill\('SIG/,
    where: /^(shared\/runtime\/program\.ts$|bench\/)/,
    why: 'a child that could not be started is not signalled: signalChild',
  },
  {
    word: /^import (?!type\b)[^'"]*from 'node:http'/m,
    where: /^bench\//,
    why: 'it loads the client behind fetch at each start: #shared/runtime/builtin/http.ts',
  },
  {
    word: /\btools\/main\.ts/,
    where: /^cli\/lib\/developer-commands\.ts$/,
    why: 'packages do not contain tools/: #cli/lib/developer-commands.ts',
  },
  { word: /\bconsole\.log\(/, where: /^(cli|bench|certs-dev)\//, why: 'programs log, commands print' },
  { word: /^export default\b/m, where: /^$/, why: 'one name per thing, the same everywhere' },
]

/** The same for tests: many of their files share one process. */
const PLACED_IN_TESTS: readonly Placed[] = [
  {
    word: /(?<!typeof )\bglobalThis\.\w+ = |\b(?:assign|defineProperty|set)\(globalThis\b|\bmock\.method\(globalThis\b/,
    // Also a program and pages of their own, and the test of this rule.
    where: /^test\/(support\/(web\/globals|chaos\/kills\/killed-at-write)\.ts$|e2e\/|architecture\/rooms\.test\.ts$)/,
    why: 'a replaced global changes the other tests of its process: replaceGlobals of #test/support/web/globals.ts',
  },
  {
    word: /^import \{[^}]*\bmock\b[^}]*\} from 'node:test'/m,
    where: /^$/,
    why: 'mocks end with their test: use those of its context',
  },
  {
    word: /^(?:beforeEach|afterEach)\(/m,
    where: /^$/,
    why: 'a hook outside of a suite runs for every test of its process',
  },
]

export function misplacedWords(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    (inTests(path) ? PLACED_IN_TESTS : PLACED)
      .filter(({ word, where }) => word.test(text) && !where.test(path))
      .map(({ why }) => `${path}: ${why}`),
  )
}
