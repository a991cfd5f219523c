// Lines translated by a language model in windows. A line that is missing or cannot be right is asked for again: alone with the other missing
// ones, in half windows, then as a single line.

import { z } from 'zod'
import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { LlmMessage } from '#control-plane/llm/client.ts'
import { LlmFailure, type LlmFailureKind } from '#control-plane/llm/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { missedTerms, type TermFinder } from '../glossary/glossary.rules.ts'
import { LineText, lineObjection, rowsById } from './reply.rules.ts'
import { type TaskNotes, translationMessages, WINDOW, type WindowLine, windowsOf } from './window.rules.ts'

type SkillId = Parameters<SettingsApi['skills']['state']>[0]
/** Asks a skill, waits once where the provider says how long, and asks no more after failures that would repeat. */
export type LlmAsker = {
  readonly ask: (messages: readonly LlmMessage[], temperature: number, signal: AbortSignal) => Promise<string | null>
  /** Failure that ended the requests; null while there is none. */
  readonly failure: () => LlmFailure | null
}

const TIMEOUT_MS = 90_000
const LONGEST_WAIT_S = 30
/** Failed calls in a row after which no further call is made. */
const MAX_FAILURES = 2
const REPEATS: ReadonlySet<LlmFailureKind> = new Set(['config', 'auth', 'not_found'])

export function createLlmAsker(
  { skills, clock }: { readonly skills: SettingsApi['skills']; readonly clock: Clock },
  skill: SkillId,
): LlmAsker {
  let failures = 0
  // Some servers refuse the parameter that asks for JSON.
  let asksForJson = true
  let failure: LlmFailure | null = null
  /** Null when the call failed. Throws the reason of the signal. */
  async function once(messages: readonly LlmMessage[], temperature: number, signal: AbortSignal): Promise<string | LlmFailure> {
    try {
      const { text } = await skills.ask(skill, { messages, temperature, json: asksForJson }, { timeoutMs: TIMEOUT_MS, signal })
      return text
    } catch (error) {
      if (!(error instanceof LlmFailure)) throw error
      return error
    }
  }
  return {
    failure: () => failure,
    async ask(messages, temperature, signal) {
      if (failure) return null
      let answer = await once(messages, temperature, signal)
      if (
        answer instanceof LlmFailure &&
        answer.kind === 'rate_limit' &&
        (answer.retryAfterSeconds ?? Number.POSITIVE_INFINITY) <= LONGEST_WAIT_S
      ) {
        await clock.sleep(answer.retryAfterSeconds! * 1000, signal)
        answer = await once(messages, temperature, signal)
      }
      if (answer instanceof LlmFailure && answer.kind === 'error' && asksForJson) {
        asksForJson = false
        answer = await once(messages, temperature, signal)
      }
      if (typeof answer === 'string') {
        failures = 0
        return answer
      }
      failures++
      if (REPEATS.has(answer.kind) || failures >= MAX_FAILURES) failure = answer
      return null
    },
  }
}

const Translated = z.object({ text: LineText })
/** Another temperature for a repeated question: the same one would be answered in the same way. */
const TEMPERATURE = { first: 0.2, again: 0.6 } as const

/** By our id; a line that the model did not translate is absent. Throws the reason of the signal. */
export async function translateWithLlm(
  lines: readonly WindowLine[],
  {
    asker,
    notes,
    find,
    signal,
  }: { readonly asker: LlmAsker; readonly notes: TaskNotes; readonly find: TermFinder; readonly signal: AbortSignal },
): Promise<Map<string, string>> {
  const done = new Map<string, string>()
  const places = new Map(lines.map(({ id }, at) => [id, at]))

  async function ask(some: readonly WindowLine[], temperature: number): Promise<void> {
    const first = places.get(some[0]!.id)!
    const last = places.get(some.at(-1)!.id)!
    const before = lines
      .slice(Math.max(0, first - WINDOW.before), first)
      .map(({ id, text }) => ({ text, translation: done.get(id) ?? null }))
    const after = lines.slice(last + 1, last + 1 + WINDOW.after).map(({ text }) => ({ text, translation: null }))
    const terms = [...new Set(some.flatMap(({ text }) => find(text).map(({ term }) => term)))]
    const reply = await asker.ask(translationMessages(notes, { lines: some, before, after }, terms), temperature, signal)
    const ids = some.map(({ id }) => id)
    for (const [id, { text }] of reply === null ? [] : rowsById(reply, ids, Translated)) {
      const source = lines[places.get(id)!]!.text
      if (lineObjection(source, text, notes) !== null) continue
      const known = done.get(id)
      const hits = find(source)
      // A line that is asked for again because of the glossary replaces the first one only if it is better.
      if (known === undefined || missedTerms(hits, text).length < missedTerms(hits, known).length) done.set(id, text)
    }
  }

  for (const window of windowsOf(lines)) {
    const missing = () => window.filter(({ id }) => !done.has(id))
    await ask(window, TEMPERATURE.first)
    if (missing().length > 0) await ask(missing(), TEMPERATURE.again)
    if (missing().length > 1) for (const half of halves(missing())) await ask(half, TEMPERATURE.again)
    if (window.length > 1) for (const line of missing()) await ask([line], TEMPERATURE.again)
    const missed = window.filter(({ id, text }) => done.has(id) && missedTerms(find(text), done.get(id)!).length > 0)
    if (missed.length > 0) await ask(missed, TEMPERATURE.again)
    if (asker.failure()) break
  }
  return done
}

function halves<T>(list: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)].filter((half) => half.length > 0)
}
