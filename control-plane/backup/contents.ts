// The parts of the data folder, and what a backup does with each. A folder that no table names is saved: what a later version adds is not
// forgotten.

export type Treatment =
  /** Copied into the archive without a change. */
  | 'saved'
  /** Saved in the sealed entry, because it has keys. */
  | 'secret'
  /** Left out, and refused in an archive. */
  | 'excluded'

const SAVED = ['artifacts', 'community', 'covers', 'dub_store', 'longform_cache', 'marketplace', 'outputs', 'transcripts'] as const

const SECRET = ['agent', 'authority', 'connections', 'inbound', 'service'] as const

/** Names, and why they are left out. */
const EXCLUDED: Readonly<Record<string, string>> = {
  '.path-authorizations': 'permissions that are used once',
  backups: 'backups',
  bin: 'deleted files, which can come back for a minute',
  diagnostics: 'records of the run',
  gpu: 'programs',
  'local-agent': 'models; the agent of the studio joins by itself',
  logs: 'logs',
  'media-tools': 'programs',
  models: 'models',
  previews: 'temporary',
  program: 'programs',
  relay: 'temporary',
  sidecars: 'programs',
  sonitranslate: 'programs',
  spool: 'temporary',
  uploads: 'temporary',
  'voice-work': 'temporary',
  work: 'temporary',
  'dub_store/ingest': 'temporary',
  'dub_store/uploads': 'temporary',
}

/** The database and its copies: a consistent copy is saved in their place. Unfinished files of a program, and what a file system makes. */
const EXCLUDED_FILES = /^(?:studio\.db.*|\.studio-unfinished-.*|\.copy-.*|\.write-test-.*|lost\+found)$/
/** Files that are being written, and sockets of programs. */
const TEMPORARY = /\.(?:new|part|sock|lock)$/
/** Private keys that a later version may keep elsewhere. */
const KEYS = /\.(?:key|pem)$/

export const KNOWN_PARTS: ReadonlyMap<string, Treatment> = new Map<string, Treatment>([
  ...SAVED.map((name) => [name, 'saved'] as const),
  ...SECRET.map((name) => [name, 'secret'] as const),
  ...Object.keys(EXCLUDED).map((name) => [name, 'excluded'] as const),
])

/** The same for names that a file system may take for one: `Program` and `program`, also with characters that it does not see. */
const foldedName = (path: string): string =>
  path
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()

/** `name`: path of a file or folder below the data folder, with `/`. */
export function partOf(name: string): Treatment {
  const path = foldedName(name)
  const [first = '', second] = path.split('/')
  if (EXCLUDED_FILES.test(first) || Object.hasOwn(EXCLUDED, first)) return 'excluded'
  if (second !== undefined && Object.hasOwn(EXCLUDED, `${first}/${second}`)) return 'excluded'
  if (TEMPORARY.test(path)) return 'excluded'
  return (SECRET as readonly string[]).includes(first) || KEYS.test(path) ? 'secret' : 'saved'
}
