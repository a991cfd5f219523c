// The disk space that other studios may use for models on this machine. Its owner chooses it; otherwise it is half of what would be free
// without their models. Each studio may use an equal part. The machine's own studio has no limit but the disk.
import { Failure } from '#shared/protocol/failure.ts'

/** Owner of the models that the studio of this machine installs. */
export const OWN_STUDIO = 'local'

export type LentSpaceRules = {
  /** Bytes that the owner of this machine chose; null for a part of the free space. */
  readonly chosenBytes: () => number | null
  /** Number of studios that may use this machine, its own not counted. */
  readonly studios: () => number
  /** Bytes of files that one of them may send at a time; 0 or absent for none. */
  readonly filesBytes?: () => number
}
/** Space in bytes. Without a limit the free space is unknown and the owner chose none. */
export type LentSpace = {
  /** Bytes of files that a studio may send at a time; 0 for none. */
  readonly filesBytes: number
  readonly limitBytes: number | null
  readonly isChosen: boolean
  /** Limit for one studio; null without one. */
  readonly shareBytes: number | null
  /** On the disk. */
  readonly usedBytes: number
  readonly usedBy: (studio: string) => number
  /** Bytes of downloads and of files that are being sent: they will be on the disk. */
  readonly expectedBytes: number
  readonly expectedBy: (studio: string) => number
}
/** Bytes by owner. `usage`: on the disk. `expected`: of downloads and of files that are being sent, without what is on the disk already. */
export type SpaceTaken = { readonly usage: ReadonlyMap<string, number>; readonly expected: ReadonlyMap<string, number> }

/** `freeBytes`: 0 when unknown. Pure. */
export function lentSpace(
  { chosenBytes, studios, filesBytes = () => 0 }: LentSpaceRules,
  { usage, expected }: SpaceTaken,
  freeBytes: number,
): LentSpace {
  const usedBytes = ofOthers(usage)
  const chosen = chosenBytes()
  const limitBytes = chosen ?? (freeBytes === 0 ? null : Math.floor((freeBytes + usedBytes) / 2))
  return {
    filesBytes: filesBytes(),
    limitBytes,
    isChosen: chosen !== null,
    shareBytes: limitBytes === null ? null : Math.floor(limitBytes / Math.max(1, studios())),
    usedBytes,
    usedBy: (studio) => usage.get(studio) ?? 0,
    expectedBytes: ofOthers(expected),
    expectedBy: (studio) => expected.get(studio) ?? 0,
  }
}
const ofOthers = (bytes: ReadonlyMap<string, number>): number =>
  [...bytes].reduce((sum, [owner, some]) => (owner === OWN_STUDIO ? sum : sum + some), 0)

/** Throws STORAGE_FULL when the studio may not add `bytes` for the model. */
export function requireLentSpace(space: LentSpace, studio: string, model: string, bytes: number): void {
  const { limitBytes, shareBytes, usedBytes, expectedBytes } = space
  if (studio === OWN_STUDIO || limitBytes === null || shareBytes === null || bytes === 0) return
  const own = space.usedBy(studio) + space.expectedBy(studio)
  if (usedBytes + expectedBytes + bytes <= limitBytes && own + bytes <= shareBytes) return
  const used = expectedBytes === 0 ? `${gb(usedBytes)} are used` : `${gb(usedBytes + expectedBytes)} are used or on their way`
  throw new Failure(
    'STORAGE_FULL',
    `This machine lends ${gb(limitBytes)} of its disk for models, ${gb(shareBytes)} to each studio. ${used}, ${gb(own)} by this studio, and ${model} needs ${gb(bytes)} more. Remove a model of this machine, or ask its owner for more space.`,
  )
}

const gb = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e8 ? 3 : 1)} GB`
