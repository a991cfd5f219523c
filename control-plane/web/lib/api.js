// @ts-check
// Calls of the studio's documented routes. A failure carries the message and the hint that the server wrote for people.
import { at } from '../at.js'
import { strings } from './strings.js'

/** @import { Deletes, Gets, Patches, Posts, Puts } from './api-types.ts' */

export class ApiError extends Error {
  /**
   * @param {number} status 0 when the studio could not be reached
   * @param {string} message
   * @param {unknown} detail
   * @param {string} hint what to do; may be empty
   */
  constructor(status, message, detail, hint = '') {
    super(message)
    this.status = status
    this.detail = detail
    this.hint = hint
  }
}

/** The end of a sentence, also within quotes or brackets. */
const ENDED = /[.!?…。！？][)\]"'”’»]*$/u
/** What happened, and what to do: a message without a full stop would run into the hint. @param {string} message @param {string} hint */
export const withHint = (message, hint) => (hint === '' ? message : `${message}${ENDED.test(message) ? '' : '.'} ${hint}`)
/** The message of a 404 is enough for a person; its hint is for programs. @param {unknown} error */
export function messageOf(error) {
  if (!(error instanceof Error)) return String(error)
  return error instanceof ApiError && error.status !== 404 ? withHint(error.message, error.hint) : error.message
}

/** @param {unknown} value @param {string} name @returns {unknown} */
const fieldOf = (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined)

/** @param {unknown} problem one entry of a validation list */
function problemText(problem) {
  const place = fieldOf(problem, 'loc')
  return `${Array.isArray(place) ? place.slice(1).join('.') : ''}: ${fieldOf(problem, 'msg')}`
}

/** @param {unknown} detail @param {number} status */
function detailText(detail, status) {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.map(problemText).join('; ')
  if (!detail) return strings.httpStatus(status)
  return String(fieldOf(detail, 'message') ?? fieldOf(fieldOf(detail, 'error'), 'message') ?? JSON.stringify(detail))
}

/** Details of a 401 for a missing credential, of the studio and of its port for the local network; another 401 concerns another machine. */
const NO_CREDENTIAL = /** @type {readonly unknown[]} */ (['API key required', 'PIN required'])
/** The sign-in has ended: the studio now answers this address with the sign-in page. */
function showSignIn() {
  sessionStorage.setItem('voice-studio-signed-out', '1')
  location.reload()
}

/**
 * The raw response, for streams and audio. Throws ApiError, or the reason of an abort.
 * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} path
 * @param {{ body?: unknown, form?: FormData, headers?: Record<string, string>, signal?: AbortSignal }} [options]
 */
export async function request(method, path, { body, form, headers = {}, signal } = {}) {
  /** @type {RequestInit} */
  const init = { method, headers: { 'x-svc-csrf': '1', ...headers } }
  if (signal) init.signal = signal
  if (form) init.body = form
  else if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { ...init.headers, 'content-type': 'application/json' }
  }
  let response
  try {
    response = await fetch(at(path), init)
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, strings.unreachable, cause, strings.unreachableHint)
  }
  if (response.ok) return response
  /** @type {unknown} */
  const answer = await response.json().catch(() => ({}))
  const detail = fieldOf(answer, 'detail')
  const hint = fieldOf(answer, 'hint')
  if (response.status === 401 && NO_CREDENTIAL.includes(detail)) showSignIn()
  throw new ApiError(
    response.status,
    detailText(detail ?? fieldOf(answer, 'error'), response.status),
    detail,
    typeof hint === 'string' ? hint : '',
  )
}

/** @template {keyof Gets} P @param {P} path @param {AbortSignal} [signal] @returns {Promise<Gets[P]>} */
export const get = async (path, signal) => (await request('GET', path, signal ? { signal } : {})).json()

/** @template {keyof Posts} P @param {P} path @param {Posts[P]['body']} body @returns {Promise<Posts[P]['reply']>} */
export const post = async (path, body) => (await request('POST', path, { body })).json()

/** @template {keyof Puts} P @param {P} path @param {Puts[P]['body']} body @returns {Promise<Puts[P]['reply']>} */
export const put = async (path, body) => (await request('PUT', path, { body })).json()

/** @template {keyof Patches} P @param {P} path @param {Patches[P]['body']} body @returns {Promise<Patches[P]['reply']>} */
export const patch = async (path, body) => (await request('PATCH', path, { body })).json()

/** @template {keyof Deletes} P @param {P} path @returns {Promise<Deletes[P]>} */
export const remove = async (path) => (await request('DELETE', path)).json()
