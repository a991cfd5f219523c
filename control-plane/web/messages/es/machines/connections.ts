// The words of the sections that connect machines, in Spanish: add, connect, share and lend.

import { COMMAND } from '#control-plane/web/lib/names.ts'
import { plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# tarea', many: '# de tareas', other: '# tareas' })

const add = {
  title: 'Añadir un equipo',
  intro: 'El otro equipo se conecta a este estudio con un código de un solo uso. No necesita ningún puerto abierto.',
  name: 'Nombre del equipo',
  nameHint: 'El nombre que se muestra aquí. Puedes cambiarlo más tarde.',
  address: 'Dirección de este estudio',
  detected: (endpoint: string) => `${endpoint} (detectada)`,
  fromPage: (host: string) => `${host} (dirección de esta página)`,
  other: 'Otra dirección…',
  otherLabel: 'Otra dirección',
  otherHint: 'SERVIDOR o SERVIDOR:PUERTO, por ejemplo de un rúter que redirige el puerto.',
  validFor: 'Validez',
  times: [
    [300, '5\u00a0minutos'],
    [900, '15\u00a0minutos'],
    [3600, '1\u00a0hora'],
    [86_400, '1\u00a0día'],
  ] as [number, string][],
  create: 'Crear código',
  createAnother: 'Crear otro código',
  code: 'Código de unión',
  codeBefore: 'El código sirve una sola vez y conecta con ',
  codeTime: '. Tiempo restante: ',
  expired: 'ninguno, ha caducado',
  onOther: 'En el otro equipo',
  ways: {
    npx: 'Con Node 22.18 o posterior:',
    container: 'En un contenedor:',
    files: 'En una carpeta con los archivos empaquetados:',
    checkout: 'En un checkout:',
  } as Record<string, string>,
  thenLends: 'El equipo se une y presta desde entonces sin terminal. Si no es posible, el comando indica cómo iniciarlo.',
  sameLines: 'Las mismas líneas las muestra',
  waiting: 'Esperando al equipo. Aparecerá aquí cuando se haya unido.',
  codeExpired: 'El código ha caducado.',
  joined: (isConnected: boolean) =>
    isConnected ? ' se ha unido y está conectado.' : ` se ha unido. Se conectará cuando su agente esté en marcha: ${COMMAND} agent`,
  approved: 'Está aprobado.',
  notApproved: 'No se le envía nada hasta que lo apruebes.',
  approve: 'Aprobar…',
}

const secret = {
  copy: 'Copiar',
  copied: 'Copiado.',
  selected: 'Seleccionado. Cópialo con el teclado.',
  once: 'No volverás a verlo.',
  qr: (label: string) => `${label} como código QR`,
}

const connect = {
  title: 'Conectar con un equipo con GPU',
  intro: `Para un equipo que acepta conexiones. Quien lo administra te crea una cadena de conexión en su página Equipos o con ${COMMAND} agent keys add.`,
  remoteOff: 'Activa antes los equipos remotos.',
  string: 'Cadena de conexión',
  stringHint: 'Mantenla en secreto. Pertenece al primer estudio que la use.',
  connect: 'Conectar',
  connecting: (endpoint: string) => `Conectando con ${endpoint}.`,
  connections: 'Conexiones',
  connected: 'Conectado',
  notConnected: 'Sin conexión',
  remove: shared.remove,
  removeOne: (endpoint: string) => `Quitar la conexión con ${endpoint}`,
  removeTitle: '¿Quitar esta conexión?',
  removeWarning: 'El estudio se desconectará y quitará el equipo. Para volver a usarlo, necesitarás otra cadena de conexión.',
  removed: 'Conexión quitada.',
}

const share = {
  title: 'Compartir este equipo',
  intro: 'Otros estudios se conectan a este equipo y usan su GPU. Cada persona recibe una clave.',
  on: 'Activado',
  off: 'Desactivado',
  listeningOn: 'Escuchando en ',
  reach: (isExposed: boolean) =>
    isExposed
      ? '. Otros equipos pueden llegar a esta dirección, pero solo una clave da acceso.'
      : '. Solo pueden llegar a ella los programas de este equipo.',
  startError: (reason: string) => `No se ha podido empezar a escuchar: ${reason}`,
  address: 'Dirección de escucha',
  addressHint: '127.0.0.1: solo programas de este equipo. 0.0.0.0: cualquier equipo que pueda llegar a este.',
  port: 'Puerto',
  start: 'Empezar a compartir',
  change: 'Cambiar la dirección',
  stop: 'Dejar de compartir',
  started: 'Este equipo se está compartiendo.',
  stopped: 'Este equipo ha dejado de compartirse.',
  keys: 'Claves',
  newKey: 'Nueva clave…',
  noKeys: 'Aún no hay claves.',
  keyTitle: 'Nueva clave',
  person: 'Persona',
  personHint: '64 caracteres como máximo.',
  createKey: 'Crear clave',
  keyFor: 'Solo para ',
  keyForOne: '. La clave pertenece al primer estudio que la use.',
  string: 'Cadena de conexión',
  localOnly:
    'Ahora solo pueden usarlo los programas de este equipo. Para que otros se conecten, escucha en 0.0.0.0 o en una dirección de red.',
  state: 'Estado',
  lastSeen: 'Última conexión',
  actions: 'Acciones',
  keyStates: { revoked: 'Revocada', connected: 'Conectada', unused: 'Sin usar', away: 'Sin conexión' },
  revoke: 'Revocar',
  revokeOne: (name: string) => `Revocar la clave de ${name}`,
  revokeTitle: '¿Revocar esta clave?',
  revokeBefore: 'El acceso de ',
  revokeAfter: ' termina ahora y se detienen sus tareas. No se puede deshacer.',
  revoked: 'Clave revocada.',
  connected: 'Conexiones activas',
  noSessions: 'No hay nadie conectado.',
  from: (peer: string) => ` desde ${peer}, `,
  tasksRun: (count: number) =>
    plural(count, { one: ', # tarea realizada', many: ', # de tareas realizadas', other: ', # tareas realizadas' }),
  disconnect: 'Desconectar',
  disconnectOne: (name: string) => `Desconectar a ${name}`,
  disconnected: 'Desconectado. El estudio puede volver a conectarse al cabo de un minuto. Revoca su clave para impedirlo.',
  events: (count: number) => `Registro de conexiones (${count})`,
  someone: 'Alguien',
  event: (peer: string, what: string, detail: string) => ` desde ${peer}: ${what}${detail && ` (${detail})`}`,
  eventKinds: { connected: 'conexión', disconnected: 'desconexión', kicked: 'desconexión forzada', rejected: 'acceso rechazado' },
}

const lend = {
  title: 'Prestar con un código de unión',
  section: 'Prestar este equipo',
  states: {
    none: 'Sin unir',
    off: 'Desactivado',
    finishing: 'Terminando',
    lending: 'Prestado',
    searching: 'Sin conexión',
    unknown: 'Desconocido',
  },
  none: 'Este equipo no se ha unido a ningún otro estudio.',
  off: (studio: string) => `Se ha unido a ${studio} y ahora no presta nada.`,
  finishing: (studio: string, held: number) => `Está terminando ${tasks(held)} para ${studio} y no acepta más.`,
  lending: (studio: string, held: number) =>
    `Está prestado a ${studio}. ${plural(held, { one: '# tarea en curso', many: '# de tareas en curso', other: '# tareas en curso' })}.`,
  searching: (studio: string) => `Conectando con ${studio}.`,
  studioAt: (name: string, endpoint: string) => `${name || 'un estudio'} en ${endpoint}`,
  lastError: (error: string) => `Último problema: ${error}`,
  pinned: 'Lo determina la variable de entorno STUDIO_WORKER_MODE. No se puede cambiar aquí.',
  start: 'Empezar a prestar',
  stop: 'Dejar de prestar',
  started: 'Este equipo se está prestando.',
  stopped: 'Este equipo ha dejado de prestarse.',
  join: 'Unirse y prestar',
  joinAnother: 'Unirse a otro estudio',
  joined: 'Este equipo se ha unido y se está prestando.',
  code: 'Código de unión del otro estudio',
  codeHint:
    'Se crea en la página Equipos de ese estudio con «Añadir un equipo». Después, este equipo trabaja en lo que envíen sus usuarios.',
}

export const strings = { add, secret, connect, share, lend }
