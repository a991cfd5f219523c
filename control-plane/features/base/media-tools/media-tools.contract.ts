// The programs for media: their state, downloads of pinned builds, and the choice of another program.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { MediaOperation, MediaTools } from './media-tools.schema.ts'

const access = 'admin' as const
const extension = true as const
/** Unknown tools are 400 and not a validation list. */
const params = z.strictObject({ tool: z.string().max(64) })

export const mediaToolsContracts = {
  readStatus: contract({
    id: 'media.readTools',
    method: 'GET',
    path: '/media-tools/status',
    access,
    summary: 'Returns which programs for media are used, their versions, and the state of downloads.',
    reply: MediaTools,
  }),
  acquire: contract({
    id: 'media.acquireTools',
    method: 'POST',
    path: '/media-tools/acquire',
    access,
    summary:
      'Starts the download of ffmpeg and ffprobe, if they do not work, and returns its state. The builds are pinned by their SHA-256.',
    reply: MediaOperation,
  }),
  updateYtdlp: contract({
    id: 'media.updateYtdlp',
    method: 'POST',
    path: '/media-tools/ytdlp/update',
    access,
    extension,
    summary: 'Starts the download of the pinned yt-dlp, which is then used in place of the one on PATH, and returns its state.',
    reply: MediaOperation,
  }),
  restoreYtdlp: contract({
    id: 'media.restoreYtdlp',
    method: 'POST',
    path: '/media-tools/ytdlp/restore',
    access,
    extension,
    summary: 'Deletes the downloaded yt-dlp, so that the one on PATH is used.',
    reply: MediaTools,
  }),
  choosePath: contract({
    id: 'media.choosePath',
    method: 'POST',
    path: '/media-tools/{tool}/custom-path',
    access: 'native', // the studio starts the program
    extension,
    summary: 'Uses the program of a one-shot path authorization of the kind ffmpeg or ffprobe.',
    params,
    body: z.strictObject({ authorization: z.string().max(256) }),
    reply: MediaTools,
  }),
  useSystem: contract({
    id: 'media.useSystem',
    method: 'POST',
    path: '/media-tools/{tool}/use-system',
    access,
    extension,
    summary: 'Uses the program on PATH. 404 when there is none.',
    params,
    reply: MediaTools,
  }),
  restore: contract({
    id: 'media.restoreTool',
    method: 'POST',
    path: '/media-tools/{tool}/restore',
    access,
    extension,
    summary: 'Uses the downloaded build, or PATH without one.',
    params,
    reply: MediaTools,
  }),
}
