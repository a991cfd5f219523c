// A dub for tests of its page that need no film: what GET /dub/history/short answers.

/** Two lines, not translated. Its address is #/dub/short. */
export function shortDub(): object {
  const segments = ['Good morning.', 'Good evening.'].map((text, at) => ({
    ...{ id: `l${at}`, start: at * 2, end: at * 2 + 1.5, text, text_original: text, speaker_id: 'Speaker 1' },
  }))
  const job = { audio_path: '/x', input_type: 'video', duration: 4, segments, source_lang: 'en', has_bg: false }
  return {
    ...{ id: 'short', filename: 'Short.mp4', duration: 4, segments_count: 2, language: '', language_code: '', tracks: '[]' },
    ...{ content_hash: '', created_at: 0, job_data: JSON.stringify({ ...job, dubbed_tracks: {}, segments_i18n: {}, fit_plans: {} }) },
  }
}
