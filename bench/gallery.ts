// Lists of a gallery of 100,000 clips, through HTTP. Goal: p99 under 15 ms, also for a search that finds nothing and reads every clip.
import { join } from 'node:path'
import { openDatabase } from '#control-plane/store/database.ts'
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { startStudio } from './support/peers.ts'
import { flood, median, quantile, row, title } from './support/rounds.ts'

const CLIPS = 100_000
const ROUNDS = 5
const CALLS = 200
const LISTS: readonly (readonly [string, string])[] = [
  ['50 of all', ''],
  ['200 of a category', '?category=category+7&limit=200'],
  ['search, many found', '?search=clip'],
  ['search, none found', '?search=unfindable'],
  ['search in a category, none found', '?search=unfindable&category=category+7'],
]

export async function run(): Promise<void> {
  restrictNewFiles()
  title(`Lists of a gallery of ${CLIPS} clips; goal: p99 of 15 ms`)
  const studio = await startStudio(async (dataDir) => fillGallery(dataDir, CLIPS))
  const read = async (query: string) => {
    const reply = await fetch(`http://127.0.0.1:${studio.port}/gallery/voices${query}`)
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`${query} answered with ${reply.status}.`)
  }
  try {
    for (const [name, query] of LISTS) {
      const [medians, p99]: [number[], number[]] = [[], []]
      for (let round = -1; round < ROUNDS; round++) {
        const { each } = await flood(CALLS, 1, () => read(query))
        if (round < 0) continue
        medians.push(median(each))
        p99.push(quantile(each, 0.99))
      }
      row(name, medians, null, 'ms ', '')
      row('    p99', p99, null, 'ms ', 'goal 15 ms')
    }
  } finally {
    studio.kill()
  }
}

function fillGallery(dataDir: string, clips: number): void {
  const db = openDatabase(join(dataDir, 'studio.db'))
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${clips})
    insert into gallery_clip (id, name, character, category, description, source_type, audio_digest, audio_bytes, original_digest,
      original_bytes, original_name, duration, tags, stays_here, words, created_at)
    select printf('%08x', i), 'Clip ' || i, 'Character ' || (i % 500), 'category ' || (i % 20), printf('%.80c', 'x'), 'upload',
      printf('%064x', i), 1, printf('%064x', i), 1, 'clip.wav', 3.2, '["a","b"]', 0,
      'clip ' || i || char(10) || 'character ' || (i % 500) || char(10) || printf('%.80c', 'x'), 1 from n`)
  db.close()
}
