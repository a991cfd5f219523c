// The builds that may be downloaded, per platform: static programs without an installer, as their publishers released them.
import type { MediaProgram } from '#control-plane/media/programs.ts'

export type Build = {
  /** Path below the address of the releases. */
  readonly path: string
  readonly version: string
  readonly size: number
  readonly sha256: string
}
export type Pins = Readonly<Record<string, Readonly<Record<MediaProgram, Build>>>>

/** The default of STUDIO_MEDIA_TOOLS_URL serves these paths. */
const FFMPEG = 'eugeneware/ffmpeg-static/releases/download/b6.1.1'
const YTDLP = 'yt-dlp/yt-dlp/releases/download'

/** The way to the programs where none is pinned: a build is downloaded only if its digest was computed from one that was seen. */
export function withoutBuild(platform: string): string {
  const none = 'The studio has no build of this program for this system.'
  if (platform.startsWith('win32')) return `${none} Run: winget install Gyan.FFmpeg yt-dlp.yt-dlp, then start the studio again.`
  if (platform.startsWith('darwin')) return `${none} Run: brew install ffmpeg yt-dlp`
  return `${none} Install it with the package manager of this system.`
}

/** By `process.platform-process.arch`. ffmpeg and ffprobe are GPL-3.0 builds, yt-dlp is in the public domain. */
export const PINS: Pins = {
  'linux-x64': {
    ffmpeg: {
      path: `${FFMPEG}/ffmpeg-linux-x64`,
      version: '7.0.2',
      size: 79_826_272,
      sha256: 'e7e7fb30477f717e6f55f9180a70386c62677ef8a4d4d1a5d948f4098aa3eb99',
    },
    ffprobe: {
      path: `${FFMPEG}/ffprobe-linux-x64`,
      version: '7.0.2',
      size: 79_665_792,
      sha256: '4f231a1960d83e403d08f7971e271707bec278a9ae18e21b8b5b03186668450d',
    },
    ytdlp: {
      path: `${YTDLP}/2026.08.19/yt-dlp_linux`,
      version: '2026.08.19',
      size: 40_446_224,
      sha256: '58162f9bfdc27458ea47bfcb311cf47028f17d8154a8bf7d689861d46399230a',
    },
  },
  'linux-arm64': {
    ffmpeg: {
      path: `${FFMPEG}/ffmpeg-linux-arm64`,
      version: '7.0.2',
      size: 51_134_160,
      sha256: '6bb182d0d75d23028db82e9e4f723ca69b853d055698486e6984ddb2c06fb8ce',
    },
    ffprobe: {
      path: `${FFMPEG}/ffprobe-linux-arm64`,
      version: '7.0.2',
      size: 50_994_160,
      sha256: 'd17ae9b4c297d48e2521ba14e417bb0537c6ff77c584cdbcd6bb0d8d0307a2e8',
    },
    ytdlp: {
      path: `${YTDLP}/2026.07.04/yt-dlp_linux_aarch64`,
      version: '2026.07.04',
      size: 39_675_904,
      sha256: 'b6ce97646773070d7a7ffd6bbbdcaecb47c48483909c54c915bf08a7a9b5e0b1',
    },
  },
}
