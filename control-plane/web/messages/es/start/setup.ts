// The words of the Setup page, and of the hardware, the room and the downloads of models on other pages, in Spanish.

import { decimal, list, plural } from '../language.ts'

const gigabytes = (gb: number) => `${decimal(gb, Number.isInteger(gb) ? 0 : 1)}\u00a0GB`

export const strings = {
  title: 'Una voz natural en tres pasos',
  lead: 'Ya puedes locutar con la voz básica. Todo lo de esta página puede esperar, y nada sale de este equipo.',
  machine: 'Este equipo',
  speaking: 'Locutando una frase…',
  cardWorks: 'La tarjeta gráfica funciona',
  processorWorks: 'El procesador funciona',
  notSpoken: 'No se ha podido locutar',
  lookAgain: 'Volver a comprobar',
  speed: (times: string) => `${times}× la velocidad del habla`,
  cardLater: 'Se prueba con el primer modelo que la use',
  noCard: 'Sin tarjeta gráfica',
  onProcessor: 'Locuta el procesador',
  coresAndMemory: (cores: number, memory: string) =>
    `${plural(cores, { one: '# núcleo', many: '# de núcleos', other: '# núcleos' })}, ${memory}`,
  free: (size: string) => `${size} libres`,
  forFiles: 'Para modelos y vídeos',
  media: 'Vídeos, MP3, M4B',
  noMedia: 'Solo archivos WAV',
  ffmpeg: 'ffmpeg',
  installFfmpeg: 'El estudio no descarga programas. Instala ffmpeg con el gestor de paquetes de este equipo y reinicia el estudio.',
  restartForFfmpeg: 'ffmpeg se instaló después de iniciar el estudio. Reinicia el estudio para usarlo.',
  suggestions: (count: number) => plural(count, { one: '# sugerencia', many: '# de sugerencias', other: '# sugerencias' }),
  checksFailed: (failed: number, all: number) => `Comprobaciones con errores: ${failed} de ${all}.`,

  bundles: { gpu: 'El paquete natural', cpu: 'El paquete ligero' },
  chosenFor: { gpu: 'Elegido para esta tarjeta gráfica.', cpu: 'No necesita tarjeta gráfica.' },
  inBackground: 'Se instala en segundo plano.',
  about: (time: string, rate: string) => `Aprox. ${time} a ${rate}/s, en segundo plano.`,
  install: (size: string) => `Instalar ${size}`,
  again: (size: string) => `Reintentar, ${size}`,
  arrived: (done: string, all: string) => `${done} de ${all}`,
  left: (time: string) => `${time} para terminar`,
  progress: 'Descarga del paquete',
  allInstalled: 'Ya está todo instalado.',
  nothingFits: 'Ningún modelo de este paquete cabe en este equipo.',
  or: 'O bien',
  other: (name: string, size: string) => `${name}, ${size}`,
  choose: 'Elegir por tu cuenta',
  borrow: 'Tomar prestado un equipo…',
  offline: 'El servidor de modelos no responde, así que ahora no se puede instalar nada.',

  hear: 'Escucharla',
  text: 'Frase',
  voice: 'Voz',
  defaultVoice: 'Voz predeterminada',
  speak: 'Locutar',
  sample: 'A las cinco el puerto estaba en calma.',
  stays: 'Preparación sigue disponible en la búsqueda y en Ajustes.',

  otherPlatform: (platforms: readonly string[]) => `Solo funciona en ${list(platforms)}.`,
  unsupported: 'Su motor no funciona en este equipo, o el agente tiene otra versión.',
  diskTooSmall: (needed: string, free: string) =>
    `Necesita ${needed}\u00a0GB y hay ${free}\u00a0GB libres. Libera antes espacio en el disco.`,
  diskReserve: (reserve: number) => `Dejaría menos de ${gigabytes(reserve)} libres en el disco, así que la instalación podría rechazarse.`,
  memoryTooSmall: (memory: string) => `Necesita más memoria de la que tiene este equipo (${memory}).`,
  starting: 'Iniciando…',
  planning: 'Leyendo la lista de archivos…',
  retrying: (attempt: number, error: string) => `El intento ${attempt} ha fallado: ${error}. Reintentando.`,
}
