// @ts-check
// The name of each setting and one line of help.

/** @param {string} name @returns {readonly [string, string]} */
const proxy = (name) => [
  name,
  'http://host:port. The studio and its downloads use it at once. It is stored encrypted, because it may contain a password.',
]
/** @param {string} name @returns {readonly [string, string]} */
const port = (name) => [name, 'A number from 1 to 65535.']
/** @param {string} name @returns {readonly [string, string]} */
const key = (name) => [name, 'For translation by this service. It is stored encrypted and never shown.']
export const rows = {
  'history.retention': ['Takes to keep', '0 keeps all. The oldest are removed when a new one is made; starred takes never are.'],
  'archetypes.download_previews': [
    'Download voice previews',
    'Samples of the offered voices come from their publisher. Otherwise they are made here.',
  ],
  'dubbing.ingest_local_network': [
    'Films from the local network',
    'Allows addresses of your own network for films, and not the Internet alone.',
  ],
  HTTPS_PROXY: proxy('Proxy for https'),
  HTTP_PROXY: proxy('Proxy for http'),
  ALL_PROXY: proxy('Proxy for everything else'),
  VOICESTUDIO_PORT: port('Port of the studio'),
  VOICESTUDIO_SHARE_PORT: port('Port for other devices'),
  'compute.device': ['Graphics card', 'Automatic uses the fastest device of this machine.'],
  'perf.torch_compile_disabled': ['Skip the compilation of graphs', 'For engines in Python on Windows whose first sentence takes minutes.'],
  pronunciation_enabled: ['Use the dictionary', 'Applies to speech, audiobooks and dubs.'],
  'llm.skill.dub_translation': ['Translate dubs', 'The lines of a film, with those around them as context.'],
  'llm.skill.cinematic_translation': ['Rewrite translations to sound spoken', 'A second pass for dubs with the quality Cinematic.'],
  'llm.skill.slot_fitting': ['Shorten lines that are too long', 'Lines that would have to be spoken too fast are written shorter.'],
  'llm.skill.glossary_extract': ['Suggest a glossary', 'Names and terms of a film, and how to translate them.'],
  'llm.skill.direction_parse': ['Understand directions for a line', '"Whispering, then louder" becomes settings of the voice.'],
  'llm.skill.dictation_refinement': ['Polish dictated text', 'As Dictation says.'],
  DEEPL_API_KEY: key('DeepL key'),
  GOOGLE_TRANSLATE_API_KEY: key('Google Translate key'),
  MICROSOFT_API_KEY: key('Microsoft Translator key'),
  MICROSOFT_REGION: ['Microsoft Translator region', 'The region of the key, for example westeurope.'],
  MYMEMORY_EMAIL: ['MyMemory e-mail address', 'Raises the daily limit of this service, which receives the address.'],
  'dictation.enabled': ['Dictation', 'Turn text from the microphone on or off.'],
  'dictation.mode': ['Dictation key', 'Press it once to begin and once to end, or hold it.'],
  'refinement.auto': ['Refine automatically', 'Texts go to the language model when a dictation ends.'],
  'refinement.smart_cleanup': ['Clean up', 'Removes filler words and repairs punctuation.'],
  'refinement.self_correction': ['Apply corrections', '"Monday, no, Tuesday" becomes "Tuesday".'],
  'refinement.preserve_technical': ['Keep technical terms', 'Names, commands and code stay as they were said.'],
  'dictation.refine_seconds': ['Time for refinement', 'In seconds. A text that takes longer is kept as it is.'],
  'mcp.enabled': ['MCP server', 'Lets assistants on this machine use the voices of this studio.'],
  'voices.most_gigabytes': ['Voices', 'Gigabytes for recordings and pictures. New ones are refused above it.'],
  'gallery.most_gigabytes': ['Gallery', 'Gigabytes for clips. New clips are refused above it.'],
  'longform.cache_gigabytes': [
    'Audiobook cache',
    'Gigabytes for rendered sentences. Empty: 20, or a fifth of the free space if that is less.',
  ],
  'dubbing.store_gigabytes': ['Dubs', 'Gigabytes. Above it, files that can be made again are removed, oldest first.'],
  'watermark.invisible': [
    'Inaudible mark',
    'Speech of this studio can be recognised as synthetic, also after conversion. Turning it off is recorded.',
  ],
  'watermark.visible_audio': ['Spoken notice', 'Stored for programs that add one. The studio adds none.'],
  'watermark.visible_video': ['Notice in videos', 'Dubbed videos say that their voices are synthetic.'],
  'voices.hosted_url': ['Address of the hosted library', 'Empty for none. A new server removes the key.'],
  'voices.hosted_key': ['Key for the hosted library', 'It is sent to this library only.'],
}
