// The requests of the editor for one dub (transcribe, translate, speak, check) and their results.
import { ApiError, messageOf, request } from '#control-plane/web/lib/api.ts'
import type { NeedEntry, Posts } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import type { useDraft } from '../dub/draft.ts'
import { isSameLanguage } from '../dub/languages.ts'
import type { Draft, Line, StoredDub } from '../dub/lines.ts'
import { own } from '../dub/lines.ts'
import { linesToStore, speechRequest } from '../dub/speech.ts'
import type { Work } from '../dub/work.ts'
import { type Encoding, subtitleForm } from '../tools/subtitle-form.ts'

export type Editing = {
  id: string
  /** code of the language */
  code: string
  /** its name */
  targetName: string
  stored: StoredDub
  lines: readonly Line[]
  draft: Draft
  change: ReturnType<typeof useDraft>['change']
  work: Work
}

/** Place in the film, in seconds. */
export type Place = { start: number; end: number }
export type MadeCheck = { check: string; checked: number; total: number }
/** the fields that are shown */
export type CheckResult = {
  total: number
  faulty_count: number
  checks: readonly MadeCheck[]
  needs: readonly NeedEntry[]
  speech_without_words: readonly Place[]
  uncovered: readonly Place[] | null
}

/** Lines that came from a file. `read`: the file again in another encoding. */
export type Imported = {
  readonly file: File
  readonly encoding: Encoding | null
  readonly notices: readonly string[]
  readonly read: (encoding: Encoding) => Promise<void>
}

/** `repair`: speaks faulty lines again */
async function checkTrack(id: string, code: string, repair: boolean): Promise<CheckResult> {
  const response = await request(
    'POST',
    `/dub/qc/${encodeURIComponent(id)}?${new URLSearchParams({ lang: code, words: 'optional', repair: String(repair) })}`,
  )
  return response.json()
}

export function useRuns({ id, code, targetName, stored, lines, draft, change, work }: Editing) {
  const [translating, setTranslating] = useState<number | null>(null)
  const [notices, setNotices] = useState<readonly string[]>([])
  const [error, setError] = useState('')
  const [need, setNeed] = useState<NeedEntry | null>(null)
  const [check, setCheck] = useState<CheckResult | null>(null)
  const [imported, setImported] = useState<Imported | null>(null)
  const translation = useRef(new AbortController())
  /** The lines that are being spoken. */
  const spoken = useRef<{ code: string; lines: readonly Line[] } | null>(null)
  const stopTranslation = () => translation.current.abort()
  useEffect(() => stopTranslation, [])

  const doing = async (act: () => Promise<unknown>) => {
    setError('')
    setNeed(null)
    try {
      await act()
    } catch (failure) {
      if (failure instanceof ApiError && failure.needs) setNeed(failure.needs)
      else setError(messageOf(failure))
    }
  }
  const importSubtitles = (file: File, chosen: Encoding | null = null): Promise<void> =>
    doing(async () => {
      const response = await request('POST', `/dub/import-srt/${encodeURIComponent(id)}`, { form: subtitleForm(file, chosen) })
      const { encoding, notices: remarks }: Posts[`/dub/import-srt/${string}`]['reply'] = await response.json()
      setImported({ file, encoding, notices: remarks, read: (other) => importSubtitles(file, other) })
      await work.again()
    })
  const translate = (open: readonly Line[]) =>
    doing(async () => {
      if (isSameLanguage(stored.source_lang, code)) {
        const texts = Object.fromEntries(open.map((line) => [line.id, line.source]))
        return change((now) => ({ ...now, texts: { ...now.texts, [code]: { ...own(now.texts, code), ...texts } } }), '')
      }
      const abort = new AbortController()
      const step = `translation ${Date.now()}`
      setNotices([])
      translation.current = abort
      setTranslating(0)
      const onPart = (next: (draft: Draft) => Draft, share: number, more: readonly string[]) => {
        change(next, step)
        setTranslating(share)
        setNotices((all) => [...new Set([...all, ...more])])
      }
      try {
        const { translateLines } = await import('../dub/translate.ts')
        await translateLines({ id, lines: open, from: stored.source_lang, code, signal: abort.signal, onPart })
      } finally {
        setTranslating(null)
      }
    })
  /** Until the job is known, a second press would start a second one. */
  const isSending = useRef(false)
  const speak = async (again: readonly string[] | null) => {
    if (isSending.current) return
    isSending.current = true
    await doing(() => sendLines(again))
    isSending.current = false
  }
  const sendLines = async (again: readonly string[] | null) => {
    // Exports and the check read the lines of the studio.
    const segments = linesToStore(stored, lines)
    if (segments) await request('PUT', `/dub/segments/${encodeURIComponent(id)}`, { body: { segments } })
    const body = speechRequest(lines, { code, name: targetName, strategy: draft.strategy, again })
    const { substitute, task_id: job } = await (await request('POST', `/dub/generate/${encodeURIComponent(id)}`, { body })).json()
    setNotices(substitute ? [substitute] : [])
    setCheck(null)
    spoken.current = { code, lines }
    const texts = Object.fromEntries(lines.map(({ id, target }) => [id, target]))
    change((now) => ({ ...now, sent: { job, code, texts, changed: own(draft.changed, code) ?? [] } }))
    await work.again()
  }
  const runCheck = (repair: boolean) =>
    doing(async () => {
      setCheck(await checkTrack(id, code, repair))
      await work.again()
    })

  return {
    ...{ translating, notices, error, need, check, spoken, importSubtitles, translate, speak, runCheck, stopTranslation },
    closeCheck: () => setCheck(null),
    // Another encoding would replace the lines that were translated.
    imported: lines.every((line) => line.target === '') ? imported : null,
    closeImported: () => setImported(null),
  }
}
