// Starts that are refused, one after the other in one process: the studio program with each of the environments in the argument (JSON). A process
// for each of them would load the program again, which costs 0.8 s of processor time.
import { main } from '#control-plane/main.ts'

const environments = JSON.parse(process.argv[2] ?? '[]') as Record<string, string>[]
for (const env of environments) {
  const status = await main({ ...process.env, ...env })
  process.stderr.write(`\nstatus ${status}\n`)
}
