// The words of People and keys, in Spanish.
import { plural } from '../language.ts'

export const strings = {
  invite: 'Invitar a una persona',
  createKey: 'Crear clave',
  tabs: { all: 'Todo', person: 'Personas', program: 'Programas', ended: 'Terminados' },
  columns: { name: 'Nombre', used: 'Uso de este mes', may: 'Puede', last: 'Último uso', ends: 'Termina' },
  you: 'Tú',
  owner: 'Administra el estudio',
  kinds: { person: 'Persona', program: 'Programa' },
  keyCount: (count: number) => plural(count, { one: '# clave', many: '# de claves', other: '# claves' }),
  none: 'No hay nada.',
  usageFile: 'Uso en CSV',

  hours: (count: string) => `${count}\u00a0h`,
  ofLimit: (used: string, limit: string) => `${used} de ${limit}`,
  unlimited: (used: string) => `${used}, sin límite`,
  nothing: '—',
  never: 'Nunca',

  for: 'Para',
  roleHints: {
    listen: 'Reproducir y descargar lo que hay en la biblioteca',
    create: 'Hablar, transcribir, doblar. Ve su propio trabajo, sin ajustes',
    operate: 'Todo menos las claves: equipos, modelos, ajustes',
    own: 'Todo, también las claves y el trabajo de todas las personas',
  },
  on: 'En',
  sound: 'Sonido al día',
  gpu: 'Tiempo de GPU al mes',
  tasks: 'Tareas a la vez',
  disk: 'Disco',
  noLimit: 'Sin límite',
  inDays: (days: number) => plural(days, { one: 'En # día', many: 'En # de días', other: 'En # días' }),
  once: 'Verás la clave una sola vez.',
  onlyHere: 'Esta dirección solo funciona en este equipo.',
  invitation: (address: string, key: string) => `Abre ${address} e inicia sesión con esta clave:\n${key}`,

  keys: 'Claves',
  firstKey: 'Clave',
  created: 'Creación',
  fact: (name: string, value: string) => `${name}: ${value}`,
  replace: 'Sustituir',
  oldEnds: 'La clave anterior termina',
  /** By seconds. */
  oldEndings: { 0: 'Ahora mismo', 86400: 'En 24 horas', 604800: 'En 7 días' },
  endKeyYes: 'Terminar clave',
  taskCount: (count: number) => plural(count, { one: '# tarea', many: '# de tareas', other: '# tareas' }),
  ofSound: (time: string) => `${time} de sonido`,
  ofGpu: (time: string) => `${time} en una GPU`,
  endText: 'Las sesiones terminan ahora mismo. Lo hecho se conserva.',
  endYes: 'Terminar acceso',
}
