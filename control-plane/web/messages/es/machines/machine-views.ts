// The words of the views and dialogs that the Machines page opens, in Spanish.
import { grouped } from '../language.ts'
import { strings as shared } from '../shared.ts'

const routing = {
  title: 'Ejecutar en',
  target: 'Ejecutar el trabajo en',
  automatic: 'Automático (el más rápido)',
  unavailable: (name: string, why: string) => `${name} (${why})`,
  showFor: 'Mostrar la asignación para',
  runningOn: (name: string) => `Se ejecuta en ${name}`,
  fastest: 'el equipo más rápido',
  thisMachine: 'este equipo',
  saved: 'Guardado.',
  where: 'Adónde va ahora el trabajo',
  operations: [
    ['', 'Todo'],
    ['tts', 'Locución'],
    ['audiobook', 'Audiolibros'],
    ['dub', 'Doblaje'],
    ['clone', 'Clonación de voz'],
    ['asr', 'Transcripción'],
    ['dictation', 'Dictado'],
    ['diarize', 'Detección de hablantes'],
    ['identify', 'Detección del idioma'],
    ['translate', 'Traducción'],
  ] as [string, string][],
}

const security = {
  title: 'Autoridad de certificación',
  intro:
    'Firma los certificados de todos los equipos, que demuestran su identidad. Compara su huella con la que muestra un equipo cuando se une.',
  fingerprint: 'Huella',
  next: 'Siguiente',
  previous: 'Anterior',
  validUntil: 'Válida hasta',
  phases: { steady: 'En uso', prepared: 'Sustituta preparada', activated: 'Sustituta en uso' },
  behind: 'Aún usan el certificado anterior',
  mustJoinAgain: 'Deben volver a unirse',
  replace: 'Sustituir la autoridad',
  steps: {
    prepare:
      'Sustitúyela si su clave ha podido quedar expuesta o si va a caducar pronto. El paso 1 crea la siguiente y todos los equipos la conocen.',
    activate: 'El paso 2 usa la siguiente para los certificados nuevos. Los códigos y certificados anteriores siguen siendo válidos.',
    retire: 'El paso 3 retira la anterior. Espera a que todos los equipos tengan un certificado nuevo.',
  },
  actions: { prepare: 'Preparar la siguiente', activate: 'Usar la siguiente', retire: 'Retirar la anterior…' },
  done: {
    prepare: 'La siguiente autoridad está preparada.',
    activate: 'La siguiente autoridad está en uso.',
    retire: 'La autoridad anterior está retirada.',
  },
  retireTitle: '¿Retirar la autoridad anterior?',
  retireYes: 'Retirar',
  retireWarning: 'Los certificados y códigos de la autoridad anterior dejarán de funcionar. No se puede deshacer.',
}

const dialogs = {
  approveTitle: '¿Aprobar este equipo?',
  approveBefore: 'Si apruebas ',
  approveAfter: ', el estudio le envía lo que necesitan sus tareas:',
  sent: [
    ['textos', ' que se van a locutar o traducir;'],
    ['audio', ' que se va a transcribir o procesar;'],
    ['voces', ' que se usan: sus muestras y descripciones.'],
  ],
  destinationBefore: 'Los datos van a ',
  destinationKey: ', al equipo con la clave ',
  destinationAfter: '. La conexión está cifrada.',
  unknownAddress: 'una dirección que se conocerá cuando se conecte',
  approveWarning: 'Quien administra ese equipo puede leerlos, escucharlos y conservarlos.',
  approveAdvice: ' Aprueba un equipo solo si confías tus datos a quien lo administra.',
  approveNote:
    'Puedes retirar la aprobación en cualquier momento. Entonces se detienen sus tareas y se eliminan allí sus datos, pero las copias hechas antes por quien lo administra no se borran.',
  notNow: 'Ahora no',
  approve: 'Aprobar',
  useQuestion: '¿Cómo se usará?',
  uses: { automatic: 'Automáticamente', chosen: 'Solo cuando lo elijas' },
  useHints: {
    automatic: 'El trabajo se ejecuta en el equipo que lo termine antes: este o cualquiera que hayas aprobado.',
    chosen: 'Por ahora no cambia nada. Elígelo en «Ejecutar el trabajo en» cuando quieras usarlo.',
  },
  endsAutomatic: 'A partir de entonces el trabajo se ejecuta en este equipo hasta que elijas otro en «Ejecutar el trabajo en».',
  approved: (name: string, use: 'automatic' | 'chosen') =>
    use === 'automatic'
      ? `${name} está aprobado y recibe trabajo automáticamente.`
      : `${name} está aprobado. Elígelo cuando quieras usarlo.`,

  changeTitle: 'Cambiar nombre o prioridad',
  name: 'Nombre',
  nameHint: '120 caracteres como máximo. Si está vacío, se muestra la clave.',
  priority: 'Prioridad, de 0 a 100',
  priorityHint: 'Si dos equipos fueran a terminar a la vez, recibe el trabajo el de mayor prioridad. El valor predeterminado es 50.',
  saved: 'Guardado.',

  withdrawTitle: '¿Retirar la aprobación?',
  withdraw: 'Retirar',
  withdrawBefore: 'El estudio deja de enviar datos a ',
  withdrawAfter: '. Se detienen sus tareas, se eliminan allí sus datos y las tareas se ejecutan en otro lugar.',
  withdrawn: 'Aprobación retirada.',

  releaseTitle: '¿Liberar este equipo?',
  release: 'Liberar',
  quarantined: ' está en cuarentena:',
  alreadyReleased: 'Ya está liberado.',
  releaseWarning: 'Libéralo solo si tienes la certeza de que un único equipo tiene su clave. Se aceptará el próximo equipo que la use.',
  released: 'Equipo liberado.',

  removeTitle: '¿Quitar este equipo?',
  remove: shared.remove,
  removeBefore: 'Se revoca la clave de ',
  removeAfter: ' y se desconecta el equipo. Sus tareas se ejecutan en otro lugar.',
  removeWarning: 'No podrá volver con esta clave. Para usarlo de nuevo, añádelo con otro código.',
  removed: 'Equipo quitado.',

  logTitle: 'Registro de este equipo',
  logNote: ': las líneas más recientes, empezando por la más antigua. No incluye secretos ni textos de tareas.',
  logLines: 'Líneas del registro',
  logEmpty: 'El registro está vacío.',
  refresh: 'Actualizar',

  goneTitle: 'Este equipo ya no está',
  gone: 'Se ha quitado, o se han desactivado los equipos remotos.',
}

/** A pool beside the table, and in the question before its approval. */
const pool = {
  notKnown: 'No se sabe',
  readsNot: 'Nada, según quien lo gestiona',
  keepsNothing: 'Nada tras un trabajo, según quien lo gestiona',
  operator: 'Gestión',
  location: 'Ubicación',
  canDo: 'Puede hacer',
  canRead: 'Puede leer',
  keeps: 'Conserva',
  reads: 'El texto, las muestras y el audio que envías',
  declared: 'Lo declara quien lo gestiona. El estudio no puede comprobarlo.',
  share: 'Tu parte',
  atOnce: 'A la vez',
  wait: 'Espera habitual',
  slots: 'Plazas',
  you: (count: number) => `Tú ${grouped(count)}`,
  others: (count: number) => `Otros ${grouped(count)}`,
  free: (count: number) => `Libres ${grouped(count)}`,
  studios: (count: number) => `Estudios activos: ${grouped(count)}`,
  older: (count: number) => `Versiones anteriores: ${grouped(count)}`,
}

export const strings = { routing, security, dialogs, pool }
