// The one way to the studio: its documented routes. A failure carries the words that the studio chose for people.

export class ApiError extends Error {
  /** @param {number} status 0 when the studio could not be reached @param {unknown} detail @param {string} hint what to do */
  constructor(status, message, detail, hint = '') {
    super(message)
    this.status = status
    this.detail = detail
    this.hint = hint
  }
}

const said = (detail, status) => {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detail.map(({ loc, msg }) => `${(loc ?? []).slice(1).join('.')}: ${msg}`).join('; ')
  if (detail && typeof detail === 'object') return detail.message ?? detail.error?.message ?? JSON.stringify(detail)
  return `the studio answered ${status}`
}

/** The response as it is, for streams and sounds. Throws ApiError. */
export async function ask(method, path, { body, form, signal } = {}) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  let response
  try {
    response = await fetch(path, { method, headers, body: form ?? (body === undefined ? undefined : JSON.stringify(body)), signal })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, 'the studio cannot be reached; is it still running?', cause)
  }
  if (response.ok) return response
  const answer = await response.json().catch(() => ({}))
  throw new ApiError(response.status, said(answer.detail ?? answer.error, response.status), answer.detail, answer.hint)
}

const json = async (method, path, more) => (await ask(method, path, more)).json()
export const get = (path, signal) => json('GET', path, { signal })
export const post = (path, body = {}, signal) => json('POST', path, { body, signal })
export const put = (path, body) => json('PUT', path, { body })
export const patch = (path, body) => json('PATCH', path, { body })
export const remove = (path) => json('DELETE', path)
