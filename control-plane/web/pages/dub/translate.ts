// Translates the lines of a dub in parts, so that there is progress, and so that what is done stays when it is stopped.
import type { TranslatedEvent } from '#control-plane/features/dubbing/lines/transcribe/transcribe-events.schema.ts'
import { post } from '#control-plane/web/lib/api.ts'
import type { Draft, Line, StoredDub } from './lines.ts'
import { own } from './lines.ts'

const AT_ONCE = 40

/** Lines whose text was changed since the request keep it. `lines`: as they were at the request */
export function withTranslations(
  draft: Draft,
  code: string,
  rows: Awaited<ReturnType<typeof part>>['translated'],
  lines: readonly Line[],
): Draft {
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
    const room = plan?.available_s || line.room
    if (plan && room > 0) estimates[id] = { ratio: plan.est_dur_s / room, room, chars: text.length, shorter: plan.suggested_text ?? '' }
  }
  return {
    ...draft,
    texts: { ...draft.texts, [code]: texts },
    estimates: { ...draft.estimates, [code]: estimates },
    errors: { ...draft.errors, [code]: errors },
  }
}

/** The draft with what a job of the studio said about its translations: how long lines take, and why some have none. Pure. */
export function withTranslated(draft: Draft, { segments_i18n: stored }: StoredDub, events: readonly TranslatedEvent[]): Draft {
  const [estimates, errors] = [{ ...draft.estimates }, { ...draft.errors }]
  for (const { language, lines } of events)
    for (const { id, seconds, error } of lines) {
      const text = own(own(stored, language), id)
      // What was translated since is newer.
      if (own(own(draft.texts, language), id) !== undefined) continue
      if (error !== undefined && text === undefined) errors[language] = { ...errors[language], [id]: error }
      if (seconds !== undefined && text !== undefined && own(own(draft.estimates, language), id) === undefined)
        estimates[language] = { ...estimates[language], [id]: { ratio: seconds, room: 1, chars: text.length, shorter: '' } }
    }
  return { ...draft, estimates, errors }
}

const part = (id: string, lines: readonly Line[], from: string, code: string) =>
  post('/dub/translate', {
    segments: lines.map((line) => ({ id: line.id, text: line.source, start: line.start, end: line.end, slot_seconds: line.room })),
    source_lang: from,
    target_lang: code,
    job_id: id,
  })

export async function translateLines({
  id,
  lines,
  from,
  code,
  signal,
  onPart,
}: {
  /** id of the dub */
  id: string
  lines: readonly Line[]
  /** language of the film; '' when it is not known */
  from: string
  /** code of the target */
  code: string
  signal: AbortSignal
  onPart: (change: (draft: Draft) => Draft, share: number, notices: readonly string[]) => void
}) {
  for (let at = 0; at < lines.length && !signal.aborted; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE)
    const { translated, notices = [] } = await part(id, some, from, code)
    if (signal.aborted) return
    onPart((draft) => withTranslations(draft, code, translated, some), Math.min(1, (at + AT_ONCE) / lines.length), notices)
  }
}
