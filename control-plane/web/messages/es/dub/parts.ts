// The words of the parts of an editor of a dub that its first view does not show, in Spanish.
import { grouped, list, plural } from '../language.ts'

const lines = (count: number) => plural(count, { one: '# línea', many: '# de líneas', other: '# líneas' })
/** Names of the checks of a line. */
const CHECKS: Readonly<Record<string, string>> = {
  words: 'palabras',
  timing: 'tiempos',
  language: 'idioma',
  level: 'sonoridad',
  clipping: 'distorsión',
  rate: 'ritmo',
  cut: 'finales cortados',
  leak: 'restos del original',
  voice: 'parecido de las voces',
}
/** Reasons for checks that were not made. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  words: 'Ningún modelo instalado entiende este idioma.',
  language: 'Ningún modelo instalado entiende este idioma.',
  timing: 'Ningún modelo instalado detecta dónde empieza y termina la voz.',
  leak: 'Al preparar el vídeo, sus voces no se separaron de la música y el ruido.',
  voice: 'Ningún modelo instalado compara voces.',
}
const checkNames = (checks: readonly string[]) => list(checks.map((check) => CHECKS[check] ?? check))

export const strings = {
  beginTitle: 'Empezar el doblaje',
  beginHint: 'Transcribe lo que se dice en el vídeo o usa los subtítulos que tengas.',
  startHint: 'El vídeo se transcribe y se traduce de una vez. Mientras tanto, puedes salir de esta página.',
  follows: 'Después se transcribe y se traduce el vídeo.',
  afterUpload: 'El vídeo se transcribirá y se traducirá cuando termine la subida.',
  filmLanguage: 'Idioma del vídeo',
  detect: 'Detectar',
  dubInto: 'Doblar a',
  chooseLanguages: 'Elegir idiomas',
  addLanguage: 'Añadir un idioma',
  withoutLanguage: (name: string) => `Quitar ${name}`,
  speakerCount: 'Hablantes',
  automatic: 'Automático',
  importSubtitles: 'Importar subtítulos',
  transcribe: 'Transcribir',
  start: 'Empezar',

  imported: (name: string) => `Líneas de ${name}`,
  readAgainHint: 'Si hay letras incorrectas, elige otra codificación: las líneas se vuelven a leer.',
  line: (number: number) => `Línea ${number}`,
  newTake: 'Nueva toma',
  speakWith: (count: number) => `Locutar esta y ${grouped(count)} más`,
  understood: (text: string) => `La comprobación ha entendido: ${text}`,
  lengthIn: (length: string, room: string, isMeasured: boolean) =>
    `${isMeasured ? '' : 'Aprox. '}${length}\u00a0s de locución en un hueco de ${room}\u00a0s.`,
  shorter: 'Una versión más corta:',
  use: 'Usarla',
  sourceText: 'Texto original',
  startsAt: 'Inicio',
  endsAt: 'Fin',
  timeHint: 'Por ejemplo, 1:02.5 o 62.5. Las flechas arriba y abajo lo cambian en 0,1\u00a0s; con Mayús, en 1\u00a0s.',
  timeRefusals: {
    number: 'Introduce un tiempo, por ejemplo 1:02.5 o 62.5.',
    order: 'El fin debe ser al menos 0,1\u00a0s posterior al inicio.',
  },
  filmEnds: (end: string) => `El vídeo termina en ${end}.`,

  newSpeaker: 'Nuevo hablante…',
  newSpeakerName: 'Nombre del nuevo hablante',
  addSpeaker: 'Añadir',
  speakerKeys: 'Las teclas 1 a 9 asignan el hablante.',
  namesFound: 'Hablantes encontrados en las líneas:',
  useNames: 'Usarlos',
  keepNames: 'Dejar como texto',
  hearVoice: (name: string) => `Reproducir la voz de ${name}`,
  stopVoice: (name: string) => `Detener la voz de ${name}`,
  speaks: (count: number, time: string) => (count === 0 ? lines(0) : `${lines(count)}, ${time}`),
  voicesHint: 'Cada hablante conserva una sola voz. Las líneas locutadas con otra se vuelven a locutar.',
  name: 'Nombre',
  voiceOf: (name: string) => `Voz de ${name}`,
  engineVoice: 'Voz del motor',
  filmVoice: 'Voz del vídeo',

  glossaryHint: 'Nombres y términos que se traducen siempre igual. Se aplican a partir de la próxima traducción.',
  noGlossary: 'Aún no hay términos.',
  terms: 'Términos',
  termSource: 'Original',
  termTarget: 'Traducción',
  termNote: 'Nota',
  addTerm: 'Añadir término',
  findTerms: 'Buscar términos',
  noTerms: 'Aún no hay texto que leer.',
  termsFound: (count: number) =>
    count === 0
      ? 'No se han encontrado términos nuevos.'
      : plural(count, {
          one: '# término añadido. Revisa las traducciones.',
          many: '# de términos añadidos. Revisa las traducciones.',
          other: '# términos añadidos. Revisa las traducciones.',
        }),
  foundTerm: 'Encontrado',
  editTerm: (name: string) => `Editar ${name}`,
  removeTerm: (name: string) => `Quitar ${name}`,
  translateAgain: (count: number) => `Volver a traducir ${lines(count)}`,

  exportTitle: 'Exportar',
  language: 'Idioma',
  keepBackground: 'Conservar la música y el ruido del vídeo',
  keepOriginal: 'Conservar el sonido del vídeo, más bajo',
  dual: 'Subtítulos en los dos idiomas',
  burn: 'Incrustar los subtítulos en la imagen',
  files: {
    film: 'Vídeo (MP4)',
    filmHint: (count: number, burns: boolean) =>
      `${plural(count, { one: 'El doblaje', many: '# de doblajes', other: '# doblajes' })}, el sonido original y ${
        burns ? 'subtítulos en la imagen' : 'subtítulos desactivados'
      }.`,
    mp3: 'Sonido (MP3)',
    mp3Hint: 'Pequeño, se reproduce en todas partes.',
    wav: 'Sonido (WAV)',
    wavHint: 'Sin pérdida.',
    srt: 'Subtítulos (SRT)',
    srtHint: 'Para reproductores y sitios de vídeo.',
    vtt: 'Subtítulos (WebVTT)',
    vttHint: 'Para páginas web.',
    stems: 'Pistas separadas (ZIP)',
    stemsHint: 'Voz y fondo en archivos separados.',
    lines: 'Líneas (ZIP)',
    linesHint: 'Cada línea como archivo WAV.',
  },
  saveAs: (name: string) => `Guardar ${name}`,
  exportHint: 'Puedes cerrar esta ventana y salir de la página. El estudio continúa, y el archivo estará aquí cuando esté listo.',
  makes: (name: string) => `Creando ${name}`,
  begins: 'Preparando',
  exportFailed: 'No se ha podido crear el archivo.',
  cancelExport: (name: string) => `Cancelar ${name}`,
  madeTitle: 'Creados antes',
  madeFile: (size: string, when: string) => `${size} · ${when}`,

  checkTitle: 'Comprobación',
  checkAgain: 'Volver a comprobar',
  closeCheck: 'Cerrar la comprobación',
  linesCount: lines,
  faulty: (faulty: number, all: number) => `Con problemas: ${grouped(faulty)} de ${lines(all)}.`,
  noFaults: 'No se han encontrado problemas en lo comprobado.',
  checked: (checks: readonly string[]) => `Comprobado: ${checkNames(checks)}.`,
  notChecked: (checks: readonly string[]) => `Sin comprobar: ${checkNames(checks)}.`,
  /** Reasons for checks that no line had, each once. */
  whyNotChecked: (checks: readonly string[]) => [...new Set(checks.flatMap((check) => NOT_CHECKED[check] ?? []))],
  partlyChecked: (checks: readonly string[]) => `Comprobado solo en algunas líneas: ${checkNames(checks)}.`,
  showThem: 'Mostrarlas',
  repair: 'Volver a locutarlas',
  closeNote: 'Cerrar esta nota',
  wordless: (count: number) =>
    plural(count, {
      one: 'En # punto del vídeo hay una voz, pero no se han reconocido palabras y no hay ninguna línea. Inserta una línea donde alguien hable.',
      many: 'En # de puntos del vídeo hay una voz, pero no se han reconocido palabras y no hay ninguna línea. Inserta una línea donde alguien hable.',
      other:
        'En # puntos del vídeo hay una voz, pero no se han reconocido palabras y no hay ninguna línea. Inserta una línea donde alguien hable.',
    }),
  fromTo: (from: string, to: string) => `${from} a ${to}`,
  playPlace: (times: string) => `Reproducir ${times}`,
  morePlaces: (count: number) => `y ${count} más`,
  uncovered: (count: number) =>
    plural(count, {
      one: '# punto del vídeo con voz no tiene ninguna línea.',
      many: '# de puntos del vídeo con voz no tienen ninguna línea.',
      other: '# puntos del vídeo con voz no tienen ninguna línea.',
    }),
}
