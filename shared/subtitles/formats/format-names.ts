/** The formats of subtitles that are read. Plain data. */
export const SUBTITLE_FORMATS = ['srt', 'vtt', 'ass', 'ssa', 'sbv', 'ttml', 'microdvd', 'lrc'] as const
export type SubtitleFormat = (typeof SUBTITLE_FORMATS)[number]
