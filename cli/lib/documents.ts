// Documents that are folded from the code. A row here is written by `docs` and compared by `check`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Phase } from '#shared/protocol/task.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { ROOT } from './command.ts'

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
        'Generated from `shared/protocol/failure.ts` by `./studio docs`. "Retried" says whether a task that failed so is tried again.',
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
      const { CONTRACTS } = await import('#control-plane/areas/contracts.ts')
      const { openapi } = await import('#control-plane/http/openapi.ts')
      return `${JSON.stringify(openapi(CONTRACTS, { title: 'Voice Studio', version: VERSION }), null, 2)}\n`
    },
  },
  {
    path: 'docs/settings.md',
    async make() {
      const { SETTINGS } = await import('#control-plane/areas/settings.ts')
      const rows = SETTINGS.map(({ key, fallback, env, secret, summary }) => {
        const shown = secret ? 'none' : `\`${JSON.stringify(fallback)}\``
        return `| \`${key}\` | ${shown} | ${env ? `\`${env}\`` : ''} | ${secret ? 'yes' : 'no'} | ${summary} |`
      })
      return [
        '# Settings of the owner',
        '',
        'Generated from the `*.settings.ts` files by `./studio docs`. The owner changes them at run time. An environment variable wins over',
        'the stored value while it is set. Settings of the program itself are in the README.',
        '',
        '| Key | Default | Overridden by | Encrypted | Meaning |',
        '|---|---|---|---|---|',
        ...rows,
        '',
      ].join('\n')
    },
  },
  {
    // Reviewed in each diff: a route cannot change who may call it without a line here.
    path: 'test/architecture/access.txt',
    async make() {
      const { CONTRACTS } = await import('#control-plane/areas/contracts.ts')
      const { accessTable } = await import('#control-plane/http/access-table.ts')
      const { MOUNTED } = await import('#control-plane/http/server.ts')
      return accessTable([...CONTRACTS, ...MOUNTED])
    },
  },
]

/** What each phase means for the owner of the task; a phase without its line does not compile. */
const PHASE_MEANS: Readonly<Record<Phase, string>> = {
  queued: 'Waits for a machine that may and can run it. Nobody holds it.',
  offered: 'Was sent to a machine that has not answered yet.',
  loading: 'The machine took it and gets its engine ready.',
  running: 'The engine works; what it makes reaches the studio at once.',
  delivering: 'Everything is made, the rest of it is on the way.',
  unknown: 'The link broke. The machine may still be at it and is given time to come back.',
  cancelling: 'Was told to stop and has not confirmed it; whatever still arrives is dropped.',
  succeeded: 'The result is durable.',
  failed: 'Ended with a failure code, see errors.md.',
  timed_out: 'Its deadline or the last of its time budgets ran out.',
  cancelled: 'Stopped because somebody asked for it.',
}

async function taskLifecycle(): Promise<string> {
  const { diagram, ON_ENTER, PHASES, TERMINAL } = await import('#shared/protocol/task.ts')
  const rows = PHASES.map(
    (phase) => `| ${phase} | ${TERMINAL.has(phase) ? 'yes' : 'no'} | ${ON_ENTER[phase] ?? ''} | ${PHASE_MEANS[phase]} |`,
  )
  return [
    '# The life of a task',
    '',
    'Generated from `shared/protocol/task.ts` by `./studio docs`. "Then" is what the studio does once the phase is durable.',
    '',
    '| Phase | End | Then | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Every offer raises the epoch of the task by one. A machine names the epoch in everything it says, and what it says about an older',
    'one is refused before anything else is asked: a result can be committed only by the attempt the studio is waiting for.',
    '',
    'What is not drawn here is refused:',
    '',
    '```mermaid',
    diagram(),
    '```',
    '',
  ].join('\n')
}

/** Paths of documents that are missing or differ from what the code says. */
export async function staleDocuments(): Promise<string[]> {
  const stale: string[] = []
  for (const { path, make } of DOCUMENTS) if ((await make()) !== current(path)) stale.push(path)
  return stale
}

/** Writes every document and answers with their paths. */
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
