// A translation service on the network as a translator: batches within its limits, answers of earlier requests, and a reason for each line
// that was not translated.
import { z } from 'zod'
import { type AnswerStore, answerKey } from '../answers.store.ts'
import { AT_ONCE, type FailureKindOf, type HttpJson, type JsonRequest } from './http-json.ts'
import { ENDS_RUN, ServiceFailure, type TextAnswer, type TextOrder, type TextService } from './service.ts'

/** Account that the owner entered. `region` and `baseUrl`: '' for the usual one. */
export type ServiceAccount = { readonly key: string; readonly baseUrl: string; readonly region: string }
export type HttpServiceDefinition = {
  readonly id: string
  /** Name for users. */
  readonly name: string
  /** Limits of one request. `sizeOf`: size of a text, in the unit of the service. */
  readonly limits: { readonly texts: number; readonly size: number; readonly sizeOf: (text: string) => number }
  readonly baseUrl: (account: ServiceAccount) => string
  readonly usesContext: boolean
  readonly request: (order: TextOrder, account: ServiceAccount, baseUrl: string) => JsonRequest
  readonly kindOf: FailureKindOf
  /** The texts of an answer. Throws for another shape. */
  readonly texts: (value: unknown) => readonly string[]
}
type Deps = { readonly http: HttpJson; readonly answers: AnswerStore; readonly account: ServiceAccount }

const Answer = z.string().max(50_000)

/** Groups of texts within the limits of a request. A text that is too long alone is in no group. */
export function batchesOf<T extends { readonly text: string }>(
  items: readonly T[],
  { texts, size, sizeOf }: HttpServiceDefinition['limits'],
): T[][] {
  const batches: T[][] = []
  let filled = Number.POSITIVE_INFINITY
  for (const item of items) {
    const own = sizeOf(item.text)
    if (own > size) continue
    const last = batches.at(-1)
    filled += own
    if (last && last.length < texts && filled <= size) last.push(item)
    else {
      batches.push([item])
      filled = own
    }
  }
  return batches
}

export function createHttpService(definition: HttpServiceDefinition, { http, answers, account }: Deps): TextService {
  const { id, name, limits, usesContext } = definition
  const baseUrl = definition.baseUrl(account).replace(/\/$/, '')

  async function ask(order: TextOrder, signal: AbortSignal): Promise<readonly string[]> {
    const value = await http.send(name, definition.request(order, account, baseUrl), definition.kindOf, signal)
    try {
      const texts = definition.texts(value).map((text) => Answer.parse(text))
      if (texts.length === order.texts.length) return texts
    } catch (error) {
      if (error instanceof ServiceFailure) throw error
    }
    throw new ServiceFailure('invalid', name)
  }

  return {
    id,
    async translate({ texts, source, target, context }, { signal }) {
      const used = usesContext ? context : ''
      const keyOf = (text: string) => answerKey([id, baseUrl, source, target, used, text])
      const found = new Map<string, TextAnswer>()
      for (const text of new Set(texts)) {
        const known = answers.find(keyOf(text))
        if (known !== null) found.set(text, { text: known })
        else if (limits.sizeOf(text) > limits.size) found.set(text, { error: `The line is longer than ${name} accepts.` })
      }
      const open = [...new Set(texts)].filter((text) => !found.has(text)).map((text) => ({ text }))
      const batches = batchesOf(open, limits)
      let ended: ServiceFailure | null = null
      let next = 0
      const work = async (): Promise<void> => {
        for (let at = next++; at < batches.length; at = next++) {
          const batch = batches[at]!.map(({ text }) => text)
          try {
            if (ended) throw ended
            const replies = await ask({ texts: batch, source, target, context: used }, signal)
            for (const [index, text] of batch.entries()) found.set(text, { text: replies[index]! })
            answers.keep(batch.map((text, index) => [keyOf(text), replies[index]!] as const))
          } catch (error) {
            if (!(error instanceof ServiceFailure)) throw error
            if (ENDS_RUN.has(error.kind)) ended = error
            for (const text of batch) found.set(text, { error: error.message })
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return { answers: texts.map((text) => found.get(text)!), notices: [] }
    },
  }
}
