// Secrets such as join codes: `-` reads one from standard input, which keeps it out of the shell history and the process list.
import { createInterface } from 'node:readline'
import { Misuse, type Terminal } from './command.ts'

/** `argument`, or the first line of standard input that is not empty for `-`. `what` names it in messages, such as 'join code'. */
export async function secretArgument(argument: string, what: string, { input, errors, alerts = errors }: Terminal): Promise<string> {
  if (argument !== '-') return argument
  if (input.isTTY) alerts.write(`Paste the ${what}, then press Enter: `)
  for await (const line of createInterface({ input })) if (line.trim() !== '') return line.trim()
  throw new Misuse(`No ${what} was found on standard input.`)
}
