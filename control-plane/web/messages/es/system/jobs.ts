// The words of the Jobs page, in Spanish.
import { strings as frame } from '../frame.ts'
import { grouped, plural } from '../language.ts'

const tasks = (count: number) => plural(count, { one: '# trabajo', many: '# de trabajos', other: '# trabajos' })

export const strings = {
  tasks: 'Trabajos',
  work: 'En los equipos',
  views: 'Vistas',
  statuses: { all: 'Todos', active: 'Activos', done: 'Listos', failed: 'Sin terminar', cancelled: 'Cancelados' } satisfies Readonly<
    Record<string, string>
  >,
  jobStates: { pending: 'En espera', running: 'En curso', done: 'Listo', failed: 'Sin terminar', cancelled: 'Cancelado' },
  jobColumns: { job: 'Trabajo', state: 'Estado', progress: 'Progreso', when: 'Cuándo' },
  jobKind: frame.kind,
  kind: 'Tipo',
  allKinds: 'Todos los tipos',
  findJob: 'Buscar un trabajo',
  found: (count: number) => tasks(count),
  showAll: 'Mostrar todos los trabajos',
  noJobs: 'No hay nada en curso. Lo que crees aparecerá aquí.',
  noReason: 'Terminó sin indicar el motivo.',
  took: (time: string) => `Duró ${time}`,
  step: (at: number, of: number) => `Paso ${at} de ${of}`,
  backToJobs: 'Todos los trabajos',
  openResult: 'Abrir',
  copyDetails: 'Copiar detalles',
  copied: 'Detalles copiados.',
  times: 'Tiempos',
  begun: 'Inicio',
  endedAt: 'Fin',
  events: (count: number) => `Eventos más recientes (${count})`,
  show: 'Mostrar',
  groups: { all: 'Todos', waiting: 'En espera', running: 'En curso', done: 'Listos', failed: 'Fallidos o cancelados' },
  find: 'Buscar',
  findExample: 'Motor, equipo, error, id',
  status: (waiting: number, count: string) => `${waiting} en espera. ${count}`,
  count: (count: number, isSearch: boolean, isComplete: boolean) =>
    `${
      isSearch
        ? plural(count, { one: '# trabajo encontrado', many: '# de trabajos encontrados', other: '# trabajos encontrados' })
        : tasks(count)
    }${isComplete ? '.' : ', y otros más antiguos.'}`,
  none: 'Aún no hay trabajos. Lo que crees aparecerá aquí.',
  noneFound: 'Ningún trabajo coincide.',
  showOlder: 'Mostrar trabajos más antiguos',
  searchOlder: 'Buscar en trabajos más antiguos',
  refusedBefore: 'Esta página no puede seguir los cambios: ',
  refusedAfter: ' Se actualiza de vez en cuando y lo vuelve a intentar por sí sola.',
  readError: 'No se han podido cargar los trabajos: ',

  states: {
    queued: 'En espera',
    assigned: 'Ofrecido a un equipo',
    accepted: 'Aceptado',
    model_loading: 'Cargando el modelo',
    running: 'En curso',
    result_uploading: 'Entregando',
    completed: 'Listo',
    failed: 'Fallido',
    timeout: 'Tiempo agotado',
    cancelled: 'Cancelado',
  },
  attemptStates: {
    assigned: 'ofrecido',
    accepted: 'aceptado',
    running: 'en curso',
    uploading: 'entregando',
    committed: 'listo',
    rejected: 'rechazado',
    failed: 'fallido',
    timed_out: 'tiempo agotado',
    cancelled: 'cancelado',
    lost: 'conexión perdida',
  } satisfies Readonly<Record<string, string>>,
  operations: {
    ...{
      tts: 'Locución',
      asr: 'Transcripción',
      translate: 'Traducción',
      separate: 'Separación de voces',
      denoise: 'Eliminación de ruido',
    },
    ...{
      vad: 'Detección de voz',
      align: 'Tiempos de palabras',
      diarize: 'Detección de hablantes',
      identify: 'Detección del idioma',
    },
    ...{ verify: 'Comprobación de un modelo', probe: 'Prueba' },
  } satisfies Readonly<Record<string, string>>,
  title: (operation: string, engine: string, model: string) => `${operation} con ${engine}${model && ` (${model})`}`,
  lowPriority: 'Prioridad baja',
  cancelTask: (title: string, started: string) => `Cancelar ${title}, inicio: ${started}`,
  cancelTitle: '¿Cancelar este trabajo?',
  cancelAction: 'Cancelar el trabajo',
  cancelKeep: 'Seguir',
  cancelWarning: 'Lo generado hasta ahora se descarta.',
  cancelling: 'Cancelando el trabajo.',
  thisMachine: 'este equipo',
  on: (machine: string) => `en ${machine}`,
  progress: (title: string, percent: string) => `${title}: ${percent}`,
  ended: (finished: string, took: string) => `${finished}, duró ${took}`,
  unknownEnd: 'Tiempo restante desconocido',
  almostDone: 'Casi listo',
  timeLeft: (time: string) => `${time} para terminar`,
  waitingBecause: 'Por qué espera:',
  aboutToStart: 'Se ofrecerá a un equipo en un momento.',
  /** `more`: machines that are not named; none below 1 */
  because: (machines: string, more: number, reason: string) => `${machines}${more > 0 ? ` y ${grouped(more)} más` : ''}: ${reason}`,

  attempts: (count: number, limit: number, failed: number) => `Intento ${count} de ${limit}${failed > 0 ? `, fallidos: ${failed}` : ''}`,
  taskId: 'Tarea ',
  reached: (percent: string) => ` al ${percent}`,
  details: 'Detalles',
  errorCode: (code: string, kind: string) => `${code}, clase ${kind}`,
  retryable: 'Un nuevo intento puede funcionar.',
  final: 'Un nuevo intento no servirá.',
  whatToDo: (hint: string) => `Qué hacer: ${hint}`,

  activity: 'Actividad',
  finishedPerMinute: 'terminados por minuto',
  peakWaiting: 'máximo en espera',
  summary: (minutes: number, done: number, failed: number, waiting: number) =>
    `${plural(minutes, {
      one: 'Último minuto',
      many: 'Últimos # de minutos',
      other: 'Últimos # minutos',
    })}: listos, ${grouped(done)}; fallidos o cancelados, ${grouped(failed)}; máximo en espera, ${waiting}.`,
  asTable: 'Mostrar como tabla',
  table: 'Actividad en forma de tabla',
  columns: ['Minuto', 'Listos', 'Fallidos o cancelados', 'Máximo en espera'],
}
