// The passphrase of a backup: from a file, from standard input, or typed without being shown. Never an argument, which other users can read.
import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ReadStream } from 'node:tty'
import { canAsk, Misuse, type Terminal } from './command.ts'
import { secretArgument } from './secret-argument.ts'

const FILE_BYTES = 4_096
const [ENTER, NEWLINE, INTERRUPT, END, BACKSPACE, DELETE] = ['\r', '\n', '\u0003', '\u0004', '\b', '\u007f']

/** `file`: `-` for standard input; undefined without the option. Null where nothing can be asked. */
export async function readPassphrase(file: string | undefined, terminal: Terminal, isNew: boolean): Promise<string | null> {
  if (file === '-' && !terminal.input.isTTY) return secretArgument('-', 'passphrase', terminal)
  if (file !== undefined && file !== '-') return firstLine(resolve(terminal.cwd, file))
  if (!canAsk(terminal) || !terminal.input.isTTY) return null
  const typed = await hidden('Passphrase of the backup: ', terminal)
  if (isNew && typed !== (await hidden('The same again: ', terminal))) throw new Misuse('The two passphrases differ. Nothing was done.')
  return typed
}

function firstLine(path: string): string {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(FILE_BYTES + 1)
    const bytes = readSync(file, buffer)
    const line = buffer.toString('utf8', 0, bytes).split(/\r?\n/, 1)[0]!
    if (bytes > FILE_BYTES || line === '') throw new Misuse(`The first line of ${path} must be the passphrase.`)
    return line
  } finally {
    closeSync(file)
  }
}

async function hidden(question: string, { input, errors, alerts = errors }: Terminal): Promise<string> {
  const keyboard = input as ReadStream
  alerts.write(question)
  keyboard.setRawMode(true)
  let typed = ''
  try {
    for await (const piece of keyboard.iterator({ destroyOnReturn: false }))
      for (const key of String(piece)) {
        if (key === INTERRUPT) throw new Misuse('Nothing was done.')
        if (key === ENTER || key === NEWLINE || key === END) return typed
        typed = key === BACKSPACE || key === DELETE ? [...typed].slice(0, -1).join('') : typed + key
      }
    return typed
  } finally {
    keyboard.setRawMode(false)
    keyboard.pause()
    alerts.write('\n')
  }
}
