// The programs for media: what is used, what can be downloaded, and what the owner chose.
import { rmSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isExecutable, type MediaProgram, type MediaPrograms, type ProgramChoice } from '#control-plane/media/programs.ts'
import type { PathAuthorizations } from '#control-plane/store/files/path-authorization.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Acquisition } from './acquisition.ts'
import type { MediaTools } from './media-tools.schema.ts'
import { mediaToolsSettings } from './media-tools.settings.ts'
import { type Build, withoutBuild } from './pins.ts'
import type { Versions } from './versions.ts'

type Deps = {
  readonly programs: MediaPrograms
  readonly versions: Versions
  /** Acquisition of ffmpeg and ffprobe. */
  readonly tools: Acquisition
  readonly ytdlp: Acquisition
  /** The builds for this platform; null when there are none. */
  readonly builds: Readonly<Record<MediaProgram, Build>> | null
  readonly platformKey: string
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly authorizations: PathAuthorizations
}
export type MediaToolsService = ReturnType<typeof createMediaToolsService>
type Chosen = 'ffmpeg' | 'ffprobe'

const CHOSEN: readonly Chosen[] = ['ffmpeg', 'ffprobe']

export function createMediaToolsService({ programs, versions, tools, ytdlp, builds, platformKey, settings, authorizations }: Deps) {
  async function toolOf(tool: MediaProgram) {
    const found = programs.find(tool)
    if (found === null) return { tool, ok: false, path: null, version: null, origin: null }
    const version = await versions.of(tool, found.path)
    return { tool, ok: version !== null, path: found.path, version, origin: found.origin }
  }

  async function ytdlpTool() {
    const baseline = programs.onPath('ytdlp')
    const [tool, overlay, onPath] = await Promise.all([
      toolOf('ytdlp'),
      versions.of('ytdlp', programs.downloadedPath('ytdlp')),
      baseline && versions.of('ytdlp', baseline.path),
    ])
    return { ...tool, overlay_version: overlay, baseline_version: onPath }
  }

  async function status(): Promise<MediaTools> {
    const [ffmpeg, ffprobe, overlaid] = await Promise.all([toolOf('ffmpeg'), toolOf('ffprobe'), ytdlpTool()])
    return {
      ready: ffmpeg.ok,
      tools: { ffmpeg, ffprobe, ytdlp: overlaid },
      ops: { acquire: tools.state(), ytdlp_update: ytdlp.state() },
      platform_key: platformKey,
    }
  }

  const choose = (changed: Partial<Record<Chosen, ProgramChoice>>): Promise<void> =>
    settings.write(mediaToolsSettings.choices, { ...settings.read(mediaToolsSettings.choices), ...changed })

  return {
    status,
    /** Resolves when the download has begun or is not needed. */
    async acquire() {
      if (tools.state().state === 'running') return tools.state()
      const found = await Promise.all(CHOSEN.map(toolOf))
      const missing = CHOSEN.filter((_, at) => !found[at]!.ok)
      if (missing.length === 0) return tools.done()
      if (builds === null) return tools.fail(withoutBuild(platformKey))
      // A choice that does not work would hide the downloaded build.
      const finish = () => choose(Object.fromEntries(missing.map((tool) => [tool, { kind: 'auto' }])))
      return tools.start(
        missing.map((program) => ({ program, build: builds[program] })),
        finish,
      )
    },
    async updateYtdlp() {
      if (ytdlp.state().state === 'running') return ytdlp.state()
      if (builds === null) return ytdlp.fail(withoutBuild(platformKey))
      if ((await versions.of('ytdlp', programs.downloadedPath('ytdlp'))) === builds.ytdlp.version) return ytdlp.done()
      return ytdlp.start([{ program: 'ytdlp', build: builds.ytdlp }])
    },
    /** Throws CONFLICT during a download. */
    async restoreYtdlp(): Promise<MediaTools> {
      if (ytdlp.state().state === 'running') throw new Failure('CONFLICT', 'yt-dlp is being downloaded. Wait until the download has ended.')
      rmSync(programs.downloadedPath('ytdlp'), { force: true })
      return status()
    },
    /** Throws FORBIDDEN for the authorization, BAD_REQUEST for its path and for an unknown tool. */
    async choosePath(name: string, authorization: string): Promise<MediaTools> {
      const tool = chosenOf(name)
      const path = authorizations.claim(authorization, tool)
      if (!isAbsolute(path) || /[\x00-\x1f\x7f]/.test(path))
        throw new Failure('BAD_REQUEST', 'The program must be an absolute path without control characters.')
      if (!isExecutable(path)) throw new Failure('BAD_REQUEST', 'This path is not an executable file. Choose the program itself.')
      if ((await versions.of(tool, path)) === null)
        throw new Failure('BAD_REQUEST', `This program is not a working ${tool}. Choose another one.`)
      await choose({ [tool]: { kind: 'custom', path: resolve(path) } })
      return status()
    },
    /** Throws NOT_FOUND when there is none on PATH, BAD_REQUEST for an unknown tool. */
    async useSystem(name: string): Promise<MediaTools> {
      const tool = chosenOf(name)
      if (programs.onPath(tool) === null)
        throw new Failure('NOT_FOUND', `There is no ${tool} on PATH. Install it with the package manager of this system.`)
      await choose({ [tool]: { kind: 'system' } })
      return status()
    },
    /** Throws BAD_REQUEST for an unknown tool. */
    async restore(name: string): Promise<MediaTools> {
      await choose({ [chosenOf(name)]: { kind: 'auto' } })
      return status()
    },
  }
}

function chosenOf(name: string): Chosen {
  const tool = CHOSEN.find((one) => one === name)
  if (tool === undefined) throw new Failure('BAD_REQUEST', 'Unknown tool. Use ffmpeg or ffprobe.')
  return tool
}
