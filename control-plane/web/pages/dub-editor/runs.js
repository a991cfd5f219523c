// @ts-check
// The requests of the editor for one dub (transcribe, translate, speak, check) and their results.
import { messageOf, request } from '../../lib/api.js'
import { useEffect, useRef, useState } from '../../lib/html.js'
import { isSameLanguage } from '../dub/languages.js'
import { own } from '../dub/lines.js'
import { linesToStore, speechRequest } from '../dub/speech.js'
import { translateLines } from '../dub/translate.js'
import { startTranscription } from '../dub/work.js'

/** @import { useDraft } from '../dub/draft.js' */
/** @import { Draft, Line, StoredDub } from '../dub/lines.js' */
/** @import { Work } from '../dub/work.js' */
/**
 * @typedef {object} Editing
 * @property {string} id
 * @property {string} code of the language
 * @property {string} targetName its name
 * @property {StoredDub} stored
 * @property {readonly Line[]} lines
 * @property {Draft} draft
 * @property {ReturnType<typeof useDraft>['change']} change
 * @property {Work} work
 */

/** Of the film, in seconds. @typedef {{ start: number, end: number }} Place */
/** @typedef {{ check: string, checked: number, total: number }} MadeCheck */
/** @typedef {{ total: number, faulty_count: number, checks: readonly MadeCheck[], reasons: readonly string[], speech_without_words: readonly Place[], uncovered: readonly Place[] | null }} CheckResult the fields that are shown */

/** @param {string} id @param {string} code @param {boolean} repair speaks faulty lines again @returns {Promise<CheckResult>} */
async function checkTrack(id, code, repair) {
  const response = await request(
    'POST',
    `/dub/qc/${encodeURIComponent(id)}?${new URLSearchParams({ lang: code, words: 'optional', repair: String(repair) })}`,
  )
  return response.json()
}

/** @param {Editing} editing */
export function useRuns({ id, code, targetName, stored, lines, draft, change, work }) {
  const [translating, setTranslating] = useState(/** @type {number | null} */ (null))
  const [notices, setNotices] = useState(/** @type {readonly string[]} */ ([]))
  const [error, setError] = useState('')
  const [check, setCheck] = useState(/** @type {CheckResult | null} */ (null))
  const translation = useRef(new AbortController())
  /** The lines that are being spoken. */
  const spoken = useRef(/** @type {{ code: string, lines: readonly Line[] } | null} */ (null))
  const stopTranslation = () => translation.current.abort()
  useEffect(() => stopTranslation, [])

  const doing = async (/** @type {() => Promise<unknown>} */ act) => {
    setError('')
    try {
      await act()
    } catch (failure) {
      setError(messageOf(failure))
    }
  }
  const transcribe = (/** @type {string} */ count) => doing(() => startTranscription(id, count).then(work.again))
  const importSubtitles = (/** @type {File} */ file) =>
    doing(async () => {
      const form = new FormData()
      form.append('file', file)
      await request('POST', `/dub/import-srt/${encodeURIComponent(id)}`, { form })
      await work.again()
    })
  const translate = (/** @type {readonly Line[]} */ open) =>
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
      const onPart = (/** @type {(draft: Draft) => Draft} */ next, /** @type {number} */ share, /** @type {readonly string[]} */ more) => {
        change(next, step)
        setTranslating(share)
        setNotices((all) => [...new Set([...all, ...more])])
      }
      try {
        await translateLines({ id, lines: open, from: stored.source_lang, code, signal: abort.signal, onPart })
      } finally {
        setTranslating(null)
      }
    })
  /** Until the job is known, a second press would start a second one. */
  const isSending = useRef(false)
  const speak = async (/** @type {readonly string[] | null} */ again) => {
    if (isSending.current) return
    isSending.current = true
    await doing(() => sendLines(again))
    isSending.current = false
  }
  const sendLines = async (/** @type {readonly string[] | null} */ again) => {
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
  const runCheck = (/** @type {boolean} */ repair) =>
    doing(async () => {
      setCheck(await checkTrack(id, code, repair))
      await work.again()
    })

  return {
    ...{ translating, notices, error, check, spoken, transcribe, importSubtitles, translate, speak, runCheck, stopTranslation },
    closeCheck: () => setCheck(null),
  }
}
