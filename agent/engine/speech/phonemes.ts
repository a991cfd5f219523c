// Converts text to IPA with the espeak-ng program, which is under the GPL and therefore runs as a separate process. The program drops
// punctuation, but the voices were trained with it, so punctuation is removed before the call and inserted again afterwards.

import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { isAnnotated } from '#shared/text/pronunciation/annotation.ts'
import { createEspeakPhones } from './espeak-phones.ts'

export const ESPEAK = 'espeak-ng'
const TIMEOUT_MS = 20_000
const MAX_OUTPUT_CHARACTERS = 1024 * 1024
// A full stop within a number or a name is not punctuation: a mark counts before a blank, another mark or the end.
const MARKS = / ?(?:[;:,.!?…।॥]+|[¡¿—"«»“”()]) ?/gu
const ENDS_MARK = /[\s"”»)¡¿«“(]/

/** Pieces of a text with single blanks, and the mark after each piece but the last. Pure. */
export function splitAtMarks(text: string): { readonly pieces: string[]; readonly marks: string[] } {
  const pieces: string[] = []
  const marks: string[] = []
  let from = 0
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    const end = index + mark.length
    const isInside = /^ ?[;:,.!?]/.test(mark) && !mark.endsWith(' ') && end < text.length && !ENDS_MARK.test(text[end]!)
    if (isInside) continue
    pieces.push(text.slice(from, index).trim())
    marks.push(mark)
    from = end
  }
  pieces.push(text.slice(from).trim())
  return { pieces, marks }
}

/** `refused` receives words whose annotated pronunciation has a sound that the voice does not know; they are spoken as they are written. */
export type Phonemizer = (text: string, voice: string, signal?: AbortSignal, refused?: (word: string) => void) => Promise<string>

// The program reads double square brackets as phonemes, and no others; for a speaker all of them are parentheses.
const withoutBrackets = (text: string): string =>
  text.replace(/\[\[|\]\]/g, ' ').replace(/[[\]{}]/g, (bracket) => ('[{'.includes(bracket) ? '(' : ')'))

/** `tie`: one character that marks the parts of one sound, as in t^ʃ; '' for none. */
export function createPhonemizer({ clock, program = ESPEAK, tie = '' }: { clock: Clock; program?: string; tie?: string }): Phonemizer {
  const phones = createEspeakPhones((input, voice, signal) =>
    espeakText({ program, voice, tie: '', parts: [input], clock, ...(signal && { signal }) }),
  )
  return async (text, voice, signal, refused = () => {}) => {
    const spelled = isAnnotated(text) ? await phones.apply(text, voice, { plain: withoutBrackets, refused, signal }) : withoutBrackets(text)
    // The program answers each line separately.
    const clean = spelled.replace(/\s+/g, ' ').trim()
    const { pieces: spoken, marks } = splitAtMarks(clean)
    const texts = spoken.filter((part) => part !== '')
    if (texts.length === 0) return ''
    const lines = await phonemizeWords({ program, voice, tie, parts: texts, clock, ...(signal && { signal }) })
    let at = 0
    return spoken
      .map((part, index) => `${part === '' ? '' : lines[at++]}${marks[index] ?? ''}`)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
  }
}

/** The IPA of each part. Throws MODEL_NOT_INSTALLED without the program, WORKER_FAILED, CANCELLED. */
export async function phonemizeWords(call: PhonemizerCall): Promise<string[]> {
  const lines = await espeakLines(call)
  if (lines.length === call.parts.length) return lines
  // The program splits some parts into two lines. In a call of its own, all lines belong to the part.
  const answers: string[] = []
  for (const part of call.parts) answers.push((await espeakLines({ ...call, parts: [part] })).join(' '))
  return answers
}

/**
 * The program stresses the last syllable of a fragment that has no stressed word, such as "in the"; the library function with which the voices
 * were trained does not. A sound element after the text ends the clause without a tone, and then the program does not either.
 */
const asFragment = (part: string): string => `${part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')} <audio/>`

type PhonemizerCall = { program: string; voice: string; tie: string; parts: readonly string[]; clock: Clock; signal?: AbortSignal }
async function espeakLines(call: PhonemizerCall): Promise<string[]> {
  const lines = (await espeakText({ ...call, parts: call.parts.map(asFragment) })).split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
/** `parts`: lines of text with markup. */
function espeakText({ program, voice, tie, parts, clock, signal }: PhonemizerCall): Promise<string> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const ties = tie === '' ? [] : [`--tie=${tie}`]
    const child = spawnGroup(program, ['-q', '-m', '--ipa', ...ties, '-b', '1', '-v', voice], { stdio: ['pipe', 'pipe', 'ignore'] })
    let output = ''
    let reason: Failure | null = null
    const end = (failure: Failure) => {
      reason ??= failure
      killGroup(child)
    }
    const cancelTimeout = clock.after(TIMEOUT_MS, () =>
      end(new Failure('WORKER_FAILED', `${ESPEAK} did not answer within ${TIMEOUT_MS / 1000} s.`)),
    )
    const abort = () => end(new Failure('CANCELLED', 'The task was cancelled.'))
    signal?.addEventListener('abort', abort, { once: true })
    const settle = (failure: Failure | null) => {
      cancelTimeout()
      signal?.removeEventListener('abort', abort)
      if (failure) reject(failure)
      // The program marks a change of language, for example with (en), or (^e^n) with ties.
      else resolve(output.replace(/\([a-z^-]+\)/g, ''))
    }
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
      if (output.length > MAX_OUTPUT_CHARACTERS)
        end(new Failure('WORKER_FAILED', `${ESPEAK} wrote more than ${MAX_OUTPUT_CHARACTERS} characters.`))
    })
    child.stdin.on('error', () => {}) // the exit code has more information
    child.on('error', (cause) =>
      settle(new Failure('MODEL_NOT_INSTALLED', `This voice needs ${ESPEAK}. Install it with ${COMMAND} setup.`, { cause })),
    )
    child.on('close', (code) =>
      settle(reason ?? (code === 0 ? null : new Failure('WORKER_FAILED', `${ESPEAK} failed with exit code ${code}.`))),
    )
    child.stdin.end(`${parts.join('\n')}\n`)
  })
}
