// The words of the Home page, in Spanish.
import { grouped, plural } from '../language.ts'

export const strings = {
  local: 'El trabajo se realiza en este equipo.',
  elsewhere: (name: string) => `El trabajo se realiza en ${name}.`,
  machine: (name: string, jobs: number) =>
    `${name} está conectado y ${
      jobs === 0
        ? 'libre'
        : `tiene ${plural(jobs, { one: '# trabajo en curso', many: '# de trabajos en curso', other: '# trabajos en curso' })}`
    }.`,
  machines: (count: number) => `Hay ${count} equipos conectados.`,

  text: 'Texto',
  placeholder: 'Escribe o pega un texto…',
  voice: 'Voz',
  defaultVoice: 'Voz predeterminada',
  speak: 'Locutar',
  speakKeys: 'Ctrl ↵',
  tooLong: (limit: number) => `Una toma puede tener como máximo ${grouped(limit)} caracteres.`,
  busy: 'Todavía se está generando algo. Cancélalo o espera a que termine.',
  openFile: 'Abrir un archivo',
  dictate: 'Dictar',
  askFile: (name: string) => `${name}: ¿doblar o transcribir?`,
  dubIt: 'Doblar',
  transcribeIt: 'Transcribir',
  keepOut: 'Cancelar',
  otherFile: 'En Inicio se abren textos, grabaciones y vídeos. Los libros se abren en la página Audiolibro.',
  longText: 'Este texto es tan largo como un libro. Ábrelo en la página Audiolibro.',
  otherTranscript: 'Se está enviando otra grabación. Espera a que llegue y vuelve a abrir esta.',
  create: 'Crear',
  tiles: {
    dub: ['Doblar un vídeo', 'A otro idioma'],
    audiobook: ['Crear un audiolibro', 'A partir de EPUB, PDF, Word o texto'],
    transcribe: ['Transcribir', 'Audio, vídeo o dictado'],
    voices: ['Clonar o diseñar una voz', 'Bastan 10\u00a0segundos'],
  },

  continue: 'Continuar',
  allProjects: 'Todos los proyectos',
  take: 'Toma',
  project: 'Proyecto',
  transcript: 'Transcripción',
  speech: 'Locución',
  manuscript: 'Manuscrito',
  dub: (language: string, lines: number) =>
    ['Doblaje', language, lines > 0 ? plural(lines, { one: '# línea', many: '# de líneas', other: '# líneas' }) : '']
      .filter(Boolean)
      .join(' · '),
  book: (chapters: number) =>
    plural(chapters, { one: 'Audiolibro · # capítulo', many: 'Audiolibro · # de capítulos', other: 'Audiolibro · # capítulos' }),
  stopped: (done: number, all: number) => `Detenido. Capítulos conservados: ${done} de ${all}.`,
  done: 'Listo',
  draft: 'Borrador',
  spoken: 'Locutado',

  first: 'Primeras palabras',
  firstHint: 'Elige un texto para probar una voz.',
  samples: [
    'A las cinco el puerto estaba en calma. Solo las gaviotas y una farola en el muelle lejano.',
    'Buenas noches. Estos son los titulares de las nueve.',
    'Doce escalones bajan al sótano, y el último está suelto.',
  ],

  running: 'En curso',
  jobs: 'Trabajos',
  nothing: 'No hay nada en curso.',
  checking: 'Comprobando este estudio…',
  ready: 'Listo',
  suggestions: (count: number) =>
    plural(count, { one: 'Listo, con # sugerencia', many: 'Listo, con # de sugerencias', other: 'Listo, con # sugerencias' }),
  notReady: 'Algo requiere tu atención',
  needsApproval: (name: string) => `${name} necesita tu aprobación`,
  review: 'Revisar',
  show: 'Mostrar',
  dismiss: 'Descartar',
  crashed: 'El programa falló o se cerró a la fuerza. Se ha conservado el final de su registro.',
  readError: (what: string) => `No se ha podido cargar esta lista: ${what}`,
}
