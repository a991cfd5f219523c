// The plans of voice tracks as files, and the tracks of a dub with them.
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { DubTrack } from '../dub.ts'
import type { TrackRows } from '../track.store.ts'
import type { PartFiles } from './part-files.ts'
import { planOfParts, type TrackPlan } from './track-plan.ts'

type NewPlan = Readonly<Record<keyof TrackPlan, unknown>>
type Deps = { readonly tracks: Pick<TrackRows, 'heads' | 'plan'>; readonly parts: PartFiles }
export type PlanFiles = ReturnType<typeof createPlanFiles>
/** An export asks for the plan of a track several times, and a film of hours has thousands of lines. */
const read = new WeakMap<DubTrack, TrackPlan>()
/** The plan that was read together with a track; null for one of another form. */
export const planReadWith = (track: DubTrack): TrackPlan | null => read.get(track) ?? null

export function createPlanFiles({ tracks, parts }: Deps) {
  return {
    /** Resolves with the `planFile` of a track. Throws STORAGE_FULL, and the reason of the signal. */
    keep: (plan: NewPlan, dubId: string, signal: AbortSignal): Promise<string> => parts.keep('plan', plan, dubId, signal),
    /** All tracks of a dub, oldest first, read in several turns of the event loop. The plan is null for a file that was deleted. */
    async of(dubId: string): Promise<DubTrack[]> {
      const whole: DubTrack[] = []
      for (const head of tracks.heads(dubId)) {
        await nextTurn()
        const plan = head.planFile === null ? tracks.plan(dubId, head.languageCode) : await parts.read(head.planFile)
        await nextTurn()
        const track = { ...head, plan }
        const parsed = await planOfParts(plan)
        if (parsed) read.set(track, parsed)
        whole.push(track)
      }
      return whole
    },
  }
}
