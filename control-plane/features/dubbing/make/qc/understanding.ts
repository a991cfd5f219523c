// Findings of engines in each line of a track. Kept with the dub, so an interrupted check goes on where it was, and a line that has not
// changed is not examined again.
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { DubTrack } from '#control-plane/features/dubbing/store/dub.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { CheckedTrack } from './rules/checked-track.rules.ts'
import { type CheckedSpan, spansOf } from './rules/drift.rules.ts'
import type { Understand } from './understand.ts'

const VERSION = 2
const SAVED_EVERY = 16
const Moment = z.number()
const Finding = z.object({
  text: z.string().nullable(),
  engine: z.string(),
  identified: z.string(),
  measured: z.object({ startUs: Moment, endUs: Moment }).nullable(),
})
export type LineFinding = z.output<typeof Finding>
const Findings = z.record(z.string(), Finding)
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }
type Deps = { readonly core: Pick<DubCore, 'files'>; readonly understand: Understand }

export function createUnderstanding({ core: { files }, understand }: Deps) {
  /** Findings by line. Throws BAD_REQUEST for a track that was removed, and what `Understand.part` throws. */
  return async (dubId: string, track: DubTrack, checked: CheckedTrack, language: string | null, caller: Caller) => {
    const { lines, totalUs } = checked
    const { name } = understand.engines(language)
    const spans = spansOf(lines, totalUs)
    const keyed = lines.map((line) => {
      const span = spans.get(line.id)!
      return { line, span, key: findingKey(line.id, track, checked, span, { language, engines: name }) }
    })
    const store = keyOf({ kind: 'dub.qc', version: VERSION, inputs: [], params: { dub: dubId, language: track.languageCode } })
    const stored = await files.find(store)
    const known = stored ? Findings.parse(JSON.parse(stored.detail)) : {}
    const current = Object.fromEntries(keyed.flatMap(({ key }) => (known[key] ? [[key, known[key]]] : [])))
    const keep = () => files.note(store, { kind: 'check', maker: dubId, detail: JSON.stringify(current) }, dubId)
    const open = keyed.filter(({ key }) => !current[key])
    if (open.length > 0) {
      if (!(await files.find(track.digest))) throw new Failure('BAD_REQUEST', 'The voice track was removed. Generate it again.')
      const sound = await openBlocks(files.pathOf(track.digest))
      try {
        for (const [at, { key, span }] of open.entries()) {
          caller.signal.throwIfAborted()
          current[key] = await understand.part(sound, span, language, caller)
          if (at % SAVED_EVERY === SAVED_EVERY - 1) keep()
        }
      } finally {
        keep()
      }
    }
    return new Map(keyed.map(({ line, key }): [string, LineFinding] => [line.id, current[key]!]))
  }
}

type Engines = { readonly language: string | null; readonly engines: string }

/** Everything that a finding depends on: the sound in its span, and the engines. */
function findingKey(id: string, track: DubTrack, { lines }: CheckedTrack, { fromUs, toUs }: CheckedSpan, engines: Engines): string {
  const sounds = lines
    .filter(({ startUs, lengthUs }) => startUs < toUs && startUs + lengthUs > fromUs)
    .map(({ take, startUs, lengthUs, rate, gainDb }) => [take, startUs - fromUs, lengthUs, rate, gainDb])
  // Without the names of its takes, a track is examined as a whole.
  const whole = sounds.every(([take]) => take !== '') ? '' : track.digest
  return keyOf({
    kind: 'dub.qc.line',
    version: VERSION,
    inputs: [whole],
    params: { id, sounds, length: toUs - fromUs, at: whole === '' ? 0 : fromUs, ...engines },
  })
}
