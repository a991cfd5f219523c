// The words of the Tools page, in Spanish.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

export const strings = {
  title: 'Herramientas',
  all: 'Todas las herramientas',
  tools: {
    'detect-mark': ['Detectar la marca', 'Averigua si este estudio creó una grabación.'],
    convert: ['Convertir audio', 'Guarda un archivo WAV como MP3, M4B u Ogg.'],
    subtitles: ['Subtítulos', 'Repara un archivo de subtítulos de cualquier formato habitual y guárdalo como SRT, WebVTT o texto.'],
    batch: ['Doblaje por lotes', 'Dobla varios vídeos a varios idiomas, sin editar.'],
  },
  dropHere: 'Suelta aquí un archivo, o',
  result: 'Resultado',
  save: shared.save,

  chooseRecording: 'Elegir una grabación',
  searching: (name: string) => `Buscando en ${name}`,
  marked: 'Esta grabación tiene la marca de este estudio.',
  unmarked: 'No se ha encontrado ninguna marca.',
  certainty: (share: string) => `Certeza: ${share}.`,
  unmarkedHint:
    'No es una prueba: una grabación de menos de 8\u00a0segundos, o una que se haya modificado mucho, puede haber perdido su marca.',
  atSpeed: (speed: string) => `Se reproduce a ${speed} veces la velocidad con la que se generó.`,

  format: 'Formato',
  bitrate: 'Calidad',
  kilobits: (rate: string) => `${rate}\u00a0kbit/s`,
  chooseWav: 'Elegir un archivo WAV',
  converting: (name: string) => `Convirtiendo ${name}`,

  chooseSubtitles: 'Elegir un archivo de subtítulos',
  cuesTitle: 'Subtítulos',
  cues: (count: number) => plural(count, { one: '# subtítulo', many: '# de subtítulos', other: '# subtítulos' }),
  saveAs: (format: string) => `Guardar ${format}`,
  repaired: (skipped: number, repeated: number) =>
    [
      skipped > 0
        ? plural(skipped, {
            one: 'Se ha omitido # subtítulo dañado.',
            many: 'Se han omitido # de subtítulos dañados.',
            other: 'Se han omitido # subtítulos dañados.',
          })
        : '',
      repeated > 0
        ? plural(repeated, {
            one: 'Se ha omitido # subtítulo repetido.',
            many: 'Se han omitido # de subtítulos repetidos.',
            other: 'Se han omitido # subtítulos repetidos.',
          })
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  encoding: 'Codificación',
  encodingHint: 'Elige otra codificación si hay letras incorrectas.',
  encodings: {
    'utf-8': 'Unicode (UTF-8)',
    'utf-16le': 'Unicode (UTF-16, little endian)',
    'utf-16be': 'Unicode (UTF-16, big endian)',
    'windows-1252': 'Europa occidental (Windows)',
    'windows-1250': 'Europa central (Windows)',
    'windows-1251': 'Cirílico (Windows)',
    'windows-1253': 'Griego (Windows)',
    'windows-1254': 'Turco (Windows)',
    'windows-1255': 'Hebreo (Windows)',
    'windows-1256': 'Árabe (Windows)',
    'windows-1257': 'Báltico (Windows)',
    'windows-1258': 'Vietnamita (Windows)',
    'windows-874': 'Tailandés (Windows)',
    shift_jis: 'Japonés (Shift JIS)',
    'euc-jp': 'Japonés (EUC)',
    'iso-2022-jp': 'Japonés (ISO 2022)',
    gb18030: 'Chino simplificado (GB 18030)',
    big5: 'Chino tradicional (Big5)',
    'euc-kr': 'Coreano (EUC)',
    'koi8-r': 'Ruso (KOI8-R)',
    'koi8-u': 'Ucraniano (KOI8-U)',
    'iso-8859-2': 'Europa central (ISO)',
    'iso-8859-5': 'Cirílico (ISO)',
    'iso-8859-6': 'Árabe (ISO)',
    'iso-8859-7': 'Griego (ISO)',
    'iso-8859-8': 'Hebreo (ISO)',
    'iso-8859-15': 'Europa occidental (ISO)',
    ibm866: 'Cirílico (DOS)',
    macintosh: 'Europa occidental (Mac)',
    'x-mac-cyrillic': 'Cirílico (Mac)',
  },
  time: (start: string, end: string) => `${start} a ${end}\u00a0s`,
  more: (count: number) => `Hay ${grouped(count)} más en el archivo guardado.`,

  addLanguage: 'Añadir un idioma',
  without: (name: string) => `Quitar ${name}`,
  voice: 'Voz',
  ownVoices: 'Voces del vídeo',
  chooseFilms: 'Elegir vídeos',
  dropFilms: 'Suelta aquí los vídeos, o',
  addShort: 'Añadir…',
  withoutIn: (name: string, film: string) => `Quitar ${name} de ${film}`,
  addLanguageTo: (film: string) => `Añadir un idioma a ${film}`,
  languagesOf: (film: string) => `Idiomas de ${film}`,
  downloadIn: (film: string, name: string) => `Descargar ${film} (${name})`,
  failedIn: (name: string, film: string) => `No se ha podido terminar: ${film} (${name})`,
  tryLanguageAgain: (name: string) => `Reintentar: ${name}`,
  notStarted: 'Sin empezar',
  readyOf: (ready: number, all: number) => `Listos: ${grouped(ready)} de ${grouped(all)}`,
  downloadAll: (count: number) =>
    plural(count, { one: 'Descargar # vídeo', many: 'Descargar # de vídeos', other: 'Descargar los # vídeos' }),
  startWaiting: (count: number) => plural(count, { one: 'Doblar # vídeo', many: 'Doblar # de vídeos', other: 'Doblar # vídeos' }),
  forEvery: 'Para todos los vídeos',
  forEveryHint: 'Un vídeo puede tener idiomas distintos de estos.',
  sending: (name: string) => `Enviando ${name}`,
  noFilms: 'Aún no hay nada en el lote.',
  states: { queued: 'En espera', running: 'En curso', done: 'Listo', failed: 'Sin terminar', cancelled: 'Cancelado' },
  progressOf: (name: string) => `Progreso de ${name}`,
  cancel: shared.cancel,
  cancelFilm: (name: string) => `Cancelar ${name}`,
  removeFilm: (name: string) => `Eliminar ${name}`,
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteDub: 'Se eliminarán su vídeo, sus líneas, sus tomas y sus pistas de voz. No se puede deshacer.',
  deleteYes: 'Eliminar',
  keep: 'Conservar',
}
