// Calls of the studio's documented routes. A failure carries the message and the hint that the server wrote for people.

import { strings as words } from '#messages/needs.ts'
import { strings } from '#messages/shared.ts'
import { at } from '../at.ts'
import type { Deletes, Gets, NeedEntry, Patches, Posts, Puts } from './api-types.ts'
import { failureText, loadServerTexts, serverSentence } from './server-texts.ts'

export class ApiError extends Error {
  readonly status: number
  readonly detail: unknown
  readonly hint: string
  /** The model that is missing; its sentence and its installation are those of the page. */
  readonly needs: NeedEntry | null
  /** `status`: 0 when the studio could not be reached. `hint`: what to do; may be empty */
  constructor(status: number, message: string, detail: unknown, hint: string = '', needs: NeedEntry | null = null) {
    super(message)
    this.status = status
    this.detail = detail
    this.hint = hint
    this.needs = needs
  }
}

/** The end of a sentence, also within quotes or brackets. */
const ENDED = /[.!?…。！？][)\]"'”’»]*$/u
/** Message and hint: a message without a full stop would run into the hint. */
export const withHint = (message: string, hint: string) => (hint === '' ? message : `${message}${ENDED.test(message) ? '' : '.'} ${hint}`)
export function messageOf(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ApiError && error.needs) return words.missing[error.needs.for]
  return error instanceof ApiError ? withHint(error.message, error.hint) : error.message
}

/** A field of a value of any form. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** The missing model in an answer or an event of the studio; null for none, and for a kind of a later version. */
export function needIn(value: unknown): NeedEntry | null {
  const need = fieldOf(value, 'needs') as NeedEntry | null | undefined
  return need && Object.hasOwn(words.missing, need.for) && Array.isArray(need.models) ? need : null
}

/** Sentence and hint of a failure for a person. `value`: an answer or an event, with the code of the failure */
export function explained(value: unknown, message: string, hint: string): { message: string; hint: string; needs: NeedEntry | null } {
  const needs = needIn(value)
  if (needs) return { message: words.missing[needs.for], hint: '', needs }
  const code = fieldOf(value, 'code') ?? fieldOf(value, 'error_class')
  const sentence = serverSentence(message)
  const text = sentence !== message ? { sentence, hint: '' } : typeof code === 'string' ? failureText(code, fieldOf(value, 'values')) : null
  if (!text) return { message, hint, needs }
  if (text.sentence === '') return { message, hint: text.hint, needs }
  // The sentence of the studio is more exact than that of the code: it stays as details.
  return { message: text.sentence, hint: [text.hint, strings.details(message)].filter(Boolean).join('\n'), needs }
}

/** `problem`: one entry of a validation list */
function problemText(problem: unknown) {
  const place = fieldOf(problem, 'loc')
  return `${Array.isArray(place) ? place.slice(1).join('.') : ''}: ${fieldOf(problem, 'msg')}`
}

function detailText(detail: unknown, status: number) {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.map(problemText).join('; ')
  if (!detail) return strings.httpStatus(status)
  return String(fieldOf(detail, 'message') ?? fieldOf(fieldOf(detail, 'error'), 'message') ?? JSON.stringify(detail))
}

/** Details of a 401 for a missing credential, of the studio and of its port for the local network; another 401 concerns another machine. */
const NO_CREDENTIAL = ['API key required', 'PIN required'] as readonly unknown[]
/** The sign-in has ended: the studio now answers this address with the sign-in page. */
function showSignIn() {
  sessionStorage.setItem('voice-studio-signed-out', '1')
  location.reload()
}

/** A studio has started, with its engines, within the first time; one that is updated refuses new work for the second at most. */
const [START_MS, UPDATE_MS] = [15_000, 120_000]
/** The pauses while it starts: each is twice the one before. */
const [FIRST_MS, LONGEST_MS] = [500, 2_000]
const SOON_SECONDS = 5
/** Longest restart of a studio that was there a moment ago. */
const RESTART_MS = 60_000
let lostUntil = 0
/** The studio does not answer any more. */
export const noteLost = () => {
  lostUntil = performance.now() + RESTART_MS
}
/** Work that is in no hurry waits that long for a place. */
const QUEUE_MS = 600_000

/** The wait for a studio that cannot accept a request yet. */
export type Held = {
  /** Ends the wait at once; a request on its way is not given up, so that its job is known. */
  readonly signal: AbortSignal
  /** Before each pause. `code`: QUEUE_FULL or NOT_READY. */
  readonly onHeld: (code: string, pauseMs: number) => void
}

type Refused = { readonly method: string; readonly response: Response; readonly answer: unknown; readonly tries: number }

/**
 * Milliseconds until the request may be sent again, and for how long that goes on; null if its answer stands. A refused request has changed
 * nothing. `isHeld`: it waits for a place, too
 */
function repeated({ method, response: { status, headers }, answer, tries }: Refused, isHeld: boolean): readonly [number, number] | null {
  const code = fieldOf(answer, 'code')
  // The header may be a date, and a browser ends a pause of more than 24 days at once.
  const seconds = Math.min(Number(headers.get('retry-after')) || 0, QUEUE_MS / 1000)
  if (isHeld && code === 'QUEUE_FULL') return [Math.max(1, seconds) * 1000, QUEUE_MS]
  if (status !== 503 || (method !== 'GET' && code !== 'NOT_READY')) return null
  if (seconds >= 1 && seconds <= SOON_SECONDS) return [seconds * 1000, UPDATE_MS]
  return headers.get('x-svc-retryable') === 'true' ? [Math.min(FIRST_MS * 2 ** tries, LONGEST_MS), START_MS] : null
}

/** Ends early with the signal. */
const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })

/**
 * The raw response, for streams and audio. While the studio or its engines start, and during an update, the answer is waited for; with `held`
 * also while the queue is full.
 * Throws ApiError, or the reason of an abort.
 */
export async function request(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  {
    body,
    form,
    headers = {},
    signal,
    held,
  }: { body?: unknown; form?: FormData; headers?: Record<string, string>; signal?: AbortSignal; held?: Held } = {},
) {
  const init: RequestInit = { method, headers: { 'x-svc-csrf': '1', ...headers } }
  if (signal) init.signal = signal
  if (form) init.body = form
  else if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { ...init.headers, 'content-type': 'application/json' }
  }
  // What this starts may fail later, in a frame of a stream.
  if (method !== 'GET') void loadServerTexts()
  const began = performance.now()
  let response: Response
  let answer: unknown
  const isOver = () => signal?.aborted || held?.signal.aborted
  // A request that may change something is sent once: after a restart rather than into the gap.
  while (method !== 'GET' && navigator.onLine && performance.now() < lostUntil && !isOver()) {
    if (await fetch(at('/live')).catch(() => null)) break
    await pause(FIRST_MS, signal)
  }
  for (let tries = 0; ; tries += 1) {
    try {
      response = await fetch(at(path), init)
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new ApiError(0, strings.unreachable, cause, strings.unreachableHint)
    }
    if (response.ok) return response
    answer = await response.json().catch(() => ({}))
    const again = repeated({ method, response, answer, tries }, held !== undefined)
    if (!again || performance.now() - began > again[1] || isOver()) break
    held?.onHeld(String(fieldOf(answer, 'code')), again[0])
    await pause(again[0], held?.signal ?? signal)
    if (isOver()) break
  }
  const detail = fieldOf(answer, 'detail')
  // The message of a 404 is enough for a person; its hint is for programs.
  const hint = response.status === 404 ? '' : fieldOf(answer, 'hint')
  if (response.status === 401 && NO_CREDENTIAL.includes(detail)) showSignIn()
  await loadServerTexts()
  const sentence = detailText(detail ?? fieldOf(answer, 'error'), response.status)
  const shown = explained(answer, sentence, typeof hint === 'string' ? hint : '')
  throw new ApiError(response.status, shown.message, detail, shown.hint, shown.needs)
}

export const get = async <P extends keyof Gets>(path: P, signal?: AbortSignal): Promise<Gets[P]> =>
  (await request('GET', path, signal ? { signal } : {})).json()

export const post = async <P extends keyof Posts>(path: P, body: Posts[P]['body']): Promise<Posts[P]['reply']> =>
  (await request('POST', path, { body })).json()

export const put = async <P extends keyof Puts>(path: P, body: Puts[P]['body']): Promise<Puts[P]['reply']> =>
  (await request('PUT', path, { body })).json()

export const patch = async <P extends keyof Patches>(path: P, body: Patches[P]['body']): Promise<Patches[P]['reply']> =>
  (await request('PATCH', path, { body })).json()

export const remove = async <P extends keyof Deletes>(path: P): Promise<Deletes[P]> => (await request('DELETE', path)).json()
