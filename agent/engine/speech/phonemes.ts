// Text to IPA through the espeak-ng program, as a process of its own: it is under the GPL and stays a program beside this one. Punctuation is
// kept, because the voices were trained with it; the program drops it, so it is cut out before and put back after.

import { spawn } from 'node:child_process'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { signalChild } from '#shared/runtime/program.ts'

export const ESPEAK = 'espeak-ng'
const LIMIT_MS = 20_000
const LONGEST_OUTPUT = 1024 * 1024
// A full stop inside a number or a name is no punctuation: marks count before a blank, a closing mark or the end.
const MARKS = /\s*(?:[;:,.!?…]+(?=[\s"”»)]|$)|[¡¿—…"«»“”()])\s*/gu

export type Phonemizer = (text: string, voice: string, signal?: AbortSignal) => Promise<string>

export const createPhonemizer =
  ({ clock, program = ESPEAK }: { clock: Clock; program?: string }): Phonemizer =>
  async (text, voice, signal) => {
    // Two square brackets would be read as phonemes, and a line break would end the line that an answer belongs to.
    const clean = text
      .replace(/\[\[|\]\]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const marks = [...clean.matchAll(MARKS)].map(([mark]) => mark)
    const spoken = clean.split(MARKS).map((part) => part.trim())
    const asked = spoken.filter((part) => part !== '')
    if (asked.length === 0) return ''
    const ask = (parts: readonly string[]) => linesOf({ program, voice, parts, clock, ...(signal && { signal }) })
    let lines = await ask(asked)
    // A part that the program cuts in two has two lines; asked alone, all its lines belong to it.
    if (lines.length !== asked.length) lines = await inOrder(asked, async (part) => (await ask([part])).join(' '))
    let at = 0
    return spoken
      .map((part, index) => `${part === '' ? '' : lines[at++]}${marks[index] ?? ''}`)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
  }

async function inOrder(parts: readonly string[], ask: (part: string) => Promise<string>): Promise<string[]> {
  const answers: string[] = []
  for (const part of parts) answers.push(await ask(part))
  return answers
}

type Asked = { program: string; voice: string; parts: readonly string[]; clock: Clock; signal?: AbortSignal }
function linesOf({ program, voice, parts, clock, signal }: Asked): Promise<string[]> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const child = spawn(program, ['-q', '--ipa', '-b', '1', '-v', voice], { stdio: ['pipe', 'pipe', 'ignore'] })
    let output = ''
    let why: Failure | null = null
    const end = (failure: Failure) => {
      why ??= failure
      signalChild(child, 'SIGKILL')
    }
    const forget = clock.after(LIMIT_MS, () => end(new Failure('WORKER_FAILED', `${ESPEAK} gave no answer within ${LIMIT_MS / 1000} s`)))
    const abort = () => end(new Failure('CANCELLED', 'cancelled'))
    signal?.addEventListener('abort', abort, { once: true })
    const settle = (failure: Failure | null) => {
      forget()
      signal?.removeEventListener('abort', abort)
      if (failure) reject(failure)
      // Marks of a change of language, such as (en), are no sounds.
      else
        resolve(
          output
            .replace(/\([a-z-]+\)/g, '')
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        )
    }
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
      if (output.length > LONGEST_OUTPUT) end(new Failure('WORKER_FAILED', `${ESPEAK} does not stop writing`))
    })
    child.stdin.on('error', () => {}) // the exit says more
    child.on('error', (cause) => settle(new Failure('MODEL_NOT_INSTALLED', `install ${ESPEAK}: this voice needs it`, { cause })))
    child.on('close', (code) =>
      settle(why ?? (code === 0 ? null : new Failure('WORKER_FAILED', `${ESPEAK} failed with exit code ${code}`))),
    )
    child.stdin.end(`${parts.join('\n')}\n`)
  })
}
