// Decides what a generation speaks: the voice, text and key of each line, which takes exist already, and the groups of the others. The plan is
// kept, so that the work goes on with it after a restart.

import { z } from 'zod'
import type { PronunciationApi } from '#control-plane/features/base/pronunciation/api.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub, DubTake } from '#control-plane/features/dubbing/store/dub.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { withoutReactions } from '#shared/text/script/reactions.ts'
import { foreignWords, omittedWords } from '#shared/text/scripts.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import type { DubCasting, DubVoice, VoiceRequest } from './casting.service.ts'
import { autoSpeaker, type DubManifest, isAutomatic, isSilentLine, type RequestedLine } from './manifest.ts'
import { type Groupable, groupLines, guessedSeconds, seedOfTake, takeKey, takeNumber } from './takes.rules.ts'

const Planned = z.object({
  /** Index of its line in the manifest. */
  line: z.int(),
  voice: z.int(),
  key: z.string(),
  seed: z.int(),
  /** Text for the engine. */
  text: z.string(),
  speed: z.number(),
})
export type PlannedTake = z.output<typeof Planned>
export const SpeakPlan = z.object({
  voices: z.array(z.custom<DubVoice>((value) => typeof value === 'object' && value !== null)),
  /** Lines with sound, in the order of the manifest. */
  takes: z.array(Planned),
  /** Indexes of `takes` that are not there yet. */
  groups: z.array(z.array(z.int())),
  /** Lines that cannot be spoken: their index, and why. */
  failed: z.array(z.object({ line: z.int(), why: z.string() })),
  /** Sentences for the listener; `routing` about what answers, and where. */
  notices: z.array(z.string()),
  routing: z.array(z.string()),
})
export type SpeakPlan = z.output<typeof SpeakPlan>
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files'>
  readonly casting: DubCasting
  readonly pronunciation: Pick<PronunciationApi, 'speaker'>
}
/** Lines between two turns of the event loop: each computes two or more keys. */
const LINES_A_TURN = 20
const KEYS_A_TURN = 500
/** Lines whose voice is not known are reported one by one; these end the whole generation. */
const FATAL: ReadonlySet<string> = new Set(['NO_CAPABLE_WORKER', 'MODEL_NOT_DOWNLOADED', 'STORAGE_FULL', 'CANCELLED'])

/** Request of a line for its voice. Pure. */
export function voiceRequestOf(manifest: DubManifest, line: RequestedLine, others: readonly string[]): VoiceRequest {
  const { engine, voiceMatch } = manifest
  const { id: lineId, profileId, speakerId, instruct, language, text } = line
  return { engine, voiceMatch, lineId, profileId, speakerId, instruct, language, text, others }
}
/** The speakers without a chosen voice, in the order in which they appear. Pure. */
export const unassigned = ({ lines }: { readonly lines: readonly Pick<RequestedLine, 'profileId' | 'speakerId'>[] }): string[] => [
  ...new Set(
    lines
      .filter((line) => line.profileId === '' || isAutomatic(line))
      .map(autoSpeaker)
      .filter((speaker) => speaker !== ''),
  ),
]
/** Requests with the same name have the same voice. Pure. */
export const voiceRequestName = (
  { profileId, speakerId, lineId, instruct, language, voiceMatch }: VoiceRequest,
  hasOwnClip: boolean,
): string => JSON.stringify([profileId, speakerId, instruct, language, voiceMatch, hasOwnClip ? lineId : ''])

export function createSpeakPlanning({ core: { store, files }, casting, pronunciation }: Deps) {
  function createSpeller() {
    const speakers = new Map<string, ReturnType<typeof pronunciation.speaker>>()
    return (text: string, { language, reactions, alphabet = null }: DubVoice): string => {
      const name = `${language} ${alphabet}`
      const speaker = speakers.get(name) ?? pronunciation.speaker(language, {}, alphabet)
      speakers.set(name, speaker)
      return speaker
        .spoken(withoutReactions(composed(text), reactions).text)
        .replaceAll(/\s+/g, ' ')
        .trim()
    }
  }

  /** The keys of takes whose files are here. Takes of other dubs become takes of this one. */
  async function present(dub: Dub, languageCode: string, takes: readonly PlannedTake[], manifest: DubManifest): Promise<Set<string>> {
    const own = new Map((await store.tracks.takes(dub.id, languageCode)).map((take) => [`${take.key} ${take.segmentId}`, take]))
    const found = new Set<string>()
    const elsewhere = new Map<string, DubTake>()
    for (let from = 0; from < takes.length; from += KEYS_A_TURN) {
      await nextTurn()
      const keys = takes.slice(from, from + KEYS_A_TURN).map(({ key }) => key)
      for (const take of store.tracks.takesByKey(keys)) elsewhere.set(take.key, take)
    }
    for (const [index, { line, key }] of takes.entries()) {
      if (index % KEYS_A_TURN === 0) await nextTurn()
      const { id } = manifest.lines[line]!
      const mine = own.get(`${key} ${id}`)
      const take = mine ?? elsewhere.get(key)
      if (!take || !(await files.find(take.digest))) continue
      files.use(dub.id, take.digest)
      if (!mine)
        store.tracks.addTake(dub.id, languageCode, {
          ...take,
          segmentId: id,
          takeNo: nextNo(store.tracks.takesOfLine(dub.id, languageCode, id)),
        })
      found.add(key)
    }
    return found
  }

  /** Throws what casting throws where no line can be spoken, and the reason of the signal. */
  return async (dub: Dub, manifest: DubManifest, signal: AbortSignal): Promise<SpeakPlan> => {
    const spell = createSpeller()
    const others = unassigned(manifest)
    const voices: DubVoice[] = []
    const positions = new Map<string, number | Failure>()
    const notices = new Set<string>()
    const routing = new Set<string>()
    const failed: { line: number; why: string }[] = []
    const takes: PlannedTake[] = []
    const ordinals = new Map<string, number>()
    const known = new Map<string, Set<string>>()
    await nextTurn()
    for (const { segmentId, key } of await store.tracks.takes(dub.id, manifest.languageCode))
      known.set(segmentId, (known.get(segmentId) ?? new Set()).add(key))
    await nextTurn()

    async function voiceOf(line: RequestedLine): Promise<number | Failure> {
      const asked = voiceRequestOf(manifest, line, others)
      const name = voiceRequestName(asked, Object.hasOwn(dub.options.segment_clones, line.id))
      const before = positions.get(name)
      if (before !== undefined) return before
      let position: number | Failure
      await nextTurn()
      try {
        const { voice, ...said } = await casting.cast(dub, asked, signal)
        for (const one of said.notices) notices.add(one)
        for (const one of said.routing) routing.add(one)
        position = voices.push(voice) - 1
      } catch (error) {
        signal.throwIfAborted()
        const failure = Failure.from(error)
        if (FATAL.has(failure.code)) throw failure
        position = failure
      }
      positions.set(name, position)
      await nextTurn()
      return position
    }

    let omitted = 0
    for (const [index, line] of manifest.lines.entries()) {
      if (index % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn()
      signal.throwIfAborted()
      if (isSilentLine(line)) continue
      const voice = await voiceOf(line)
      if (typeof voice !== 'number') {
        failed.push({ line: index, why: voice.message })
        continue
      }
      const chosen = voices[voice]!
      const spoken = { text: spell(line.text, chosen), speed: line.speed, numStep: manifest.numStep, guidance: manifest.guidance }
      if (!/[\p{L}\p{N}]/u.test(spoken.text)) continue
      omitted += foreignWords(spoken.text, chosen.scripts ?? [])
      const equal = takeKey(chosen, spoken, 0, 0)
      const ordinal = ordinals.get(equal) ?? 0
      ordinals.set(equal, ordinal + 1)
      const keyAt = (takeNo: number) => takeKey(chosen, spoken, takeNo, ordinal)
      const key = keyAt(takeNumber(keyAt, known.get(line.id) ?? new Set(), line.isAgain))
      takes.push({ line: index, voice, key, seed: seedOfTake(key), text: spoken.text, speed: line.speed })
    }
    const missingWords = omittedWords(omitted)
    if (missingWords !== null) notices.add(missingWords)
    const there = await present(dub, manifest.languageCode, takes, manifest)
    const missing = takes.flatMap(({ key }, index) => (there.has(key) ? [] : [index]))
    const guessed: Groupable[] = []
    for (const index of missing) {
      if (guessed.length % KEYS_A_TURN === 0) await nextTurn()
      const { line, voice, text, speed } = takes[index]!
      const seconds = guessedSeconds(text, voices[voice]!.language, speed)
      guessed.push({ voice, speed, seconds, startUs: manifest.lines[line]!.startUs })
    }
    await nextTurn()
    const groups = groupLines(guessed).map((group) => group.map((member) => missing[member]!))
    return { voices, takes, groups, failed, notices: [...notices], routing: [...routing] }
  }
}

/** The next free number of a line. Pure. */
export const nextNo = (takes: readonly { readonly takeNo: number }[]): number =>
  takes.reduce((next, { takeNo }) => Math.max(next, takeNo + 1), 0)
