// A writer of a cell in a process of its own, which a test stops and kills: it commits tasks one after another. Arguments: the URL of the database.
// Lines of its output: `taken TERM`, `confirmed COUNT`, `fenced LAST`, with the number of tasks that were confirmed. On the input `again` it
// takes the cell once more.
import { createInterface } from 'node:readline'
import type { OpenedPostgres } from '#control-plane/store/postgres/journal.ts'
import { answerTo, byId } from '#test/conformance/journal/commit.ts'
import { openCell } from './open-cell.ts'
import { poolTask } from './rows.ts'

const url = process.argv[2]!
const say = (line: string) => void process.stdout.write(`${line}\n`)
let confirmed = 0

async function write({ journal, state }: OpenedPostgres): Promise<void> {
  say(`taken ${state.lastSeq}`)
  for (let seq = state.lastSeq + 1; ; seq++) {
    const refusal = await answerTo(journal, { newTasks: byId(poolTask(seq)) })
    if (refusal) break
    confirmed++
    if (confirmed % 20 === 0) say(`confirmed ${confirmed}`)
  }
  say(`fenced ${confirmed}`)
  await journal.close()
}

await write(await openCell(url))
for await (const line of createInterface({ input: process.stdin })) if (line === 'again') await write(await openCell(url))
