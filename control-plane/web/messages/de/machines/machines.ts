// The words of the Machines page, in German: the table and the machine beside it.
import { grouped, plural } from '../language.ts'
import { strings as shared } from '../shared.ts'

const tasks = (count: number) => plural(count, { one: '# Aufgabe', other: '# Aufgaben' })

const machines = (online: number, all: number) => {
  if (all === 0) return 'Noch kein anderer Rechner'
  if (all === 1) return online === 1 ? '1 Rechner, online' : '1 Rechner, offline'
  if (online === 0) return `Alle ${grouped(all)} Rechner sind offline`
  return online === all ? `Alle ${grouped(all)} Rechner sind online` : `${grouped(online)} von ${grouped(all)} Rechnern online`
}

const page = {
  machines: 'Rechner',
  views: 'Ansichten',
  tabs: { '': 'Geliehen', shared: 'Von mir geteilt', routing: 'Zuordnung', security: 'Sicherheit' },
  remote: (isOn: boolean) => `Externe Rechner: ${isOn ? 'ein' : 'aus'}`,
  turnOn: 'Externe Rechner einschalten',
  turnOff: 'Ausschalten…',
  turnOffTitle: 'Externe Rechner ausschalten?',
  turnOffYes: 'Ausschalten',
  turnOffWarning:
    'Alle Rechner werden getrennt, und der Port wird geschlossen. Ihre Aufgaben werden gestoppt. Die Rechner bleiben registriert und kommen zurück, wenn Sie dies wieder einschalten.',
  turnedOn: 'Externe Rechner sind eingeschaltet.',
  turnedOff: 'Externe Rechner sind ausgeschaltet.',
  offNote: 'Solange dies aus ist, bleibt alle Arbeit auf diesem Rechner, und kein anderer kann beitreten.',
  startError: (reason: string) => `Externe Rechner konnten nicht eingeschaltet werden: ${reason}`,
  joinAt: 'Rechner treten bei unter ',
  counts: (online: number, all: number, running: number, waiting: number) =>
    [
      machines(online, all),
      running > 0 && plural(running, { one: '# Aufgabe läuft', other: '# Aufgaben laufen' }),
      waiting > 0 && plural(waiting, { one: '# Aufgabe wartet', other: '# Aufgaben warten' }),
    ]
      .filter(Boolean)
      .join(' · '),
  add: 'Rechner hinzufügen…',
  connect: 'Mit Zeichenfolge verbinden…',
  routingNote: '„Läuft auf: Automatisch“ wählt den Rechner, der zuerst fertig wäre. ',
  routingLink: 'Anzeigen, wo welche Arbeit läuft',
}

const list = {
  find: 'Rechner suchen',
  findExample: 'Name, Gerät, Adresse',
  state: 'Status',
  all: (count: number) => `Alle (${grouped(count)})`,
  stateCount: (state: string, count: number) => `${state} (${grouped(count)})`,
  shown: (found: number, all: number) =>
    found === all ? plural(all, { one: '# Rechner', other: '# Rechner' }) : `${grouped(found)} von ${grouped(all)} Rechnern`,
  showAll: 'Alle anzeigen',
  empty: 'Bisher nur dieser Rechner. Mit einem GPU-Rechner wird die Sprachausgabe schneller.',
  noneFound: 'Keine passenden Rechner.',
}

const states = {
  ready: 'Bereit',
  busy: 'Ausgelastet',
  draining: 'Läuft aus',
  paused: 'Pausiert',
  unapproved: 'Freigabe nötig',
  off: 'Ausgeschaltet',
  offline: 'Offline',
  unresponsive: 'Antwortet nicht',
  quarantined: 'In Quarantäne',
}

const table = {
  pool: (count: number) => plural(count, { one: 'Pool mit # Rechner', other: 'Pool mit # Rechnern' }),
  columns: {
    machine: 'Rechner',
    state: 'Status',
    use: 'Einsatz',
    memory: 'GPU-Speicher',
    loaded: 'Geladen',
    latency: 'Latenz',
    actions: 'Aktion',
  },
  none: '—',
  working: (count: number) => plural(count, { one: 'Bearbeitet # Aufgabe', other: 'Bearbeitet # Aufgaben' }),
  memoryUse: (used: string, all: string) => `${used} von ${all}`,
  memoryOf: (use: string) => `GPU-Speicher: ${use}`,
  noGpu: 'Keine GPU',
  loaded: (names: string, more: number) => (more > 0 ? `${names} +${more}` : names),
}

const use = {
  names: { preferred: 'Bevorzugt', automatic: 'Automatisch', low: 'Niedrige Priorität', never: 'Nie' },
  other: (priority: string) => `Priorität ${priority}`,
  label: (name: string) => `Einsatz: ${name}`,
  notYet: 'Noch wird nichts gesendet',
  saved: (name: string) => `Gespeichert für ${name}.`,
}

const card = {
  states,
  back: 'Alle Rechner',
  facts: 'Details',
  address: 'Adresse',
  key: 'Schlüssel',
  reasonsLabel: 'Warum er keine Arbeit erhält',
  device: 'Gerät',
  memory: 'Speicher',
  system: 'System',
  version: 'Version von Voice Studio',
  outdated: (version: string) => `${version}, älter als dieses Studio. Aktualisieren Sie es auf jenem Rechner.`,
  models: 'Geladene Modelle',
  none: 'Keine',
  runsNow: 'Läuft gerade',
  idle: 'Frei',
  latency: 'Latenz',
  ms: (ms: number) => `${ms}\u00a0ms`,
  lastSeen: 'Zuletzt gesehen',
  now: 'Jetzt',
  priority: 'Priorität',
  priorityOf: (priority: number) => (priority === 50 ? 'Normal' : `${priority > 50 ? 'Hoch' : 'Niedrig'} (${priority})`),
  unknown: 'Unbekannt',
  cpuOnly: (count: number) => plural(count, { one: 'CPU, # Kern, keine GPU', other: 'CPU, # Kerne, keine GPU' }),
  gpu: (model: string, backend: string) => `${model} (${backend})`,
  unusableGpu: (model: string, reason: string) => `${model} (vorhanden, nicht nutzbar: ${reason})`,
  gpuMemory: (free: string, all: string) => `${free} von ${all} GPU-Speicher frei`,
  systemMemory: (size: string) => `${size} Arbeitsspeicher`,
  work: (engine: string, operation: string, stage: string) => `${work[operation] ?? operation} mit ${engine}, ${stage}`,
  stages: { assigned: 'angeboten', accepted: 'angenommen', model_loading: 'Modell wird geladen', result_uploading: 'wird übertragen' },

  resume: 'Fortsetzen',
  approve: 'Freigeben',
  release: 'Quarantäne aufheben',
  log: 'Protokoll',
  takeWork: 'Wieder Arbeit annehmen',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  menu: 'Weitere Aktionen',
  rename: 'Umbenennen oder Priorität festlegen',
  drain: 'Auslaufen lassen',
  drainHint: 'Auslaufen lassen: Der Rechner beendet seine Aufgaben und nimmt keine neuen an.',
  withdraw: 'Freigabe zurückziehen',
  remove: shared.remove,
  actionFor: (action: string, name: string) => `${action}: ${name}`,
  resumed: (name: string) => `${name} erhält wieder Arbeit.`,
  notResumed: (name: string, why: string) => `${name} erhält weiterhin keine Arbeit. ${why}`,
  draining: (name: string) => `${name} beendet seine Aufgaben und nimmt keine neuen an.`,
  turnedOn: (name: string) => `${name} ist eingeschaltet.`,
  turnedOff: (name: string) => `${name} ist ausgeschaltet.`,
}

const reasons = {
  quarantined: (why: string) => `In Quarantäne: ${why}. Bis Sie sie aufheben, wird nichts dorthin gesendet.`,
  unapproved: 'Bis zur Freigabe wird nichts dorthin gesendet.',
  /** Differences from what was approved. */
  lapsed: {
    pool: 'Er ist jetzt ein Pool.',
    machine: 'Er ist kein Pool mehr.',
    operator: (name: string) => `Sein Betreiber ist jetzt ${name}.`,
    places: (names: string) => `Seine Rechner stehen jetzt in ${names}.`,
    reads: 'Sein Betreiber kann jetzt lesen, was gesendet wird.',
    readsNot: 'Sein Betreiber gibt an, Gesendetes nicht mehr zu lesen.',
  },
  off: 'Sie haben ihn ausgeschaltet. Seine Arbeit geht an andere Rechner.',
  notReached: (why: string) => `Nicht verbunden. ${why || 'Das Studio versucht weiter, sich zu verbinden.'}`,
  neverConnected: (name: string) => `${name} war noch nie verbunden. Voice Studio wird auf diesem Rechner gestartet.`,
  offline: (name: string) => `${name} ist ausgeschaltet oder nicht verbunden. Voice Studio wird auf diesem Rechner gestartet.`,
  unresponsive: 'Verbunden, antwortet aber nicht. Sehen Sie in sein Protokoll.',
  drained: (count: number) =>
    count > 0 ? `Läuft aus: Er beendet noch ${tasks(count)} und erhält keine neuen.` : 'Ausgelaufen: Er erhält keine neuen Aufgaben.',
  ending: (count: number) =>
    count > 0
      ? `Er wird dort gerade beendet, schließt noch ${tasks(count)} ab und nimmt keine neuen an.`
      : 'Er wird dort gerade beendet und nimmt keine neuen Aufgaben an.',
  breaker: (model: string, summary: string) => `${model}: ${summary}.`,
  lastConnected: (ago: string) => `Zuletzt verbunden: ${ago}.`,
  nextTry: (time: string) => `Nächster Versuch in ${time}.`,
  nextTrySoon: 'Nächster Versuch in einem Moment.',
  allSlots: 'Alle Plätze sind belegt.',
  waits: (count: number, why: string) =>
    `${plural(count, { one: '# Aufgabe kann dort nicht laufen', other: '# Aufgaben können dort nicht laufen' })}: ${why}.`,
  /** Reasons of the scheduler that need more context here. */
}

const work: Readonly<Record<string, string>> = {
  tts: 'Sprachausgabe',
  asr: 'Transkription',
  clean: 'Rauschentfernung',
  translate: 'Übersetzung',
  separate: 'Stimmtrennung',
}

export const strings = { page, list, table, use, card, reasons }
