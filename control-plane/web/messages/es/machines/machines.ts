// The words of the Machines page, in Spanish: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# tarea', many: '# de tareas', other: '# tareas' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'Aún no hay otros equipos'
  if (all === 1) return online === 1 ? '1 equipo, en línea' : '1 equipo, sin conexión'
  if (online === 0) return `Los ${grouped(all)} equipos están sin conexión`
  return online === all ? `Los ${grouped(all)} equipos están en línea` : `Equipos en línea: ${grouped(online)} de ${grouped(all)}`
}

const page = {
  machines: 'Equipos',
  views: 'Vistas',
  tabs: { '': 'Prestados', shared: 'Compartidos por mí', routing: 'Asignación', security: 'Seguridad' },
  remote: (isOn: boolean) => `Equipos remotos: ${isOn ? 'sí' : 'no'}`,
  turnOn: 'Activar equipos remotos',
  turnOff: 'Desactivar…',
  turnOffTitle: '¿Desactivar los equipos remotos?',
  turnOffYes: 'Desactivar',
  turnOffWarning:
    'Se desconectan todos los equipos y se cierra el puerto. Sus tareas se detienen. Los equipos siguen registrados y vuelven cuando los actives de nuevo.',
  turnedOn: 'Los equipos remotos están activados.',
  turnedOff: 'Los equipos remotos están desactivados.',
  offNote: 'Mientras esté desactivado, todo el trabajo se queda en este equipo y ningún otro puede unirse.',
  startError: (reason: string) => `No se han podido activar los equipos remotos: ${reason}`,
  joinAt: 'Los equipos se unen en ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [machines(online, all), running > 0 && `${tasks(running)} en curso`, waiting > 0 && `${tasks(waiting)} en espera`]
      .filter(Boolean)
      .join(' · '),
  add: 'Añadir un equipo…',
  connect: 'Conectar con una cadena…',
  routingNote: '«Ejecutar en: Automático» elige el equipo que terminaría antes. ',
  routingLink: 'Ver dónde se ejecuta cada tipo de trabajo',
}

const list = {
  find: 'Buscar un equipo',
  findExample: 'Nombre, dispositivo, dirección',
  state: 'Estado',
  all: (count: number) => `Todos (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) => {
    const total = plural(all, { one: '# equipo', many: '# de equipos', other: '# equipos' })
    return found === all ? total : `${grouped(found)} de ${total}`
  },
  showAll: 'Mostrar todos',
  empty: 'De momento solo está este equipo. Añade uno con GPU para acelerar la locución.',
  noneFound: 'Ningún equipo coincide.',
}

const states = {
  ready: 'Listo',
  busy: 'Ocupado',
  draining: 'En retirada',
  paused: 'En pausa',
  unapproved: 'Sin aprobar',
  off: 'Desactivado',
  offline: 'Sin conexión',
  unresponsive: 'No responde',
  quarantined: 'En cuarentena',
}

const table = {
  pool: (count: number) => plural(count, { one: 'Grupo de # equipo', many: 'Grupo de # de equipos', other: 'Grupo de # equipos' }),
  columns: {
    machine: 'Equipo',
    state: 'Estado',
    use: 'Uso',
    memory: 'Memoria de GPU',
    loaded: 'Cargados',
    latency: 'Latencia',
    actions: 'Acción',
  },
  none: '—',
  working: (count: number) => `${tasks(count)} en curso`,
  memoryUse: (used: string, all: string) => `${used} de ${all}`,
  memoryOf: (use: string) => `Memoria de GPU: ${use}`,
  noGpu: 'Sin GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'Preferente', automatic: 'Automático', low: 'Prioridad baja', never: 'Nunca' },
  other: (priority: string) => `Prioridad ${priority}`,
  label: (name: string) => `Uso: ${name}`,
  notYet: 'Aún no se envía nada',
  saved: (name: string) => `Guardado para ${name}.`,
}

const card = {
  states,
  back: 'Todos los equipos',
  facts: 'Detalles',
  address: 'Dirección',
  key: 'Clave',
  reasonsLabel: 'Por qué no recibe trabajo',
  device: 'Dispositivo',
  memory: 'Memoria',
  system: 'Sistema',
  version: 'Versión de Voice Studio',
  outdated: (version: string) => `${version}, anterior a este estudio. Actualícela en esa máquina.`,
  models: 'Modelos cargados',
  none: 'Ninguno',
  runsNow: 'En curso',
  idle: 'Libre',
  latency: 'Latencia',
  ms: (ms: number) => `${ms}\u00a0ms`,
  lastSeen: 'Última conexión',
  now: 'Ahora',
  priority: 'Prioridad',
  priorityOf: (priority: number) => (priority === 50 ? 'Normal' : `${priority > 50 ? 'Alta' : 'Baja'} (${priority})`),
  unknown: 'Desconocido',
  cpuOnly: (count: number) =>
    plural(count, { one: 'CPU, # núcleo, sin GPU', many: 'CPU, # de núcleos, sin GPU', other: 'CPU, # núcleos, sin GPU' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model} (presente, pero no se puede usar: ${reason})`,
  gpuMemory: (free: string, all: string) => `${free} de ${all} de memoria de GPU libres`,
  systemMemory: (size: string) => `${size} de memoria`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation} con ${engine}, ${stage}`,
  stages: { assigned: 'ofrecida', accepted: 'aceptada', model_loading: 'cargando el modelo', result_uploading: 'entregando' },

  resume: 'Reanudar',
  approve: 'Aprobar',
  release: 'Liberar',
  log: 'Registro',
  takeWork: 'Volver al servicio',
  turnOn: 'Activar',
  turnOff: 'Desactivar',
  menu: 'Más acciones',
  rename: 'Cambiar nombre o prioridad',
  drain: 'Retirar del servicio',
  drainHint: 'Retirar del servicio: termina sus tareas y no acepta más.',
  withdraw: 'Retirar la aprobación',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}: ${name}`,
  resumed: (name: string) => `${name} vuelve a recibir trabajo.`,
  notResumed: (name: string, why: string) => `${name} sigue sin recibir trabajo. ${why}`,
  draining: (name: string) => `${name} termina sus tareas y no acepta más.`,
  turnedOn: (name: string) => `${name} está activado.`,
  turnedOff: (name: string) => `${name} está desactivado.`,
}

const reasons = {
  quarantined: (why: string) => `En cuarentena: ${why}. No se le envía nada hasta que lo liberes.`,
  unapproved: 'No se le envía nada hasta que lo apruebes.',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'Ahora es un grupo de equipos.',
    machine: 'Ya no es un grupo de equipos.',
    operator: (name: string) => `Ahora lo gestiona ${name}.`,
    places: (names: string) => `Sus equipos están ahora en ${names}.`,
    reads: 'Quien lo gestiona ahora puede leer lo que se envía.',
    readsNot: 'Quien lo gestiona declara que ya no lee lo que se envía.',
  },
  off: 'Lo has desactivado. Su trabajo va a otros equipos.',
  notReached: (why: string) => `Sin conexión. ${why || 'El estudio sigue intentando conectarse.'}`,
  neverConnected: (name: string) => `${name} aún no se ha conectado. Quien lo administra inicia Voice Studio en ese equipo.`,
  offline: (name: string) => `${name} está apagado o sin conexión. Quien lo administra inicia Voice Studio en ese equipo.`,
  unresponsive: 'Está conectado, pero no responde. Consulta su registro.',
  drained: (count: number) =>
    count > 0 ? `En retirada: termina ${tasks(count)} y no recibe más.` : 'Fuera de servicio: no recibe más tareas.',
  ending: (count: number) => `Se está cerrando en ese equipo: ${count > 0 ? `termina ${tasks(count)} y ` : ''}no acepta más.`,
  breaker: (model: string, summary: string) => `${model}: ${summary}.`,
  lastConnected: (ago: string) => `Última conexión: ${ago}.`,
  nextTry: (time: string) => `Próximo intento en ${time}.`,
  nextTrySoon: 'Próximo intento en un momento.',
  allSlots: 'Todas las plazas están ocupadas.',
  waits: (count: number, why: string) =>
    `${plural(count, {
      one: '# tarea no puede ejecutarse ahí',
      many: '# de tareas no pueden ejecutarse ahí',
      other: '# tareas no pueden ejecutarse ahí',
    })}: ${why}.`,
  /** Reasons of the scheduler that need more context here. */
}

const work: Readonly<Record<string, string>> = {
  tts: 'Locución',
  asr: 'Transcripción',
  clean: 'Eliminación de ruido',
  translate: 'Traducción',
  separate: 'Separación de voces',
}

export const strings = { page, list, table, use, card, reasons }
