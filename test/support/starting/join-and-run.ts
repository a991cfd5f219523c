// The agent program twice in one process: `join CODE`, then the agent itself. It saves the start of one process per machine.
import { main } from '#agent/main.ts'

const [, , code = ''] = process.argv
const joined = await main(['join', code], process.env)
process.exitCode = joined === 0 ? await main([], process.env) : joined
