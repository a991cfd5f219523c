// The dependencies of every step of a dub: the rows, the files and the operations on films.
import { join } from 'node:path'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { createFilmMedia, type FilmMedia } from '#control-plane/media/film/film.ts'
import { type ClientId, OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Dub } from './dub.ts'
import { createDubStore, type DubStore } from './dub-store.ts'
import { dubbingSettings } from './dubbing.settings.ts'
import { createDiskReserve, type DiskReserve } from './files/disk-reserve.ts'
import { createDubFiles, type DubFiles } from './files/dub-files.ts'
import { createFileRows, type FileRows } from './files/file.store.ts'
import { createFileSweep } from './files/file-sweep.ts'
import { createPartFiles, type PartFiles } from './files/part-files.ts'
import { createPlanFiles, type PlanFiles } from './files/plan-files.ts'

const GIGABYTE = 1e9

export type DubCore = {
  readonly store: DubStore
  readonly files: DubFiles
  readonly rows: FileRows
  readonly film: FilmMedia
  readonly parts: PartFiles
  readonly plans: PlanFiles
  readonly disk: DiskReserve
  readonly sweepFiles: () => Promise<number>
  /** Throws NOT_FOUND for an unknown dub. */
  readonly dub: (id: string) => Dub
  /** Publishes that a dub was stored or changed; call after each change that lists show. */
  readonly saved: (id: string) => void
  readonly makerOf: (id: string) => ClientId
  /** Call before a dub with this id is stored. Throws FORBIDDEN if it would replace the dub of another client, STORAGE_FULL. */
  readonly claim: (id: string, client: ClientId) => void
}
type Deps = Pick<Platform, 'library' | 'makers' | 'dataDir' | 'clock' | 'choices' | 'bus' | 'ffmpegPath' | 'mediaPrograms'>

export function openDubCore({ library: { db }, makers, dataDir, clock, choices, bus, ffmpegPath, mediaPrograms }: Deps): DubCore {
  const folder = privateFolder(join(dataDir, 'dub_store'))
  const store = createDubStore({ db })
  const rows = createFileRows({ db })
  const files = createDubFiles({ folder, rows, clock })
  const parts = createPartFiles(files)
  const disk = createDiskReserve(folder)
  const film = createFilmMedia({
    ffmpegPath,
    ffprobePath: () => mediaPrograms.usable('ffprobe'),
    clock,
    freeBytes: disk.usableBytes,
    scratch: files.scratch,
  })
  const limit = () => choices.read(dubbingSettings.storeGigabytes) * GIGABYTE
  const { sweep } = createFileSweep({ files, rows, limit, clock })
  return {
    store,
    files,
    rows,
    film,
    parts,
    plans: createPlanFiles({ tracks: store.tracks, parts }),
    disk,
    sweepFiles: sweep,
    dub(id) {
      const dub = store.dubs.find(id)
      if (!dub) throw new Failure('NOT_FOUND', 'There is no dub with this id. It may have been deleted.')
      return dub
    },
    makerOf: (id) => makers.makerOf('dub', id),
    claim(id, client) {
      if (client !== OWNER_ID && makers.isForeign('dub', id, client))
        throw new Failure('FORBIDDEN', 'Another client of this studio made the dub with this id. Choose another id.')
      makers.record('dub', id, client)
    },
    saved: (id) => bus.publish({ kind: 'dub_history', action: 'saved', id }),
  }
}
