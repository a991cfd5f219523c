// Reports the use of the disk, and removes temporary files.

import { lstatSync, rmSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { GB } from '#shared/runtime/memory/bytes.ts'
import { sizeOfFolder } from './folder-size.ts'
import type { MeasureFolders } from './sizes.ts'
import { agesSince, type TemporaryPlaces, temporaryEntries } from './temporary.ts'

type Deps = {
  readonly places: TemporaryPlaces
  readonly modelsFolder: string
  readonly measure: MeasureFolders
  readonly clock: Clock
}
export type Storage = ReturnType<typeof createStorage>

const CACHE_MS = 300_000
const CATEGORY_MS = 5_000
const TEMPORARY_MS = 2_000
const LARGEST = 20
const MIN_FREE_GB = 10
const PRESSURE_PERCENT = 90

export function createStorage({ places, modelsFolder, measure, clock }: Deps) {
  const { dataDir, systemFolder } = places
  const sidecars = join(dataDir, 'sidecars')
  const ageOf = agesSince(clock)
  let cached: { readonly at: number; readonly report: ReturnType<typeof read> } | null = null

  async function read() {
    const request = (id: string, path: string, entries: number, exclude: string | null = null) => ({
      id,
      path,
      exclude,
      entries,
      limitMs: CATEGORY_MS,
    })
    const sizes = await measure([
      request('hf_cache', modelsFolder, LARGEST),
      request('data', dataDir, LARGEST, modelsFolder),
      request('engine_venvs', sidecars, LARGEST),
    ])
    const temporary = temporaryEntries(places, ageOf).map((path) => ({ name: basename(path), bytes: sizeOfEntry(path, clock) }))
    const named = ({ name, bytes }: { name: string; bytes: number }) => ({ name, bytes })
    const category = (id: string, path: string) => {
      const { exists, bytes, complete } = sizes[id]!
      return { id, path, exists, bytes, complete }
    }
    const categories = [
      // A folder without files is no model.
      { ...category('hf_cache', modelsFolder), items: sizes['hf_cache']!.entries.filter(({ bytes }) => bytes > 0).map(named) },
      {
        ...category('data', dataDir),
        children: sizes['data']!.entries.map(({ name, bytes, complete }) => ({ id: name, path: fileIn(dataDir, name), bytes, complete })),
      },
      { ...category('engine_venvs', sidecars), items: sizes['engine_venvs']!.entries.map(named) },
      {
        id: 'temp',
        path: systemFolder,
        exists: true,
        bytes: temporary.reduce((sum, { bytes }) => sum + bytes, 0),
        complete: true,
        items: temporary,
      },
    ]
    const volumes = await volumesOf({ data: dataDir, models: modelsFolder, temp: systemFolder })
    const unreadable = categories
      .filter(({ id }) => sizes[id]?.unreadable)
      .map(({ id, path }) => ({ kind: 'unreadable' as const, category: id, path, message: 'A part of this folder cannot be read.' }))
    return {
      generated_at: clock.now() / 1000,
      min_free_gb: MIN_FREE_GB,
      volumes,
      categories,
      warnings: [...unreadable, ...volumes.flatMap(warningsOf)],
    }
  }

  return {
    /** At most 300 s old unless `refresh`. Rejects when a folder cannot be measured at all. */
    async report(refresh: boolean) {
      if (cached && !refresh && clock.mono() - cached.at < CACHE_MS) return { ...(await cached.report), cached: true }
      const started = { at: clock.mono(), report: read() }
      cached = started
      try {
        return { ...(await started.report), cached: false }
      } catch (error) {
        if (cached === started) cached = null
        throw error
      }
    },
    /** Removes temporary entries one by one and reports those that could not be removed. */
    clearTemporary() {
      const removed: string[] = []
      const errors: { path: string; error: string }[] = []
      let freed_bytes = 0
      for (const path of temporaryEntries(places, ageOf)) {
        const bytes = sizeOfEntry(path, clock)
        try {
          rmSync(path, { recursive: true, force: true })
          removed.push(basename(path))
          freed_bytes += bytes
        } catch (error) {
          errors.push({ path, error: (error as NodeJS.ErrnoException).code ?? 'unknown' })
        }
      }
      cached = null
      return { removed, freed_bytes, errors }
    },
  }
}

function sizeOfEntry(path: string, { mono }: Pick<Clock, 'mono'>): number {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry?.isDirectory()) return entry?.size ?? 0
  return sizeOfFolder({ path, exclude: null, entries: 0, limitMs: TEMPORARY_MS }, mono).bytes
}

type Volume = Awaited<ReturnType<typeof volumesOf>>[number]
/** The file systems of these folders, each once. A folder that cannot be read is left out. */
async function volumesOf(roots: Readonly<Record<string, string>>) {
  const found = new Map<
    number,
    { path: string; total_bytes: number; used_bytes: number; free_bytes: number; used_percent: number; roots: string[] }
  >()
  for (const [name, path] of Object.entries(roots)) {
    const read = await Promise.all([stat(path), statfs(path)]).catch(() => null)
    if (!read) continue
    const [{ dev }, { blocks, bfree, bavail, bsize }] = read
    const known = found.get(dev)
    if (known) {
      known.roots.push(name)
      continue
    }
    const used = (blocks - bfree) * bsize
    const usable = used + bavail * bsize
    found.set(dev, {
      path,
      total_bytes: blocks * bsize,
      used_bytes: used,
      free_bytes: bavail * bsize,
      used_percent: usable === 0 ? 0 : Math.round((used / usable) * 1000) / 10,
      roots: [name],
    })
  }
  return [...found.values()]
}

export function warningsOf({ path, free_bytes, used_percent }: Volume) {
  const freeGb = free_bytes / GB
  const severity = freeGb < MIN_FREE_GB ? ('critical' as const) : freeGb < 2 * MIN_FREE_GB ? ('low' as const) : null
  return [
    ...(severity
      ? [{ kind: 'low_disk' as const, severity, path, message: `${freeGb.toFixed(1)} GB are free; ${MIN_FREE_GB} GB should stay free.` }]
      : []),
    ...(used_percent > PRESSURE_PERCENT
      ? [{ kind: 'volume_pressure' as const, path, message: `${used_percent} % of the disk are used.` }]
      : []),
  ]
}
