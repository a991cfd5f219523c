// Puts the picture of one foreign film and the sound of another one into one file, without encoding either.
import { symlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ffmpegArguments, foreignInput } from '../guard/arguments.ts'
import type { Workspace } from '../guard/workspace.ts'

const [SOUND, RESULT] = ['sound', 'result.mkv']
const LIMIT_MS = 3600_000

/** The workspace has the picture as its source. Throws what a guarded run throws. */
export async function joinStreams(program: string, workspace: Workspace, sound: string, to: string): Promise<void> {
  await symlink(resolve(sound), workspace.path(SOUND))
  // Matroska holds every codec.
  const output = ['-map', '0:V:0', '-map', '1:a:0', '-c', 'copy', '-f', 'matroska', RESULT]
  const args = ffmpegArguments([foreignInput(), foreignInput([], SOUND)], output, 1)
  await workspace.run({ program, args, limitMs: LIMIT_MS, watched: RESULT })
  await workspace.publish(RESULT, to)
}
