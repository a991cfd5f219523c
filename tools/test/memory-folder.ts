// Folder for the temporary files of a whole test run: in memory if there is enough, because on a disk studios wait for their syncs.

import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { captureProgram } from '#cli/lib/child.ts'
import { GIB } from '#shared/runtime/memory/bytes.ts'

const PARENT = '/dev/shm'
/** Least free space of the file system, and memory that this process may use. The files of a run take less than 1 GiB at a time. */
const MIN_BYTES = { free: 4 * GIB, memory: 8 * GIB }

/** A new private folder that the caller removes; null if memory is scarce, or if files in memory cannot be executed. */
export async function memoryFolder(signal: AbortSignal, least = MIN_BYTES): Promise<string | null> {
  try {
    const { bavail, bsize } = statfsSync(PARENT)
    if (bavail * bsize < least.free || process.availableMemory() < least.memory) return null
    const folder = mkdtempSync(join(PARENT, 'studio-'))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    const { code } = await captureProgram(program, [], { env: {}, signal })
    rmSync(program)
    if (code === 0) return folder
    rmSync(folder, { recursive: true })
    return null
  } catch {
    return null
  }
}
