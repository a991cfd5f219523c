// Documents that are generated from the code. `docs` writes each row; `check` compares it with the file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '#cli/lib/command.ts'
import type { Phase } from '#shared/protocol/task.ts'
import { VERSION } from '#shared/protocol/version.ts'

type Document = { readonly path: string; readonly make: () => Promise<string> }

export const DOCUMENTS: readonly Document[] = [
  {
    path: 'docs/errors.md',
    async make() {
      const { FAILURES, isRetryable, isFailureCode } = await import('#shared/protocol/failure.ts')
      const rows = Object.entries(FAILURES).map(([code, row]) => {
        const retried = isFailureCode(code) && isRetryable(code) ? 'yes' : 'no'
        return `| ${code} | ${row.class} | ${row.http} | ${retried} | ${row.hint} |`
      })
      return [
        '# Failure codes',
        '',
        'Generated from `shared/protocol/failure.ts` by `./studio docs`. "Retried": whether a task that fails with this code is retried.',
        '',
        '| Code | Class | HTTP | Retried | What to do |',
        '|---|---|---|---|---|',
        ...rows,
        '',
      ].join('\n')
    },
  },
  { path: 'docs/task-lifecycle.md', make: taskLifecycle },
  {
    path: 'docs/openapi.json',
    async make() {
      const { CONTRACTS } = await import('#control-plane/registry/contracts.ts')
      const { openapi } = await import('#control-plane/http/describe/openapi.ts')
      const { MOUNTED } = await import('#control-plane/http/mount/folders.ts')
      const { SOCKETS } = await import('#control-plane/registry/sockets.ts')
      return `${JSON.stringify(openapi({ contracts: [...CONTRACTS, ...MOUNTED], sockets: SOCKETS }, { title: 'Voice Studio', version: VERSION }), null, 2)}\n`
    },
  },
  {
    path: 'docs/settings.md',
    async make() {
      const { SETTINGS } = await import('#control-plane/registry/settings.ts')
      const rows = SETTINGS.map(({ key, access, fallback, env, secret, summary }) => {
        const shown = secret ? 'none' : `\`${JSON.stringify(fallback)}\``
        const role = access === 'own' ? 'own' : 'operate'
        return `| \`${key}\` | ${shown} | ${env ? `\`${env}\`` : ''} | ${secret ? 'yes' : 'no'} | ${role} | ${summary.replace(/<\w+>/g, '`$&`')} |`
      })
      return [
        '# Settings that can be changed at run time',
        '',
        'Generated from the `*.settings.ts` files by `./studio docs`. While an environment variable is set, it takes precedence over the stored',
        'value. The README lists the settings that come only from the environment. "Role" is the least role of a [person](people.md) that may change it.',
        '',
        '| Key | Default | Overridden by | Encrypted | Role | Meaning |',
        '|---|---|---|---|---|---|',
        ...rows,
        '',
      ].join('\n')
    },
  },
  {
    path: 'shared/protocol/generated/wire.ts',
    make: async () => (await import('./wire-types.ts')).wireTypes(),
  },
  {
    // Committed so that every change of a route's access appears in the diff.
    path: 'test/architecture/access.txt',
    async make() {
      const { CONTRACTS } = await import('#control-plane/registry/contracts.ts')
      const { accessTable } = await import('#control-plane/http/describe/access-table.ts')
      const { MOUNTED } = await import('#control-plane/http/mount/folders.ts')
      return accessTable([...CONTRACTS, ...MOUNTED])
    },
  },
  {
    // The same for the roles of people.
    path: 'test/architecture/roles.txt',
    async make() {
      const { CONTRACTS } = await import('#control-plane/registry/contracts.ts')
      const { SOCKETS } = await import('#control-plane/registry/sockets.ts')
      const { roleTable } = await import('#control-plane/http/describe/access-table.ts')
      const { MOUNTED } = await import('#control-plane/http/mount/folders.ts')
      return roleTable([...CONTRACTS, ...MOUNTED], SOCKETS)
    },
  },
]

/** The meaning of each phase. The type requires a line for every phase. */
const PHASE_MEANINGS: Readonly<Record<Phase, string>> = {
  queued: 'Waits for an approved machine that can run it. No machine holds it.',
  offered: 'Was sent to a machine that has not answered yet.',
  loading: 'The machine accepted it and loads the engine.',
  running: 'The engine runs; its output is streamed to the studio.',
  delivering: 'The output is complete; the remaining bytes are being sent.',
  unknown: 'The link broke. The machine may still be running the task and has a grace period to reconnect.',
  cancelling: 'The machine was asked to stop and has not confirmed it. Output that arrives meanwhile is dropped.',
  succeeded: 'The result is durable.',
  failed: 'Ended with a failure code, see errors.md.',
  timed_out: 'Its deadline or its last time limit expired.',
  cancelled: 'Stopped on request.',
}

async function taskLifecycle(): Promise<string> {
  const { diagram, ON_ENTER, PHASES, TERMINAL } = await import('#shared/protocol/task.ts')
  const rows = PHASES.map(
    (phase) => `| ${phase} | ${TERMINAL.has(phase) ? 'yes' : 'no'} | ${ON_ENTER[phase] ?? ''} | ${PHASE_MEANINGS[phase]} |`,
  )
  return [
    '# Task lifecycle',
    '',
    'Generated from `shared/protocol/task.ts` by `./studio docs`. "Effect" is what the studio does once the phase is durable.',
    '',
    '| Phase | Final | Effect | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Every offer increments the epoch of the task. A machine includes the epoch in every message about the task. Messages with an older',
    'epoch are rejected first, so only the current attempt can commit a result.',
    '',
    'Every transition that the diagram does not show is rejected:',
    '',
    '```mermaid',
    diagram(),
    '```',
    '',
  ].join('\n')
}

/** Paths of documents that are missing or out of date. */
export async function staleDocuments(): Promise<string[]> {
  const stale: string[] = []
  for (const { path, make } of DOCUMENTS) if ((await make()) !== current(path)) stale.push(path)
  return stale
}

/** Writes every document and returns the paths. */
export async function writeDocuments(): Promise<string[]> {
  for (const { path, make } of DOCUMENTS) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), await make())
  }
  return DOCUMENTS.map(({ path }) => path)
}

function current(path: string): string | null {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return null
  }
}
