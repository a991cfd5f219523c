// @ts-check
// The editor of one dub: its steps, the table of its lines, and what is played beside it.

import { cancelJob, isActive } from '../../frame/job.js'
import { messageOf, request } from '../../lib/api.js'
import { Field, fieldValue } from '../../lib/controls.js'
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'
import { notify } from '../../lib/notices.js'
import { Icon } from '../../look/icons.js'
import { useIsPhone } from '../../look/windowed.js'
import { useDraft } from '../dub/draft.js'
import { isSameLanguage, LANGUAGES, languageName } from '../dub/languages.js'
import { filtered, linesOf, moment, needsReview, own, speakersOf } from '../dub/lines.js'
import { useLineSound } from '../dub/sound.js'
import { linesToStore, speechFor, speechRequest } from '../dub/speech.js'
import { afterRun, withoutStored } from '../dub/stored.js'
import { strings } from '../dub/strings.js'
import { translateLines } from '../dub/translate.js'
import { startTranscription, useWork } from '../dub/work.js'
import { movedEdge } from '../dub-timeline/view.js'
import { Bar, useAnnounced, useEditKeys } from './bar.js'
import { CheckNote, checkTrack } from './check.js'
import { Export, Voices } from './dialogs.js'
import { canJoin, canSplit, insertLine, joinLines, nextOf, roomFor, splitLine, withEdit, withText, withVoice } from './edits.js'
import { Glossary } from './glossary.js'
import { markedAfter, rebased, typingStep } from './history.js'
import { Film, LineDetails } from './inspector.js'
import { shuttleFilm } from './shuttle.js'
import { Next, Steps } from './steps.js'
import { LineTable } from './table.js'

/** @import { CheckResult } from './check.js' */
/** @import { Draft, Edit, Line } from '../dub/lines.js' */
/** @import { DubRow, Work } from '../dub/work.js' */
/** @typedef {{ id: string, query: URLSearchParams }} Props */

const OwnTimeline = whenOpened(() => import('../dub-timeline/timeline.js').then(({ Timeline }) => Timeline), { isQuiet: true })
/** How many tints the style sheet has for speakers. */
const TINTS = 8
const STRATEGIES = /** @type {const} */ (['concise', 'smart_fit', 'stretch_video', 'strict_slot'])

/** Keeps the language and the line in the address, without a new entry in the history of the browser. @param {string} id @param {string} lang @param {string} line */
function keepAddress(id, lang, line) {
  const choices = new URLSearchParams({ ...(lang && { lang }), ...(line && { line }) }).toString()
  history.replaceState(null, '', `#/dub/${encodeURIComponent(id)}${choices ? `?${choices}` : ''}`)
}

/** Where the text of a line is split: the place of the caret in it; null without one. @param {Line} line */
function caretOf(line) {
  const field = document.querySelector(line.target === '' ? '.line-details textarea' : '.dub-rows [aria-current="true"] textarea')
  return field instanceof HTMLTextAreaElement && field.selectionStart > 0 ? field.selectionStart : null
}

const newLineId = () => `n${crypto.randomUUID().slice(0, 8)}`

/** @param {Props} props */
export function Editor({ id, query }) {
  const work = useWork(id)
  if (work.row === null || work.stored === null || work.stored.audio_path === null)
    return html`<div class="dub-editor"><a class="back" href="#/dub">${strings.allDubs}</a>
      ${work.error && html`<p class="callout bad text" role="alert">${work.error}</p>`}
      ${work.isMissing && work.job?.status !== 'failed' && html`<p class="callout bad" role="alert">${strings.missing}</p>`}
      <${Preparing} work=${work} /></div>`
  return html`<${Lines} id=${id} query=${query} work=${work} row=${work.row} />`
}

/** Before the sound of the film is there. @param {{ work: Work }} props */
const Preparing = ({ work }) => {
  const name = work.row?.filename ?? ''
  return html`${name && html`<h2 class="text" dir="auto">${name}</h2>`}
    ${work.stage && work.job && html`<${Next} kind="running" stage=${work.stage} job=${work.job} onStop=${() => work.job && cancelJob(work.job.id)} />`}
    ${!work.stage && (work.row || work.job?.status === 'failed') && html`<p class="callout bad text" role="alert"><strong>${strings.notPrepared}</strong> ${work.report.remarks.join(' ') || work.job?.error} <a href="#/dub">${strings.newDub}</a></p>`}`
}

/** @param {Props & { work: Work, row: DubRow }} props */
function Lines({ id, query, work, row }) {
  const stored = /** @type {NonNullable<Work['stored']>} */ (work.stored)
  const { draft, change, undoing: quietly, isLost } = useDraft(id)
  const { undoing, said, say } = useAnnounced(quietly)
  const code = draft.target || (query.get('lang') ?? '') || row.language_code.replace(/^und$/, '')
  const [selected, select] = useState(query.get('line') ?? '')
  const [filter, setFilter] = useState({ find: '', speaker: '', onlyReview: false })
  const [opened, setOpened] = useState(/** @type {'' | 'voices' | 'glossary' | 'export'} */ (''))
  const [track, setTrack] = useState(own(stored.dubbed_tracks, code) === undefined ? '' : code)
  const [translating, setTranslating] = useState(/** @type {number | null} */ (null))
  const [notices, setNotices] = useState(/** @type {readonly string[]} */ ([]))
  const [error, setError] = useState('')
  const [check, setCheck] = useState(/** @type {CheckResult | null} */ (null))
  const translation = useRef(new AbortController())
  /** The lines that are being spoken. */
  const spoken = useRef(/** @type {{ code: string, lines: readonly Line[] } | null} */ (null))
  const media = useRef(/** @type {HTMLMediaElement | null} */ (null))
  const isPhone = useIsPhone()
  const targetName = code ? languageName(code) : strings.translation
  const sourceName = stored.source_lang ? languageName(stored.source_lang) : strings.original
  const lines = useMemo(() => linesOf(stored, draft, code), [stored, draft, code])
  const speakers = useMemo(() => speakersOf(lines), [lines])
  const shown = useMemo(() => filtered(lines, filter), [lines, filter])
  const { sounding, play } = useLineSound(id, { code, name: code ? targetName : 'Auto', order: stored.seg_order ?? [] })
  const isSpoken = own(stored.dubbed_tracks, code) !== undefined
  const isRefit = isSpoken && (own(stored.fit_plans, code)?.strategy ?? draft.strategy) !== draft.strategy
  const reviews = lines.filter(needsReview).length
  useEffect(() => keepAddress(id, code, selected), [code, selected])
  useEffect(() => () => translation.current.abort(), [])

  const speaker = (/** @type {string} */ one) => {
    const at = Math.max(0, speakers.indexOf(one))
    return { name: own(draft.names, one) || one || strings.speakerNumber(at + 1), tint: (at % TINTS) + 1 }
  }
  const doing = async (/** @type {() => Promise<unknown>} */ act) => {
    setError('')
    try {
      await act()
    } catch (failure) {
      setError(messageOf(failure))
    }
  }
  const editText = (/** @type {Line} */ line, /** @type {string} */ text) =>
    change((now) => withText(now, code, line.id, text), typingStep(`${code} ${line.id}`, line.target, text))
  const editLine = (/** @type {Line} */ line, /** @type {Edit} */ edit) =>
    change(
      (now) => withEdit(now, stored, line.id, edit),
      edit.source === undefined ? '' : typingStep(`source ${line.id}`, line.source, edit.source),
    )
  const chooseVoice = (/** @type {string} */ one, /** @type {string} */ voice) =>
    change((now) => withVoice(now, stored, one, { voice, lines }), '')
  const chooseLanguage = (/** @type {string} */ next) => {
    translation.current.abort()
    change((now) => ({ ...now, target: next }))
    setTrack(own(stored.dubbed_tracks, next) === undefined ? '' : next)
    setCheck(null)
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

  // Earlier states are differences to what the studio has. At once, before a key can undo.
  const known = useRef(stored)
  useLayoutEffect(() => {
    const last = known.current
    if (last !== stored) undoing.amend((earlier) => rebased(earlier, last, stored))
    known.current = stored
    change((now) => withoutStored(now, stored))
  }, [stored])
  // A new track sounds at once beside the table.
  const before = useRef(work.stage)
  useLayoutEffect(() => {
    if (before.current === 'speak' && work.stage === null && isSpoken) setTrack(code)
    before.current = work.stage
  }, [work.stage, isSpoken])
  const run = draft.sent ? work.jobOf(draft.sent.job) : undefined
  useLayoutEffect(() => {
    if (run === undefined || isActive(run)) return
    const last = spoken.current
    change((now) => afterRun(now, run.status === 'done'))
    if (run.status === 'done' && last) undoing.amend((earlier) => markedAfter(earlier, stored, last.code, last.lines))
  }, [run?.status])

  const seek = (/** @type {Line} */ line) => {
    if (!media.current) return
    media.current.currentTime = line.start
    media.current.play().catch((failure) => notify(messageOf(failure), 'error'))
  }
  const again = (/** @type {Line} */ line) => {
    if (!canAct || !code) return
    const { missing, again } = speechFor(lines, line, isSpoken)
    return missing > 0 ? notify(strings.translateFirst(missing), 'error') : speak(again)
  }
  const current = lines.find((line) => line.id === selected)
  const next = nextOf(lines, selected)
  // While a translation arrives, its lines stay what they are.
  const maySplit = translating === null && canSplit(current, lines.length)
  const mayJoin = translating === null && canJoin(current, next) && next !== undefined && shown.includes(next)
  const split = () => {
    if (!current || !maySplit) return
    const place = { caret: caretOf(current), at: media.current && media.current.currentTime > 0 ? media.current.currentTime : null }
    say(strings.lineSplit)
    change((now) => splitLine(now, stored, current, { code, place, newId: newLineId() }), '')
  }
  const join = () => {
    if (!current || !next || !mayJoin) return
    say(strings.linesJoined)
    change((now) => joinLines(now, stored, current, next), '')
  }
  const setTimes = (/** @type {Line} */ line, /** @type {{ start: number, end: number }} */ times) => {
    say(strings.lineMoved(line.number, moment(times.start), moment(times.end)))
    editLine(line, times)
  }
  const edge = (/** @type {'start' | 'end'} */ which) =>
    current && media.current && setTimes(current, movedEdge(current, which, media.current.currentTime, stored.duration))
  const nudge = (/** @type {number} */ by) => {
    if (!current || current.start + by < 0 || current.end + by > stored.duration) return
    setTimes(current, { start: Number((current.start + by).toFixed(3)), end: Number((current.end + by).toFixed(3)) })
  }
  const insert = () => {
    const at = media.current && media.current.currentTime > 0 ? media.current.currentTime : null
    const room = roomFor(lines, { at, selected, duration: stored.duration, count: lines.length })
    if (!room) return notify(strings.noRoom)
    const newId = newLineId()
    say(strings.lineInserted)
    change((now) => insertLine(now, newId, room), '')
    setFilter({ find: '', speaker: '', onlyReview: false })
    select(newId)
  }
  const giveTo = (/** @type {number} */ number) => {
    const one = speakers[number - 1]
    if (!current || one === undefined || one === current.speaker) return
    say(strings.lineGiven(current.number, speaker(one).name))
    editLine(current, { speaker: one })
  }
  const shuttle = (/** @type {'j' | 'k' | 'l'} */ key) => media.current && shuttleFilm(media.current, key)
  useEditKeys({ ...undoing, split, join, insert, edge, nudge, speak: giveTo, shuttle })
  const failed = work.job?.status === 'failed' ? (work.job.error ?? '') : ''
  const canAct = work.stage === null && translating === null
  const remarks = [...new Set([...notices, ...work.report.remarks])].filter((one) => one !== failed)
  const unspoken = work.report.failed.length
  return html`<div class="dub-editor">
    <div class="row dub-title"><a class="back" href="#/dub">${strings.allDubs}</a><h2 class="text one-line" dir="auto">${row.filename}</h2></div>
    <${Steps} stored=${stored} lines=${lines} isSpoken=${isSpoken} stage=${work.stage} isTranslating=${translating !== null} />
    <${Next} kind=${work.stage ? 'running' : translating !== null ? 'translating' : 'idle'} stage=${work.stage} job=${work.job} share=${translating ?? 0}
      lines=${lines} code=${code} isSame=${isSameLanguage(stored.source_lang, code)} isSpoken=${isSpoken} isRefit=${isRefit}
      onStop=${() => (work.job && work.stage ? cancelJob(work.job.id) : translation.current.abort())} onTranscribe=${transcribe} onImport=${importSubtitles}
      onTranslate=${() => translate(lines.filter((line) => line.source.trim() !== '' && (line.target === '' || line.error !== '')))} onSpeak=${() => speak(null)} onCheck=${() => runCheck(false)} onExport=${() => setOpened('export')} />
    ${work.error && html`<p class="callout bad text" role="alert">${work.error}</p>`}
    ${isLost && html`<p class="callout" role="alert">${strings.notKept}</p>`}
    ${(error || failed) && html`<p class="callout bad text" role="alert"><strong>${error ? '' : strings.didNotFinish}</strong> ${error || failed}</p>`}
    ${unspoken > 0 && html`<p class="callout text" role="status">${strings.unspoken(unspoken)} ${work.report.failed[0]?.why}</p>`}
    ${remarks.map((one) => html`<p key=${one} class="note text"><${Icon} of="note" />${one}</p>`)}
    ${check && html`<${CheckNote} result=${check} canRepair=${canAct} onRepair=${() => runCheck(true)} onReview=${() => setFilter({ ...filter, onlyReview: true })} onClose=${() => setCheck(null)} />`}
    ${
      lines.length > 0 &&
      html`<div class="row dub-tools">
        <${Field} label=${strings.to} look="chip"><select value=${code} onChange=${(/** @type {Event} */ event) => chooseLanguage(fieldValue(event))}>
          <option value="" disabled>${strings.chooseLanguage}</option>
          ${LANGUAGES.map((one) => html`<option key=${one.code} value=${one.code}>${one.name}</option>`)}
          ${code && !LANGUAGES.some((one) => one.code === code) && html`<option value=${code}>${languageName(code)}</option>`}</select><//>
        <${Field} label=${strings.timing} look="chip"><select value=${draft.strategy} onChange=${(/** @type {Event} */ event) => change((now) => ({ ...now, strategy: fieldValue(event) }), '')}>
          ${STRATEGIES.map((one) => html`<option key=${one} value=${one}>${strings.strategies[one]}</option>`)}</select><//>
        <button type="button" onClick=${() => setOpened('voices')}><${Icon} of="voice" />${strings.voices}</button>
        <button type="button" onClick=${() => setOpened('glossary')}><${Icon} of="book" />${strings.glossary}</button>
        ${isSpoken && (isRefit || lines.some((line) => line.state === 'changed' || line.state === 'ready')) && html`<button type="button" onClick=${() => setOpened('export')}><${Icon} of="download" />${strings.export}</button>`}
        <span class="spread"></span>
        ${
          speakers.length > 1 &&
          html`<${Field} label=${strings.speaker} look="chip"><select value=${filter.speaker} onChange=${(/** @type {Event} */ event) => setFilter({ ...filter, speaker: fieldValue(event) })}>
          <option value="">${strings.allSpeakers}</option>${speakers.map((one) => html`<option key=${one} value=${one}>${speaker(one).name}</option>`)}</select><//>`
        }
        ${(reviews > 0 || filter.onlyReview) && html`<button type="button" class=${filter.onlyReview ? 'tint' : ''} aria-pressed=${filter.onlyReview} onClick=${() => setFilter({ ...filter, onlyReview: !filter.onlyReview })}><${Icon} of="warning" />${strings.review(reviews)}</button>`}
        <input type="search" class="find" aria-label=${strings.find} placeholder=${strings.find} value=${filter.find} onInput=${(/** @type {Event} */ event) => setFilter({ ...filter, find: fieldValue(event) })} />
      </div>`
    }
    <div class="dub-work">
      ${
        lines.length > 0
          ? html`<div class="dub-lines"><${LineTable} lines=${shown} selected=${selected} speaker=${speaker} sourceName=${sourceName} targetName=${targetName} language=${code} isWorking=${work.stage === 'speak'}
            sounding=${sounding} on=${{ select, edit: editText, play, seek, again }} />
            <${Bar} undoing=${undoing} canSplit=${maySplit} canJoin=${mayJoin} said=${said} onSplit=${split} onJoin=${join} onInsert=${insert} />
            ${!isPhone && html`<${OwnTimeline.View} id=${id} duration=${stored.duration} lines=${lines} speakers=${speakers} speaker=${speaker} selected=${selected} media=${media} onSelect=${(/** @type {Line} */ line) => select(line.id)} onTimes=${setTimes} />`}</div>`
          : html`<p class="empty">${work.stage === 'transcribe' ? strings.linesComing : strings.noLines}</p>`
      }
      <aside class="dub-side" aria-label=${strings.film}>
        <${Film} id=${id} dub=${stored} track=${track} version=${work.job?.updated_at ?? 0} onTrack=${setTrack} media=${media} />
        ${current ? html`<${LineDetails} key=${current.id} line=${current} speakers=${speakers} nameOf=${(/** @type {string} */ one) => speaker(one).name} canSpeak=${canAct && code !== ''} count=${speechFor(lines, current, isSpoken).count} onEdit=${editLine} onText=${editText} onAgain=${again} />` : lines.length > 0 && html`<p class="soft">${strings.chooseLine}</p>`}
      </aside>
    </div>
    ${
      opened === 'voices' &&
      html`<${Voices} speakers=${speakers} dub=${stored} draft=${draft} speaker=${speaker} lines=${lines} sounding=${sounding} onPlay=${play}
      onName=${(/** @type {string} */ one, /** @type {string} */ name) => change((now) => ({ ...now, names: { ...now.names, [one]: name } }), `name ${one}`)} onVoice=${chooseVoice} onClose=${() => setOpened('')} />`
    }
    ${
      opened === 'glossary' &&
      html`<${Glossary} id=${id} lines=${lines} code=${code} from=${stored.source_lang} canTranslate=${canAct}
      onTranslate=${(/** @type {readonly Line[]} */ some) => void translate(some)} onClose=${() => setOpened('')} />`
    }
    ${opened === 'export' && html`<${Export} id=${id} dub=${stored} code=${code} onClose=${() => setOpened('')} />`}
  </div>`
}
