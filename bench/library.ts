// The lists of a library of 1,000,000 takes and 100,000 job events. Goals: p99 under 10 ms, and at most 1.5 times the median of a library that
// fills one page of each list, so that both send the same number of rows.
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { fillLibrary, LAST_JOB, type LibrarySize } from './support/filled-library.ts'
import { startStudio } from './support/peers.ts'
import { flood, median, quantile, row, title } from './support/rounds.ts'

export const PAGE: LibrarySize = { takes: 60, starred: 10, jobs: 100, eventsOfJob: 500, exports: 50, projects: 100, state: 10 }
const LARGE: LibrarySize = { ...PAGE, takes: 1_000_000, jobs: 200, exports: 10_000, state: 262_144 }

const LISTS = ['/history', '/jobs?limit=100', `/jobs/${LAST_JOB}/events?limit=500`, '/export/history', '/projects'] as const
const ROUNDS = 7
const CALLS = 400

type Rounds = { readonly medians: number[]; readonly p99: number[] }
type ListFigures = { readonly path: string; readonly large: Rounds; readonly page: Rounds }

/** Milliseconds of each list by round, and of the usage figures of the large library. */
export async function measureLibrary(size: LibrarySize, rounds: number, calls: number): Promise<{ lists: ListFigures[]; usageMs: number }> {
  const open = (filled: LibrarySize) => startStudio(async (dataDir) => fillLibrary(dataDir, filled))
  const [large, page] = await Promise.all([open(size), open(PAGE)])
  try {
    const lists: ListFigures[] = []
    for (const path of LISTS) {
      const times = { large: { medians: [] as number[], p99: [] as number[] }, page: { medians: [] as number[], p99: [] as number[] } }
      for (let round = -1; round < rounds; round++)
        for (const [{ medians, p99 }, { port }] of [
          [times.large, large],
          [times.page, page],
        ] as const) {
          const { each } = await flood(calls, 1, () => read(port, path))
          if (round < 0) continue
          medians.push(median(each))
          p99.push(quantile(each, 0.99))
        }
      lists.push({ path, ...times })
    }
    const from = performance.now()
    await read(large.port, '/stats/usage')
    return { lists, usageMs: performance.now() - from }
  } finally {
    for (const peer of [large, page]) peer.kill()
  }
}

async function read(port: number, path: string): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`)
  await reply.arrayBuffer()
  if (reply.status !== 200) throw new Error(`${path} answered with ${reply.status}.`)
}

export async function run(): Promise<void> {
  restrictNewFiles()
  title('Lists of a library of 1,000,000 takes, 100,000 job events and 10,000 exports; limit: a library that fills one page of each list')
  const { lists, usageMs } = await measureLibrary(LARGE, ROUNDS, CALLS)
  for (const { path, large, page } of lists) {
    row(path, large.medians, page.medians, 'ms ', 'at most 1.50')
    row('    p99', large.p99, page.p99, 'ms ', 'goal 10 ms')
  }
  process.stdout.write(`/stats/usage of 1,000,000 takes, in parts of 10,000: ${usageMs.toFixed(0)} ms\n`)
}
