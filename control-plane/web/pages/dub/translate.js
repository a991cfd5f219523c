// @ts-check
// Translates the lines of a dub in parts, so that there is progress, and so that what is done stays when it is stopped.
import { post } from '../../lib/api.js'
import { own } from './lines.js'

/** @import { Draft, Line } from './lines.js' */

const AT_ONCE = 40

/** Lines whose text was changed since the request keep it. @param {Draft} draft @param {string} code @param {Awaited<ReturnType<typeof part>>['translated']} rows @param {readonly Line[]} lines as they were at the request @returns {Draft} */
export function withTranslations(draft, code, rows, lines) {
  const texts = { ...draft.texts[code] }
  const estimates = { ...draft.estimates[code] }
  const errors = { ...draft.errors[code] }
  const asked = new Map(lines.map((line) => [line.id, line]))
  for (const { id, text, error, plan } of rows) {
    const line = asked.get(String(id))
    if (line === undefined || (own(own(draft.texts, code), id) ?? line.target) !== line.target) continue
    texts[id] = text
    delete errors[id]
    delete estimates[id]
    if (error !== undefined) errors[id] = error
    const room = plan?.available_s || line.end - line.start
    if (plan && room > 0) estimates[id] = { ratio: plan.est_dur_s / room, room, chars: text.length, shorter: plan.suggested_text ?? '' }
  }
  return {
    ...draft,
    texts: { ...draft.texts, [code]: texts },
    estimates: { ...draft.estimates, [code]: estimates },
    errors: { ...draft.errors, [code]: errors },
  }
}

/** @param {string} id @param {readonly Line[]} lines @param {string} from @param {string} code */
const part = (id, lines, from, code) =>
  post('/dub/translate', {
    segments: lines.map((line) => ({ id: line.id, text: line.source, start: line.start, end: line.end })),
    source_lang: from,
    target_lang: code,
    job_id: id,
  })

/**
 * @param {object} how
 * @param {string} how.id of the dub
 * @param {readonly Line[]} how.lines
 * @param {string} how.from language of the film; '' when it is not known
 * @param {string} how.code of the target
 * @param {AbortSignal} how.signal
 * @param {(change: (draft: Draft) => Draft, share: number, notices: readonly string[]) => void} how.onPart
 */
export async function translateLines({ id, lines, from, code, signal, onPart }) {
  for (let at = 0; at < lines.length && !signal.aborted; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE)
    const { translated, notices = [] } = await part(id, some, from, code)
    if (signal.aborted) return
    onPart((draft) => withTranslations(draft, code, translated, some), Math.min(1, (at + AT_ONCE) / lines.length), notices)
  }
}
