// One dub from the file to its tracks, over the HTTP API. Every stage finds what an earlier run of the command has made.
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import type { Environment } from '../command.ts'
import { failureFrom, request } from '../studio/api.ts'
import { isBack, MOST_RESTARTS, uploaded } from '../studio/restart.ts'
import type { DubCalls, FilmLine, StoredDub } from './dub-calls.ts'
import { type DubRequest, requireTranslator } from './dub-request.ts'
import { eventsIn, type StudioEvent, sentenceOfEvent } from './events.ts'
import { filmBody } from './film-upload.ts'
import { type NamedLanguage, nameOfLanguage } from './languages.ts'
import { countedLines, type Remarks } from './remarks.ts'
import type { StageLine, Stages } from './stages.ts'

const LOOK_MS = 1_000
/** Limit of a generation. */
const MAX_LINES = 5_000
/** Lines of one request, so that there is progress. */
const TRANSLATED_AT_ONCE = 250
const OVERFLOWS = ['overflows', 'overflow_trimmed']
export const MISSING = 'could not be spoken'
export const UNTRANSLATED = 'kept the original words'
export const LATE = 'do not fit: they are cut, or end late'

type Deps = {
  readonly env: Environment
  readonly calls: DubCalls
  readonly stages: Stages
  readonly remarks: Remarks
  readonly signal: AbortSignal
}

/** Shows the progress of a job that has no events of its progress. */
async function watch(calls: DubCalls, jobId: string, stage: StageLine, until: AbortSignal): Promise<void> {
  try {
    for (;;) {
      stage.at(await calls.progressOf(jobId))
      await systemClock.sleep(LOOK_MS, until)
    }
  } catch {
    // The events say how it ended.
  }
}

export function createDubRun({ env, calls, stages, remarks, signal }: Deps) {
  /** Runs until the job ends, also over restarts of the studio, in which the job goes on. Throws how it failed. */
  async function follow(path: string, stage: StageLine, jobId: string | null, look: (event: StudioEvent) => void): Promise<void> {
    const ended = new AbortController()
    if (jobId !== null) void watch(calls, jobId, stage, AbortSignal.any([ended.signal, signal]))
    let last = ''
    const noteId = (id: string) => {
      last = id
    }
    try {
      for (let left = MOST_RESTARTS; left >= 0; left--) {
        for await (const event of eventsIn(await calls.open(path, signal, last), noteId)) {
          left = MOST_RESTARTS
          look(event)
          if (event.type === 'warning') remarks.add(sentenceOfEvent(event))
          if (event.type === 'routing_notice') remarks.add(sentenceOfEvent(event))
          if (['cancelled', 'aborted'].includes(event.type)) throw new Failure('CANCELLED', 'The dub was cancelled in the studio.')
          if (event.type === 'error' && event['segment'] === undefined) throw new Failure('UNKNOWN', sentenceOfEvent(event))
          if (['done', 'ready'].includes(event.type)) return
        }
        if (!(await isBack(env, signal))) break
      }
    } finally {
      ended.abort()
    }
    throw new Failure('NOT_READY', 'The studio closed the connection. Run the same command again to continue.')
  }
  async function upload({ path, size, inputType }: DubRequest): Promise<string> {
    const stage = stages.begin('Upload')
    const fields = { job_id: calls.id, input_type: inputType }
    const stream = () => filmBody({ path, size, fields }, (sent) => stage.at(sent / size))
    const response = await request(env, { method: 'POST', path: '/dub/upload', stream, signal })
    if (response.statusCode !== 202) {
      const failure = await failureFrom(env, response)
      // The studio may have answered before the end of the film. After the end there may be no socket any more.
      response.socket?.destroy()
      throw failure
    }
    response.resume()
    stage.end(shortBytes(size))
    return `prep_${calls.id}`
  }

  return {
    /** Sends the film unless it is there, and waits until its sound is extracted. */
    async ready(asked: DubRequest): Promise<StoredDub | null> {
      const preparation = async () => (await calls.running()).find((job) => job === `prep_${calls.id}`)
      const prep = await preparation()
      const before = prep === undefined ? await calls.stored() : null
      if (before !== null && before.audio_path !== null) {
        stages.say('The studio has this film already: continuing where the last run ended.')
        for (const event of await calls.warnings()) remarks.add(sentenceOfEvent(event))
        return before
      }
      // One whose answer was lost is being prepared already.
      const send = async () => (await preparation()) ?? (await upload(asked))
      const job = prep ?? (await uploaded(env, send, signal))
      if (prep !== undefined) stages.say('The studio is preparing this film already.')
      const stage = stages.begin('Preparation')
      await follow(calls.eventsOf(job), stage, job, () => {})
      stage.end('sound and cuts')
      return await calls.stored()
    },

    async lines({ speakers }: DubRequest, known: StoredDub | null): Promise<{ lines: FilmLine[]; source: string }> {
      const isTranscribing = (await calls.running()).some((job) => job.startsWith('asr_'))
      if (!isTranscribing && known?.segments) return { lines: known.segments, source: known.source_lang }
      const stage = stages.begin('Transcription')
      const lost = new Set<unknown>()
      let lines: FilmLine[] = []
      let source = ''
      await follow(calls.transcription(speakers), stage, null, (event) => {
        if (event.type === 'segments') {
          if (event['error']) lost.add(event['progress'])
          stage.at(Number(event['progress']))
        } else if (event.type === 'final') {
          lines = event['segments'] as FilmLine[]
          source = String(event['source_lang'])
        }
      })
      if (lost.size > 0)
        remarks.add(
          `The speech of ${lost.size} part${lost.size === 1 ? '' : 's'} of the film was not recognised. Those parts are not dubbed.`,
        )
      stage.end(countedLines(lines.length))
      return { lines, source }
    },

    /** One text for each line. */
    async translate(lines: readonly FilmLine[], source: string, { code, name }: NamedLanguage): Promise<string[]> {
      const stage = stages.begin(`Translation to ${name}`)
      await requireTranslator(env, source, code, signal)
      const texts: string[] = []
      for (let at = 0; at < lines.length; at += TRANSLATED_AT_ONCE) {
        const some = lines.slice(at, at + TRANSLATED_AT_ONCE)
        stage.at(at === 0 ? null : at / lines.length)
        const segments = some.map(({ id, text, start, end }) => ({ id: String(id), text, start, end }))
        const reply = await calls.translate({ segments, source_lang: source, target_lang: code, job_id: calls.id }, signal)
        for (const notice of reply.notices ?? []) remarks.add(notice)
        const byId = new Map(reply.translated.map((row) => [row.id, row]))
        for (const { id, text, start } of some) {
          const row = byId.get(String(id))
          if (row === undefined || row.error !== undefined) remarks.addLine(UNTRANSLATED, { start, text, why: row?.error ?? '' })
          texts.push(row?.text ?? text)
        }
      }
      stage.end(`from ${nameOfLanguage(source)}, ${countedLines(lines.length)}`)
      return texts
    },

    /** Speaks and fits all lines. */
    async speak(
      lines: readonly FilmLine[],
      texts: readonly string[],
      { code, name }: NamedLanguage,
      voice: string,
      { strategy }: DubRequest,
    ) {
      if (lines.length > MAX_LINES)
        throw new Failure('BAD_REQUEST', `The film has ${lines.length} lines, and a dub has at most ${MAX_LINES}. Cut the film into parts.`)
      for (const job of (await calls.running()).filter((one) => one.startsWith('dub_'))) {
        stages.say('Another generation of this dub is running: waiting for its end.')
        const other = stages.begin('Waiting')
        await follow(calls.eventsOf(job), other, job, () => {})
        other.end('done')
      }
      const stage = stages.begin(`Speech in ${name}`)
      const segments = lines.map(({ id, start, end, speaker_id }, at) => ({
        ...{ id, start, end, text: texts[at]!, profile_id: voice },
        ...(speaker_id !== '' && { speaker_id }),
      }))
      const job = await calls.generate({ segments, language: name, language_code: code, timing_strategy: strategy }, signal)
      await follow(calls.eventsOf(job), stage, null, (event) => {
        const line = typeof event['segment'] === 'number' ? event['segment'] : null
        const remark = (at: number, why: string) => ({ start: lines[at]?.start ?? 0, text: texts[at] ?? '', why })
        if (event.type === 'progress') stage.at((Number(event['current']) + 1) / Number(event['total']), String(event['text'] ?? ''))
        else if (event.type === 'assembling') stage.at(1, 'joining the lines')
        else if (event.type === 'error' && line !== null) remarks.addLine(MISSING, remark(line, sentenceOfEvent(event)))
        else if (event.type === 'done')
          for (const [at, fit] of ((event['fit_status'] ?? []) as { status: string; overflow_s?: number }[]).entries())
            if (OVERFLOWS.includes(fit.status)) remarks.addLine(LATE, remark(at, ''))
      })
      stage.end(countedLines(lines.length))
    },
  }
}
