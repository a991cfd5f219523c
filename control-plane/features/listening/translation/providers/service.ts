// The seam of the translators: text in, text or a reason out, line by line and in order.

export type TextOrder = {
  readonly texts: readonly string[]
  /** Language tags. */
  readonly source: string
  readonly target: string
  /** Text that may help to understand the others and is not translated; '' for none. */
  readonly context: string
}
export type TextAnswer = { readonly text: string } | { readonly error: string }
/** UTF-16 units of a translated line: what a generation accepts. */
export const MAX_LINE_CHARS = 10_000

/** The answer as a subtitle and a speaker can have it: without control characters; an error in place of a text that is empty or too long. Pure. */
export function usableAnswer(answer: TextAnswer): TextAnswer {
  if (!('text' in answer)) return answer
  if (answer.text.length > MAX_LINE_CHARS) return { error: `The translator returned ${answer.text.length} characters for this line.` }
  const text = answer.text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
  return text.trim() === '' ? { error: 'The translator returned no text for this line.' } : { text }
}
export type TextCaller = { readonly signal: AbortSignal; readonly traceparent: string }
export type TextService = {
  readonly id: string
  /** Returns as many answers as texts. Rejects with the reason of the signal only. `notices`: sentences for users. */
  readonly translate: (
    order: TextOrder,
    caller: TextCaller,
  ) => Promise<{ readonly answers: readonly TextAnswer[]; readonly notices: readonly string[] }>
}

export type ServiceFailureKind = 'config' | 'auth' | 'quota' | 'busy' | 'request' | 'network' | 'invalid' | 'paused'
const SENTENCES: Readonly<Record<ServiceFailureKind, string>> = {
  config: 'has an address that cannot be used. Its address must begin with https and contain no password',
  auth: 'rejected the key. Check the key and what it may use',
  quota: 'has used up the quota of the account. Wait for the next period, or change the plan',
  busy: 'limits the number of requests. Wait a moment and try again',
  request: 'refused the request. It may not support this pair of languages',
  network: 'cannot be reached or did not answer in time. Check the network',
  invalid: 'sent an answer that cannot be used. Try again, or choose another translator',
  paused: 'failed several times in a row and is not asked for a minute',
}
/** The answer is the same for the next text. */
export const ENDS_RUN: ReadonlySet<ServiceFailureKind> = new Set(['config', 'auth', 'quota', 'paused'])

/** A fixed sentence for each kind: texts of a service may repeat what was sent to it. `cause` is for tests and not for logs. */
export class ServiceFailure extends Error {
  readonly kind: ServiceFailureKind
  constructor(kind: ServiceFailureKind, name: string, cause?: unknown) {
    super(`${name} ${SENTENCES[kind]}.`, { cause })
    this.name = 'ServiceFailure'
    this.kind = kind
  }
}

/** The language of a tag and whether it has a region or script: `zh-TW` is ['zh', 'tw']. */
export function tagParts(tag: string): readonly [language: string, more: string] {
  const [language = '', ...more] = tag.trim().toLowerCase().split(/[-_]/)
  return [language, more.join('-')]
}
/** True if a Chinese tag means traditional characters. */
export const isTraditionalChinese = (more: string): boolean => /(^|-)(hant|tw|hk|mo)(-|$)/.test(more)
