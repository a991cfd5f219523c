// The rules of the house as functions from a list of files to a list of complaints. An empty list is a clean house.
import { importsOf, type Source } from './source.ts'

/**
 * Room -> what it may import besides itself; an entry allows everything it is a prefix of. A file belongs to the longest room that
 * prefixes its path. A file in no room is a complaint: nothing is allowed by omission.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'shared/protocol': ['zod'],
  'shared/operations': ['shared/protocol/', 'zod'],
  'shared/runtime': ['node:', 'pino'],
  'shared/pki': ['shared/protocol/', 'shared/runtime/', 'node:', 'node-forge'],
  'shared/link': ['shared/protocol/', 'shared/runtime/', 'shared/pki/', 'node:', '@grpc/'],
  'shared/trace': ['shared/runtime/', 'node:', '@opentelemetry/'],
  'shared/download': ['shared/protocol/', 'shared/runtime/', 'shared/text/trim.ts', 'node:'],
  'shared/sidecar': ['shared/protocol/', 'shared/runtime/', 'node:', 'zod'],
  'shared/audio': ['@echogarden/speex-resampler-wasm', '@echogarden/sonic-wasm'],
  'shared/text': ['n2words', 'iso-639-3'],
  'shared/text/ssml': ['shared/text/', 'saxes'],
  'shared/timing': ['shared/text/', 'node:crypto'],
  'shared/subtitles': ['shared/text/', 'saxes'],
  'shared/voices': ['shared/text/unicode/', 'node:crypto'],
  'shared/archive': ['node:', 'shared/protocol/', 'shared/text/unicode/', 'yauzl', 'yazl'],
  'shared/models': [],
  'shared/engines.ts': ['shared/operations/', 'shared/protocol/version.ts'],
  'shared/translators.ts': [],
  'control-plane/clients': ['shared/protocol/', 'shared/runtime/', 'node:async_hooks'],
  'control-plane/store': ['shared/protocol/', 'shared/runtime/', 'control-plane/clients/', 'node:', 'better-sqlite3', 'zod'],
  'control-plane/store/s3': ['shared/protocol/', 'shared/runtime/', 'control-plane/store/artifact.ts', 'node:', '@aws-sdk/client-s3'],
  // Backups of the whole data folder, which commands make too.
  'control-plane/backup': ['shared/protocol/', 'shared/runtime/', 'shared/archive/', 'control-plane/store/files/', 'node:', 'zod'],
  'control-plane/tasks': ['shared/protocol/', 'shared/runtime/', 'control-plane/clients/', 'control-plane/store/', 'node:', 'zod'],
  'control-plane/events': ['shared/protocol/', 'shared/runtime/', 'control-plane/clients/'],
  'control-plane/jobs': ['shared/protocol/', 'shared/runtime/', 'control-plane/clients/', 'control-plane/store/', 'node:', 'zod'],
  'control-plane/audit': ['shared/runtime/', 'control-plane/store/', 'node:', 'better-sqlite3', 'zod'],
  'control-plane/workers': ['shared/', 'control-plane/audit/', 'control-plane/store/', 'node:', 'opossum', 'zod'],
  'control-plane/people': [
    'shared/text/unicode/compose.ts',
    'zod',
    'shared/operations/',
    'shared/protocol/',
    'shared/runtime/',
    'control-plane/audit/',
    'control-plane/clients/',
    'control-plane/store/',
    'control-plane/tasks/',
    'node:',
  ],
  'control-plane/trust': [
    'shared/',
    'control-plane/audit/',
    'control-plane/store/',
    'control-plane/workers/',
    'node:',
    'better-sqlite3',
    'zod',
  ],
  'control-plane/scheduler': [
    'shared/protocol/',
    'shared/runtime/',
    'control-plane/clients/',
    'control-plane/tasks/',
    'control-plane/workers/',
  ],
  'control-plane/sessions': ['shared/', 'control-plane/tasks/', 'control-plane/trust/', 'control-plane/workers/', 'node:'],
  'control-plane/observe': ['shared/protocol/', 'shared/runtime/', 'shared/trace/', 'control-plane/tasks/', 'node:', 'prom-client', 'zod'],
  'control-plane/http': [
    'shared/protocol/',
    'shared/runtime/',
    'control-plane/clients/',
    'node:',
    'fastify',
    '@fastify/',
    'swagger-ui-dist',
    'ws',
    'zod',
  ],
  'control-plane/media': [
    'shared/protocol/',
    'shared/runtime/',
    'control-plane/clients/',
    'shared/audio/',
    'shared/text/languages/language-codes.ts',
    'node:',
    'wasm-media-encoders',
    'zod',
  ],
  'control-plane/inference': [
    'shared/',
    'control-plane/clients/',
    'control-plane/tasks/',
    'control-plane/workers/worker.store.ts',
    'node:',
  ],
  // The one room that talks to language models.
  'control-plane/llm': ['shared/runtime/', 'zod'],
  // The vocabulary of a feature: what an area is, and what it may use of the rest of the studio.
  'control-plane/kernel': [
    'shared/protocol/',
    'shared/runtime/',
    'control-plane/audit/',
    'control-plane/events/',
    'control-plane/http/',
    'control-plane/inference/',
    'control-plane/jobs/',
    'control-plane/media/',
    'control-plane/observe/',
    'control-plane/people/',
    'control-plane/scheduler/',
    'control-plane/store/',
    'control-plane/tasks/',
    'control-plane/trust/',
    'control-plane/workers/',
  ],
  'control-plane/features': [
    'shared/',
    'control-plane/kernel/',
    'control-plane/audit/',
    'control-plane/backup/',
    'control-plane/clients/',
    'control-plane/llm/',
    'control-plane/http/',
    'control-plane/store/',
    'control-plane/tasks/',
    'control-plane/trust/',
    'control-plane/workers/',
    'control-plane/media/',
    'control-plane/inference/',
    'control-plane/jobs/',
    'control-plane/events/',
    'control-plane/observe/',
    'control-plane/people/',
    'control-plane/scheduler/objection.ts',
    'control-plane/scheduler/worker-view.ts',
    'better-sqlite3',
    'node:',
    'zod',
  ],
  // The one room that loads the SDK of MCP.
  // The bundler of the web pages: a program of its own, so that no studio holds rolldown.
  'control-plane/features/operate/system/pages': ['shared/protocol/version.ts', 'shared/runtime/', 'node:', 'rolldown', 'zod'],
  'control-plane/features/operate/mcp': [
    'shared/protocol/',
    'shared/runtime/',
    'shared/text/languages/language-names.ts',
    'control-plane/features/',
    'control-plane/kernel/',
    'control-plane/clients/',
    'control-plane/http/',
    'control-plane/store/',
    'control-plane/inference/',
    '@modelcontextprotocol/sdk/',
    'node:',
    'zod',
  ],
  'control-plane/features/operate/people/oidc/provider.ts': ['shared/', 'control-plane/', 'openid-client'],
  // The one room that loads the parsers of foreign books. What runs in the child process is here, and nothing of it reaches the network.
  'control-plane/features/books/reading': [
    'shared/text/encoding/',
    'shared/text/script/',
    'shared/text/unicode/',
    'node:fs',
    'node:path',
    'marked',
    'parse5',
    'saxes',
    'unpdf',
    'zod',
  ],
  // The only rooms that know all features: their tables here, and how they are opened in build/.
  'control-plane/registry': [
    'control-plane/features/',
    'control-plane/kernel/',
    'control-plane/http/contract/contract.ts',
    'control-plane/store/setting.ts',
  ],
  // Types of what the routes accept and answer; nothing of the server reaches the browser.
  'control-plane/web': [
    'control-plane/features/',
    'control-plane/http/contract/contract.ts',
    'control-plane/scheduler/objection.ts',
    'zod',
    'preact',
    'preact/hooks',
    'uqr',
  ],
  'control-plane/build.ts': ['shared/', 'control-plane/', 'node:'],
  'control-plane/build': ['shared/', 'control-plane/', 'node:'],
  'control-plane/main.ts': ['shared/runtime/', 'control-plane/studio.ts'],
  'control-plane/studio.ts': ['shared/', 'control-plane/', 'node:'],
  'agent/models': ['shared/', 'node:', 'zod'],
  'agent/engine': [
    'agent/models/manifest.ts',
    'shared/engines.ts',
    'shared/models/',
    'shared/operations/',
    'shared/protocol/',
    'shared/runtime/',
    'shared/sidecar/',
    'shared/audio/',
    'shared/text/',
    'shared/voices/',
    'node:',
    'zod',
    '@echogarden/',
    '@huggingface/transformers',
  ],
  // The one door to the native runtime: its library may be named nowhere else, so that it is loaded in engine hosts only.
  'agent/engine/runtimes/onnx': ['shared/protocol/', 'shared/runtime/', 'agent/engine/', 'node:', 'onnxruntime-node'],
  // The same for the native speech library, which has a runtime of its own.
  'agent/engine/runtimes/sherpa': [
    'shared/operations/',
    'shared/protocol/',
    'shared/runtime/',
    'agent/engine/',
    'node:',
    'zod',
    'sherpa-onnx-node',
  ],
  agent: ['shared/', 'agent/', 'node:', 'zod'],
  // The command line starts both programs and reads their contracts. It reads one table itself, because the audit log is not verified by
  // the program that writes it, and tries what neural engines can compute on as an engine host does.
  cli: [
    'shared/',
    'control-plane/main.ts',
    'control-plane/registry/',
    'control-plane/features/',
    'control-plane/audit/audit-log.store.ts',
    // Backups, and permissions for paths, are files of the data directory.
    'control-plane/store/files/',
    'control-plane/backup/',
    'agent/main.ts',
    // What neural engines may compute on is installed and tried by commands, while no agent runs.
    'agent/gpu/',
    'agent/engine/runtimes/onnx/',
    'node:',
    'uqr',
    'zod',
  ],
  // The commands of developers. No program imports them: packages do not contain them. Documents are made of the tables of the control plane.
  tools: [
    'shared/',
    'cli/lib/',
    'control-plane/registry/',
    'control-plane/http/describe/',
    'control-plane/http/mount/',
    'node:',
    'protobufjs',
    'zod',
  ],
  // The site of documents, the one tool that reads Markdown.
  'tools/docs/site': ['node:', 'marked'],
  'certs-dev': ['shared/pki/', 'shared/runtime/', 'node:'],
  // A bench compares a room with the bare library under it, so it may see both.
  bench: [
    'shared/',
    'control-plane/',
    'agent/',
    'test/support/',
    // Films are sent as the command line sends them.
    'cli/lib/dub/film-upload.ts',
    'node:',
    '@grpc/',
    'fastify',
    'better-sqlite3',
    'pino',
    'ws',
  ],
}

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
